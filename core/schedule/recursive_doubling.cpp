// Recursive doubling (Thakur, Rabenseifner, Gropp, IJHPCA 2005): along one dimension of a hypercube
// after another, partners exchange whole buffers, and both add.
//
//   GPU 2 ───── GPU 3      round 1, distance 1: 0 <-> 1, 2 <-> 3; each pair holds its sum twice
//     │           │        round 2, distance 2: 0 <-> 2, 1 <-> 3; four hold the sum of four
//   GPU 0 ───── GPU 1      round k, distance 2^(k-1): 2^k hold the sum of 2^k
//
// The operators being bitwise commutative, a+b here and b+a there are the same bits, so all ranks
// agree. Other numbers than 2^L are folded (fold.h). L rounds, but K in each: p L K all together.
#include "core/schedule/building.h"
#include "core/schedule/fold.h"
#include "core/schedule/schedule.h"

namespace ringscope {

Schedule make_recursive_doubling(const ScheduleRequest& request) {
  check_request(request, "recursive-doubling");
  const Fold fold = fold_of(request.ranks);
  Schedule schedule = begin_all_reduce(request, "recursive-doubling",
                                       1.0 * fold.places * fold.levels + 2.0 * fold.extras);
  add_fold_in(schedule, fold);
  const std::int32_t first = add_phase(schedule, "exchange", fold.levels);
  for (std::int32_t level = 0; level < fold.levels; ++level)
    for (std::int32_t place = 0; place < fold.places; ++place)
      add_step(schedule, first + level, fold.rank_in(place), fold.rank_in(place ^ (1 << level)), 0,
               1, Action::reduce);
  add_fold_out(schedule, fold);
  return schedule;
}

}  // namespace ringscope
