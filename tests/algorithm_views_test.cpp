// Every view that can show an algorithm, at every kind of moment.
#include <catch2/catch.hpp>
#include <set>

#include "tests/figure_checks.h"
#include "tests/serial_run.h"

using namespace ringscope;

namespace {

struct Look {
  const Theme* theme = &light_theme();
  const char* language = "en";
  Selection selection = {};
};

Figure draw(const View& view, const Replay& replay, const ReplayState& state,
            const Look& look = {}) {
  static const Fonts fonts;
  return view.draw({.replay = replay,
                    .theme = *look.theme,
                    .fonts = fonts,
                    .language = Language::named(look.language),
                    .size = {1360, 840},
                    .selection = look.selection},
                   state);
}

Trace trace_of(std::string_view algorithm, ScheduleRequest request) {
  const Algorithm& row = algorithm_named(algorithm);
  request.count = static_cast<std::uint64_t>(row.chunks(request));
  Trace trace = run_serially({.schedule = row.make(request), .type = ElementType::f32});
  trace.verdict.outcome = Verdict::Outcome::verified;
  return trace;
}

void require_sound(const View& view, const Replay& replay, const ReplayState& state,
                   const Look& look = {}) {
  INFO(view.name << " of " << replay.trace().schedule.algorithm
                 << ", N = " << replay.trace().schedule.ranks << ", round " << state.cursor.round
                 << ", " << state.cursor.fraction << ", " << state.nanoseconds << " ns, "
                 << look.theme->name << ", " << look.language);
  require_sound(draw(view, replay, state, look));
}

const Shape* find(const Figure& figure, const std::string& id) {
  for (const Shape& shape : figure.shapes)
    if (shape.id == id) return &shape;
  return nullptr;
}
std::string text_at(const Figure& figure, const std::string& id) {
  const Shape* const shape = find(figure, id);
  return shape == nullptr ? "(nothing)" : std::get<Text>(shape->form).text;
}
int chips(const Figure& figure) {
  int count = 0;
  for (const Shape& shape : figure.shapes) count += shape.moving;
  return count;
}

// Every round of few, of many the ends and the turns of the phases.
std::vector<std::int32_t> some_rounds(const Schedule& schedule) {
  std::vector<std::int32_t> rounds{0};
  const std::int32_t all = rounds_of(schedule);
  for (std::int32_t round = 1; round <= all; ++round) {
    const Phase& phase = schedule.phases[static_cast<std::size_t>(phase_of(schedule, round - 1))];
    const bool turn =
        round - 1 == phase.first_round || round == phase.first_round + phase.round_count;
    if (all <= 6 || turn || round == all / 3) rounds.push_back(round);
  }
  return rounds;
}

void check_everywhere(const Trace& trace) {
  const Replay replay(trace);
  for (const View& view : views()) {
    if (!view.fits(trace.schedule)) continue;
    for (const std::int32_t round : some_rounds(trace.schedule))
      for (const double fraction : {0.0, 0.5, 1.0}) {
        require_sound(view, replay, replay.at({round, fraction}));
        if (fraction > 0)
          require_sound(view, replay, replay.at({round, fraction}), {&dark_theme(), "zh"});
      }
    for (const double share : {0.0, 0.4, 0.8, 1.0}) {
      const auto moment = static_cast<std::int64_t>(share * static_cast<double>(trace.nanoseconds));
      require_sound(view, replay, replay.at_time(moment));
    }
  }
}

}  // namespace

TEST_CASE("every algorithm is drawn soundly by every view that can show it") {
  const std::int32_t ranks = GENERATE(1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17);
  for (const Algorithm& algorithm : algorithms()) {
    if (ranks > 9 && algorithm.has_order) continue;  // the ring's own test has them
    check_everywhere(trace_of(algorithm.name, {.ranks = ranks}));
  }
}

TEST_CASE("many ranks are drawn soundly by every view that can show them") {
  const std::int32_t ranks = GENERATE(33, 64);
  for (const char* const name : {"tree", "double-tree", "parameter-server", "hierarchical"}) {
    const Trace trace = trace_of(name, {.ranks = ranks});
    const Replay replay(trace);
    for (const View& view : views()) {
      if (!view.fits(trace.schedule) || view.name == "matrix") continue;
      for (const std::int32_t round : {1, rounds_of(trace.schedule)})
        for (const double fraction : {0.5, 1.0})
          require_sound(view, replay, replay.at({round, fraction}));
    }
  }
}

TEST_CASE("groups of any sizes are drawn soundly") {
  const std::vector<std::int32_t> groups =
      GENERATE(std::vector<std::int32_t>{3, 1}, std::vector<std::int32_t>{4, 4, 4, 1},
               std::vector<std::int32_t>{5}, std::vector<std::int32_t>{1, 1, 1},
               std::vector<std::int32_t>{2, 3, 2}, std::vector<std::int32_t>{8, 8},
               std::vector<std::int32_t>{2, 2, 2, 2, 2});
  std::int32_t ranks = 0;
  for (const std::int32_t size : groups) ranks += size;
  check_everywhere(trace_of("hierarchical", {.ranks = ranks, .groups = groups}));
}

TEST_CASE("any rank can be the root of a star") {
  const std::int32_t root = GENERATE(0, 2, 4);
  check_everywhere(trace_of("parameter-server", {.ranks = 5, .root = root}));
}

TEST_CASE("the first view is the one that shows what the algorithm is") {
  const auto first = [](std::string_view algorithm, std::int32_t ranks) {
    return std::string(first_view_of(trace_of(algorithm, {.ranks = ranks}).schedule).name);
  };
  CHECK(first("ring", 4) == "ring");
  CHECK(first("bidirectional", 4) == "ring");
  CHECK(first("all-gather", 4) == "ring");
  CHECK(first("reduce-scatter", 4) == "ring");
  CHECK(first("reduce", 4) == "ring");
  CHECK(first("parameter-server", 4) == "star");
  CHECK(first("tree", 7) == "tree");
  CHECK(first("double-tree", 8) == "tree");
  CHECK(first("hierarchical", 8) == "groups");
  CHECK(first("recursive-doubling", 8) == "hypercube");
  CHECK(first("halving-doubling", 8) == "hypercube");
  CHECK(first("tree", 65) == "matrix");
}

TEST_CASE("each transfer of a round travels as one chip, whatever the view") {
  const std::string_view name = GENERATE("tree", "double-tree", "parameter-server", "hierarchical",
                                         "recursive-doubling", "halving-doubling", "bidirectional");
  const std::int32_t ranks = GENERATE(2, 3, 4, 7, 8, 16);
  const Trace trace = trace_of(name, {.ranks = ranks});
  const Replay replay(trace);
  const View& view = first_view_of(trace.schedule);
  for (std::int32_t round = 1; round <= replay.rounds(); ++round) {
    INFO(name << " " << ranks << " round " << round);
    const Figure figure = draw(view, replay, replay.at({round, 0.5}));
    CHECK(chips(figure) == static_cast<int>(replay.transfers_of_round(round - 1).size()));
    for (const Shape& shape : figure.shapes)
      if (shape.moving) CHECK(shape.transfer >= 0);
  }
}

TEST_CASE("the root of a tree shows all that arrives at once") {
  const Trace trace = trace_of("tree", {.ranks = 7});
  const Replay replay(trace);
  const Figure figure = draw(view_named("tree"), replay, replay.at({2, 0.5}));
  CHECK(text_at(figure, "rank0.chunk0.arriving0").starts_with("+b0+d0"));
  for (const int rank : {1, 2, 3, 4, 5, 6}) {
    const Shape* const slot = find(figure, "rank0.chunk0.slot" + std::to_string(rank));
    REQUIRE(slot != nullptr);
    CHECK(std::get<Box>(slot->form).stroke.dash > 0);
  }
  const Rect root = bounds_of(*find(figure, "rank0")), leaf = bounds_of(*find(figure, "rank3"));
  CHECK(root.bottom() < bounds_of(*find(figure, "rank1")).y);
  CHECK(bounds_of(*find(figure, "rank1")).bottom() < leaf.y);
}

TEST_CASE("what is selected is outlined in ink, in every view that shows it") {
  for (const Algorithm& algorithm : algorithms()) {
    const Trace trace = trace_of(algorithm.name, {.ranks = 4});
    const Replay replay(trace);
    for (const View& view : views()) {
      if (!view.fits(trace.schedule)) continue;
      const Figure plain = draw(view, replay, replay.at({1, 0.5}));
      const Figure marked = draw(view, replay, replay.at({1, 0.5}), {.selection = {0, 0}});
      // The way and the sum of one chunk show its transfers only.
      if (std::ranges::none_of(plain.shapes,
                               [](const Shape& shape) { return shape.transfer == 0; }))
        continue;
      INFO(view.name << " of " << algorithm.name);
      bool differs = plain.shapes.size() != marked.shapes.size();
      const auto stroke = [](const Shape& shape) {
        if (const Box* const box = std::get_if<Box>(&shape.form)) return box->stroke;
        if (const Line* const line = std::get_if<Line>(&shape.form)) return line->stroke;
        if (const Path* const path = std::get_if<Path>(&shape.form)) return path->stroke;
        return Stroke{};
      };
      for (std::size_t i = 0; !differs && i < plain.shapes.size(); ++i)
        differs = !(stroke(plain.shapes[i]) == stroke(marked.shapes[i]));
      CHECK(differs);
    }
  }
}

TEST_CASE("every sentence of every algorithm is a text of the catalogue, with nothing left open") {
  for (const Algorithm& algorithm : algorithms())
    for (const std::int32_t ranks : {1, 2, 3, 4, 5, 7, 8, 9, 16}) {
      const Trace trace = trace_of(algorithm.name, {.ranks = ranks});
      const Replay replay(trace);
      for (std::int32_t round = 0; round <= replay.rounds(); ++round)
        for (const double fraction : {0.5, 1.0})
          for (const char* const language : {"en", "zh"}) {
            const std::string sentence =
                round_sentence(replay.at({round, fraction}), replay, Language::named(language));
            INFO(algorithm.name << " " << ranks << " " << round << ": " << sentence);
            CHECK(sentence.find_first_of("[]{}|") == std::string::npos);
            CHECK(sentence.size() > 10);
          }
    }
}

TEST_CASE("sentences name who sends to whom") {
  const Trace trace = trace_of("tree", {.ranks = 7});
  const Replay replay(trace);
  const auto say = [&](std::int32_t round, double fraction, const char* language) {
    return round_sentence(replay.at({round, fraction}), replay, Language::named(language));
  };
  CHECK(say(1, 0.5, "en") == "Four GPUs send their whole buffers up to GPU 1 and GPU 2.");
  CHECK(say(2, 0.5, "en") == "GPU 1 and GPU 2 send the sums of their branches up to the root.");
  CHECK(say(2, 1, "en") == "The root now holds the complete sum.");
  CHECK(say(2, 0.5, "zh") == "GPU 1 和 GPU 2 分别把各自分支的和向上发给根节点。");
}

TEST_CASE("what is only copied is complete with its one term, and no band shows any other") {
  for (const char* const name : {"all-gather", "broadcast"}) {
    const Trace trace = trace_of(name, {.ranks = 4});
    const Replay replay(trace);
    const Figure figure = draw(view_named("ring"), replay, replay.at({replay.rounds(), 1}));
    INFO(name);
    CHECK(find(figure, "rank3.chunk0.check") != nullptr);
    CHECK(find(figure, "rank3.chunk0.band") == nullptr);
    const auto filled = [&](int slot) {
      return std::get<Box>(find(figure, "rank3.chunk0.slot" + std::to_string(slot))->form)
                 .fill.color.a != 0;
    };
    CHECK((filled(0) && !filled(1) && !filled(2) && !filled(3)));
  }
}

TEST_CASE("a chain has no link from its end to its beginning, and only the one in use is thick") {
  const Trace trace = trace_of("broadcast", {.ranks = 4});
  const Replay replay(trace);
  const Figure figure = draw(view_named("ring"), replay, replay.at({1, 0.5}));
  const auto width = [&](const std::string& id) {
    return std::get<Line>(find(figure, id)->form).stroke.width;
  };
  CHECK(find(figure, "link3") == nullptr);
  CHECK(width("link0") > 2 * width("link1"));
  CHECK(width("link2") == width("link1"));
}

TEST_CASE("a card of two trees says what it does in its own tree") {
  const Trace trace = trace_of("double-tree", {.ranks = 4});
  const Replay replay(trace);
  const Figure figure = draw(view_named("tree"), replay, replay.at({1, 1}));
  for (const Shape& shape : figure.shapes)
    if (shape.id.ends_with(".doing"))
      CHECK(std::get<Text>(shape.form).text.find("chunk") == std::string::npos);
}

TEST_CASE("each of several senders into one cell of a table has a lane of its own") {
  const Trace trace = trace_of("parameter-server", {.ranks = 4});
  const Replay replay(trace);
  const Figure figure = draw(view_named("matrix"), replay, replay.at({1, 0.5}));
  std::set<double> lanes, ends;
  for (int move = 0; move < 3; ++move) {
    const std::string id = "move" + std::to_string(move);
    lanes.insert(std::get<Line>(find(figure, id + ".2")->form).to.x);
    ends.insert(std::get<Line>(find(figure, id + ".3")->form).to.y);
  }
  CHECK(lanes.size() == 3);
  CHECK(ends.size() == 3);
}
