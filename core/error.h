// What a person is told: a text of the catalogue with its arguments, not yet in any language.
// Error carries such a message up to the command line or the window, which says it in English or
// Chinese.
#pragma once

#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace ringscope {

// A text of the catalogue (assets/texts/*.toml) by its id, and the named arguments that go into its
// braces.
// {"error.file.truncated", {{"file", "a.ring"}}} fills '{file}'.
struct Message {
  std::string id;
  std::vector<std::pair<std::string, std::string>> arguments;

  bool operator==(const Message&) const = default;
};

// Wrong usage (exit status 2) is what another command line would have avoided; the rest is a
// failure (1).
enum class Blame { failure, usage };

// Thrown where a file, a device or an input fails. A broken invariant asserts instead.
// The text says what happened, where, and what to do about it.
class Error : public std::exception {
 public:
  explicit Error(Message message, Blame blame = Blame::failure)
      : message_(std::move(message)), blame_(blame), what_(message_.id) {
    for (const auto& [name, value] : message_.arguments) what_ += ' ' + name + '=' + value;
  }

  const Message& message() const { return message_; }
  Blame blame() const { return blame_; }
  // For tests and debuggers: the id and the arguments, in no language.
  const char* what() const noexcept override { return what_.c_str(); }

 private:
  Message message_;
  Blame blame_;
  std::string what_;
};

}  // namespace ringscope
