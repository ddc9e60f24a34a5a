#include "core/figure/steps.h"

#include <algorithm>
#include <cmath>

#include "core/figure/cells.h"

namespace ringscope {
namespace {

// Adds a transfer to the step before it, where both are of one step.
void add(std::vector<Step>& steps, const Scene& scene, std::uint32_t index, double fraction) {
  const Schedule& schedule = scene.schedule;
  const Transfer& transfer = schedule.transfers[index];
  const std::int32_t first = transfer.first_cell / schedule.slices;
  const std::int32_t last = (transfer.first_cell + transfer.cell_count - 1) / schedule.slices;
  if (!steps.empty()) {
    Step& step = steps.back();
    if (step.src == transfer.src && step.dst == transfer.dst && step.round == transfer.round &&
        first >= step.first_chunk && first <= step.last_chunk + 1) {
      step.last_chunk = std::max(step.last_chunk, last);
      if (transfer_extent(schedule, schedule.transfers[step.transfer]).count == 0)
        step.transfer = index, step.fraction = fraction;
      return;
    }
  }
  steps.push_back(
      {index, transfer.src, transfer.dst, transfer.round, first, last, transfer.action, fraction});
}

}  // namespace

std::vector<Step> moving_steps(const Scene& scene) {
  std::vector<Step> steps;
  for (const Motion& motion : scene.state.moving)
    add(steps, scene, motion.transfer, motion.fraction);
  return steps;
}

std::vector<Step> steps_of_round(const Scene& scene, std::int32_t round) {
  std::vector<Step> steps;
  for (const std::uint32_t index : scene.replay.transfers_of_round(round))
    add(steps, scene, index, 1);
  return steps;
}

std::vector<Step> shown_steps(const Scene& scene) {
  return scene.state.measured ? moving_steps(scene)
                              : steps_of_round(scene, scene.state.cursor.round - 1);
}

bool is_selected(const Scene& scene, const Step& step) {
  const std::int32_t selected = scene.context.selection.transfer;
  if (selected < 0 || static_cast<std::size_t>(selected) >= scene.schedule.transfers.size())
    return false;
  const Transfer& transfer = scene.schedule.transfers[static_cast<std::size_t>(selected)];
  const std::int32_t chunk = scene.chunk_of(static_cast<std::uint32_t>(selected));
  return transfer.src == step.src && transfer.dst == step.dst && transfer.round == step.round &&
         chunk >= step.first_chunk && chunk <= step.last_chunk;
}

std::string numbers_text(const std::vector<std::int32_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    text += (text.empty() ? "" : ", ") + std::to_string(numbers[i]);
    if (end - i >= 3) {
      text += "–" + std::to_string(numbers[end - 1]);
      i = end;
    } else {
      ++i;
    }
  }
  return text;
}

std::string chunk_numbers(const Step& step) {
  const std::string first = std::to_string(step.first_chunk);
  if (step.first_chunk == step.last_chunk) return first;
  return first + "–" + std::to_string(step.last_chunk);
}

std::string chunks_text(const Scene& scene, const Step& step) {
  if (step.first_chunk == 0 && step.last_chunk + 1 == scene.schedule.chunks)
    return scene.language.text("view.whole");
  if (step.first_chunk == step.last_chunk)
    return scene.language.text("view.chunk", {{"chunk", std::to_string(step.first_chunk)}});
  return scene.language.text("view.some_chunks", {{"chunks", chunk_numbers(step)}});
}

std::uint64_t elements_of(const Scene& scene, const Step& step) {
  const Extent first = chunk_extent(scene.schedule, step.first_chunk);
  const Extent last = chunk_extent(scene.schedule, step.last_chunk);
  return last.first + last.count - first.first;
}

namespace {

// On the measured clock.
std::vector<std::string> doings_in_time(const Scene& scene, std::int32_t rank) {
  const Language& language = scene.language;
  for (const Wait& wait : scene.state.waits) {
    if (wait.rank != rank) continue;
    if (wait.for_rank < 0) return {language.text("view.sleeps")};
    const std::string time = language.duration(scene.state.nanoseconds - wait.since);
    const std::string other = std::to_string(wait.for_rank);
    return {language.text("view.waits", {{"time", time}, {"rank", other}}),
            language.text("view.waits_short", {{"time", time}, {"rank", other}}),
            language.text("view.waits_shorter", {{"rank", other}})};
  }
  const Motion* oldest = nullptr;
  for (const Motion& motion : scene.state.moving) {
    const Transfer& transfer = scene.schedule.transfers[motion.transfer];
    if (transfer.dst != rank) continue;
    if (!oldest || transfer.round < scene.schedule.transfers[oldest->transfer].round)
      oldest = &motion;
  }
  if (!oldest) return {};
  const std::string round =
      round_name(scene.schedule, scene.schedule.transfers[oldest->transfer].round);
  const std::string percent = std::to_string(std::lround(100 * oldest->fraction));
  return {language.text("view.in_round_share", {{"round", round}, {"percent", percent}}),
          language.text("view.in_round", {{"round", round}}), round};
}

}  // namespace

std::vector<std::string> doings(const Scene& scene, std::int32_t rank, std::int32_t first_chunk,
                                std::int32_t chunks) {
  if (scene.state.measured) return doings_in_time(scene, rank);
  const Language& language = scene.language;
  std::vector<std::int32_t> sent, received, changed_chunks;
  const std::int32_t shown = chunks > 0 ? chunks : scene.schedule.chunks;
  for (std::int32_t chunk = first_chunk; chunk < first_chunk + shown; ++chunk) {
    const CellView& cell = scene.cell(rank, chunk);
    if (cell.sending >= 0) sent.push_back(chunk);
    if (!cell.arriving.empty()) received.push_back(chunk);
    if (cell.changed) changed_chunks.push_back(chunk);
  }
  const bool cut = shown > 1;
  if (!changed_chunks.empty()) {
    if (!cut) return {language.text("view.has_changed")};
    const std::string changed = numbers_text(changed_chunks);
    if (changed_chunks.size() > 1)
      return {language.text("view.changed_many", {{"chunks", changed}}),
              language.text("view.has_changed")};
    return {language.text("view.changed", {{"chunk", changed}}),
            language.text("view.changed_short", {{"chunk", changed}}),
            language.text("view.has_changed")};
  }
  if (sent.empty() && received.empty()) return {};
  const std::string out = numbers_text(sent), in = numbers_text(received);
  if (received.empty()) {
    if (!cut) return {language.text("view.sends_all")};
    return {language.text(sent.size() > 1 ? "view.sends_many" : "view.sends", {{"out", out}}),
            language.text("view.sends_all")};
  }
  if (sent.empty()) {
    if (!cut) return {language.text("view.receives_all")};
    return {
        language.text(received.size() > 1 ? "view.receives_many" : "view.receives", {{"in", in}}),
        language.text("view.receives_all")};
  }
  if (!cut) return {language.text("view.exchanges")};
  std::vector<std::string> words;
  if (sent.size() == 1 && received.size() == 1)
    words.push_back(language.text("view.sends_receives", {{"out", out}, {"in", in}}));
  words.push_back(language.text("view.sends_receives_short", {{"out", out}, {"in", in}}));
  return words;
}

namespace {

Rect around(Point center, Size size) {
  return {center.x - size.width / 2, center.y - size.height / 2, size.width, size.height};
}

void draw_slots_chip(Scene& scene, const Step& step, const Rect& rect) {
  Drawing& drawing = scene.drawing;
  const std::string id = "chip" + std::to_string(step.transfer);
  const std::vector<std::int32_t> carried = scene.replay.carried(step.transfer);
  Slots slots;
  slots.ranks = scene.schedule.ranks;
  slots.held = carried;
  slots.complete = carried.size() == static_cast<std::size_t>(slots.ranks);
  slots.gap = slots.ranks > 8 ? 2 : 3;
  const double width = std::min(rect.width - 18, slots.ranks * 30.0);
  slots.area = {rect.center().x - width / 2, rect.y + 9, width, 16};
  draw_slots(drawing, id, slots);
  const Rect below{rect.x + 4, rect.y + 26, rect.width - 8, rect.height - 30};
  const TextStyle style{size::body, Face::mono_bold, Align::center, scene.theme.ink};
  const std::string symbol = scene.symbol_of(carried, step.first_chunk);
  std::string words = symbol;
  if (step.first_chunk != step.last_chunk || drawing.width(words, style) > below.width) {
    words = scene.schedule.chunks > 1
                ? chunk_numbers(step)
                : std::to_string(carried.size()) + "/" + std::to_string(slots.ranks);
    if (scene.schedule.chunks == 1 && drawing.width(words, style) > below.width)
      words = std::to_string(carried.size());
  }
  drawing.label(id + ".label", below, drawing.fit(words, style, below.width), style,
                {.title = symbol});
}

}  // namespace

namespace {

enum class ChipForm { full, slots, number, mark };

ChipForm form_of(const Scene& scene, const Step& step, Size size) {
  if (size.width >= 110 && size.height >= 130 && step.first_chunk == step.last_chunk)
    return ChipForm::full;
  if (size.width >= 72 && size.height >= 54 && scene.schedule.ranks <= 16) return ChipForm::slots;
  return size.width >= 40 && size.height >= 28 ? ChipForm::number : ChipForm::mark;
}

// Which chunks; where there is one only, how many terms.
std::string number_of(const Scene& scene, const Step& step) {
  return scene.schedule.chunks > 1 ? chunk_numbers(step)
                                   : std::to_string(scene.replay.carried(step.transfer).size());
}

}  // namespace

Size step_chip_size(const Scene& scene, const Step& step, Size size) {
  if (form_of(scene, step, size) != ChipForm::number) return size;
  const double words = scene.drawing.width(number_of(scene, step), {.face = Face::mono_bold}) + 16;
  return {std::max(size.width, words), size.height};
}

void draw_step_chip(Scene& scene, const Step& step, Point center, Size size) {
  const ChipForm form = form_of(scene, step, size);
  if (form == ChipForm::full) return draw_chip(scene, step.transfer, center, size);
  Drawing& drawing = scene.drawing;
  const Theme& theme = scene.theme;
  const bool mark = form == ChipForm::mark;
  const std::string id = "chip" + std::to_string(step.transfer);
  drawing.set_smooth(true);
  Stroke stroke{theme.accent, form == ChipForm::slots ? 4.0 : 3.0};
  if (is_selected(scene, step)) stroke = {theme.ink, 6};
  const Rect rect = around(center, step_chip_size(scene, step, size));
  drawing.box(id, rect,
              form == ChipForm::slots ? 10
              : mark                  ? 3
                                      : 8,
              {mark ? theme.accent : theme.cell, transparent}, stroke,
              {.title = scene.symbol_of(scene.replay.carried(step.transfer), step.first_chunk),
               .moving = true,
               .transfer = static_cast<std::int32_t>(step.transfer)});
  if (form == ChipForm::slots) draw_slots_chip(scene, step, rect);
  if (form == ChipForm::number)
    drawing.label(id + ".number", rect, number_of(scene, step),
                  {.face = Face::mono_bold, .color = theme.ink});
  drawing.set_smooth(false);
}

}  // namespace ringscope
