#include "core/engine/ports.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "core/schedule/plan.h"
#include "tests/error_of.h"

using namespace ringscope;

namespace {

constexpr Pace half_a_gigabyte{500'000'000, 0};

Schedule made(std::string_view algorithm, int ranks, std::uint64_t count, int slices = 1) {
  return algorithm_named(algorithm).make({.ranks = ranks, .count = count, .slices = slices});
}

// A schedule on ports of that pace.
struct Planned {
  Planned(Schedule made, const Pace& pace, Trouble trouble = {}, bool lockstep = false)
      : schedule(std::move(made)), plan(make_plan(schedule, lockstep)) {
    Job job(schedule, plan);
    job.pace = pace;
    job.trouble = std::move(trouble);
    job.lockstep = lockstep;
    times = plan_ports(job);
  }

  std::int64_t begin(std::size_t transfer) const { return times.begins[plan.first_part[transfer]]; }
  std::int64_t end(std::size_t transfer) const { return times.ends[plan.first_part[transfer]]; }

  Schedule schedule;
  Plan plan;
  PortTimes times;
};

std::int64_t time_of(std::string_view algorithm, int ranks, std::uint64_t count,
                     const Pace& pace = half_a_gigabyte, int slices = 1) {
  return Planned(made(algorithm, ranks, count, slices), pace).times.last;
}

}  // namespace

TEST_CASE("rates are read as people write them") {
  REQUIRE(parse_rate("500MB/s") == 500'000'000);
  REQUIRE(parse_rate("8GB/s") == 8'000'000'000);
  REQUIRE(parse_rate("1.5GB/s") == 1'500'000'000);
  REQUIRE(parse_rate("64MiB/s") == 64 << 20);
  REQUIRE(parse_rate("1B/s") == 1);
  for (const char* wrong : {"", "500", "500MB", "MB/s", "0MB/s", "-1MB/s", "0.1B/s", "1e3MB/s",
                            "500 MB/s", "inf", "nanB/s", "9999999TB/s", "500mb/s", "8Gbit/s"})
    REQUIRE(error_of([&] { parse_rate(wrong); }) == "error.port.rate");
  REQUIRE(parse_pace("", "") == Pace{});
  REQUIRE(parse_pace("500MB/s", "") == Pace{500'000'000, 0});
  REQUIRE(parse_pace("500MB/s", "5us") == Pace{500'000'000, 5'000});
  REQUIRE(error_of([] { parse_pace("", "5us"); }) == "error.port.latency");
  REQUIRE(error_of([] { parse_pace("500MB/s", "5"); }) == "error.duration");
}

TEST_CASE("a message holds its ports for latency + bytes / rate, rounded up") {
  REQUIRE(service_time({500'000'000, 0}, 0) == 0);
  REQUIRE(service_time({500'000'000, 5'000}, 0) == 5'000);
  REQUIRE(service_time({500'000'000, 0}, 1) == 2);
  REQUIRE(service_time({500'000'000, 5'000}, 1 << 20) == 5'000 + 2'097'152);
  REQUIRE(service_time({3, 0}, 1) == 333'333'334);
  // Nobody lives to see it, but nothing overflows.
  REQUIRE(service_time({1, 0}, std::uint64_t{1} << 56) == std::int64_t{1} << 53);
}

TEST_CASE("a port out serves one at a time, who is ready first, of equals the lower transfer") {
  // Rank 0 reduces from its two children, one after the other, and sends back.
  const Schedule tree = made("tree", 3, 1'000);
  const Planned run(tree, half_a_gigabyte);
  REQUIRE(run.schedule.transfers.size() == 4);
  for (std::size_t t = 0; t < 4; ++t) {
    REQUIRE(run.begin(t) == 8'000 * static_cast<std::int64_t>(t));
    REQUIRE(run.end(t) == 8'000 * static_cast<std::int64_t>(t + 1));
  }
  // GPU 1 comes back late by what it slept; rank 2 is served before it then.
  const Planned slept(tree, half_a_gigabyte, {{}, {{0, 1, 5'000}}, {}});
  std::vector<std::int32_t> served(2);
  for (std::size_t t = 2; t < 4; ++t)
    served[slept.begin(t) == 16'000 ? 0 : 1] = slept.schedule.transfers[t].dst;
  REQUIRE(served == std::vector<std::int32_t>{2, 1});
  REQUIRE(slept.times.last == 32'000);
  // Both wait while rank 2 is served: rank 3 since longer than rank 1.
  const Planned queued(made("parameter-server", 4, 1'000), half_a_gigabyte,
                       {{}, {{0, 1, 6'000}}, {}});
  std::vector<std::pair<std::int64_t, std::int32_t>> order;
  for (std::size_t t = 3; t < 6; ++t)
    order.emplace_back(queued.begin(t), queued.schedule.transfers[t].dst);
  std::sort(order.begin(), order.end());
  REQUIRE(order == std::vector<std::pair<std::int64_t, std::int32_t>>{
                       {24'000, 2}, {32'000, 3}, {40'000, 1}});
}

TEST_CASE("late ranks, delays and lockstep are planned with") {
  const Schedule ring = made("ring", 3, 3'000);  // 8 us a message
  REQUIRE(Planned(ring, half_a_gigabyte).times.last == 4 * 8'000);
  REQUIRE(Planned(ring, half_a_gigabyte, {{{1, 20'000}}, {}, {}}).times.last == 20'000 + 4 * 8'000);
  REQUIRE(Planned(ring, half_a_gigabyte, {{}, {{-1, 1, 3'000}}, {}}).times.last > 4 * 8'000);
  REQUIRE(Planned(ring, half_a_gigabyte, {}, true).times.last == 4 * 8'000);
  const Planned in_step(made("tree", 7, 3'000, 3), half_a_gigabyte, {}, true);
  std::int64_t landed = 0, latest = 0;
  std::int32_t round = 0;
  for (std::size_t t = 0; t < in_step.schedule.transfers.size(); ++t) {
    if (in_step.schedule.transfers[t].round != round) landed = latest;
    round = in_step.schedule.transfers[t].round;
    REQUIRE(in_step.begin(t) >= landed);
    latest = std::max(latest, in_step.end(t));
  }
}

TEST_CASE("on paced ports every scheme takes what the literature says") {
  constexpr std::uint64_t count = 2'097'152;                      // 8 MiB of f32
  constexpr std::int64_t buffer = 8'388'608 * 2;                  // nanoseconds at 500 MB/s
  REQUIRE(time_of("ring", 8, count) == 14 * buffer / 8);          // 29.4 ms
  REQUIRE(time_of("parameter-server", 8, count) == 14 * buffer);  // 234.9 ms
  REQUIRE(time_of("bidirectional", 8, count) == 14 * buffer / 8);
  REQUIRE(time_of("recursive-doubling", 8, count) == 3 * buffer);
  REQUIRE(time_of("halving-doubling", 8, count) == 14 * buffer / 8);
  REQUIRE(time_of("halving-doubling", 8, count, half_a_gigabyte, 4) == 14 * buffer / 8);
  // A parent takes its two children one after the other: 4 floor(log2 N) (N = 2^k - 1).
  REQUIRE(time_of("tree", 7, count) == 8 * buffer);
  REQUIRE(time_of("tree", 3, count) == 4 * buffer);
  // A chain passes the whole buffer on.
  REQUIRE(time_of("reduce", 2, count) == buffer);
  REQUIRE(time_of("ring", 1, count) == 0);
  REQUIRE(time_of("ring", 8, 0) == 0);
}

TEST_CASE("latency is paid by each message") {
  constexpr Pace pace{500'000'000, 5'000};
  REQUIRE(time_of("ring", 4, 0, pace) == 6 * 5'000);
  REQUIRE(time_of("ring", 4, 1'000, pace) == 6 * (5'000 + 2'000));
  REQUIRE(time_of("parameter-server", 4, 1'000, pace) == 6 * (5'000 + 8'000));
  // Each of four slices is a message of its own.
  REQUIRE(time_of("ring", 4, 1'000, pace, 4) == 24 * 5'000 + 6 * 2'000);
}

TEST_CASE("slices let a tree's bytes flow through all its ports at once") {
  constexpr std::uint64_t count = 2'097'152;
  constexpr std::int64_t buffer = 8'388'608 * 2;
  const std::int64_t cut = time_of("tree", 7, count, half_a_gigabyte, 64);
  REQUIRE(cut < 8 * buffer);
  // An inner rank takes 3 K in.
  REQUIRE(cut >= 3 * buffer);
}

TEST_CASE("no port ever serves two messages at once, and nothing begins before what it needs") {
  const std::string_view algorithm =
      GENERATE("ring", "parameter-server", "tree", "double-tree", "recursive-doubling",
               "halving-doubling", "hierarchical", "bidirectional", "broadcast");
  const int ranks = GENERATE(2, 3, 5, 8, 13);
  const int slices = GENERATE(1, 3);
  const Schedule schedule = made(algorithm, ranks, 9'000, slices);
  constexpr Pace pace{500'000'000, 100};
  const Planned run(schedule, pace);
  for (std::uint32_t part = 0; part < run.plan.parts.size(); ++part)
    for (const std::uint32_t awaited : run.plan.depends_of(part))
      REQUIRE(run.times.begins[part] >= run.times.ends[awaited]);
  for (const bool out : {false, true})
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
      std::vector<std::pair<std::int64_t, std::int64_t>> services;  // begin, end
      for (std::size_t t = 0; t < schedule.transfers.size(); ++t) {
        const Transfer& transfer = schedule.transfers[t];
        if ((out ? transfer.src : transfer.dst) != rank) continue;
        services.emplace_back(run.begin(t), run.end(t));
        REQUIRE(run.end(t) - run.begin(t) ==
                service_time(pace, 4 * transfer_extent(schedule, transfer).count));
      }
      std::sort(services.begin(), services.end());
      for (std::size_t i = 1; i < services.size(); ++i)
        REQUIRE(services[i].first >= services[i - 1].second);
    }
}

TEST_CASE("a machine keeps the pace where its run takes at most 3 % longer") {
  REQUIRE(pace_share(0, 0) == 1);
  REQUIRE(pace_share(0, 1'000) == 1);  // nothing went through a port
  REQUIRE(pace_share(1'000, 1'000) == 1);
  REQUIRE(pace_share(1'000, 1'030) == 1);
  REQUIRE(pace_share(1'000, 1'031) == Approx(1'000. / 1'031));
  REQUIRE(pace_share(1'000, 4'000) == 0.25);
}
