// The kernels that nvcc's code has registered with the stand-in, by name.
#pragma once

#include <map>
#include <string>

namespace ringscope {

// [host address of the kernel]
std::map<const void*, std::string>& registered_kernels();

}  // namespace ringscope
