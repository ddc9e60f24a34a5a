#include "app/window/preferences.h"

#include <toml++/toml.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace ringscope {
namespace {

// A window that is smaller or larger than this was not chosen by a person.
constexpr double smallest = 320, largest = 16384;

double length_in(const toml::table& table, const char* key, double otherwise) {
  const double length = table[key].value_or(otherwise);
  return length >= smallest && length <= largest ? length : otherwise;
}

template <class... Names>
std::string one_of(const toml::table& table, const char* key, const std::string& otherwise,
                   Names... names) {
  const std::string name = table[key].value_or(otherwise);
  return ((name == names) || ...) ? name : otherwise;
}

Remembered remembered_in(const toml::table& table, const char* key) {
  Remembered remembered;
  if (const toml::table* const values = table[key].as_table())
    for (const auto& [id, value] : *values)
      if (const auto text = value.value<std::string>()) remembered.emplace(id.str(), *text);
  return remembered;
}

toml::table table_of(const Remembered& remembered) {
  toml::table table;
  for (const auto& [id, value] : remembered) table.insert(id, value);
  return table;
}

}  // namespace

std::string preferences_path() {
  namespace fs = std::filesystem;
  const char* configuration = std::getenv("XDG_CONFIG_HOME");
  const char* home = std::getenv("HOME");
  const fs::path folder = configuration && *configuration ? fs::path(configuration)
                          : home && *home                 ? fs::path(home) / ".config"
                                                          : fs::path(".config");
  return (folder / "ringscope" / "settings.toml").string();
}

Preferences load_preferences(const std::string& path) {
  Preferences preferences;
  try {
    const toml::table table = toml::parse_file(path);
    preferences.theme = one_of(table, "theme", preferences.theme, "light", "dark");
    preferences.language = one_of(table, "language", preferences.language, "en", "zh");
    preferences.view = table["view"].value_or(preferences.view);
    preferences.last_folder = table["last_folder"].value_or(preferences.last_folder);
    preferences.window.width = length_in(table, "width", preferences.window.width);
    preferences.window.height = length_in(table, "height", preferences.window.height);
    preferences.reduced_motion = table["reduced_motion"].value_or(false);
    preferences.set_up = remembered_in(table, "set_up");
    preferences.export_form = remembered_in(table, "export");
  } catch (const toml::parse_error&) {
    return {};
  }
  return preferences;
}

void save_preferences(const Preferences& preferences, const std::string& path) {
  const toml::table table{{"theme", preferences.theme},
                          {"language", preferences.language},
                          {"view", preferences.view},
                          {"last_folder", preferences.last_folder},
                          {"width", static_cast<std::int64_t>(preferences.window.width)},
                          {"height", static_cast<std::int64_t>(preferences.window.height)},
                          {"reduced_motion", preferences.reduced_motion},
                          {"set_up", table_of(preferences.set_up)},
                          {"export", table_of(preferences.export_form)}};
  namespace fs = std::filesystem;
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  const fs::path temporary = path + ".new";
  if (std::ofstream file(temporary); !(file << table << '\n') || !file.flush()) return;
  fs::rename(temporary, path, error);
}

}  // namespace ringscope
