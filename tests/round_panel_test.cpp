#include <catch2/catch.hpp>

#include "core/figure/captions.h"
#include "tests/figure_checks.h"
#include "tests/serial_run.h"

using namespace ringscope;

namespace {

Figure panel(const Replay& replay, const ReplayState& state, const Theme& theme = light_theme(),
             const char* language = "en", double scale = 1) {
  static const Fonts fonts;
  return draw_round_panel(
      {replay, theme, fonts, Language::named(language), {512 * scale, 100}, scale}, state);
}

Trace ring_trace(std::int32_t ranks, std::uint64_t count, ElementType type = ElementType::f32,
                 Operator op = Operator::sum) {
  Trace trace =
      run_serially({.schedule = make_ring({ranks, count, 1, {}}), .type = type, .op = op});
  trace.verdict.outcome = Verdict::Outcome::verified;
  return trace;
}

std::string text_at(const Figure& figure, const std::string& id) {
  for (const Shape& shape : figure.shapes)
    if (shape.id == id) return std::get<Text>(shape.form).text;
  return "(nothing)";
}

constexpr double smallest = 20;

}  // namespace

TEST_CASE("the panel of every round is sound, in both themes and languages") {
  const std::int32_t ranks = GENERATE(1, 2, 3, 4, 5, 8, 12, 16, 33, 100);
  const Trace trace = ring_trace(ranks, static_cast<std::uint64_t>(ranks) * 3 + 1);
  const Replay replay(trace);
  const std::int32_t step = std::max(1, replay.rounds() / 12);
  for (std::int32_t round = 0; round <= replay.rounds(); round += step)
    for (const double fraction : {0.0, 0.5, 1.0}) {
      require_sound(panel(replay, replay.at({round, fraction})), smallest);
      require_sound(panel(replay, replay.at({round, fraction}), dark_theme(), "zh", 2.0 / 3),
                    smallest * 2.0 / 3);
    }
}

TEST_CASE("the panel is sound for all operators and long numbers") {
  const Operator op =
      GENERATE(Operator::sum, Operator::avg, Operator::prod, Operator::min, Operator::max);
  const ElementType type = GENERATE(ElementType::f64, ElementType::i64);
  const Trace trace = ring_trace(4, 1000, type, op);
  const Replay replay(trace);
  for (std::int32_t round = 0; round <= replay.rounds(); ++round)
    require_sound(panel(replay, replay.at({round, 0.5})), smallest);
}

TEST_CASE("the panel writes each transfer's arithmetic") {
  const Trace trace = ring_trace(4, 4);
  const Replay replay(trace);
  const Figure adds = panel(replay, replay.at({2, 0.5}));
  CHECK(text_at(adds, "transfer4.link") == "GPU 0 → GPU 1");
  CHECK(text_at(adds, "transfer4.symbols") == "b3 += a3+d3");
  CHECK(text_at(adds, "transfer4.numbers") == "40 + 4004 = 4044");
  const Figure copies = panel(replay, replay.at({5, 0.5}));
  CHECK(text_at(copies, "transfer16.symbols") == "chunk 0 = a0+b0+c0+d0");
  CHECK(text_at(copies, "transfer16.numbers") == "1111 replaces b0+a0");
}

TEST_CASE("what has landed and what is on its way add up") {
  const Trace trace = ring_trace(4, 4);
  const Replay replay(trace);
  CHECK(text_at(panel(replay, replay.at({2, 0})), "sent.words") == "1 of 6 chunks landed");
  CHECK(text_at(panel(replay, replay.at({2, 0.5})), "sent.words") ==
        "1 of 6 chunks landed, 1 on its way");
  CHECK(text_at(panel(replay, replay.at({2, 1})), "sent.words") == "2 of 6 chunks landed");
  CHECK(text_at(panel(replay, replay.at({2, 0.5})), "sent.bytes") == "4 B of 24 B");
}

TEST_CASE("the title says what was run, on what, and whether it is verified") {
  Trace trace = ring_trace(4, 16);
  trace.nanoseconds = 31'200;
  trace.where.devices = {"CPU thread"};
  const Language& english = Language::named("en");
  CHECK(run_title(trace, english) ==
        "Ring all-reduce of 4 × 64 B (16 × f32), sum. 4 ranks on 4 CPU threads. "
        "Whole run 31.2 µs, verified against an independent sum");
  trace.verdict.outcome = Verdict::Outcome::failed;
  CHECK(run_title(trace, english).ends_with("WRONG RESULT"));
  trace.verdict.outcome = Verdict::Outcome::not_checked;
  CHECK(run_title(trace, english).ends_with("not verified"));
  trace.run.repeats = 5;
  CHECK(run_title(trace, english).find("(median of 5)") != std::string::npos);
  trace.run.trouble.delays.push_back({1, 2, 5'000'000});
  CHECK(run_title(trace, english).find("GPU 2 sleeps 5.00 ms before each chunk from GPU 1.") !=
        std::string::npos);
  CHECK(run_title(ring_trace(1, 1), english).find("1 rank on 1 CPU thread.") != std::string::npos);
  CHECK(run_title(ring_trace(4, 16), Language::named("zh")).find("环形 All-Reduce") == 0);
}

TEST_CASE("the sentence of a round follows what the round does") {
  const Trace trace = ring_trace(4, 4);
  const Replay replay(trace);
  const auto say = [&](std::int32_t round, double fraction) {
    return round_sentence(replay.at({round, fraction}), replay, Language::named("en"));
  };
  CHECK(say(0, 1).starts_with("Each GPU holds its own data, cut into four chunks."));
  CHECK(say(1, 0.5).starts_with("Each GPU sends its starting chunk"));
  CHECK(say(2, 0.5).starts_with("Each GPU passes on the sum it holds"));
  CHECK(say(2, 1).starts_with("Each changed chunk now holds three of the four terms."));
  CHECK(say(3, 1).starts_with("Each changed chunk now holds all four terms"));
  CHECK(say(4, 0.5).starts_with("Each GPU sends its complete chunk"));
  CHECK(say(5, 0.5).starts_with("Each GPU passes on the complete chunk"));
  CHECK(say(5, 1).starts_with("Each GPU now holds three of the four complete chunks."));
  CHECK(say(6, 1).starts_with("Every GPU now holds all four complete chunks"));
  const Trace alone = ring_trace(1, 1);
  const Replay one(alone);
  CHECK(round_sentence(one.at({0, 1}), one, Language::named("en")).starts_with("One GPU alone"));
}

TEST_CASE("slices change neither what is said of a round nor the chunks that are counted") {
  const auto trace_of = [](const Algorithm& algorithm, std::int32_t ranks, std::int32_t slices) {
    // Chunks of five elements.
    const auto chunks = static_cast<std::uint64_t>(algorithm.chunks({.ranks = ranks}));
    return run_serially(
        {.schedule = algorithm.make({.ranks = ranks, .count = 5 * chunks, .slices = slices})});
  };
  for (const Algorithm& algorithm : algorithms())
    for (const std::int32_t ranks : {2, 3, 4, 8, 9}) {
      const Trace whole = trace_of(algorithm, ranks, 1), cut = trace_of(algorithm, ranks, 4);
      const Replay in_one(whole), in_slices(cut);
      for (std::int32_t round = 1; round <= in_one.rounds(); ++round)
        for (const double fraction : {0.5, 1.0}) {
          const Cursor cursor{round, fraction};
          INFO(algorithm.name << " of " << ranks << ", round " << round << ", " << fraction);
          const Language& english = Language::named("en");
          CHECK(round_sentence(in_slices.at(cursor), in_slices, english) ==
                round_sentence(in_one.at(cursor), in_one, english));
          CHECK(text_at(panel(in_slices, in_slices.at(cursor)), "sent.words") ==
                text_at(panel(in_one, in_one.at(cursor)), "sent.words"));
        }
    }
}

TEST_CASE("a run of chunks counts as each of its chunks") {
  // Of eight chunks the first sends four, two, one to halve, and one, two, four to double.
  const Trace trace = run_serially({.schedule = make_halving_doubling({.ranks = 8, .count = 8})});
  const Replay replay(trace);
  CHECK(text_at(panel(replay, replay.at({1, 1})), "sent.words") == "4 of 14 chunks landed");
  CHECK(text_at(panel(replay, replay.at({6, 1})), "sent.words") == "14 of 14 chunks landed");
}

TEST_CASE("a run that stopped says how much of a round happened") {
  Trace trace = run_serially({.schedule = make_ring({4, 4, 1, {}}), .trouble = {{}, {}, {{2, 1}}}});
  const Replay replay(trace);
  CHECK(round_sentence(replay.at({2, 1}), replay, Language::named("en"))
            .starts_with("The run stopped in this round"));
}

TEST_CASE("the panel of four ranks fits the window without scrolling, in both languages") {
  Trace trace = ring_trace(4, 16);
  const Replay replay(trace);
  for (const char* const language : {"en", "zh"})
    for (std::int32_t round = 0; round <= replay.rounds(); ++round)
      for (const double fraction : {0.5, 1.0}) {
        INFO(language << ", round " << round << ", " << fraction);
        CHECK(panel(replay, replay.at({round, fraction}), light_theme(), language).size.height <=
              836);
      }
}

TEST_CASE("the panel of every algorithm is sound, and says how much goes through each port") {
  const std::int32_t ranks = GENERATE(1, 2, 4, 7, 8, 16, 20);
  for (const Algorithm& algorithm : algorithms()) {
    const ScheduleRequest request{.ranks = ranks, .count = 33};
    const Trace trace =
        run_serially({.schedule = algorithm.make(request), .type = ElementType::f32});
    const Replay replay(trace);
    for (std::int32_t round = 0; round <= replay.rounds(); ++round)
      for (const char* const language : {"en", "zh"}) {
        INFO(algorithm.name << " " << ranks << " " << round << " " << language);
        require_sound(panel(replay, replay.at({round, 0.5}), light_theme(), language), smallest);
      }
  }
  const Trace star = run_serially(
      {.schedule = make_parameter_server({.ranks = 4, .count = 4}), .type = ElementType::f32});
  const Replay replay(star);
  const Figure figure = panel(replay, replay.at({1, 0.5}));
  CHECK(text_at(figure, "transfer0.symbols") == "a0 += b0");
  CHECK(text_at(figure, "transfer1.symbols") == "a0+b0 += c0");
  CHECK(text_at(figure, "ports.fact0").starts_with("In the end GPU 0 has passed 48 B in"));
}

TEST_CASE("the legend shows slots as the stage beside it does") {
  static const Fonts fonts;
  const Algorithm& tree = algorithm_named("tree");
  const Trace of_tree =
      run_serially({.schedule = tree.make({.ranks = 7, .count = 7}), .type = ElementType::f32});
  const Trace of_ring = ring_trace(7, 7);
  for (const Trace* const trace : {&of_tree, &of_ring}) {
    const Replay replay(*trace);
    const View& view = first_view_of(trace->schedule);
    const Figure figure = view.panel(
        {replay, light_theme(), fonts, Language::named("en"), {512, 100}}, replay.at({1, 1}));
    CHECK(text_at(figure, view.name == "tree" ? "legend.slots0" : "legend.column0") != "(nothing)");
  }
}

TEST_CASE("in measured time the legend says all that may arrive, with the operator's word") {
  const auto says = [](const Figure& figure, const std::string& name) {
    return text_at(figure, "legend." + name + "0") != "(nothing)";
  };
  const Trace sum = ring_trace(4, 4), least = ring_trace(4, 4, ElementType::f32, Operator::min);
  const Replay replay(sum), other(least);
  const Figure timed = panel(replay, replay.at_time(sum.nanoseconds / 2));
  require_sound(timed, smallest);
  CHECK((says(timed, "adds") && says(timed, "overwrites") && !says(timed, "combines")));
  CHECK(says(panel(other, other.at_time(0)), "combines"));
  const Figure round = panel(replay, replay.at({1, 1}));
  CHECK((says(round, "adds") && !says(round, "overwrites")));
  CHECK(says(panel(replay, replay.at({4, 1})), "overwrites"));
}

TEST_CASE("the sentence of a moment of measured time speaks of what is on its way") {
  const Language& english = Language::named("en");
  const Trace trace = ring_trace(4, 4);
  const Replay replay(trace);
  CHECK(round_sentence(replay.at_time(trace.nanoseconds), replay, english) ==
        "Everything has landed.");
  ReplayState state = replay.at_time(0);
  state.moving = {{0, 0.5}};
  state.waits = {};
  CHECK(round_sentence(state, replay, english) == "One chunk is on its way;\nno GPU waits.");
  state.moving = {};
  CHECK(round_sentence(state, replay, english) == "Nothing is on its way, and no GPU waits.");
}
