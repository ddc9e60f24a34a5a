#include "core/trace/verify.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <map>

#include "core/engine/engine.h"
#include "core/engine/record.h"
#include "core/trace/trace_file.h"

using namespace ringscope;

namespace {

RunSettings settings_of(int ranks, std::uint64_t count) {
  RunSettings settings;
  settings.ranks = ranks;
  settings.count = count;
  return settings;
}

Trace recorded(const RunSettings& settings) {
  RunHooks hooks;
  hooks.clock = Clock::lamport;
  return record(settings, hooks);
}

// A run of a schedule that no algorithm makes, in which all transfers of a round are exchanges.
Trace recorded_exchange() {
  Schedule schedule = make_ring({.ranks = 4, .count = 6, .slices = 1, .order = {}});
  schedule.chunks = 1;
  schedule.order.clear();
  schedule.initial = {0, 1, 2, 3};
  schedule.goal.assign(4, everyone);
  schedule.phases = {{"reduce", 0, 2}};
  schedule.transfers.clear();
  for (const std::int32_t round : {0, 1})
    for (std::int32_t rank = 0; rank < 4; ++rank)
      schedule.transfers.push_back({rank ^ (round + 1), rank, 0, 1, round, 0, Action::reduce});

  const InputSpec spec{.kind = DataKind::ramp,
                       .type = ElementType::f32,
                       .op = Operator::avg,
                       .ranks = 4,
                       .count = 6,
                       .seed = 1,
                       .array = nullptr};
  const Plan plan = make_plan(schedule);
  std::vector<std::vector<std::byte>> inputs(4, std::vector<std::byte>(24)), outputs = inputs;
  Job job(schedule, plan);
  job.type = spec.type;
  job.op = spec.op;
  for (int rank = 0; rank < 4; ++rank) {
    const auto at = static_cast<std::size_t>(rank);
    fill_input(spec, rank, 0, inputs[at]);
    job.inputs.push_back(inputs[at]);
    job.outputs.push_back(outputs[at]);
  }
  Recorder recorder(schedule, plan, spec.type, Clock::lamport);
  Trace trace;
  trace.nanoseconds = make_host_engine()->run(job, &recorder).count();
  for (int rank = 0; rank < 4; ++rank) {
    recorder.keep_input(rank, inputs[static_cast<std::size_t>(rank)]);
    recorder.keep_result(rank, outputs[static_cast<std::size_t>(rank)]);
  }
  std::move(recorder).finish(trace);
  trace.run.type = spec.type;
  trace.run.op = spec.op;
  trace.run.data = spec.kind;
  trace.schedule = schedule;
  return trace;
}

std::vector<std::string> ids(const std::vector<Message>& messages) {
  std::vector<std::string> result;
  for (const Message& message : messages) result.push_back(message.id);
  return result;
}
std::vector<std::string> wrong(const Trace& trace) { return ids(verify(trace).wrong); }
std::vector<std::string> unchecked(const Trace& trace) { return ids(verify(trace).unchecked); }

std::string argument(const std::vector<Message>& messages, const std::string& id,
                     const std::string& name) {
  for (const Message& message : messages)
    if (message.id == id)
      for (const auto& [key, value] : message.arguments)
        if (key == name) return value;
  return "";
}

using Ids = std::vector<std::string>;

const Ids all_checked{"verify.schedule", "verify.events", "verify.inputs", "verify.landed",
                      "verify.results"};

// The trace with one thing changed.
template <class Change>
Trace changed(Trace trace, Change change) {
  change(trace);
  return trace;
}

}  // namespace

TEST_CASE("a run as it was recorded is right in everything") {
  const int ranks = GENERATE(1, 2, 3, 4, 7);
  const std::uint64_t count = GENERATE(0u, 1u, 7u, 120u);
  for (const ElementTypeRow& row : element_types)
    for (std::size_t op = 0; op < operator_names.size(); ++op) {
      RunSettings settings = settings_of(ranks, count);
      settings.type = row.type;
      settings.op = static_cast<Operator>(op);
      settings.slices = 2;
      settings.in_place = op % 2 == 0;
      settings.lockstep = op % 3 == 0;
      const Trace trace = recorded(settings);
      const Verification verification = verify(trace);
      CAPTURE(row.name, operator_names[op], ranks, count);
      REQUIRE(ids(verification.wrong) == Ids{});
      REQUIRE(ids(verification.checked) == all_checked);
      REQUIRE(ids(verification.unchecked) == Ids{});
      REQUIRE(argument(verification.checked, "verify.results", "checked") ==
              std::to_string(count * static_cast<unsigned>(ranks)));
      REQUIRE(argument(verification.checked, "verify.results", "all") ==
              std::to_string(count * static_cast<unsigned>(ranks)));
    }
}

TEST_CASE("a run on the real clock, with delays, is right too") {
  RunSettings settings = settings_of(4, 64);
  settings.delays = {"2:100us", "0-1:50us"};
  settings.late = {"1:300us"};
  settings.lockstep = GENERATE(false, true);
  CHECK(wrong(record(settings)) == Ids{});
}

TEST_CASE("staged transfers are checked in both their parts") {
  Trace trace = recorded_exchange();
  REQUIRE(trace.events[0].fused == 0);
  CHECK(wrong(trace) == Ids{});
  CHECK(unchecked(trace) == Ids{"verify.no_verdict"});
  CHECK(wrong(changed(trace, [](Trace& t) {
          t.events[0].reduce_begun = t.events[0].move_landed - 1;
        })).front() == "verify.backwards");
  // The second part waits till the partner has read; the second round's till the first's are there.
  for (std::size_t t = 0; t < 8; ++t) {
    CHECK(wrong(changed(trace, [&](Trace& other) {
            other.events[t].move_begun = 0;
            other.events[t].waited_from = 0;
          })).empty() == (t < 4));
  }
}

TEST_CASE("larger cells are checked as far as they were kept, and that is said") {
  RunSettings settings = settings_of(4, 1000);
  settings.data = DataKind::random;
  const Verification verification = verify(recorded(settings));
  CHECK(ids(verification.wrong) == Ids{});
  CHECK(ids(verification.checked) == all_checked);
  CHECK(ids(verification.unchecked) == Ids{"verify.first_eight"});
  CHECK(argument(verification.checked, "verify.inputs", "checked") == "128");
  CHECK(argument(verification.checked, "verify.inputs", "all") == "4000");
  CHECK(argument(verification.checked, "verify.landed", "checked") == "192");
  CHECK(argument(verification.checked, "verify.landed", "all") == "6000");
  CHECK(argument(verification.checked, "verify.results", "checked") == "128");
  CHECK(argument(verification.checked, "verify.results", "all") == "4000");
}

TEST_CASE("where only the ends were kept they are checked alone") {
  Trace trace = recorded(settings_of(4, 4));
  trace.values.kept = Kept::ends_only;
  trace.values.landed.clear();
  const Verification verification = verify(trace);
  CHECK(ids(verification.wrong) == Ids{});
  CHECK(ids(verification.checked) ==
        Ids{"verify.schedule", "verify.events", "verify.inputs", "verify.results"});
  CHECK(ids(verification.unchecked) == Ids{"verify.no_landed", "verify.first_one"});
  trace.values.results[5] ^= std::byte{1};
  CHECK(wrong(trace) == Ids{"verdict.wrong"});
}

TEST_CASE("one bit of any value is found where it first is wrong") {
  const Trace trace = recorded(settings_of(3, 5));
  REQUIRE(wrong(trace) == Ids{});
  for (std::size_t i = 0; i < trace.values.inputs.size(); ++i)
    CHECK(wrong(changed(trace, [&](Trace& t) { t.values.inputs[i] ^= std::byte{4}; })).front() ==
          "verify.input_wrong");
  for (std::size_t i = 0; i < trace.values.landed.size(); ++i)
    CHECK(wrong(changed(trace, [&](Trace& t) { t.values.landed[i] ^= std::byte{4}; })).front() ==
          "verify.landed_wrong");
  for (std::size_t i = 0; i < trace.values.results.size(); ++i) {
    const Ids found = wrong(changed(trace, [&](Trace& t) { t.values.results[i] ^= std::byte{4}; }));
    CHECK(found == Ids{"verify.result_wrong", "verdict.wrong"});
  }
}

TEST_CASE("what is wrong in a value says where, what is there and what should be") {
  Trace trace = recorded(settings_of(4, 4));
  const float forty_two = 42;
  std::memcpy(trace.values.landed.data(), &forty_two, 4);
  const Verification verification = verify(trace);
  const auto told = [&](const char* name) {
    return argument(verification.wrong, "verify.landed_wrong", name);
  };
  CHECK(told("round") == "1.1");
  CHECK(told("src") == "0");
  CHECK(told("dst") == "1");
  CHECK(told("chunk") == "0");
  CHECK(told("element") == "0");
  CHECK(told("got") == "42");
  CHECK(told("wanted") == "11");
}

TEST_CASE("any time of any event moved to where it can't have been is found") {
  RunSettings settings = settings_of(3, 6);
  settings.lockstep = GENERATE(false, true);
  const Trace trace = recorded(settings);
  for (std::size_t t = 0; t < trace.events.size(); ++t) {
    CAPTURE(t, settings.lockstep);
    const auto with = [&](auto change) {
      return wrong(changed(trace, [&](Trace& other) { change(other.events[t]); }));
    };
    const bool first_round = trace.schedule.transfers[t].round == 0;
    const Ids begun_early =
        with([](Event& event) { event.waited_from = event.move_begun = event.reduce_begun = 0; });
    CHECK((first_round || !begun_early.empty()));
    CHECK(with([](Event& event) { event.waited_from = event.move_begun + 1; }) ==
          Ids{"verify.backwards"});
    CHECK(with([](Event& event) { --event.reduce_landed; }).front() == "verify.backwards");
    CHECK(with([](Event& event) { ++event.reduce_begun; }).front() == "verify.backwards");
    CHECK_FALSE(
        with([](Event& event) { event.move_landed = event.reduce_landed = 1000000; }).empty());
    CHECK(with([](Event& event) { event.bytes += 4; }) == Ids{"verify.not_as_planned"});
    CHECK(with([](Event& event) { event.lane = (event.lane + 1) % 3; }) ==
          Ids{"verify.not_as_planned"});
    CHECK(with([](Event& event) { event.fused = 0; }).front() == "verify.not_as_planned");
    const Ids missing = with([](Event& event) { event.done = 0; });
    CHECK(missing.front() == "verify.missing");
  }
}

TEST_CASE("a transfer may begin when what it depends on lands, and no nanosecond earlier") {
  // Round 1.1: 0 -> 1 and 1 -> 0; round 2.1: 1 -> 0 and 0 -> 1. A lane is that of who receives.
  Trace trace = recorded(settings_of(2, 2));
  const auto at = [&](std::size_t t, std::int64_t begun, std::int64_t landed) {
    Event& event = trace.events[t];
    event.waited_from = event.move_begun = event.reduce_begun = begun;
    event.move_landed = event.reduce_landed = landed;
  };
  at(0, 0, 100);
  at(1, 0, 10);
  at(2, 100, 110);  // passes on what 0 brought
  at(3, 100, 110);  // passes on what 1 brought, but its lane was busy with 0
  trace.nanoseconds = 110;
  CHECK(wrong(trace) == Ids{});
  at(2, 99, 110);
  CHECK(wrong(trace) == Ids{"verify.too_early"});
  at(2, 100, 110);
  at(3, 99, 110);
  CHECK(wrong(trace) == Ids{"verify.too_early"});
}

TEST_CASE("in lockstep a round that began before the last one was over is found") {
  RunSettings settings = settings_of(4, 4);
  settings.lockstep = true;
  Trace trace = recorded(settings);
  // GPU 0 lands late in round 1.1; only GPU 1 depends on that in round 1.2, but all wait.
  const std::int64_t gap = 1000;
  for (std::size_t t = 0; t < trace.events.size(); ++t) {
    Event& event = trace.events[t];
    const Transfer& transfer = trace.schedule.transfers[t];
    const bool late = transfer.round == 0 && transfer.dst == 0;
    const bool after = transfer.round > 1 || (transfer.round == 1 && transfer.dst < 2);
    for (std::int64_t* time : {&event.waited_from, &event.move_begun, &event.move_landed,
                               &event.reduce_begun, &event.reduce_landed})
      if (after || (late && time != &event.waited_from && time != &event.move_begun &&
                    time != &event.reduce_begun))
        *time += gap;
  }
  trace.nanoseconds += gap;
  CHECK(wrong(trace) == Ids{"verify.not_in_step", "verify.not_in_step"});
  trace.run.lockstep = false;
  CHECK(wrong(trace) == Ids{});
}

TEST_CASE("the time of the run is that of its last landing") {
  const Trace trace = recorded(settings_of(2, 2));
  CHECK(wrong(changed(trace, [](Trace& t) { --t.nanoseconds; })) == Ids{"verify.total"});
  CHECK(wrong(changed(trace, [](Trace& t) { ++t.nanoseconds; })) == Ids{"verify.total"});
}

TEST_CASE("a schedule that is not right is told in words") {
  const Trace trace = recorded(settings_of(3, 3));
  const Ids found =
      wrong(changed(trace, [](Trace& t) { t.schedule.transfers[6].action = Action::reduce; }));
  CHECK(found.front() == "check.doubled");
  CHECK(wrong(changed(trace, [](Trace& t) { t.schedule.transfers[6].dst = 99; })) ==
        Ids{"verify.contradicts"});
  CHECK(wrong(changed(trace, [](Trace& t) { t.values.results.pop_back(); })) ==
        Ids{"verify.contradicts"});
}

TEST_CASE("a run that stopped early is right as far as it came") {
  RunSettings settings = settings_of(4, 8);
  settings.deaths = {"2@1.3"};
  const Trace trace = recorded(settings);
  REQUIRE(trace.stopped);
  const Verification verification = verify(trace);
  CHECK(ids(verification.wrong) == Ids{});
  CHECK(ids(verification.checked) ==
        Ids{"verify.schedule", "verify.events_partial", "verify.inputs", "verify.landed"});
  CHECK(ids(verification.unchecked) == Ids{"verify.results_stopped"});
  // Without what it depends on nothing can have been done.
  std::map<std::int32_t, int> found;
  for (std::size_t t = 0; t < trace.events.size(); ++t)
    if (trace.events[t].done == 1 && trace.schedule.transfers[t].round == 0)
      for (const std::string& id :
           wrong(changed(trace, [&](Trace& other) { other.events[t].done = 0; })))
        found[static_cast<std::int32_t>(t)] += id == "verify.without";
  REQUIRE(found.size() == 4);
  for (const auto& [t, times] : found) CHECK(times > 0);
}

TEST_CASE("a verdict that is not that of the values is found") {
  const Trace trace = recorded(settings_of(2, 6));
  CHECK(wrong(changed(trace, [](Trace& t) { t.verdict.wrapped = 3; })) ==
        Ids{"verify.verdict_wrong"});
  CHECK(wrong(changed(trace, [](Trace& t) { t.verdict.ranks_agree = false; })) ==
        Ids{"verify.verdict_wrong"});
  CHECK(wrong(changed(trace, [](Trace& t) {
          t.verdict.outcome = Verdict::Outcome::failed;
          t.verdict.failure = Message{"verdict.guards", {{"rank", "1"}}};
        })) == Ids{"verdict.guards"});
  CHECK(unchecked(changed(trace, [](Trace& t) { t.verdict = Verdict{}; })) ==
        Ids{"verify.no_verdict"});
}

TEST_CASE("inputs that can't be made again are taken as recorded, and that is said") {
  Trace trace = recorded(settings_of(2, 6));
  trace.run.data_version = generator_version + 1;
  CHECK(wrong(trace) == Ids{});
  CHECK(unchecked(trace) == Ids{"verify.inputs_version"});
  trace.run.data_version = generator_version;
  trace.run.data = DataKind::file;
  trace.run.input_file = "gradients.npy";
  trace.verdict.exact = false;  // nobody knows it of a file
  CHECK(wrong(trace) == Ids{});
  CHECK(unchecked(trace) == Ids{"verify.inputs_file"});
  trace.run.data = DataKind::random;
  CHECK(wrong(trace).front() == "verify.input_wrong");
}

TEST_CASE("of very many faults the first are told, and how many more there are") {
  Trace trace = recorded(settings_of(4, 64));
  for (std::byte& byte : trace.values.results) byte ^= std::byte{4};
  const Verification verification = verify(trace);
  CHECK(verification.wrong.size() < 15);
  CHECK(argument(verification.wrong, "verify.more", "count") == "8");
}

TEST_CASE("a trace is as right when it was saved and opened again") {
  const Trace trace = recorded(settings_of(4, 10));
  const Trace opened = decode_trace(encode_trace(trace), "a.ring");
  CHECK(wrong(opened) == Ids{});
}
