// What a test may ask of the library with NCCL's calls (fake_nccl.cpp), found by its name.
#pragma once

#include <string>

namespace ringscope {

struct FakeNccl {
  std::string fails;      // the call that is answered with an error; empty: none
  bool hangs = false;     // what it is asked, till it is aborted
  int communicators = 0;  // that were not given back
  int aborted = 0;        // that were ended before they were done
  int open_groups = 0;
  int made = 0;  // communicators, ever
};
inline constexpr const char* fake_nccl_name = "fake_nccl";

}  // namespace ringscope
