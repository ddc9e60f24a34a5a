#include <catch2/catch.hpp>

#include "tests/figure_checks.h"
#include "tests/golden.h"
#include "tests/serial_run.h"

using namespace ringscope;

namespace {

Trace ring_trace(std::int32_t ranks, std::uint64_t count, ElementType type = ElementType::f32,
                 Operator op = Operator::sum, std::vector<std::int32_t> order = {},
                 std::int32_t slices = 1) {
  Trace trace = run_serially(
      {.schedule = make_ring({ranks, count, slices, std::move(order)}), .type = type, .op = op});
  trace.verdict.outcome = Verdict::Outcome::verified;
  return trace;
}

struct Look {
  const Theme* theme = &light_theme();
  const char* language = "en";
  Size size{1360, 840};
  bool caption = false;
};

Figure draw(const Replay& replay, const ReplayState& state, const Look& look = {}) {
  static const Fonts fonts;
  const ViewContext context{replay,    *look.theme, fonts,       Language::named(look.language),
                            look.size, 1.0,         look.caption};
  return draw_ring(context, state);
}

double smallest_at(const Look& look) {
  return look.size.width >= 1360 && look.size.height >= 840 ? 24 : 16;
}

void require_sound(const Replay& replay, const Cursor& cursor, const Look& look = {}) {
  INFO("N = " << replay.trace().schedule.ranks << ", round " << cursor.round << ", "
              << cursor.fraction << ", " << look.theme->name << ", " << look.language << ", "
              << look.size.width << " x " << look.size.height);
  require_sound(draw(replay, replay.at(cursor), look), smallest_at(look));
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
int count_ids(const Figure& figure, const std::string& end) {
  int count = 0;
  for (const Shape& shape : figure.shapes) count += shape.id.ends_with(end);
  return count;
}

constexpr std::initializer_list<double> fractions{0.0, 0.02, 0.5, 0.98, 1.0};

}  // namespace

TEST_CASE("every moment of a small ring is drawn soundly, in both themes and languages") {
  const std::int32_t ranks = GENERATE(1, 2, 3, 4, 5);
  const Trace trace = ring_trace(ranks, static_cast<std::uint64_t>(ranks));
  const Replay replay(trace);
  for (std::int32_t round = 0; round <= replay.rounds(); ++round)
    for (const double fraction : fractions)
      for (const Theme* const theme : {&light_theme(), &dark_theme()})
        for (const char* const language : {"en", "zh"})
          require_sound(replay, {round, fraction}, {theme, language, {1360, 840}});
}

TEST_CASE("a larger ring is drawn soundly") {
  const std::int32_t ranks = GENERATE(6, 7, 8, 9, 10, 11, 12, 13, 16, 17, 33, 64, 65);
  const Trace trace = ring_trace(ranks, static_cast<std::uint64_t>(ranks));
  const Replay replay(trace);
  for (const std::int32_t round : {0, 1, ranks / 2, ranks - 1, ranks, 2 * ranks - 3, 2 * ranks - 2})
    for (const double fraction : {0.0, 0.02, 0.5, 1.0}) {
      require_sound(replay, {round, fraction});
      if (fraction == 0.5)
        require_sound(replay, {round, fraction}, {&dark_theme(), "zh", {1360, 840}});
    }
}

TEST_CASE("a ring fits pictures of any shape, small windows too, with a caption") {
  const Size size = GENERATE(Size{1920, 1080}, Size{1440, 1080}, Size{907, 560}, Size{3840, 2160},
                             Size{1080, 1080});
  const std::int32_t ranks = GENERATE(1, 2, 3, 4, 7, 8, 12, 16);
  const Trace trace = ring_trace(ranks, static_cast<std::uint64_t>(ranks));
  const Replay replay(trace);
  for (const double fraction : {0.5, 1.0}) {
    const Look look{&light_theme(), "en", size, true};
    const Figure figure = draw(replay, replay.at({ranks / 2, fraction}), look);
    const double smallest = 24 * std::min(size.width / 1360, size.height / 900);
    INFO("N = " << ranks << ", " << size.width << " x " << size.height);
    require_sound(figure, smallest);
  }
}

TEST_CASE("long values and labels of all operators stay in their cells") {
  const Operator op =
      GENERATE(Operator::sum, Operator::avg, Operator::prod, Operator::min, Operator::max);
  const ElementType type = GENERATE(ElementType::f64, ElementType::f32, ElementType::i64);
  const std::int32_t ranks = GENERATE(2, 3, 4, 5, 13);
  const Trace trace = ring_trace(ranks, static_cast<std::uint64_t>(ranks), type, op);
  const Replay replay(trace);
  for (const std::int32_t round : {1, ranks - 1, ranks, 2 * ranks - 2})
    for (const double fraction : {0.5, 1.0}) require_sound(replay, {round, fraction});
}

TEST_CASE("long numbers of any kind fit a cell and keep their full text behind") {
  Trace trace = ring_trace(4, 4);
  const float values[] = {1.2345678e+30f, -1.2345678e-30f, 16777216.0f, -0.333333343f};
  for (std::size_t i = 0; i < trace.values.inputs.size(); i += 4)
    std::memcpy(trace.values.inputs.data() + i, &values[i / 4 % 4], 4);
  const Replay replay(trace);
  const Figure figure = draw(replay, replay.at({0, 1}));
  require_sound(figure);
  CHECK(text_at(figure, "rank0.chunk0.value") == "1.235e30");
  CHECK(text_at(figure, "rank0.chunk1.value") == "-1.2e-30");
  CHECK(text_at(figure, "rank0.chunk2.value") == "16777216");
  CHECK(find(figure, "rank0.chunk0.value")->title == "1.2345678e+30");
}

TEST_CASE("long numbers stay clear of what arrives beside them") {
  const std::int32_t ranks = GENERATE(2, 3, 4);
  const Operator op = GENERATE(Operator::avg, Operator::min);
  Trace trace = ring_trace(ranks, static_cast<std::uint64_t>(ranks), ElementType::f32, op);
  const float value = GENERATE(-0.0123456789f, -1.2345678e+30f, -16777216.0f);
  for (std::vector<std::byte>* const values : {&trace.values.inputs, &trace.values.landed})
    for (std::size_t i = 0; i < values->size(); i += 4) std::memcpy(values->data() + i, &value, 4);
  const Replay replay(trace);
  for (std::int32_t round = 0; round <= replay.rounds(); ++round)
    for (const double fraction : {0.5, 1.0})
      require_sound(replay, {round, fraction}, {&light_theme(), "en", {1920, 1080}});
}

TEST_CASE("slices, empty chunks and chunks of several elements are drawn soundly") {
  const std::int32_t ranks = GENERATE(2, 4, 5, 8);
  const std::uint64_t count = GENERATE(0u, 1u, 3u, 10u, 4000u);
  const std::int32_t slices = GENERATE(1, 3);
  const Trace trace = ring_trace(ranks, count, ElementType::f32, Operator::sum, {}, slices);
  const Replay replay(trace);
  for (std::int32_t round = 0; round <= replay.rounds(); ++round)
    for (const double fraction : {0.5, 1.0}) require_sound(replay, {round, fraction});
  const Figure figure = draw(replay, replay.at({1, 0.5}));
  int chips = 0;
  for (const Shape& shape : figure.shapes) chips += shape.moving;
  CHECK(chips == ranks);
}

TEST_CASE("an empty chunk shows a dash, and a value says when it is the first of several") {
  const Trace empty = ring_trace(4, 3);
  const Replay replay(empty);
  CHECK(text_at(draw(replay, replay.at({0, 1})), "rank0.chunk0.value") == "-");
  const Trace several = ring_trace(4, 16);
  const Replay other(several);
  const Figure figure = draw(other, other.at({0, 1}));
  CHECK(find(figure, "rank0.chunk0.value")->title == "1, first of 4");
  CHECK(text_at(figure, "round.note.0") == "A value is the first of 4 elements.");
}

TEST_CASE("round 1.2 of four, moving: what is sent, what arrives, what travels") {
  const Trace trace = ring_trace(4, 4);
  const Replay replay(trace);
  const Figure figure = draw(replay, replay.at({2, 0.5}));
  CHECK(text_at(figure, "round.title") == "Round 1.2");
  CHECK(text_at(figure, "round.subtitle") == "scatter-reduce, 2 of 3");
  CHECK(count_ids(figure, ".pill") == 8);
  CHECK(count_ids(figure, ".ring") == 8);
  CHECK(text_at(figure, "rank1.chunk3.label0") == "b3");
  CHECK(text_at(figure, "rank1.chunk3.value") == "40");
  CHECK(text_at(figure, "rank1.chunk3.arriving0") == "+a3+d3");
  CHECK(text_at(figure, "rank1.chunk3.pill.label") == "+=");
  CHECK(text_at(figure, "rank0.chunk3.label0") == "a3+d3");
  CHECK(find(figure, "rank0.chunk3.pill.arrow") != nullptr);
  CHECK(text_at(figure, "rank0.doing") == "sends chunk 3, receives chunk 2");
  CHECK(text_at(figure, "rank1.letter") == "b");
}

TEST_CASE("round 1.2 of four, after: new slots underlined, chips and rings gone") {
  const Trace trace = ring_trace(4, 4);
  const Replay replay(trace);
  const Figure figure = draw(replay, replay.at({2, 1}));
  CHECK(count_ids(figure, ".pill") == 0);
  CHECK(count_ids(figure, ".ring") == 0);
  CHECK(count_ids(figure, ".new") == 8);
  CHECK(text_at(figure, "rank0.chunk2.label0") == "a2+d2");
  CHECK(text_at(figure, "rank0.chunk2.label1") == "+c2");
  CHECK(text_at(figure, "rank0.chunk2.value") == "3303");
  const Box& changed = std::get<Box>(find(figure, "rank0.chunk2")->form);
  CHECK(changed.fill.color == light_theme().warm);
}

TEST_CASE("a complete cell has one band, a heavy outline, a check mark and the sum in rank order") {
  const Trace trace = ring_trace(4, 4);
  const Replay replay(trace);
  const Figure figure = draw(replay, replay.at({6, 1}));
  CHECK(count_ids(figure, ".band") == 16);
  CHECK(count_ids(figure, ".check") == 16);
  CHECK(text_at(figure, "rank2.chunk0.label0") == "a0+b0");
  CHECK(text_at(figure, "rank2.chunk0.label1") == "+c0+d0");
  CHECK(std::get<Box>(find(figure, "rank2.chunk0")->form).stroke.width == 3);
}

TEST_CASE("what is overwritten has pale slots only, so that it never reads as adding") {
  const Trace trace = ring_trace(4, 4);
  const Replay replay(trace);
  const Figure figure = draw(replay, replay.at({5, 0.5}));
  CHECK(text_at(figure, "rank0.chunk3.pill.label") == "=");
  for (int rank = 0; rank < 4; ++rank) {
    const Shape* const slot = find(figure, "rank0.chunk3.slot" + std::to_string(rank));
    REQUIRE(slot != nullptr);
    CHECK(std::get<Box>(slot->form).stroke.dash > 0);
  }
  CHECK(find(figure, "rank0.chunk3.arriving0") == nullptr);
}

TEST_CASE("the ring's order decides who stands where") {
  const Trace trace = ring_trace(4, 4, ElementType::f32, Operator::sum, {0, 2, 1, 3});
  const Replay replay(trace);
  const Figure figure = draw(replay, replay.at({0, 1}));
  const auto card = [&](const std::string& id) { return bounds_of(*find(figure, id)); };
  CHECK(card("rank2").x > card("rank0").x);
  CHECK(card("rank2").y == card("rank0").y);
  CHECK(card("rank1").y > card("rank2").y);
  for (const double fraction : {0.5, 1.0}) require_sound(replay, {2, fraction});
}

TEST_CASE("a chip goes from its sender to its receiver and touches neither") {
  const Trace trace = ring_trace(8, 8);
  const Replay replay(trace);
  double last = 0;
  for (const double fraction : {0.01, 0.25, 0.5, 0.75, 0.99}) {
    const Figure figure = draw(replay, replay.at({1, fraction}));
    const Rect chip = bounds_of(*find(figure, "chip0"));
    CHECK(chip.x > last);
    CHECK(chip.x > bounds_of(*find(figure, "rank0")).right());
    CHECK(chip.right() < bounds_of(*find(figure, "rank1")).x);
    last = chip.x;
  }
}

TEST_CASE("above twelve ranks the matrix of shades stands in the middle") {
  const Trace trace = ring_trace(16, 16);
  const Replay replay(trace);
  const Figure figure = draw(replay, replay.at({9, 0.5}));
  CHECK(count(figure).grids == 1);
  const Grid& grid = std::get<Grid>(find(figure, "shades")->form);
  CHECK(grid.columns == 16);
  CHECK(grid.rows == 16);
  CHECK(grid.shades.size() == 256);
}

TEST_CASE("what went wrong is said on the stage") {
  Trace trace = ring_trace(4, 4);
  trace.verdict.outcome = Verdict::Outcome::failed;
  trace.run.trouble.late.push_back({2, 120'000});
  trace.stopped = Message{"error.run.died", {{"rank", "2"}, {"round", "1.2"}, {"chunk", "0"}}};
  const Replay replay(trace);
  for (const char* const language : {"en", "zh"})
    require_sound(replay, {2, 0.5}, {&light_theme(), language, {1920, 1080}, true});
  const Figure figure = draw(replay, replay.at({2, 0.5}));
  CHECK(text_at(figure, "foot.failed.label0") == "The result is wrong.");
  CHECK(find(figure, "foot.stopped.label0") != nullptr);
  trace.stopped.reset();
  CHECK(text_at(draw(replay, replay.at({2, 0.5})), "foot.trouble.label0") ==
        "GPU 2 starts 120 µs late.");
}

TEST_CASE("a record that contradicts itself is shown as wrong") {
  Trace trace = ring_trace(3, 3);
  trace.events.pop_back();
  const Replay replay(trace);
  REQUIRE_FALSE(replay.contradictions().empty());
  const Figure figure = draw(replay, replay.at({1, 0.5}));
  CHECK(text_at(figure, "foot.wrong.label0").starts_with("This record contradicts itself"));
}

TEST_CASE("measured time is drawn soundly at any moment") {
  const std::int32_t ranks = GENERATE(1, 4, 8, 16);
  const Trace trace = ring_trace(ranks, 100);
  const Replay replay(trace);
  for (const double share : {0.0, 0.3, 0.5, 0.9, 1.0}) {
    const auto moment = static_cast<std::int64_t>(share * static_cast<double>(trace.nanoseconds));
    const std::vector<std::string> faults = faults_of(draw(replay, replay.at_time(moment)), 24);
    INFO(join(faults));
    CHECK(faults.empty());
  }
}

TEST_CASE("the pictures of four ranks are as committed") {
  const auto [name, cursor] =
      GENERATE(table<std::string, Cursor>({{"ring-4-1.2-moving", {2, 0.5}},
                                           {"ring-4-1.2-after", {2, 1}},
                                           {"ring-4-2.2-moving", {5, 0.5}}}));
  const Trace trace = ring_trace(4, 4);
  const Replay replay(trace);
  check_golden(name + ".txt", dump(draw(replay, replay.at(cursor))));
}
