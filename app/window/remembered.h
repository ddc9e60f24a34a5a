// What a person has filled into a form, kept from one time to the next.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"

namespace ringscope {

using Remembered = std::map<std::string, std::string>;  // by field

// The values that are not as they are at first, but for one field's.
template <class Field>
Remembered changed_values(std::span<const Field> fields, const std::vector<std::string>& values,
                          std::string_view but_for) {
  Remembered changed;
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (values[i] != fields[i].initial && fields[i].id != but_for)
      changed.emplace(fields[i].id, values[i]);
  return changed;
}

// As far as they can still be chosen.
template <class Form>
void take_remembered(Form& form, const Remembered& values) {
  for (const auto& [id, value] : values) {
    try {
      set_value(form, id, value);
    } catch (const Error&) {
      // Of another version of the program.
    }
  }
}

}  // namespace ringscope
