#include "core/engine/engine.h"

#include <array>

namespace ringscope {
namespace {

constexpr std::array<EngineRow, 1> table{{
    {"host", make_host_engine},
}};

}  // namespace

std::span<const EngineRow> engines() { return table; }

std::unique_ptr<Engine> make_engine(std::string_view name) {
  std::string known;
  for (const EngineRow& row : table) {
    if (row.name == name) return row.make();
    known += (known.empty() ? "" : ", ") + std::string(row.name);
  }
  throw Error({"error.engine.unknown", {{"name", std::string(name)}, {"known", known}}},
              Blame::usage);
}

}  // namespace ringscope
