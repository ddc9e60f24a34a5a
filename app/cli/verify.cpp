#include "core/trace/verify.h"

#include <memory>

#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/subcommands.h"
#include "core/trace/trace_file.h"

namespace ringscope {
namespace {

struct VerifyOptions {
  std::string file;
  bool json = false;
};

std::vector<std::string> texts(const std::vector<Message>& messages, const Language& language) {
  std::vector<std::string> all;
  for (const Message& message : messages) all.push_back(language.text(message));
  return all;
}

int verify_command(const VerifyOptions& options, const Language& language) {
  require("FILE", options.file);
  const Trace trace = load_trace(options.file);  // refuses a file whose checksum is wrong
  Verification found = verify(trace);
  found.checked.insert(found.checked.begin(), Message{"verify.checksum", {}});

  const bool right = found.wrong.empty();
  if (options.json) {
    print_json({{"file", options.file},
                {"ok", right},
                {"checked", texts(found.checked, language)},
                {"unchecked", texts(found.unchecked, language)},
                {"wrong", texts(found.wrong, language)}});
  } else {
    for (const std::string& text : texts(found.checked, language)) print("✓ " + text + '\n');
    for (const std::string& text : texts(found.unchecked, language)) print("- " + text + '\n');
    for (const std::string& text : texts(found.wrong, language)) print("✗ " + text + '\n');
  }
  if (right) return 0;
  throw Error({"error.verify.wrong",
               {{"file", options.file}, {"count", std::to_string(found.wrong.size())}}});
}

}  // namespace

CommandAction set_up_verify(CLI::App& command, const Language& language) {
  const auto target = std::make_shared<VerifyOptions>();
  Options options(command, language);
  options.file(target->file);
  options.flag("--json", target->json);
  return [target](const Language& chosen, bool) { return verify_command(*target, chosen); };
}

}  // namespace ringscope
