#include <memory>
#include <string>
#include <vector>

#include "app/cli/options.h"
#include "app/cli/subcommands.h"
#include "core/error.h"
#include "core/figure/theme.h"
#ifdef RINGSCOPE_WINDOW
#include "app/window/window.h"
#endif

namespace ringscope {

CommandAction set_up_window(CLI::App& command, const Language& language) {
  struct Target {
    std::vector<std::string> files;
    std::string script, theme;
  };
  const auto target = std::make_shared<Target>();
  Options options(command, language);
  options.optional_files(target->files);
  options.value("--script", "FILE", target->script);
  options.value("--theme", choices(names_of(themes())), target->theme);
  return [target]([[maybe_unused]] const Language& chosen, [[maybe_unused]] bool said) -> int {
    if (!target->theme.empty()) theme_named(target->theme);  // refuses one that there is not
#ifdef RINGSCOPE_WINDOW
    return open_window({target->files, target->script, said ? &chosen : nullptr, target->theme});
#else
    throw Error({"error.window.not_built", {}});
#endif
  };
}

}  // namespace ringscope
