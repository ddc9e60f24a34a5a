// The set-up drawer's form: what is filled in, what of it a run is told, and what is remembered.
#include "app/window/set_up.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <thread>

#include "app/window/engine_list.h"
#include "app/window/preferences.h"
#include "core/language/language.h"
#include "tests/error_of.h"
#include "tests/folder.h"

using namespace ringscope;

TEST_CASE("the form as it opens asks for what record() does by itself") {
  const RunSettings settings = settings_of(SetUp());
  const RunSettings standard;
  CHECK(settings.algorithm == standard.algorithm);
  CHECK(settings.ranks == standard.ranks);
  CHECK(settings.count == standard.count);
  CHECK(settings.type == standard.type);
  CHECK(settings.wire == standard.wire);
  CHECK(settings.op.value_or(Operator::sum) == standard.op.value_or(Operator::sum));
  CHECK(settings.engine == standard.engine);
  CHECK(settings.data == standard.data);
  CHECK(settings.seed == standard.seed);
  CHECK(settings.slices == standard.slices);
  CHECK(settings.order == standard.order);
  CHECK(settings.root == standard.root);
  CHECK(settings.groups == standard.groups);
  CHECK(settings.repeats == standard.repeats);
  CHECK(settings.timeout == standard.timeout);
  CHECK_FALSE(settings.in_place);
  CHECK_FALSE(settings.lockstep);
}

TEST_CASE("a field that says nothing to the engine is left out, and kept for others") {
  SetUp form;
  const SetUpField& devices = set_up_fields()[set_up_field_named("devices")];
  const SetUpField& port = set_up_fields()[set_up_field_named("port")];
  set_value(form, "devices", "0, 0,1,1");
  set_value(form, "port", "500MB/s");
  CHECK_FALSE(says_something(form, devices));
  CHECK(says_something(form, port));
  CHECK(settings_of(form).devices.empty());
  set_value(form, "engine", "cuda");
  CHECK(says_something(form, devices));
  CHECK_FALSE(says_something(form, port));
  CHECK(settings_of(form).devices == std::vector<std::int32_t>{0, 0, 1, 1});
  CHECK(settings_of(form).port.empty());
  set_value(form, "devices", "0;1");
  CHECK(error_of([&] { settings_of(form); }) == "error.set_up.number");
}

TEST_CASE("what was filled in is remembered, but for the file to be written") {
  SetUp form;
  CHECK(remembered(form).empty());
  set_value(form, "engine", "cuda");
  set_value(form, "devices", "0,0,1,1");
  set_value(form, "output", "run.ring");
  const std::map<std::string, std::string> values{{"engine", "cuda"}, {"devices", "0,0,1,1"}};
  CHECK(remembered(form) == values);
  const Folder folder("remembered");
  Preferences preferences;
  preferences.set_up = values;
  save_preferences(preferences, folder.file("settings.toml"));
  CHECK(load_preferences(folder.file("settings.toml")) == preferences);
  // What another version of the program knew is left.
  SetUp other;
  take_remembered(other, {{"engine", "abacus"}, {"colour", "red"}, {"ranks", "8"}});
  CHECK(remembered(other) == std::map<std::string, std::string>{{"ranks", "8"}});
  CHECK(ranks_of(other) == 8);
  CHECK(ranks_of(SetUp()) == 4);
  set_value(other, "ranks", "many");
  CHECK(ranks_of(other) == 4);
}

TEST_CASE("the list of engines knows which can't run here, and why") {
  std::atomic<bool> woken = false;
  const EngineList list([&] { woken = true; });
  while (!list.is_known()) std::this_thread::yield();
  CHECK_FALSE(list.why_not("host", 4));
  for (const EngineRow& row : engines()) {
    const Availability can = make_engine(row.name)->availability(4);
    CHECK(list.why_not(row.name, 4) == (can.ok ? std::nullopt : std::optional(can.why)));
  }
  while (!woken) std::this_thread::yield();
}

TEST_CASE("every field of the form reaches the settings") {
  SetUp form;
  const auto set = [&](std::string_view id, std::string_view value) { set_value(form, id, value); };
  set("ranks", " 8 ");
  set("count", "4096");
  set("type", "bf16");
  set("wire", "f16");
  set("op", "max");
  set("data", "random");
  set("seed", "7");
  set("input", "a b.npy");
  set("slices", "3");
  set("order", "0, 2,1,3");
  set("repeats", "5");
  set("timeout", "2s");
  set("in-place", "on");
  set("lockstep", "on");
  set("late", "2:120us");
  set("delay", "2:5ms, 1-2:5ms,");
  set("die", "2@1.2");
  const RunSettings settings = settings_of(form);
  CHECK(settings.ranks == 8);
  CHECK(settings.count == 4096u);
  CHECK(settings.type == ElementType::bf16);
  CHECK(settings.wire == ElementType::f16);
  CHECK(settings.op == Operator::max);
  CHECK(settings.data == DataKind::random);
  CHECK(settings.seed == 7);
  CHECK(settings.input_file == "a b.npy");
  CHECK(settings.slices == 3);
  CHECK(settings.order == std::vector<std::int32_t>{0, 2, 1, 3});
  CHECK(settings.repeats == 5);
  CHECK(settings.timeout == std::chrono::seconds(2));
  CHECK(settings.in_place);
  CHECK(settings.lockstep);
  CHECK(settings.late == std::vector<std::string>{"2:120us"});
  CHECK(settings.delays == std::vector<std::string>{"2:5ms", "1-2:5ms"});
  CHECK(settings.deaths == std::vector<std::string>{"2@1.2"});
}

TEST_CASE("a field that says nothing to the algorithm is left out, and kept for others") {
  SetUp form;
  set_value(form, "op", "max");
  set_value(form, "order", "0,2,1,3");
  set_value(form, "root", "2");
  set_value(form, "groups", "3, 1");
  const auto settings_for = [&](std::string_view algorithm) {
    set_value(form, "algorithm", algorithm);
    return settings_of(form);
  };
  const RunSettings tree = settings_for("tree");
  CHECK(tree.op == Operator::max);
  CHECK(tree.order.empty());
  CHECK_FALSE(tree.root);
  CHECK(tree.groups.empty());
  const RunSettings broadcast = settings_for("broadcast");
  CHECK_FALSE(broadcast.op);
  CHECK(broadcast.order == std::vector<std::int32_t>{0, 2, 1, 3});
  CHECK(broadcast.root == 2);
  CHECK(settings_for("hierarchical").groups == std::vector<std::int32_t>{3, 1});
}

TEST_CASE("a number that is none, negative or too large is refused with its field") {
  for (const char* value : {"x", "3.5", "99999999999999999999", "-"}) {
    SetUp form;
    set_value(form, "ranks", value);
    CHECK_THROWS_AS(settings_of(form), Error);
  }
}

TEST_CASE("algorithms that are compared are the same run, but for what is said to one of them") {
  SetUp form;
  CHECK(runs_of(form).size() == 1);
  set_value(form, "ranks", "4");
  set_value(form, "count", "64");
  set_value(form, "seed", "9");
  set_value(form, "order", "0,2,1,3");
  set_value(form, "compare", "tree, double-tree");
  const std::vector<RunSettings> runs = runs_of(form);
  REQUIRE(runs.size() == 3);
  CHECK(runs[0].algorithm == "ring");
  CHECK(runs[1].algorithm == "tree");
  CHECK(runs[2].algorithm == "double-tree");
  for (const RunSettings& run : runs) {
    CHECK(run.ranks == 4);
    CHECK(run.count == 64u);
    CHECK(run.seed == 9);
  }
  CHECK(runs[0].order.size() == 4);
  CHECK(runs[1].order.empty());
}

TEST_CASE("what can be compared are up to two algorithms of the same result") {
  SetUp form;
  set_value(form, "compare", "tree");
  for (const char* value : {"star", "tree, ring, double-tree", "broadcast", "tree;ring"}) {
    CHECK_THROWS_AS(set_value(form, "compare", value), Error);
    CHECK(value_of(form, "compare") == "tree");
  }
  set_value(form, "compare", "");
  CHECK(value_of(form, "compare").empty());
}

TEST_CASE("every field of the form, and every group of them, has a name in both languages") {
  for (const char* code : {"en", "zh"})
    for (const SetUpField& field : set_up_fields()) {
      const Language& language = Language::named(code);
      INFO(code << ' ' << field.id);
      CHECK(language.has("window.field." + std::string(field.id)));
      CHECK(language.has("window.group." + std::string(field.group)));
    }
}
