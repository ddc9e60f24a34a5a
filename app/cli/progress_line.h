// How far a long piece of work is, on a terminal.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "core/language/language.h"

namespace ringscope {

// 'running 40 %, 3 s' on stderr where that is a terminal, once the work has taken a second; gone at
// the end. It has a thread of its own, so that the line lives while the work says nothing.
class ProgressLine {
 public:
  explicit ProgressLine(const Language& language);

  // What is being done: a text's id; how much of it is, 0..1; and to what, where that is not clear.
  void show(const std::string& id, double fraction, const std::string& subject = "");

 private:
  void print(int seconds);

  const Language& language_;
  std::mutex mutex_;
  std::condition_variable_any ended_;
  std::string id_, subject_;
  double fraction_ = 0;
  std::jthread printer_;  // last, so that it ends before the rest goes
};

}  // namespace ringscope
