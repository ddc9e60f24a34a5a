#include <memory>

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
    std::string file, script, theme;
  };
  const auto target = std::make_shared<Target>();
  Options options(command, language);
  options.optional_file(target->file);
  options.value("--script", "FILE", target->script);
  options.value("--theme", choices(names_of(themes())), target->theme);
  return [target]([[maybe_unused]] const Language& chosen, [[maybe_unused]] bool said) -> int {
    if (!target->theme.empty()) theme_named(target->theme);  // refuses one that there is not
#ifdef RINGSCOPE_WINDOW
    return open_window({target->file, target->script, said ? &chosen : nullptr, target->theme});
#else
    throw Error({"error.window.not_built", {}});
#endif
  };
}

}  // namespace ringscope
