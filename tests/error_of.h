// What an action that should fail is told to the user as.
#pragma once

#include <catch2/catch.hpp>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/error.h"
#include "core/language/language.h"

namespace ringscope {

// The error that `action` ends in, whose text is one sentence in both languages with no place left
// open; nothing where it ends well.
inline std::optional<Message> failure_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    for (const std::string_view code : Language::codes()) {
      const std::string text = Language::named(code).text(error.message());
      CHECK(text.find_first_of("{}\n") == text.npos);
      CHECK(!text.starts_with('['));
      CHECK(!text.empty());
    }
    return error.message();
  }
  return std::nullopt;
}

// Its id; "" where it ends well.
inline std::string error_of(const std::function<void()>& action) {
  const std::optional<Message> failure = failure_of(action);
  return failure ? failure->id : "";
}

inline std::string argument(const Message& message, std::string_view name) {
  for (const auto& [key, value] : message.arguments)
    if (key == name) return value;
  return "(none)";
}

}  // namespace ringscope
