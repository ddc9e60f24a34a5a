#include "core/replay/journey.h"

#include <catch2/catch.hpp>

#include "core/replay/replay.h"
#include "tests/figure_checks.h"
#include "tests/hand_made_schedules.h"
#include "tests/serial_run.h"

using namespace ringscope;

namespace {

struct Expected {
  std::int32_t rank, round, column, terms;
  std::vector<std::int32_t> from;

  bool operator==(const Expected&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Expected& station) {
  return out << "{GPU " << station.rank << ", round " << station.round << ", column "
             << station.column << ", " << station.terms << " terms}";
}
std::vector<Expected> stations_of(const Schedule& schedule, std::int32_t chunk = 0) {
  std::vector<Expected> result;
  for (const Station& station : journey_of(run_serially({.schedule = schedule}), chunk).stations)
    result.push_back({station.rank, station.round, station.column, station.terms, station.from});
  return result;
}

struct Look {
  const Theme* theme = &light_theme();
  const char* language = "en";
  Selection selection = {};
};

Figure draw(const char* view, const Replay& replay, const ReplayState& state,
            const Look& look = {}) {
  static const Fonts fonts;
  const ViewContext context{replay,      *look.theme, fonts, Language::named(look.language),
                            {1360, 840}, 1.0,         false, look.selection};
  return view_named(view).draw(context, state);
}
std::string text_at(const Figure& figure, const std::string& id) {
  for (const Shape& shape : figure.shapes)
    if (shape.id == id) return std::get<Text>(shape.form).text;
  return "(nothing)";
}
int count_of(const Figure& figure, const std::string& begin) {
  int count = 0;
  for (const Shape& shape : figure.shapes)
    count += shape.id.starts_with(begin) && shape.id.find('.') == std::string::npos &&
             std::holds_alternative<Box>(shape.form);
  return count;
}

}  // namespace

TEST_CASE("in a ring a chunk passes from rank to rank, and on, complete") {
  CHECK(stations_of(make_ring({4, 4, 1, {}})) == std::vector<Expected>{{0, -1, 0, 1, {}},
                                                                       {1, 0, 1, 2, {0}},
                                                                       {2, 1, 2, 3, {1}},
                                                                       {3, 2, 3, 4, {2}},
                                                                       {0, 3, 4, 4, {3}},
                                                                       {1, 4, 5, 4, {4}},
                                                                       {2, 5, 6, 4, {5}}});
  CHECK(stations_of(make_ring({4, 4, 1, {}}), 2).front() == Expected{2, -1, 0, 1, {}});
}

TEST_CASE("in a star all come together in one place and go out from there") {
  CHECK(stations_of(make_star(3)) == std::vector<Expected>{{1, -1, 0, 1, {}},
                                                           {2, -1, 0, 1, {}},
                                                           {0, 0, 1, 3, {0, 1}},
                                                           {1, 1, 2, 3, {2}},
                                                           {2, 1, 2, 3, {2}}});
}

TEST_CASE("in a tree who is added later starts later") {
  CHECK(stations_of(make_tree_of_four()) == std::vector<Expected>{{3, -1, 0, 1, {}},
                                                                  {1, 0, 1, 2, {0}},
                                                                  {2, -1, 1, 1, {}},
                                                                  {0, 1, 2, 4, {1, 2}},
                                                                  {1, 2, 3, 4, {3}},
                                                                  {2, 2, 3, 4, {3}},
                                                                  {3, 3, 4, 4, {4}}});
}

TEST_CASE("in an exchange every rank adds up for itself") {
  const Journey journey = journey_of(run_serially({.schedule = make_exchange(4)}), 0);
  CHECK(journey.columns == 3);
  CHECK(journey.stations.size() == 12);
  CHECK(completion_of(journey) == 8);
  CHECK(journey.stations[8].before >= 4);
}

TEST_CASE("a chunk that goes nowhere stays where it is") {
  CHECK(stations_of(make_ring({1, 1, 1, {}})) == std::vector<Expected>{{0, -1, 0, 1, {}}});
  CHECK(completion_of(journey_of(run_serially({.schedule = make_ring({1, 1, 1, {}})}), 0)) == -1);
  CHECK(stations_of(make_broadcast(2)) ==
        std::vector<Expected>{{0, -1, 0, 1, {}}, {1, 0, 1, 1, {0}}});
}

TEST_CASE("of a run that stopped early the way ends where it did") {
  const Trace trace =
      run_serially({.schedule = make_ring({4, 4, 1, {}}), .trouble = {{}, {}, {{2, 1}}}});
  const Journey journey = journey_of(trace, 0);
  CHECK(journey.stations.size() == 2);
  CHECK(completion_of(journey) == -1);
  const Replay replay(trace);
  CHECK(text_at(draw("journey", replay, replay.at({6, 1})), "sentence0-0") ==
        "Chunk 0 is never complete: at most 2 of its 4 terms come together.");
}

TEST_CASE("journey and additions are drawn soundly for every algorithm") {
  for (const Algorithm& algorithm : algorithms())
    for (const std::int32_t ranks : {1, 2, 3, 4, 7, 8, 13}) {
      const Trace trace =
          run_serially({.schedule = algorithm.make({ranks, 200, 1}), .type = ElementType::f32});
      const Replay replay(trace);
      const std::int32_t rounds = replay.rounds();
      for (const char* const view : {"journey", "additions"})
        for (const std::int32_t chunk : {0, trace.schedule.chunks - 1}) {
          const std::string what = std::string(view) + ", " + std::string(algorithm.name) +
                                   ", N = " + std::to_string(ranks);
          const Look look{.selection = {trace.schedule.transfers.empty() ? -1 : 0, chunk}};
          require_sound(draw(view, replay, replay.at({rounds, 1}), look), 24, what + ", end");
          require_sound(draw(view, replay, replay.at({rounds / 2, 0.5}), look), 24,
                        what + ", middle");
          require_sound(draw(view, replay, replay.at_time(trace.nanoseconds / 2), look), 24,
                        what + ", time");
        }
    }
}

TEST_CASE("journey and additions are drawn soundly in both themes and languages, at any size") {
  for (const std::int32_t ranks : {1, 2, 4, 8, 16, 33, 64, 130}) {
    const Trace trace =
        run_serially({.schedule = make_ring({ranks, 3 * static_cast<std::uint64_t>(ranks), 1, {}}),
                      .type = ElementType::f32});
    const Replay replay(trace);
    for (const char* const view : {"journey", "additions"})
      for (const Theme* const theme : {&light_theme(), &dark_theme()})
        for (const char* const language : {"en", "zh"})
          for (const std::int32_t round : {0, ranks / 2, replay.rounds()})
            require_sound(draw(view, replay, replay.at({round, 0.5}), {theme, language, {-1, 0}}),
                          24,
                          std::string(view) + ", N = " + std::to_string(ranks) + ", " + language);
  }
}

TEST_CASE("the way is told in a sentence, from the record") {
  const auto sentences = [](const Schedule& schedule, const char* language = "en") {
    const Trace trace = run_serially({.schedule = schedule});
    const Replay replay(trace);
    const Figure figure = draw("journey", replay, replay.at({0, 1}), {.language = language});
    return text_at(figure, "sentence0-0") + " " + text_at(figure, "sentence1-0");
  };
  CHECK(sentences(make_ring({4, 4, 1, {}})) ==
        "Chunk 0 starts at GPU 0, passes 1 and 2, and is complete at GPU 3 in round 1.3. "
        "From there the complete chunk goes on to 0, 1 and 2.");
  CHECK(sentences(make_ring({4, 4, 1, {}}), "zh") ==
        "块 0 从 GPU 0 出发，经过 1 和 2，在第 1.3 轮于 GPU 3 成为完整块。 "
        "随后完整块继续传给 0、1 和 2。");
  CHECK(sentences(make_ring({2, 2, 1, {}})) ==
        "Chunk 0 starts at GPU 0 and is complete at GPU 1 in round 1.1. "
        "From there the complete chunk goes on to 0.");
  CHECK(sentences(make_star(4)) ==
        "The terms of chunk 0 come together at GPU 0, where it is complete in round 1.1. "
        "From there the complete chunk goes out to three other GPUs.");
  CHECK(sentences(make_exchange(4)).starts_with("Several GPUs complete chunk 0 at once"));
  CHECK(sentences(make_ring({1, 1, 1, {}})).starts_with("Chunk 0 stays where it is, at GPU 0."));
}

TEST_CASE("every station of four ranks is a card, each link selects its transfer") {
  const Trace trace = run_serially({.schedule = make_ring({4, 4, 1, {}})});
  const Replay replay(trace);
  const Figure figure = draw("journey", replay, replay.at({6, 1}));
  CHECK(count_of(figure, "station") == 7);
  std::set<std::int32_t> transfers;
  for (const Shape& shape : figure.shapes)
    if (shape.transfer >= 0) transfers.insert(shape.transfer);
  CHECK(transfers.size() == 6);
}

TEST_CASE("the bracketed sum stands over its tree") {
  const Trace trace = run_serially({.schedule = make_exchange(4), .type = ElementType::f32});
  const Replay replay(trace);
  const Figure figure = draw("additions", replay, replay.at({2, 1}));
  CHECK(text_at(figure, "sum0") == "((a0+b0)+(c0+d0))");
  CHECK(count_of(figure, "node") == 7 + 4);  // a term has its hue
  CHECK(text_at(figure, "node6.line0") == "= 1111");
}
