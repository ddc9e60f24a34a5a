// What the forms of the window share: a field with its label and widget, what went wrong, and the
// wide button below. A form's rows are painted by a pen whose origin is in pixels.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/window/set_up.h"
#include "app/window/ui.h"

namespace ringscope {

struct FormField {
  std::string id;  // ImGui's
  std::string label;
  std::string hint;  // of a text that is empty
  FieldKind kind;
  std::string value;
  std::vector<std::string_view> choices = {};
  std::string nobody = {};  // what stands for no choice
  // Of a choice that is greyed: the reason, which stands beneath it; empty where it is not.
  std::function<std::string(std::string_view choice)> why_not = {};
};

// Where a form's rows are: its pen's origin, pixels, and scale.
struct FormPlace {
  Point origin;
  double scale;
};

// The label takes so much of the row, or stands behind the box of a flag. Calls `set` with what was
// filled in.
void form_row(Pen& pen, const FormPlace& place, const FormField& field, const Rect& row,
              double label_width, bool label_behind,
              const std::function<void(std::string_view value)>& set);
void form_heading(Pen& pen, double x, double y, const std::string& text);

// A button that runs a command.
void wide_button(Pen& pen, const Rect& rect, const std::string& text, const char* command,
                 Color fill, Color ink);
// A sentence in a box of that width; returns how high it is.
double problem_box(Pen& pen, double x, double bottom, double width, const std::string& text);

}  // namespace ringscope
