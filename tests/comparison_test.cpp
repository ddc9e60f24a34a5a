// Stages side by side: sound whatever is compared, on one scale, and true to the records.
#include "core/figure/comparison.h"

#include <catch2/catch.hpp>

#include "core/schedule/formulas.h"
#include "tests/figure_checks.h"
#include "tests/serial_run.h"

using namespace ringscope;

namespace {

// Runs on the same data, with their replays.
struct Runs {
  std::vector<Trace> traces;
  std::vector<Replay> kept;
  std::vector<const Replay*> replays;

  Runs(const std::vector<std::string_view>& algorithms, std::int32_t ranks, std::uint64_t count) {
    for (const std::string_view algorithm : algorithms) {
      traces.push_back(run_serially(
          {.schedule = algorithm_named(algorithm).make({.ranks = ranks, .count = count}),
           .type = ElementType::f32}));
      traces.back().verdict.outcome = Verdict::Outcome::verified;
    }
    make_replays();
  }
  void make_replays() {
    kept.clear(), replays.clear();
    kept.reserve(traces.size());
    for (const Trace& trace : traces) replays.push_back(&kept.emplace_back(trace));
  }
};

struct Look {
  const Theme* theme = &light_theme();
  const char* language = "en";
  Size size{1872, 840};
  bool caption = false;
};

Figure draw(const std::vector<ComparedRun>& runs, const Look& look = {}) {
  static const Fonts fonts;
  const ComparisonContext context{*look.theme, fonts, Language::named(look.language), look.size,
                                  look.caption};
  return draw_comparison(context, runs);
}

void require_sound(const std::vector<ComparedRun>& runs, const Look& look) {
  INFO("N = " << runs[0].replay->trace().schedule.ranks << ", "
              << runs[0].replay->trace().schedule.algorithm << " and "
              << runs[1].replay->trace().schedule.algorithm << ", " << look.theme->name << ", "
              << look.language << ", round " << runs[0].state.cursor.round);
  require_sound(draw(runs, look), look.size.width >= 1872 ? 24 : 16);
}

const Shape& shape_at(const Figure& figure, const std::string& id) {
  for (const Shape& shape : figure.shapes)
    if (shape.id == id) return shape;
  FAIL("no shape " << id);
  throw std::logic_error(id);
}
std::string text_at(const Figure& figure, const std::string& id) {
  return std::get<Text>(shape_at(figure, id).form).text;
}

void require_sound_all_along(const Runs& runs, const Look& look) {
  for (const Cursor cursor : {Cursor{0, 1}, Cursor{1, 0.5}, Cursor{2, 1}, Cursor{99, 1}})
    require_sound(compared_at(runs.replays, cursor), look);
  for (const double share : {0.3, 0.75})
    require_sound(compared_at_time(runs.replays,
                                   static_cast<std::int64_t>(
                                       share * static_cast<double>(runs.traces[0].nanoseconds))),
                  look);
}

using Names = std::vector<std::string_view>;
const std::vector<Names> groups{{"ring", "parameter-server"},
                                {"tree", "double-tree"},
                                {"hierarchical", "halving-doubling"},
                                {"ring", "tree", "parameter-server"},
                                {"recursive-doubling", "bidirectional", "hierarchical"}};

}  // namespace

TEST_CASE("comparisons of few and many ranks are drawn soundly") {
  const std::int32_t ranks = GENERATE(1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 15, 16);
  for (const auto& algorithms : groups) {
    const Runs runs(algorithms, ranks, 1 << 12);
    require_sound_all_along(runs, {});
    require_sound_all_along(runs, {&dark_theme(), "zh", {1920, 1080}, true});
  }
}

TEST_CASE("beyond sixteen ranks there are bars, beyond sixty-four a summary") {
  const std::int32_t ranks = GENERATE(17, 33, 64, 65, 128);
  for (const auto& algorithms : {groups.front(), groups[3]}) {
    const Runs runs(algorithms, ranks, 1 << 12);
    require_sound_all_along(runs, {&light_theme(), "en", {1920, 1080}, true});
    require_sound_all_along(runs, {&dark_theme(), "zh"});
  }
}

TEST_CASE("a comparison of nothing is drawn soundly, and a small one too") {
  require_sound_all_along(Runs({"ring", "parameter-server"}, 4, 0), {});
  require_sound_all_along(Runs({"ring", "tree"}, 8, 64), {&light_theme(), "en", {1280, 720}, true});
}

TEST_CASE("links and bars are as wide and as high as their bytes, on one scale for all stages") {
  const Runs runs({"ring", "parameter-server"}, 8, 1 << 12);
  const Figure figure = draw(compared_at(runs.replays, {0, 1}));
  const auto link_width = [&](const std::string& id) {
    return std::get<Path>(shape_at(figure, id).form).stroke.width;
  };
  // A link of the ring carries 2 * 7/8 of the buffer, half of it to be added.
  CHECK(link_width("stage0.link0.to_add") == Approx(7.0 / 8 * link_width("stage1.link0.to_copy")));
  CHECK(link_width("stage0.link0.to_add") == Approx(link_width("stage0.link0.to_copy")));
  const auto height = [&](const std::string& id) { return bounds_of(shape_at(figure, id)).height; };
  CHECK(height("stage1.bars.in0") == Approx(7 * height("stage1.bars.in1")).margin(4));
  CHECK(height("stage0.bars.in3") == Approx(height("stage1.bars.in0") / 4).margin(1.5));
  // The port is as wide as all that goes into it.
  CHECK(bounds_of(shape_at(figure, "stage1.port0")).width ==
        Approx(7 * link_width("stage1.link0.to_copy")).margin(1.5));
}

TEST_CASE("black is what has landed, the accent what is on its way") {
  const Runs runs({"ring", "parameter-server"}, 4, 1 << 12);
  const auto ink_and_accent = [](const Figure& figure) {
    double ink = 0, accent = 0;
    for (const Shape& shape : figure.shapes)
      if (shape.id.find(".bars.") != std::string::npos && std::holds_alternative<Box>(shape.form)) {
        const Color color = std::get<Box>(shape.form).fill.color;
        if (color == light_theme().ink) ink += bounds_of(shape).height;
        if (color == light_theme().accent) accent += bounds_of(shape).height;
      }
    return std::pair{ink, accent};
  };
  CHECK(ink_and_accent(draw(compared_at(runs.replays, {0, 1}))) == std::pair{0.0, 0.0});
  const auto [ink, accent] = ink_and_accent(draw(compared_at(runs.replays, {2, 0.5})));
  CHECK(ink > 0);
  CHECK(accent > 0);
  CHECK(ink_and_accent(draw(compared_at(runs.replays, {99, 1}))).second == 0);
}

TEST_CASE("one finishes first, and shows it") {
  const Runs runs({"ring", "parameter-server"}, 4, 1 << 12);
  const Figure rounds = draw(compared_at(runs.replays, {2, 1}));
  CHECK(text_at(rounds, "stage0.status") == "round 2 of 6");
  CHECK(text_at(rounds, "stage1.status") == "done after 2 rounds");
  shape_at(rounds, "stage1.done");
  CHECK(text_at(draw(compared_at(runs.replays, {0, 1})), "stage1.status") == "2 rounds to go");

  const std::int64_t first = std::min(runs.traces[0].nanoseconds, runs.traces[1].nanoseconds);
  const std::size_t quick = first == runs.traces[0].nanoseconds ? 0 : 1;
  REQUIRE(runs.traces[0].nanoseconds != runs.traces[1].nanoseconds);
  const Figure times = draw(compared_at_time(runs.replays, first));
  const std::string over = "stage" + std::to_string(quick);
  const std::string other = "stage" + std::to_string(1 - quick);
  const Language& language = Language::named("en");
  CHECK(text_at(times, over + ".status") == "done at " + language.duration(first));
  CHECK(text_at(times, other + ".status") ==
        language.duration(first) + " of " + language.duration(runs.traces[1 - quick].nanoseconds));
}

TEST_CASE("what each port and all together have passed is computed from the schedule") {
  const Runs runs({"ring", "parameter-server", "recursive-doubling"}, 8, 1 << 18);
  const std::vector<ComparedRun> all = compared_at(runs.replays, {1, 1});
  const Figure figure = draw({all[0], all[1]});
  CHECK(text_at(figure, "stage0.bars.in.busiest") == "1.75 MiB in, on every GPU");
  CHECK(text_at(figure, "stage1.bars.in.busiest") == "7 MiB in");
  CHECK(text_at(figure, "stage1.bars.in.others") == "1 MiB on each of the others");
  CHECK(text_at(figure, "stage1.total") == "Sent in all: 7 MiB + 7 × 1 MiB = 14 MiB, the same");
  CHECK(text_at(figure, "stage0.total") == "Sent in all: 8 × 1.75 MiB = 14 MiB");
  CHECK(text_at(draw({all[0], all[2]}), "stage1.total") ==
        "Sent in all: 8 × 3 MiB = 24 MiB, 1.71 times as much");
  // 64 × 31.5 KiB are not 1.97 MiB, but 1.96875.
  const Runs rounded({"ring", "tree"}, 64, 1 << 12);
  CHECK(text_at(draw(compared_at(rounded.replays, {0, 1})), "stage0.total") ==
        "Sent in all: 1.97 MiB");
  // Of three stages none is wide enough for the sum.
  CHECK(text_at(draw(all), "stage2.total") == "Sent in all: 24 MiB, 1.71 times as much");
}

TEST_CASE("the takeaway says what the records say, and no more") {
  Runs runs({"ring", "parameter-server", "tree"}, 8, 1 << 18);
  const Language& language = Language::named("en");
  const std::vector<const Replay*> two{runs.replays[0], runs.replays[1]};
  const auto take = [&](std::vector<std::int64_t> times) {
    for (std::size_t i = 0; i < times.size(); ++i) runs.traces[i].nanoseconds = times[i];
    return comparison_takeaway(std::span(runs.replays).first(times.size()), language);
  };
  const Takeaway slower = take({30'000'000, 235'000'000});
  CHECK(slower.headline == "The parameter server took 7.8 times as long as the ring.");
  CHECK(slower.detail ==
        "7 MiB go through GPU 0's port there, at most 1.75 MiB through any port of the ring.");
  // Where the other was slower, its port is no explanation, but its rounds may be.
  const Takeaway faster = take({40'000, 10'000});
  CHECK(faster.headline == "The ring took 4.0 times as long as the parameter server.");
  CHECK(faster.detail == "The ring takes 14 rounds, the parameter server 2.");
  const Takeaway alike = take({10'000, 10'500});
  CHECK(alike.headline == "All take about the same time here, 10.0 µs.");
  CHECK(alike.detail.empty());
  CHECK(take({10'000, 40'000, 20'000}).headline ==
        "The ring was fastest with 10.0 µs; the tree took 2.0 times, the parameter server 4.0 "
        "times as long.");
  CHECK(take({10'000, 40'000, 10'200}).headline ==
        "The ring and the tree were fastest with about 10.0 µs; the parameter server took 4.0 "
        "times as long.");
  runs.traces[1].run.pace.bytes_per_second = runs.traces[1].run.pace_reached = 500'000'000;
  CHECK(take({10'000, 40'000}).headline ==
        "Recorded on different machines, devices or paces, so the times can't be compared.");
  for (Trace& trace : runs.traces) {
    trace.run.pace.bytes_per_second = 500'000'000;
    trace.run.pace_reached = 500'000'000;
  }
  CHECK(take({10'000, 40'000}).headline ==
        "The parameter server took 4.0 times as long as the ring.");
  runs.traces[1].run.pace_reached = 400'000'000;
  CHECK(take({10'000, 40'000}).headline ==
        "This machine could not keep the pace of the parameter server, so the times can't be "
        "compared.");
  for (Trace& trace : runs.traces) trace.run.pace = {}, trace.run.pace_reached = 0;
  runs.traces[1].stopped = Message{"error.run.timeout", {}};
  CHECK(take({10'000, 40'000}).headline ==
        "The parameter server stopped before its end, so the times can't be compared.");
}

TEST_CASE("two runs of one algorithm are told apart by a number") {
  const Runs runs({"ring", "ring"}, 4, 64);
  CHECK(comparison_title(runs.replays, Language::named("en")) == "The ring 1 and the ring 2");
}

TEST_CASE("an operator is named where one of them has it") {
  const Language& english = Language::named("en");
  const Runs both({"all-gather", "ring"}, 4, 64), copies({"all-gather", "broadcast"}, 4, 64);
  CHECK(comparison_caption(both.replays, english).find("sum") != std::string::npos);
  CHECK(comparison_caption(copies.replays, english).find("sum") == std::string::npos);
}
