// How an algorithm for 2^L ranks takes any number, as MPICH does it (Thakur, Rabenseifner, Gropp,
// IJHPCA 2005). N = 6: p = 4 places and r = 2 ranks too many.
//
//   GPU 0 ──> GPU 1    GPU 2 ──> GPU 3    GPU 4    GPU 5      fold in: of the first 2r ranks each
//             place 0            place 1  place 2  place 3    even one gives its buffer to the odd
//   GPU 0 <── GPU 1    GPU 2 <── GPU 3                        one, which stands for both; fold out:
//                                                             it gets the result back
#pragma once

#include <cstdint>

#include "core/schedule/schedule.h"

namespace ringscope {

struct Fold {
  std::int32_t levels;  // L = floor(log2 N)
  std::int32_t places;  // p = 2^L
  std::int32_t extras;  // r = N - p

  // The rank that stands in a place.
  std::int32_t rank_in(std::int32_t place) const {
    return place < extras ? 2 * place + 1 : place + extras;
  }
};

// Of any number of ranks; of fewer than one as of one.
Fold fold_of(std::int32_t ranks);

// A phase of one round each; none where no rank is too many. The whole buffer goes.
void add_fold_in(Schedule& schedule, const Fold& fold);
void add_fold_out(Schedule& schedule, const Fold& fold);

}  // namespace ringscope
