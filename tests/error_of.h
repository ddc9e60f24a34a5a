// What an action that should fail is told to the user as.
#pragma once

#include <catch2/catch.hpp>
#include <functional>
#include <string>

#include "core/error.h"
#include "core/language/language.h"

namespace ringscope {

// The id of the error that `action` ends in, whose text is one sentence in both languages with no
// place left open; "" where it ends well.
inline std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    for (const std::string_view code : Language::codes()) {
      const std::string text = Language::named(code).text(error.message());
      CHECK(text.find_first_of("{}\n") == text.npos);
      CHECK(!text.starts_with('['));
      CHECK(!text.empty());
    }
    return error.message().id;
  }
  return "";
}

}  // namespace ringscope
