// The set-up drawer's form: every choice of record() as a text, one row a choice. No ImGui: a
// script fills it too.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/window/remembered.h"
#include "core/engine/engine.h"
#include "core/engine/record.h"

namespace ringscope {

enum class FieldKind { choice, several, text, flag };

struct SetUpField {
  std::string_view id;     // label: text 'window.field.<id>'
  std::string_view group;  // heading: text 'window.group.<group>'
  FieldKind kind;
  bool wide;                                   // takes a row of its own
  std::string_view initial;                    // a flag's is 'off'
  std::vector<std::string_view> (*choices)();  // of a choice or several, else null
  // Puts the value into the settings. Throws Error (usage).
  void (*apply)(RunSettings& settings, std::string_view value);
  bool Algorithm::*needs = nullptr;      // says something only to algorithms that have it
  bool EngineRow::*of_engine = nullptr;  // and only to engines that have this
};
std::span<const SetUpField> set_up_fields();

// What a person has filled in.
struct SetUp {
  SetUp();

  std::vector<std::string> values;  // [field]
};

// Index into set_up_fields(). Throws Error (usage) that lists the names.
std::size_t set_up_field_named(std::string_view id);
// Throws Error (usage) where a choice or flag does not have such a value; a text takes anything.
void set_value(SetUp& set_up, std::string_view id, std::string_view value);
std::string_view value_of(const SetUp& set_up, std::string_view id);
// 'tree,double-tree' -> its parts.
std::vector<std::string> several_of(std::string_view value);
// Whether the field says something to the engine and one of the algorithms that are filled in.
bool says_something(const SetUp& set_up, const SetUpField& field);
// Leaves out what says nothing to its algorithm or engine. Throws Error (usage) for the first value
// that can't be read.
RunSettings settings_of(const SetUp& set_up);
// As many as record() takes where none are filled in, or no number is.
int ranks_of(const SetUp& set_up);
// What is not as it is at first, by field; a file to be written is not among it.
Remembered remembered(const SetUp& set_up);
// The run, and on the same data those with which it is to be compared.
std::vector<RunSettings> runs_of(const SetUp& set_up);

}  // namespace ringscope
