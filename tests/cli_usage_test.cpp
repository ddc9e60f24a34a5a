// How the program is asked and answers: wrong usage, failures, languages, help.
#include <CLI/CLI.hpp>
#include <catch2/catch.hpp>
#include <string>

#include "app/cli/subcommands.h"
#include "core/language/language.h"
#include "tests/command_line.h"

using namespace ringscope;

namespace {

const Folder folder("usage");

Outcome shell(const std::string& line) { return shell(folder, line); }

Outcome ringscope_(const std::string& arguments) { return shell("\"$R\" " + arguments); }

void refused(const std::string& arguments, int status, const std::string& what) {
  INFO(arguments);
  check_refused(ringscope_(arguments), status, what);
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("wrong usage is one sentence that names the option, and 2") {
  refused("record --ranks 0", 2, "--ranks");
  refused("record --ranks four", 2, "--ranks");
  refused("record --ranks 4x", 2, "--ranks");
  refused("record --ranks 99999999999", 2, "--ranks");
  refused("record --ranks", 2, "--ranks");
  refused("record --ranks --count 4", 2, "--ranks");
  refused("record --ranks=", 2, "--ranks");
  refused("record --count -1", 2, "--count");
  refused("record --count 1e6", 2, "--count");
  refused("record --type f33", 2, "--type");
  refused("record --op xor", 2, "--op");
  refused("record --data file", 2, "--data");
  refused("record --order 0,0,1,2", 2, "rank 0");
  refused("record --order 0,1,2", 2, "order");
  refused("record --order 0,1,,2", 2, "--order");
  refused("record --slices 0", 2, "--slices");
  refused("record --repeats 0", 2, "--repeats");
  refused("record --timeout 10", 2, "10");
  refused("record --late 9:1ms", 2, "9");
  refused("record --delay nonsense", 2, "nonsense");
  refused("record --die 2@9.9", 2, "9.9");
  refused("record --algorithm star", 2, "star");
  refused("record --engine steam", 2, "steam");
  refused("record --lockstep=3", 2, "--lockstep");
  refused("record --rank 4", 2, "'--rank'");
  refused("record extra", 2, "extra");
  refused("record --input a.npy --data ramp", 2, "--data");
  refused("recrod", 2, "recrod");
  refused("--nonsense", 2, "--nonsense");
  refused("show", 2, "FILE");
  refused("show a b", 2, "'b'");
  refused("show " + record_file(folder) + " --round 3.1", 2, "1.1..1.3");
  refused("show " + record_file(folder) + " --round x", 2, "'x'");
  refused("show " + record_file(folder) + " --values words", 2, "--values");
  refused("verify", 2, "FILE");
  refused("info", 2, "FILE");
  refused("--lang fr", 2, "fr");
  refused("--lang", 2, "--lang");
}

TEST_CASE("what fails is one sentence, and 1") {
  for (const std::string command : {"show", "verify", "info"}) {
    refused(command + " nothing.ring", 1, "nothing.ring");
    refused(command + " .", 1, "folder");
    refused(command + " out", 1, "out");  // the file that stdout goes to: empty
  }
  refused("record --count 1000000000000000", 1, "GiB");
  refused("record --ranks 100000000", 1, "GiB");
  refused("record -o nowhere/a.ring", 1, "nowhere/a.ring");
  refused("record -o .", 1, "folder");
  refused("record --input nothing.npy", 1, "nothing.npy");
  CHECK(shell("\"$R\" record >/dev/full").status == 1);
}

TEST_CASE("who stops reading early is no failure") {
  const Outcome outcome =
      shell("(\"$R\" show " + record_file(folder) + "; echo $? >status) | true");
  CHECK(outcome.err.empty());
  CHECK(text_of_file(folder.file("status")) == "0\n");
}

TEST_CASE("--lang stands anywhere on the line and goes before the environment") {
  for (const char* const line :
       {"--lang zh show", "show --lang zh", "show --lang=zh", "--lang en show --lang zh"}) {
    const Outcome outcome = ringscope_(line);
    INFO(line);
    CHECK(outcome.status == 2);
    CHECK(outcome.err == "ringscope: 缺少 FILE；加上 -h 可查看该命令的用法。\n");
  }
  CHECK(shell("LC_ALL=zh_CN.UTF-8 \"$R\" show").err.starts_with("ringscope: 缺少"));
  CHECK(shell("LC_ALL=zh_CN.UTF-8 \"$R\" show --lang en").err.starts_with("ringscope: FILE"));
  CHECK(ringscope_("record --lang zh").out.starts_with("环形 All-Reduce，4 个 rank：6 轮"));
  CHECK(has(ringscope_("show --lang zh " + record_file(folder)).out, "\n第 1.2 轮："));
  CHECK(has(ringscope_("info --lang zh " + record_file(folder)).out, "通信计划  "));
  CHECK(has(ringscope_("verify --lang zh " + record_file(folder)).out, "✓ 文件完整"));
}

TEST_CASE("help of every command, in both languages, names every option and what it is for") {
  for (const std::string_view code : Language::codes()) {
    const Language& language = Language::named(code);
    const std::string all = ringscope_("-h --lang " + std::string(code)).out;
    for (const Subcommand& row : subcommands()) {
      const std::string name(row.name);
      INFO(name << " in " << code);
      CHECK(has(all, "  " + name + ' '));
      CHECK(has(all, language.text("command." + name)));
      const Outcome outcome = ringscope_(name + " -h --lang " + std::string(code));
      CHECK(outcome.status == 0);
      CHECK(outcome.err.empty());
      CHECK(outcome.out.starts_with(language.text("command." + name)));
      CLI::App command("", name);
      row.set_up(command, language);
      for (const CLI::Option* const option : command.get_options()) {
        if (option->get_name() == "--help") continue;
        CHECK(has(outcome.out, option->get_name()));
        CHECK(has(outcome.out, option->get_description()));
      }
      for (const char* const option : {"--lang", "-h, --help"}) CHECK(has(outcome.out, option));
      CHECK_FALSE(has(outcome.out, "[option"));
      CHECK_FALSE(has(outcome.out, "\x1b"));
    }
  }
  CHECK(has(ringscope_("--help").out, "Usage: ringscope"));
  CHECK(has(ringscope_("--help --lang zh").out, "用法：ringscope"));
}

TEST_CASE("--version prints the version") {
  const Outcome outcome = ringscope_("--version");
  CHECK(outcome.status == 0);
  CHECK(outcome.out.starts_with("ringscope "));
}

TEST_CASE("the window's options are looked at before it is opened") {
  refused("window --theme pink", 2, "pink");
  refused("window --script", 2, "--script");
}

TEST_CASE("without a display the window says so, and what works") {
  for (const char* const line : {"", "window", "--lang en"}) {
    const Outcome outcome = shell("unset DISPLAY WAYLAND_DISPLAY; \"$R\" " + std::string(line));
    INFO(line);
    CHECK(outcome.status == 1);
    CHECK(outcome.err.starts_with("ringscope: "));
    CHECK(has(outcome.err, "ringscope show"));
  }
}
