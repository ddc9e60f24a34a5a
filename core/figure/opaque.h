// What the views of an all-reduce that shows no transfers have in common.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/figure/stage.h"

namespace ringscope {

// [repeat] The times of the run; and which of them is the record's.
struct OpaqueTimes {
  std::vector<std::int64_t> repeats;
  std::size_t kept = 0;
  std::vector<std::int64_t> ranks;  // [rank]: of the kept one
};
OpaqueTimes opaque_times(const Trace& trace);

// 'NCCL does not show its chunks.'
std::string opaque_sentence(const Language& language);

// What stands on the closed box: lines one below the other, in its middle.
class Plate {
 public:
  // `width`: of the longest line.
  Plate(const Drawing& measure, double width) : measure_(measure), most_width_(width) {}

  // A text, broken to the width, `above` more than usual below the one before. What is larger than
  // the smallest is bold.
  void add(const std::string& id, const std::string& text, double size, double above = 0);
  // Of the lines.
  double width() const;
  double height() const;
  void draw(Drawing& drawing, const std::string& id, const Rect& rect) const;

 private:
  struct Line {
    std::string id, text;
    double size, above;

    double height() const;
    TextStyle style() const;
  };
  const Drawing& measure_;
  double most_width_;
  std::vector<Line> lines_;
};
// That its chunks are not shown, and where `reason` is asked for what that means.
void add_sentence(Plate& plate, const Language& language, bool reason);
// Nothing where there is none.
void add_busbw(Plate& plate, const Trace& trace, const Language& language, double above);

}  // namespace ringscope
