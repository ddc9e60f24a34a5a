// NCCL's library, opened at run time, and its communicators.
#pragma once

#include <nccl.h>

#include <string>
#include <string_view>
#include <vector>

namespace ringscope {

// The calls that are made of it, by their own names.
class NcclLibrary {
 public:
  // Throws Error where it can't be opened, is too old, or lacks one of them.
  explicit NcclLibrary(const std::string& name);
  NcclLibrary(const NcclLibrary&) = delete;
  NcclLibrary& operator=(const NcclLibrary&) = delete;
  // It stays open: it has threads of its own, which may outlive us.

  // 'NCCL 2.28.3'
  const std::string& version() const { return version_; }
  // Throws Error, with what NCCL says of it, where that is not success. `call` is what failed.
  void check(ncclResult_t result, std::string_view call) const;

  decltype(&ncclCommInitAll) comm_init_all = nullptr;
  decltype(&ncclCommDestroy) comm_destroy = nullptr;
  decltype(&ncclCommAbort) comm_abort = nullptr;
  decltype(&ncclAllReduce) all_reduce = nullptr;
  decltype(&ncclGroupStart) group_start = nullptr;
  decltype(&ncclGroupEnd) group_end = nullptr;
  decltype(&ncclGetErrorString) error_string = nullptr;

 private:
  std::string version_;
};

// A communicator a rank.
class NcclCommunicators {
 public:
  // Of ranks on these devices; the library must outlive them. Throws Error.
  NcclCommunicators(const NcclLibrary& library, std::vector<int> devices);
  NcclCommunicators(const NcclCommunicators&) = delete;
  NcclCommunicators& operator=(const NcclCommunicators&) = delete;
  ~NcclCommunicators();

  const std::vector<int>& devices() const { return devices_; }
  ncclComm_t operator[](std::size_t rank) const { return all_[rank]; }
  // Ends what they are at, after which they are of no use.
  void abort();

 private:
  const NcclLibrary& library_;
  std::vector<int> devices_;
  std::vector<ncclComm_t> all_;  // empty once aborted
};

}  // namespace ringscope
