// The first few of many faults of one kind, in words, and how many there were.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/schedule/schedule.h"

namespace ringscope {

class Faults {
 public:
  bool none() const { return count_ == 0; }
  // Making the words costs, so that `make` is only called for what is told.
  template <class Make>
  void add(Make&& make) {
    if (count_++ < most_told) told_.push_back(make());
  }
  void tell(std::vector<Message>& wrong) const {
    wrong.insert(wrong.end(), told_.begin(), told_.end());
    if (count_ > told_.size())
      wrong.push_back({"verify.more", {{"count", std::to_string(count_ - told_.size())}}});
  }

 private:
  static constexpr std::uint64_t most_told = 8;
  std::uint64_t count_ = 0;
  std::vector<Message> told_;
};

// A message about a cell of a transfer: round, src, dst, chunk and slice, and then `more`.
inline Message about_transfer(std::string id, const Schedule& schedule, const Transfer& transfer,
                              std::int32_t cell,
                              std::vector<std::pair<std::string, std::string>> more = {}) {
  Message message{std::move(id),
                  {{"round", round_name(schedule, transfer.round)},
                   {"src", std::to_string(transfer.src)},
                   {"dst", std::to_string(transfer.dst)},
                   {"chunk", std::to_string(cell / schedule.slices)},
                   {"slice", std::to_string(cell % schedule.slices)}}};
  message.arguments.insert(message.arguments.end(), more.begin(), more.end());
  return message;
}

}  // namespace ringscope
