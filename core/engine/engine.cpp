#include "core/engine/engine.h"

#include <array>

namespace ringscope {
namespace {

constexpr std::array<EngineRow, 1> table{{
    {"host", make_host_engine},
}};

}  // namespace

int choose_slices(const Engine& engine, const Algorithm& algorithm, const ScheduleRequest& request,
                  ElementType type) {
  if (algorithm.one_slice) return 1;
  const std::int32_t chunks = algorithm.chunks(request);
  const Extent last = cut(request.count, chunks, chunks - 1);
  return engine.auto_slices(request.ranks, last.count * bytes_of(type));
}

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
