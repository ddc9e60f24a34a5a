// How far a long piece of work is, on a terminal.
#pragma once

#include <chrono>
#include <string_view>

#include "core/language/language.h"

namespace ringscope {

// A line on stderr where that is a terminal, once the work has taken a second; gone at the end.
class ProgressLine {
 public:
  explicit ProgressLine(const Language& language);
  ~ProgressLine();

  // The text of that id and the fraction, 0..1, as per cent.
  void show(std::string_view id, double fraction);

 private:
  const Language& language_;
  bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace ringscope
