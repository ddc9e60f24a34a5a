#include "core/engine/record.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <fstream>

#include "core/engine/engine.h"
#include "core/engine/fill.h"
#include "core/engine/machine.h"
#include "core/trace/trace_file.h"
#include "tests/error_of.h"
#include "tests/folder.h"

using namespace ringscope;
using namespace std::chrono_literals;

namespace {

// The error that a run with changed settings is refused with.
template <class Change>
std::string refusal(Change change) {
  RunSettings settings;
  change(settings);
  return error_of([&] { record(settings); });
}

Trouble trouble_of(std::vector<std::string> late, std::vector<std::string> delays,
                   std::vector<std::string> deaths) {
  return parse_trouble(make_ring({}), late, delays, deaths);
}

// Two ranks with three f32 each.
void write_numpy(const std::string& path) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  header.resize(117, ' ');
  header += '\n';
  std::ofstream file(path, std::ios::binary);
  file << std::string("\x93NUMPY\x01\x00\x76\x00", 10) << header;
  for (const float value : {1.f, 2.f, 3.f, 10.f, 20.f, 30.f})
    file.write(reinterpret_cast<const char*>(&value), sizeof value);
}

std::vector<float> results_of(const Trace& trace) {
  std::vector<float> values(trace.values.results.size() / sizeof(float));
  std::memcpy(values.data(), trace.values.results.data(), trace.values.results.size());
  return values;
}

}  // namespace

TEST_CASE("root and groups reach the schedule, and files keep them") {
  RunSettings settings;
  settings.algorithm = GENERATE("parameter-server", "reduce", "broadcast");
  settings.ranks = 5;
  settings.root = 3;
  REQUIRE(root_of(decode_trace(encode_trace(record(settings)), "trace").schedule) == 3);
  settings.root = 0;
  REQUIRE(root_of(record(settings).schedule) == 0);
  RunSettings grouped;
  grouped.algorithm = "hierarchical";
  grouped.groups = {3, 1};
  const Trace trace = decode_trace(encode_trace(record(grouped)), "trace");
  REQUIRE(groups_of(trace.schedule) == std::vector<std::int32_t>{3, 1});
  REQUIRE(trace.verdict.outcome == Verdict::Outcome::verified);
}

TEST_CASE("a server takes one slice, unless a number is said") {
  RunSettings settings;
  settings.algorithm = "parameter-server";
  settings.count = std::uint64_t{1} << 18;  // 1 MiB
  REQUIRE(record(settings).schedule.slices == 1);
  settings.slices = 3;
  REQUIRE(record(settings).schedule.slices == 3);
  settings.slices.reset();
  settings.algorithm = "tree";
  REQUIRE(record(settings).schedule.slices == 4);
}

TEST_CASE("what an algorithm does not have is refused") {
  const auto refused_by = [](std::string_view algorithm, auto change) {
    return refusal([&](RunSettings& settings) {
      settings.algorithm = algorithm;
      change(settings);
    });
  };
  const auto with_order = [](RunSettings& settings) { settings.order = {0, 1, 2, 3}; };
  const auto with_root = [](RunSettings& settings) { settings.root = 0; };
  const auto with_groups = [](RunSettings& settings) { settings.groups = {4}; };
  const auto with_sum = [](RunSettings& settings) { settings.op = Operator::sum; };
  for (const Algorithm& row : algorithms()) {
    INFO(row.name);
    REQUIRE(refused_by(row.name, with_order) == (row.has_order ? "" : "error.option.unused"));
    REQUIRE(refused_by(row.name, with_root) == (row.has_root ? "" : "error.option.unused"));
    REQUIRE(refused_by(row.name, with_groups) == (row.has_groups ? "" : "error.option.unused"));
    REQUIRE(refused_by(row.name, with_sum) == (row.has_operator ? "" : "error.op.unused"));
  }
  REQUIRE(refused_by("reduce", [](RunSettings& settings) { settings.root = 4; }) ==
          "error.root.no_such_rank");
  for (const std::vector<std::int32_t>& groups :
       {std::vector<std::int32_t>{3, 2}, {3}, {5, -1}, {4, 0}})
    REQUIRE(refused_by("hierarchical", [&](RunSettings& settings) {
              settings.groups = groups;
            }).starts_with("error.groups."));
}

TEST_CASE("four ranks with one element a chunk are what is run where nothing is said") {
  const Trace trace = record({});
  REQUIRE(!trace.stopped);
  REQUIRE(trace.schedule == make_ring({}));
  REQUIRE(trace.run.engine == "host");
  REQUIRE(trace.run.data == DataKind::digits);
  REQUIRE(trace.verdict.outcome == Verdict::Outcome::verified);
  REQUIRE(trace.events.size() == 24);
  for (const Event& event : trace.events) REQUIRE(event.done);
  REQUIRE(trace.nanoseconds > 0);
  REQUIRE(trace.where.cores == usable_cores());
  REQUIRE(trace.where.devices == std::vector<std::string>{"CPU thread"});
  REQUIRE(!trace.where.host.empty());
  REQUIRE(!trace.where.processor.empty());
  REQUIRE(trace.where.recorded_at > 1'700'000'000);
  // (j+1) * 1111 in every rank: every rank's digit once.
  REQUIRE(results_of(trace) == std::vector<float>{1111, 2222, 3333, 4444, 1111, 2222, 3333, 4444,
                                                  1111, 2222, 3333, 4444, 1111, 2222, 3333, 4444});
}

TEST_CASE("no element, one rank, and odd counts are recorded too") {
  RunSettings settings;
  settings.ranks = GENERATE(1, 2, 5);
  settings.count = GENERATE(0u, 1u, 1001u);
  settings.in_place = GENERATE(false, true);
  const Trace trace = record(settings);
  REQUIRE(!trace.stopped);
  REQUIRE(trace.verdict.outcome == Verdict::Outcome::verified);
  REQUIRE(trace.run.in_place == settings.in_place);
  REQUIRE(trace.schedule.count == *settings.count);
}

TEST_CASE("of repeated runs the one of median time is kept") {
  RunSettings settings;
  settings.repeats = GENERATE(1, 2, 5);
  settings.in_place = GENERATE(false, true);
  const Trace trace = record(settings);
  REQUIRE(trace.run.repeats == settings.repeats);
  REQUIRE(trace.verdict.outcome == Verdict::Outcome::verified);
  std::int64_t last = 0;
  for (const Event& event : trace.events) last = std::max(last, event.reduce_landed);
  REQUIRE(trace.nanoseconds == last);
}

TEST_CASE("large chunks are cut into slices unless the user says a number") {
  RunSettings settings;
  settings.ranks = 2;
  settings.count = 2 * 65536 + 2;  // one element more than 256 KiB a chunk
  REQUIRE(record(settings).schedule.slices == 2);
  settings.slices = 1;
  REQUIRE(record(settings).schedule.slices == 1);
  settings.slices = 5;
  REQUIRE(record(settings).schedule.slices == 5);
}

TEST_CASE("with the Lamport clock two records are the same") {
  RunSettings settings;
  settings.ranks = 5;
  settings.count = 37;
  RunHooks hooks;
  hooks.clock = Clock::lamport;
  REQUIRE(record(settings, hooks) == record(settings, hooks));
}

TEST_CASE("a user's own array decides ranks, type and count, and what contradicts it is refused") {
  const Folder folder;
  RunSettings settings;
  settings.input_file = folder.file("gradients.npy");
  write_numpy(settings.input_file);
  const Trace trace = record(settings);
  REQUIRE(trace.schedule.ranks == 2);
  REQUIRE(trace.run.data == DataKind::file);
  REQUIRE(trace.run.type == ElementType::f32);
  REQUIRE(trace.run.input_file == "gradients.npy");
  REQUIRE(results_of(trace) == std::vector<float>{11, 22, 33, 11, 22, 33});
  settings.count = 4;
  REQUIRE(error_of([&] { record(settings); }) == "error.input.count");
  settings.count = 3;
  settings.ranks = 4;
  REQUIRE(error_of([&] { record(settings); }) == "error.data.file_ranks");
  settings.ranks = 2;
  settings.type = ElementType::f64;
  REQUIRE(error_of([&] { record(settings); }) == "error.data.file_type");
}

TEST_CASE("settings that make no sense are refused before anything is run") {
  REQUIRE(refusal([](RunSettings& s) { s.algorithm = "star gate"; }) == "error.algorithm.unknown");
  REQUIRE(refusal([](RunSettings& s) { s.engine = "steam"; }) == "error.engine.unknown");
  REQUIRE(refusal([](RunSettings& s) { s.ranks = 0; }) == "error.ranks.too_few");
  REQUIRE(refusal([](RunSettings& s) { s.ranks = -3; }) == "error.ranks.too_few");
  REQUIRE(refusal([](RunSettings& s) { s.slices = 0; }) == "error.slices.too_few");
  REQUIRE(refusal([](RunSettings& s) { s.repeats = 0; }) == "error.repeats.too_few");
  REQUIRE(refusal([](RunSettings& s) { s.timeout = 0s; }) == "error.timeout.too_short");
  REQUIRE(refusal([](RunSettings& s) { s.order = {0, 1, 2}; }) == "error.order.length");
  REQUIRE(refusal([](RunSettings& s) { s.data = DataKind::file; }) == "error.input.no_file");
  REQUIRE(refusal([](RunSettings& s) { s.input_file = "/nowhere/a.npy"; }).starts_with("error."));
}

TEST_CASE("a run that does not fit into memory is refused with the figures") {
  REQUIRE(refusal([](RunSettings& s) { s.count = std::uint64_t{1} << 40; }) ==
          "error.memory.too_little");
  REQUIRE(refusal([](RunSettings& s) { s.count = ~std::uint64_t{0}; }) ==
          "error.memory.too_little");
  REQUIRE(refusal([](RunSettings& s) { s.ranks = 30000; }) == "error.memory.too_little");
  REQUIRE(refusal([](RunSettings& s) { s.slices = 1 << 30; }) == "error.memory.too_little");
  REQUIRE(available_memory() > 1 << 20);
}

TEST_CASE("durations are read with their unit") {
  REQUIRE(parse_duration("40ns") == 40ns);
  REQUIRE(parse_duration("120us") == 120us);
  REQUIRE(parse_duration("5ms") == 5ms);
  REQUIRE(parse_duration("1.5s") == 1500ms);
  REQUIRE(parse_duration("0s") == 0s);
  for (const char* text :
       {"", "5", "ms", "-1s", "1e3s", "1 s", "5 minutes", "5mss", "nans", "99999999999s"})
    REQUIRE(error_of([&] { parse_duration(text); }) == "error.duration");
}

TEST_CASE("trouble is read, and refused where it would change nothing") {
  REQUIRE(trouble_of({"2:120us"}, {}, {}).late == std::vector<Late>{{2, 120'000}});
  REQUIRE(trouble_of({}, {"2:5ms", "1-2:5ms"}, {}).delays ==
          std::vector<Delay>{{-1, 2, 5'000'000}, {1, 2, 5'000'000}});
  REQUIRE(trouble_of({}, {}, {"2@1.2", "0@2.1"}).deaths == std::vector<Die>{{2, 1}, {0, 3}});

  const auto late = [](const std::string& text) {
    return error_of([&] { trouble_of({text}, {}, {}); });
  };
  const auto delay = [](const std::string& text) {
    return error_of([&] { trouble_of({}, {text}, {}); });
  };
  const auto die = [](const std::string& text) {
    return error_of([&] { trouble_of({}, {}, {text}); });
  };
  for (const char* text : {"", "2", ":1s", "x:1s", "2x:1s", "1-2:1s"})
    REQUIRE(late(text) == "error.trouble.late");
  for (const char* text : {"", "2", "1-:1s", "-2:1s", "1-2-3:1s"})
    REQUIRE(delay(text) == "error.trouble.delay");
  for (const char* text : {"", "2", "@1.2", "2@0", "2:1s"})
    REQUIRE(die(text) == "error.trouble.die");
  REQUIRE(late("2:soon") == "error.duration");
  REQUIRE(late("4:1s") == "error.trouble.rank");
  REQUIRE(delay("4-1:1s") == "error.trouble.rank");
  REQUIRE(delay("2-1:1s") == "error.trouble.unused_link");
  REQUIRE(delay("2-2:1s") == "error.trouble.unused_link");
  REQUIRE(die("2@3.1") == "error.round.unknown");
  REQUIRE(refusal([](RunSettings& s) {
            s.ranks = 1;
            s.late = {"0:1ms"};
          }) == "error.trouble.unused_rank");
}

TEST_CASE("trouble really happens, and the run is right all the same") {
  RunSettings settings;
  settings.late = {"2:2ms"};
  settings.delays = {"0-1:1ms"};
  const Trace trace = record(settings);
  REQUIRE(trace.verdict.outcome == Verdict::Outcome::verified);
  REQUIRE(trace.run.trouble.late.size() == 1);
  REQUIRE(trace.nanoseconds >= 6'000'000);
  for (std::size_t t = 0; t < trace.events.size(); ++t)
    if (trace.schedule.transfers[t].dst == 1) REQUIRE(trace.events[t].delayed >= 1'000'000);
}

TEST_CASE("a run that stops half-way comes back as a partial trace that says so") {
  RunSettings settings;
  settings.repeats = 3;
  SECTION("where a rank dies") {
    settings.deaths = {"2@1.2"};
    const Trace trace = record(settings);
    REQUIRE(trace.stopped);
    REQUIRE(trace.stopped->id == "error.run.died");
    REQUIRE(trace.verdict.outcome == Verdict::Outcome::not_checked);
    std::size_t done = 0;
    for (const Event& event : trace.events) done += event.done;
    REQUIRE(done >= 4);
    REQUIRE(done < trace.events.size());
    REQUIRE(trace.nanoseconds > 0);
  }
  SECTION("where a rank stalls past the timeout") {
    settings.delays = {"3:1s"};
    settings.timeout = 50ms;
    const Trace trace = record(settings);
    REQUIRE(trace.stopped);
    REQUIRE(trace.stopped->id == "error.run.timeout");
  }
}

TEST_CASE("progress is told in the order of stages") {
  RunSettings settings;
  settings.count = 3'000'000;
  settings.repeats = 2;
  std::vector<RunStage> stages;
  RunHooks hooks;
  hooks.progress = [&](RunStage stage, double fraction) {
    REQUIRE(fraction >= 0);
    REQUIRE(fraction <= 1);
    if (stages.empty() || stages.back() != stage) stages.push_back(stage);
  };
  record(settings, hooks);
  REQUIRE(stages == std::vector<RunStage>{RunStage::preparing, RunStage::filling,
                                          RunStage::warming_up, RunStage::running,
                                          RunStage::verifying});
}

TEST_CASE("a run can be cancelled in every stage") {
  const RunStage when =
      GENERATE(RunStage::preparing, RunStage::filling, RunStage::warming_up, RunStage::running);
  std::stop_source source;
  RunHooks hooks;
  hooks.stop = source.get_token();
  hooks.progress = [&](RunStage stage, double) {
    if (stage == when) source.request_stop();
  };
  REQUIRE(error_of([&] { record({}, hooks); }) == "error.run.cancelled");
}

TEST_CASE("inputs are filled by all cores as one would") {
  InputSpec spec;
  spec.kind = DataKind::ramp;
  spec.ranks = 2;
  spec.count = GENERATE(0u, 1u, 2'500'000u);
  std::vector<std::vector<float>> filled(2, std::vector<float>(spec.count));
  std::vector<std::span<std::byte>> spans;
  for (auto& buffer : filled) spans.push_back(std::as_writable_bytes(std::span(buffer)));
  double last = 0;
  fill_inputs(spec, spans, {}, [&](double fraction) { last = fraction; });
  REQUIRE(last <= 1);
  std::vector<float> expected(spec.count);
  for (int rank = 0; rank < 2; ++rank) {
    fill_input(spec, rank, 0, std::as_writable_bytes(std::span(expected)));
    REQUIRE(filled[static_cast<std::size_t>(rank)] == expected);
  }
}
