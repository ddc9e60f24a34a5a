// What a record says of a run on GPUs: which they were, which way data went, what their clocks are
// worth.
#include <catch2/catch.hpp>

#include "core/engine/engine.h"
#include "core/engine/record.h"
#include "core/figure/captions.h"
#include "core/figure/views.h"
#include "core/trace/trace_file.h"
#include "core/trace/verify.h"
#include "tests/error_of.h"
#include "tests/sample_trace.h"

using namespace ringscope;

namespace {

Trace on_devices(std::vector<std::string> devices) {
  Trace trace = sample_trace({.ranks = 4, .count = 8});
  trace.where.devices = std::move(devices);
  return trace;
}

std::string gpus(std::vector<std::string> devices) {
  return gpus_text(on_devices(std::move(devices)), Language::named("en"));
}

}  // namespace

TEST_CASE("GPUs are virtual where several ranks share one") {
  const std::string h200 = "GPU 0: NVIDIA H200";
  REQUIRE(gpus({h200, h200, h200, h200}) == "4 virtual GPUs on 1 NVIDIA H200");
  REQUIRE(gpus({h200, "GPU 1: NVIDIA H200", h200, "GPU 1: NVIDIA H200"}) ==
          "4 virtual GPUs on 2 NVIDIA H200");
  REQUIRE(gpus({h200, "GPU 1: NVIDIA H200", "GPU 2: NVIDIA H200", "GPU 3: NVIDIA H200"}) ==
          "4 GPUs (NVIDIA H200)");
  REQUIRE(gpus({h200, "GPU 1: T4", "GPU 2: T4", "GPU 3: T4"}) == "4 GPUs (NVIDIA H200, T4)");
  REQUIRE(gpus({"CPU thread"}).empty());
  REQUIRE(gpus({}).empty());
  REQUIRE(place_text(on_devices({h200, h200, h200, h200}), Language::named("en")) ==
          "4 virtual GPUs on 1 NVIDIA H200.");
}

TEST_CASE("links and clocks come back from a file, and a link between no ranks is found") {
  Trace trace = on_devices({});
  trace.where.links = {{0, 1, LinkPath::peer}, {3, 0, LinkPath::same_device}};
  trace.where.clock = {1024, 3000};
  REQUIRE(decode_trace(encode_trace(trace), "trace") == trace);
  trace.where.links.push_back({0, 4, LinkPath::peer});
  REQUIRE(error_of([&] { encode_trace(trace); }) == "error.file.not_sound");
  trace.where.links.back() = {0, 3, static_cast<LinkPath>(3)};
  REQUIRE(error_of([&] { encode_trace(trace); }) == "error.file.not_sound");
}

TEST_CASE("a part may begin before what it depends on by what the clocks are worth, and no more") {
  RunSettings settings;
  settings.ranks = 4;
  settings.count = 8;
  RunHooks hooks;
  hooks.clock = Clock::lamport;
  Trace trace = record(settings, hooks);
  REQUIRE(verify(trace).wrong.empty());
  trace.where.clock = {32, 1000};
  const Plan plan = make_plan(trace.schedule);
  // A transfer of the second round waits for one on another lane; it begins so much before that.
  const auto begin_early = [&](std::int64_t by) {
    Trace early = trace;
    for (Event& event : early.events)
      for (std::int64_t* const time : {&event.waited_from, &event.move_begun, &event.move_landed,
                                       &event.reduce_begun, &event.reduce_landed})
        *time += 10'000;
    const std::uint32_t part = plan.depends.empty() ? 0 : plan.lane_starts[1] + 1;
    Event& event = early.events[plan.parts[part].transfer];
    const std::uint32_t awaited = plan.depends_of(part).front();
    event.move_begun = event.reduce_begun =
        early.events[plan.parts[awaited].transfer].reduce_landed - by;
    event.waited_from = 0;
    early.nanoseconds += 10'000;
    return early;
  };
  REQUIRE(verify(begin_early(1032)).wrong.empty());
  REQUIRE(!verify(begin_early(1033)).wrong.empty());
  REQUIRE(Replay(begin_early(1032)).contradictions().empty());
  REQUIRE(Replay(begin_early(1033)).contradictions().size() == 1);
  // Such a record can be looked at at any time.
  const Trace early = begin_early(1032);
  const Replay replay(early);
  for (std::int64_t time = 0; time <= early.nanoseconds; time += early.nanoseconds / 200)
    for (const std::int32_t rank : {0, 1, 2, 3})
      REQUIRE(replay.cell(replay.at_time(time), rank, 0).contributors.size() <= 4);
}

TEST_CASE("what an engine lacks is refused, and an engine that can't run says why") {
  REQUIRE(error_of([] { make_engine("host", {{0, 0}, false}); }) == "error.devices.unused");
  REQUIRE(error_of([] { make_engine("cuda", {{}, true}); }) == "error.port.engine");
  for (const std::string_view name : {"cuda", "nccl"}) {
    const Availability availability = make_engine(name)->availability(4);
    if (availability.ok) continue;
    RunSettings settings;
    settings.engine = name;
    REQUIRE(error_of([&] { record(settings); }) == availability.why.id);
  }
}

TEST_CASE("the way that data went is shown by each link, where not all went the same way") {
  Trace trace = on_devices({});
  const Language& language = Language::named("en");
  const Fonts fonts;
  const auto draw = [&](bool caption) {
    const Replay replay(trace);
    const ViewContext context{.replay = replay,
                              .theme = light_theme(),
                              .fonts = fonts,
                              .language = language,
                              .caption = caption};
    return draw_ring(context, replay.at(Cursor{1, 1}));
  };
  const auto shape = [](const Figure& figure, std::string_view id) -> const Shape* {
    for (const Shape& one : figure.shapes)
      if (one.id == id) return &one;
    return nullptr;
  };
  const auto dash = [&](const Figure& figure, std::string_view id) {
    return std::get<Line>(shape(figure, id)->form).stroke.dash;
  };
  trace.where.links = {{0, 1, LinkPath::peer},
                       {1, 2, LinkPath::through_host},
                       {2, 3, LinkPath::same_device},
                       {3, 0, LinkPath::peer}};
  const Figure mixed = draw(true);
  REQUIRE(dash(mixed, "link0") == 0);
  REQUIRE(dash(mixed, "link1") > dash(mixed, "link2"));
  REQUIRE(dash(mixed, "link2") > 0);
  REQUIRE(shape(mixed, "link1")->title == "GPU 1 → GPU 2: through the host");
  REQUIRE(std::get<Text>(shape(mixed, "foot.links.label0")->form).text ==
          "Links: solid from GPU to GPU, dashed through the host, dotted within one GPU.");
  REQUIRE(shape(draw(false), "foot.links.label0") == nullptr);
  for (DeviceLink& link : trace.where.links) link.path = LinkPath::through_host;
  const Figure alike = draw(true);
  REQUIRE(dash(alike, "link1") == 0);
  REQUIRE(shape(alike, "foot.links.label0") == nullptr);
  REQUIRE(shape(alike, "link1")->title == "GPU 1 → GPU 2: through the host");
  trace.where.links.clear();
  REQUIRE(shape(draw(true), "link1")->title.empty());
}
