// What the window remembers from one time to the next, in a small TOML file.
#pragma once

#include <string>

#include "app/window/remembered.h"
#include "core/figure/figure.h"

namespace ringscope {

struct Preferences {
  std::string theme = "light";
  std::string language;  // empty: the environment's
  std::string view = "ring";
  std::string last_folder;
  Size window{1600, 900};
  bool reduced_motion = false;
  Remembered set_up = {};
  Remembered export_form = {};

  bool operator==(const Preferences&) const = default;
};

// $XDG_CONFIG_HOME/ringscope/settings.toml, else below ~/.config.
std::string preferences_path();
// What can be read of the file; the rest, or all where there is no such file, as it is by default.
// Never throws.
Preferences load_preferences(const std::string& path);
// Makes the folder too. A file that can't be written is no failure: the next time starts as usual.
void save_preferences(const Preferences& preferences, const std::string& path);

}  // namespace ringscope
