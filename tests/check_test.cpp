#include "core/schedule/check.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <optional>
#include <random>

#include "core/language/language.h"
#include "tests/contributor_simulator.h"
#include "tests/hand_made_schedules.h"

using namespace ringscope;

namespace Catch {
template <>
struct StringMaker<Problem> {
  static std::string convert(const Problem& problem) {
    return "{defect " + std::to_string(static_cast<int>(problem.defect)) + ", transfer " +
           std::to_string(problem.transfer) + ", round " + std::to_string(problem.round) +
           ", rank " + std::to_string(problem.rank) + ", cell " + std::to_string(problem.cell) +
           ", contributor " + std::to_string(problem.contributor) + "}";
  }
};
}  // namespace Catch

namespace {

constexpr std::size_t no_limit = 100000;

// Whether some order of work ends: parts are done as long as any can be.
bool can_be_done(const Plan& plan) {
  std::vector<bool> done(plan.parts.size(), false);
  std::vector<std::uint32_t> next(plan.lane_starts.begin(), plan.lane_starts.end() - 1);
  for (bool progress = true; progress;) {
    progress = false;
    for (std::size_t lane = 0; lane < next.size(); ++lane) {
      if (next[lane] == plan.lane_starts[lane + 1]) continue;
      const auto depends = plan.depends_of(next[lane]);
      if (!std::all_of(depends.begin(), depends.end(), [&](std::uint32_t p) { return done[p]; }))
        continue;
      done[next[lane]++] = true;
      progress = true;
    }
  }
  return std::find(done.begin(), done.end(), false) == done.end();
}

// The transfer whose numbers can't be, as the words of schedule.h have it.
std::optional<std::size_t> first_out_of_range(const Schedule& schedule) {
  for (std::size_t t = 0; t < schedule.transfers.size(); ++t) {
    const Transfer& transfer = schedule.transfers[t];
    const bool before_the_last_one = t > 0 && transfer.round < schedule.transfers[t - 1].round;
    if (transfer.src == transfer.dst || before_the_last_one ||
        transfer.first_cell + transfer.cell_count > cells_per_rank(schedule))
      return t;
  }
  return std::nullopt;
}

std::vector<Problem> sorted(std::vector<Problem> problems) {
  std::sort(problems.begin(), problems.end(), [](const Problem& left, const Problem& right) {
    const auto key = [](const Problem& p) {
      const bool of_goal = p.defect == Defect::lost || p.defect == Defect::intruder;
      return std::tuple(of_goal, p.round, p.transfer, p.rank, p.cell, p.contributor, p.defect);
    };
    return key(left) < key(right);
  });
  return problems;
}

// Holds the check against the simulator: the same problems by name, or none in both. True where
// the schedule was found harmless.
bool check_is_right_about(const Schedule& schedule) {
  const std::vector<Problem> found = check(schedule, no_limit);
  if (const auto t = first_out_of_range(schedule)) {
    REQUIRE(!found.empty());
    REQUIRE(found[0].defect == Defect::out_of_range);
    REQUIRE(found[0].transfer == static_cast<std::int64_t>(*t));
    return false;
  }
  std::vector<Problem> of_contributors;
  bool stuck = false;
  for (const Problem& problem : found) {
    if (problem.defect == Defect::stuck)
      stuck = true;
    else
      of_contributors.push_back(problem);
  }
  REQUIRE(of_contributors == sorted(Simulator(schedule).problems()));
  REQUIRE(stuck == !can_be_done(make_plan(schedule)));
  return found.empty();
}

struct Tally {
  int caught = 0;
  int harmless = 0;

  void count(const Schedule& mutated) { ++(check_is_right_about(mutated) ? harmless : caught); }
};

std::vector<Schedule> small_schedules() {
  std::vector<Schedule> all;
  for (const std::int32_t ranks : {2, 3, 4})
    for (const std::int32_t slices : {1, 2}) all.push_back(make_ring({ranks, 24, slices, {}}));
  for (const std::int32_t slices : {1, 2}) {
    all.push_back(make_tree_of_four(slices));
    all.push_back(make_star(4, slices));
    all.push_back(make_exchange(2, slices));
    all.push_back(make_exchange(4, slices));
  }
  all.push_back(make_halving_doubling_of_four());
  all.push_back(make_shift(3));
  all.push_back(make_broadcast(3));
  return all;
}

void name(const Schedule& schedule, std::size_t t) {
  UNSCOPED_INFO(schedule.algorithm << " of " << schedule.ranks << ", slices " << schedule.slices
                                   << ", transfer " << t);
}

}  // namespace

TEST_CASE("right schedules have no problem") {
  for (const Schedule& schedule : small_schedules()) {
    name(schedule, 0);
    REQUIRE(check(schedule).empty());
    REQUIRE(check_is_right_about(schedule));
  }
  const std::int32_t ranks = GENERATE(1, 2, 3, 5, 8, 33, 70);
  const std::int32_t slices = GENERATE(1, 3);
  REQUIRE(check(make_ring({ranks, 10, slices, {}})).empty());
}

TEST_CASE("a dropped transfer is caught by the cells and contributors that it leaves out") {
  Tally tally;
  for (const Schedule& schedule : small_schedules())
    for (std::size_t t = 0; t < schedule.transfers.size(); ++t) {
      Schedule mutated = schedule;
      mutated.transfers.erase(mutated.transfers.begin() + static_cast<std::ptrdiff_t>(t));
      name(schedule, t);
      tally.count(mutated);
    }
  REQUIRE(tally.harmless == 0);
  REQUIRE(tally.caught > 100);
}

TEST_CASE("a doubled transfer is caught where the second of the two stands") {
  Tally tally;
  for (const Schedule& schedule : small_schedules())
    for (std::size_t t = 0; t < schedule.transfers.size(); ++t) {
      Schedule mutated = schedule;
      const Transfer transfer = schedule.transfers[t];
      mutated.transfers.insert(mutated.transfers.begin() + static_cast<std::ptrdiff_t>(t),
                               transfer);
      name(schedule, t);
      tally.count(mutated);
      const Problem first = check(mutated).front();
      REQUIRE(first.transfer == static_cast<std::int64_t>(t) + 1);
      REQUIRE(first.rank == transfer.dst);
      REQUIRE(first.cell == transfer.first_cell);
      REQUIRE(first.defect ==
              (transfer.action == Action::copy ? Defect::write_conflict : Defect::doubled));
    }
  REQUIRE(tally.harmless == 0);
}

TEST_CASE("a misrouted transfer is caught, or harmless") {
  Tally tally;
  for (const Schedule& schedule : small_schedules())
    for (std::size_t t = 0; t < schedule.transfers.size(); ++t) {
      const auto with = [&](auto&& change) {
        Schedule mutated = schedule;
        change(mutated.transfers[t]);
        if (mutated == schedule) return;
        name(schedule, t);
        tally.count(mutated);
      };
      for (std::int32_t rank = 0; rank < schedule.ranks; ++rank) {
        with([&](Transfer& transfer) { transfer.src = rank; });
        with([&](Transfer& transfer) { transfer.dst = rank; });
      }
      for (std::int32_t cell = 0; cell < cells_per_rank(schedule); ++cell)
        with([&](Transfer& transfer) { transfer.first_cell = cell; });
      for (std::int32_t slice = 0; slice < schedule.slices; ++slice)
        with([&](Transfer& transfer) { transfer.slice = slice; });
      with([&](Transfer& transfer) { transfer.action = Action::copy; });
      with([&](Transfer& transfer) { transfer.action = Action::reduce; });
      with([&](Transfer& transfer) { std::swap(transfer.src, transfer.dst); });
    }
  REQUIRE(tally.caught > 1000);
  REQUIRE(tally.harmless > 0);
}

TEST_CASE("transfers swapped with their neighbours are caught, or harmless") {
  Tally tally;
  for (const Schedule& schedule : small_schedules())
    for (std::size_t t = 0; t + 1 < schedule.transfers.size(); ++t) {
      Schedule mutated = schedule;
      std::swap(mutated.transfers[t], mutated.transfers[t + 1]);
      name(schedule, t);
      tally.count(mutated);
      std::swap(mutated.transfers[t].round, mutated.transfers[t + 1].round);
      tally.count(mutated);
    }
  REQUIRE(tally.caught > 50);
  REQUIRE(tally.harmless > 50);
}

TEST_CASE("whole rounds exchanged are caught, or harmless") {
  Tally tally;
  for (const Schedule& schedule : small_schedules())
    for (std::int32_t round = 0; round + 1 < rounds_of(schedule); ++round) {
      Schedule mutated = schedule;
      for (Transfer& transfer : mutated.transfers)
        if (transfer.round == round || transfer.round == round + 1)
          transfer.round = 2 * round + 1 - transfer.round;
      std::stable_sort(mutated.transfers.begin(), mutated.transfers.end(),
                       [](const Transfer& a, const Transfer& b) { return a.round < b.round; });
      name(schedule, static_cast<std::size_t>(round));
      tally.count(mutated);
    }
  REQUIRE(tally.caught > 20);
}

TEST_CASE("problems are named as a person would find them by hand") {
  SECTION("the ring of four without GPU 0's first transfer lacks a0 wherever chunk 0 ends") {
    Schedule schedule = make_ring({4, 4, 1, {}});
    schedule.transfers.erase(schedule.transfers.begin());
    std::vector<Problem> expected;
    for (std::int32_t rank = 0; rank < 4; ++rank)
      expected.push_back({Defect::lost, -1, -1, rank, 0, 0});
    REQUIRE(check(schedule) == expected);
  }
  SECTION("the last transfer left out leaves one cell with its old partial sum") {
    Schedule schedule = make_ring({4, 4, 1, {}});
    const Transfer last = schedule.transfers.back();
    schedule.transfers.pop_back();
    // GPU 3 -> GPU 0 would have carried chunk 2; GPU 0 keeps a2+d2+c2.
    REQUIRE(last == Transfer{3, 0, 2, 1, 5, 0, Action::copy});
    REQUIRE(check(schedule) == std::vector<Problem>{{Defect::lost, -1, -1, 0, 2, 1}});
  }
  SECTION("a reduction that comes twice is named where it comes the second time") {
    Schedule schedule = make_star(3);
    schedule.transfers.insert(schedule.transfers.begin() + 2, schedule.transfers[0]);
    REQUIRE(check(schedule) == std::vector<Problem>{{Defect::doubled, 2, 0, 0, 0, 1}});
  }
  SECTION("a doubled term is named once, not wherever it goes from there") {
    Schedule schedule = make_ring({4, 4, 1, {}});
    schedule.transfers.insert(schedule.transfers.begin(), schedule.transfers[0]);
    REQUIRE(check(schedule) == std::vector<Problem>{{Defect::doubled, 1, 0, 1, 0, 0}});
  }
  SECTION("what holds nothing can be neither sent nor added to") {
    Schedule schedule = make_broadcast(3);
    schedule.transfers[0].src = 2;
    REQUIRE(check(schedule, 1) == std::vector<Problem>{{Defect::sends_nothing, 0, 0, 2, 0, -1}});
    schedule = make_broadcast(3);
    schedule.transfers[0].action = Action::reduce;
    REQUIRE(check(schedule, 1) == std::vector<Problem>{{Defect::sends_nothing, 0, 0, 1, 0, -1}});
  }
  SECTION("a goal of one rank may hold no other's term") {
    Schedule schedule = make_shift(3);
    schedule.goal[0] = 1;
    REQUIRE(check(schedule) == std::vector<Problem>{{Defect::lost, -1, -1, 0, 0, 1},
                                                    {Defect::intruder, -1, -1, 0, 0, 2}});
    schedule.goal[0] = do_not_care;
    REQUIRE(check(schedule).empty());
  }
  SECTION("transfers that wait for each other in a circle are stuck") {
    Schedule schedule = make_star(3, 2);
    schedule.transfers = {{1, 0, 0, 2, 0, 1, Action::reduce},
                          {0, 2, 0, 1, 1, 0, Action::reduce},
                          {2, 0, 0, 1, 1, 0, Action::copy}};
    schedule.goal.assign(3, do_not_care);
    REQUIRE(check(schedule).front().defect == Defect::stuck);
  }
}

TEST_CASE("at most as many problems as asked for, the first ones") {
  Schedule schedule = make_ring({8, 8, 1, {}});
  schedule.transfers.erase(schedule.transfers.begin(), schedule.transfers.begin() + 30);
  const std::vector<Problem> all = check(schedule, no_limit);
  REQUIRE(all.size() > 40);
  for (const std::size_t limit : {0u, 1u, 2u, 16u, 40u}) {
    const std::vector<Problem> some = check(schedule, limit);
    REQUIRE(some.size() == std::max<std::size_t>(limit, 1));
    REQUIRE(std::equal(some.begin(), some.end(), all.begin()));
  }
}

TEST_CASE("lists that contradict the sizes are out of range") {
  Schedule schedule = make_ring({4, 16, 2, {}});
  const Schedule whole = schedule;
  const auto is_caught = [&] {
    const std::vector<Problem> found = check(schedule);
    REQUIRE(found.size() == 1);
    REQUIRE(found[0].defect == Defect::out_of_range);
    schedule = whole;
  };
  schedule.initial.pop_back(), is_caught();
  schedule.goal.push_back(everyone), is_caught();
  schedule.initial[5] = 4, is_caught();
  schedule.initial[5] = -2, is_caught();
  schedule.goal[7] = -3, is_caught();
  schedule.ranks = 0, is_caught();
  schedule.ranks = -4, is_caught();
  schedule.chunks = 0, is_caught();
  schedule.slices = 0, is_caught();
  schedule.slices = std::numeric_limits<std::int32_t>::max(), is_caught();
  schedule.slices = 1 << 28, is_caught();
  schedule.order[0] = 1, is_caught();
  schedule.order.pop_back(), is_caught();
  schedule.phases[1].first_round = 4, is_caught();
  schedule.phases[1].round_count = -1, is_caught();
  schedule.phases.push_back({"more", 6, std::numeric_limits<std::int32_t>::max() - 6}), is_caught();
}

TEST_CASE("whatever stands in a schedule, the check ends and its problems have words") {
  std::mt19937 random(7);
  const std::vector<std::int32_t> odd{-2,
                                      -1,
                                      0,
                                      1,
                                      2,
                                      3,
                                      7,
                                      1 << 20,
                                      std::numeric_limits<std::int32_t>::max(),
                                      std::numeric_limits<std::int32_t>::min()};
  const auto pick = [&] { return odd[random() % odd.size()]; };
  const Language& english = Language::named("en");
  int wrong = 0;
  for (int i = 0; i < 4000; ++i) {
    Schedule schedule = make_ring({3, 9, 2, {}});
    if (random() % 2 == 0) schedule = make_exchange(2, 3);
    for (std::uint32_t changes = random() % 4; changes > 0; --changes) {
      Transfer& transfer = schedule.transfers[random() % schedule.transfers.size()];
      switch (random() % 16) {
        case 0: transfer.src = pick(); break;
        case 1: transfer.dst = pick(); break;
        case 2: transfer.first_cell = pick(); break;
        case 3: transfer.cell_count = pick(); break;
        case 4: transfer.round = pick(); break;
        case 5: transfer.slice = pick(); break;
        case 6: transfer.action = static_cast<Action>(random() % 4); break;
        case 7: schedule.ranks = pick(); break;
        case 8: schedule.chunks = pick(); break;
        case 9: schedule.slices = pick(); break;
        case 10: schedule.initial[random() % schedule.initial.size()] = pick(); break;
        case 11: schedule.goal[random() % schedule.goal.size()] = pick(); break;
        case 12: schedule.phases[0].first_round = pick(); break;
        case 13: schedule.phases[0].round_count = pick(); break;
        case 14: schedule.order = {pick(), pick(), pick()}; break;
        case 15: schedule.phases.clear(); break;
      }
    }
    for (const Problem& problem : check(schedule)) {
      ++wrong;
      const std::string words = english.text(describe(schedule, problem));
      REQUIRE(words.find('[') == std::string::npos);
      REQUIRE(words.find('{') == std::string::npos);
    }
  }
  REQUIRE(wrong > 1000);
}

TEST_CASE("a problem in words names rank, chunk, slice, round and contributor") {
  Schedule schedule = make_ring({4, 16, 2, {}});
  const Transfer first = schedule.transfers[1];
  schedule.transfers.erase(schedule.transfers.begin() + 1);
  REQUIRE(first == Transfer{0, 1, 1, 1, 0, 1, Action::reduce});
  const Problem lost = check(schedule, 1).front();
  REQUIRE(Language::named("en").text(describe(schedule, lost)) ==
          "GPU 0 ends without the term of GPU 0 in chunk 0, slice 1.");
  schedule.transfers.insert(schedule.transfers.begin() + 1, {first, first});
  const Problem doubled = check(schedule, 1).front();
  REQUIRE(Language::named("en").text(describe(schedule, doubled)) ==
          "Round 1.1, GPU 0 -> GPU 1: the term of GPU 0 would be added to chunk 0, slice 1, a "
          "second time.");
  REQUIRE(Language::named("zh").text(describe(schedule, doubled)) ==
          "第 1.1 轮，GPU 0 -> GPU 1：GPU 0 的项会第二次累加到块 0（切片 1）。");
}
