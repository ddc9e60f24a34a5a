// The export dialog's form: every choice of export_deck() as a text, one row a choice. No ImGui: a
// script fills it too.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/window/remembered.h"
#include "core/export/deck.h"

namespace ringscope {

struct ExportField {
  std::string_view id;                         // label: text 'window.export.<id>'
  std::string_view group;                      // heading: text 'window.export_group.<group>'
  std::string_view initial;                    // a flag's is 'on' or 'off'
  std::vector<std::string_view> (*choices)();  // of a choice; null: a flag or a text
  bool flag;
  // Puts the value into the settings. Throws Error (usage).
  void (*apply)(DeckSettings& settings, std::string_view value);
};
std::span<const ExportField> export_fields();

// What a person has filled in.
struct ExportForm {
  ExportForm();

  std::vector<std::string> values;  // [field]
};

// Throws Error (usage) where there is no such field, or where a choice or flag does not have such a
// value; a text takes anything.
void set_value(ExportForm& form, std::string_view id, std::string_view value);
std::string_view value_of(const ExportForm& form, std::string_view id);
// What is not as it is at first, by field; the folder is not among it.
Remembered remembered(const ExportForm& form);
// For a record of so many rounds. Throws Error (usage) for the first value that can't be read, and
// where no format is chosen.
DeckSettings settings_of(const ExportForm& form, const Schedule& schedule);

}  // namespace ringscope
