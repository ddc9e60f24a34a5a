// Which device each rank runs on, and which way data go between two ranks.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/engine.h"

namespace ringscope {

struct CudaDevice {
  int number = 0;
  std::string name;
  int multiprocessors = 1;
};

// The devices that are there; or why there are none.
struct CudaMachine {
  std::vector<CudaDevice> devices;
  Availability availability;
};
CudaMachine find_cuda_devices();

// [rank]: an index into the devices, of which there is at least one. As asked for, else round
// robin: one each where there are enough. Throws Error (usage) for a list of another length than
// ranks, or a number that no device has.
std::vector<int> devices_of_ranks(int ranks, int devices, const std::vector<int>& asked);

// Throws Error, with the figures, unless the device has so many bytes of free memory.
void require_free_memory(int device, std::uint64_t bytes);

// Lets devices read one another's memory, pair by pair. What was allowed stays so: it belongs to
// the process.
class PeerAccess {
 public:
  // `none`: as where no device may; data then go through the host even within one device, so that
  // this way can be tried where there is but one.
  explicit PeerAccess(bool none = false) : none_(none) {}

  // How rank dst gets what is on another device. Throws Error where the driver says that a device
  // may read another's memory and then refuses.
  LinkPath path(int dst_device, int src_device);

 private:
  bool none_;
  std::set<std::pair<int, int>> allowed_, refused_;
};

}  // namespace ringscope
