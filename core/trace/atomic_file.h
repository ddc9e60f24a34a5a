// Writes files so that no half-written one is ever left under their name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

namespace ringscope {

// What can be made again in a moment need not wait for the disk.
enum class Until : std::uint8_t { on_disk, written };

// Writes the pieces one behind the other to a temporary name in the same folder, has the disk take
// them, and renames. What was under the name before is replaced, or stays as it was where anything
// fails. Throws Error.
void write_file(const std::string& path, std::initializer_list<std::span<const std::byte>> pieces,
                Until until = Until::on_disk);

// Throws what writing there would, as far as can be seen beforehand: for work that takes long.
void require_writable(const std::string& path);

}  // namespace ringscope
