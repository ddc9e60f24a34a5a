// Halving and doubling (Rabenseifner; Thakur, Rabenseifner, Gropp, IJHPCA 2005): as recursive
// doubling, but partners split the work, so that each sends only what the other keeps.
//
//   N = 8 places, C = 8 chunks; what place 2 keeps:
//
//   chunk         0   1   2   3   4   5   6   7
//   distance 4  [ *   *   *   * ] .   .   .   .    reduce-scatter: it sends the other half to its
//   distance 2    .   . [ *   * ] .   .   .   .    partner at that distance, and adds what comes;
//   distance 1    .   . [ * ] .   .   .   .   .    chunk 2 is complete
//   distance 1    .   . [ *   * ] .   .   .   .    all-gather: the same way back; it sends what it
//   distance 2  [ *   *   *   * ] .   .   .   .    has, and takes its partner's as it is
//   distance 4  [ *   *   *   *   *   *   *   * ]
//
// A message is a run of chunks, 2L of them a rank; with slices it is one a chunk and slice
// (add_step says why). Other numbers than 2^L are folded (fold.h).
#include "core/schedule/building.h"
#include "core/schedule/fold.h"
#include "core/schedule/schedule.h"

namespace ringscope {

Schedule make_halving_doubling(const ScheduleRequest& request) {
  check_request(request, "halving-doubling");
  const Fold fold = fold_of(request.ranks);
  const double places = fold.places;
  Schedule schedule = begin_all_reduce(request, "halving-doubling",
                                       2 * (places - 1) * places + 2 * places * fold.extras);
  // A place's run of `size` chunks: the aligned one in which the chunk of its number lies.
  const auto send = [&](std::int32_t round, std::int32_t src, std::int32_t dst, std::int32_t owner,
                        std::int32_t size, Action action) {
    add_step(schedule, round, fold.rank_in(src), fold.rank_in(dst), owner & ~(size - 1), size,
             action);
  };
  add_fold_in(schedule, fold);
  std::int32_t round = add_phase(schedule, "reduce-scatter", fold.levels);
  for (std::int32_t distance = fold.places / 2; distance >= 1; distance /= 2, ++round)
    for (std::int32_t place = 0; place < fold.places; ++place)
      send(round, place, place ^ distance, place ^ distance, distance, Action::reduce);
  add_phase(schedule, "all-gather", fold.levels);
  for (std::int32_t distance = 1; distance < fold.places; distance *= 2, ++round)
    for (std::int32_t place = 0; place < fold.places; ++place)
      send(round, place, place ^ distance, place, distance, Action::copy);
  add_fold_out(schedule, fold);
  return schedule;
}

}  // namespace ringscope
