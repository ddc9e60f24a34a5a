#include "core/engine/nccl_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <utility>

#include "core/error.h"

namespace ringscope {
namespace {

constexpr int oldest = 21000;  // 2.10, the first with means and bfloat16

// 2.28.3 is 22803; before 2.9 it was 2809, say.
std::string version_text(int version) {
  if (version < 10000)
    return fmt::format("{}.{}.{}", version / 1000, version % 1000 / 100, version % 100);
  return fmt::format("{}.{}.{}", version / 10000, version % 10000 / 100, version % 100);
}

template <class Function>
void find(void* handle, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(handle, name));
  if (function == nullptr) throw Error({"error.nccl.lacks", {{"call", name}}});
}

}  // namespace

NcclLibrary::NcclLibrary(const std::string& name) {
  void* const handle = dlopen(name.c_str(), RTLD_NOW);
  if (handle == nullptr) throw Error({"error.nccl.no_library", {{"reason", dlerror()}}});
  find(handle, "ncclGetErrorString", error_string);
  decltype(&ncclGetVersion) get_version = nullptr;
  find(handle, "ncclGetVersion", get_version);
  int version = 0;
  check(get_version(&version), "ncclGetVersion");
  if (version < oldest)
    throw Error({"error.nccl.too_old",
                 {{"version", version_text(version)}, {"oldest", version_text(oldest)}}});
  version_ = "NCCL " + version_text(version);
  find(handle, "ncclCommInitAll", comm_init_all);
  find(handle, "ncclCommDestroy", comm_destroy);
  find(handle, "ncclCommAbort", comm_abort);
  find(handle, "ncclAllReduce", all_reduce);
  find(handle, "ncclGroupStart", group_start);
  find(handle, "ncclGroupEnd", group_end);
}

void NcclLibrary::check(ncclResult_t result, std::string_view call) const {
  if (result == ncclSuccess) return;
  throw Error({"error.nccl.failed", {{"call", std::string(call)}, {"text", error_string(result)}}});
}

NcclCommunicators::NcclCommunicators(const NcclLibrary& library, std::vector<int> devices)
    : library_(library), devices_(std::move(devices)), all_(devices_.size()) {
  library.check(
      library.comm_init_all(all_.data(), static_cast<int>(devices_.size()), devices_.data()),
      "ncclCommInitAll");
}

NcclCommunicators::~NcclCommunicators() {
  for (const ncclComm_t one : all_) library_.comm_destroy(one);
}

void NcclCommunicators::abort() {
  for (const ncclComm_t one : std::exchange(all_, {})) library_.comm_abort(one);
}

}  // namespace ringscope
