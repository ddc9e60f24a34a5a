// The order of additions: the bracketed sum as it was really computed, and its tree with each
// partial sum.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/figure/chunk_path.h"
#include "core/replay/additions.h"
#include "core/replay/differences.h"
#include "core/replay/symbols.h"

namespace ringscope {
namespace {

constexpr double margin = 32, gap = 40;  // between columns
constexpr double widest = 300, highest = 104;
constexpr std::int32_t most_cards = 16, most_dots = 256;  // terms

// The rank whose sum is shown: that of the chosen transfer, else the first that has a goal there.
std::int32_t rank_of(const Scene& scene, const Additions& additions) {
  const std::int32_t transfer = scene.context.selection.transfer;
  if (transfer >= 0 && transfer < std::ssize(scene.schedule.transfers)) {
    const Transfer& chosen = scene.schedule.transfers[static_cast<std::size_t>(transfer)];
    const std::int32_t behind = additions.cell - chosen.first_cell;
    const bool holds = additions.of_rank[static_cast<std::size_t>(chosen.dst)] >= 0;
    if (behind >= 0 && behind < chosen.cell_count && holds) return chosen.dst;
  }
  for (std::int32_t rank = 0; rank < scene.schedule.ranks; ++rank) {
    const std::int32_t goal =
        scene.schedule
            .goal[static_cast<std::size_t>(rank * scene.schedule.chunks + additions.chunk)];
    if (goal != do_not_care && additions.of_rank[static_cast<std::size_t>(rank)] >= 0) return rank;
  }
  return 0;
}

// Where each node of the shown sum stands, columns and rows in units of one.
struct Place {
  std::int32_t node = -1;
  std::int32_t parent = -1;  // in the list of places
  double column = 0, row = 0;
};

// Terms stand right before the sum that they go into, one below the other in the order of the
// written sum.
std::vector<Place> places_of(const Additions& additions, std::int32_t root) {
  const std::vector<std::int32_t> order = made_of(additions, root);
  std::vector<Place> places(order.size());
  std::vector<std::size_t> open;  // operands that wait for their sum
  double rows = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    places[i].node = order[i];
    if (additions.nodes[static_cast<std::size_t>(order[i])].is_term()) {
      places[i].row = rows++;
    } else {
      const std::size_t right = open.back(), left = open[open.size() - 2];
      open.resize(open.size() - 2);
      places[i].column = 1 + std::max(places[left].column, places[right].column);
      places[i].row = (places[left].row + places[right].row) / 2;
      places[left].parent = places[right].parent = static_cast<std::int32_t>(i);
    }
    open.push_back(i);
  }
  for (Place& place : places)
    if (place.parent >= 0 && additions.nodes[static_cast<std::size_t>(place.node)].is_term())
      place.column = places[static_cast<std::size_t>(place.parent)].column - 1;
  return places;
}

class TreeDrawing {
 public:
  TreeDrawing(Scene& scene, const Additions& additions, const ValueLayout& layout,
              std::int32_t root, const Rect& area)
      : scene_(scene),
        additions_(additions),
        layout_(layout),
        places_(places_of(additions, root)),
        area_(area) {
    const double columns = places_.back().column + 1;
    terms_ = additions.nodes[static_cast<std::size_t>(root)].terms;
    pitch_ = (area.width + gap) / std::max(columns, 3.0);
    row_ = std::min(area.height / terms_, 150.0);
    card_ = {std::min(widest, pitch_ - gap), std::min(highest, row_ - 8)};
    cards_ = terms_ <= most_cards && card_.width >= 84 && card_.height >= 30;
    if (!cards_) pitch_ = (area.width - 12) / std::max(columns - 1, 1.0);
  }

  void run() {
    for (std::size_t i = 0; i < places_.size(); ++i) draw_lines(i);
    for (std::size_t i = 0; i < places_.size(); ++i) draw_node(i);
  }

 private:
  const AdditionNode& node(std::size_t i) const {
    return additions_.nodes[static_cast<std::size_t>(places_[i].node)];
  }
  Point center(std::size_t i) const {
    const double width = cards_ ? card_.width : 12;
    return {area_.x + places_[i].column * pitch_ + width / 2,
            area_.y + (places_[i].row + 0.5) * row_};
  }
  std::vector<std::byte> bytes_of_node(std::int32_t each) const {
    return kept_bytes(scene_.trace, layout_, additions_, each);
  }

  void draw_lines(std::size_t i) {
    if (places_[i].parent < 0) return;
    const auto parent = static_cast<std::size_t>(places_[i].parent);
    const double half = cards_ ? card_.width / 2 : 6;
    const Point from = center(i), to = center(parent);
    const bool landed = progress_of(scene_, node(parent).transfer) == Progress::landed;
    scene_.drawing.path(
        "operand" + std::to_string(i),
        {{from.x + half, from.y},
         {to.x - half - (cards_ ? gap / 2 : 6), from.y},
         {to.x - half - (cards_ ? gap / 2 : 6), to.y},
         {to.x - half, to.y}},
        false, {},
        {landed ? scene_.theme.line : scene_.theme.rule, cards_ ? 3.0 : 1.5, landed ? 0.0 : 6.0},
        {.transfer = node(parent).transfer});
  }

  // How much rounding took or gave; nothing where that can't be said.
  std::optional<double> rounding(std::size_t i) const {
    const AdditionNode& sum = node(i);
    if (sum.is_term()) return std::nullopt;
    const std::vector<std::byte> left = bytes_of_node(sum.left), right = bytes_of_node(sum.right),
                                 whole = bytes_of_node(places_[i].node);
    const std::size_t size = bytes_of(scene_.trace.run.type);
    if (left.size() < size || right.size() < size || whole.size() < size) return std::nullopt;
    return rounding_of(scene_.trace.run.type, scene_.trace.run.op, left.data(), right.data(),
                       whole.data());
  }

  void draw_node(std::size_t i) {
    const AdditionNode& one = node(i);
    const Theme& theme = scene_.theme;
    const Progress how = one.is_term() ? Progress::landed : progress_of(scene_, one.transfer);
    const bool root = i + 1 == places_.size();
    const Point middle = center(i);
    const std::string id = "node" + std::to_string(i);
    Note note{.title = title_of(i)};
    if (!one.is_term()) note.transfer = one.transfer;
    if (!cards_) {
      scene_.drawing.disc(id, middle, root ? 6 : std::clamp(row_ / 3, 1.5, 5.0),
                          one.is_term()
                              ? rank_fill(theme, one.rank)
                              : Fill{how == Progress::landed ? theme.ink : theme.rule, transparent},
                          note);
      return;
    }
    const Rect card{middle.x - card_.width / 2, middle.y - card_.height / 2, card_.width,
                    card_.height};
    const bool selected = !one.is_term() && one.transfer == scene_.context.selection.transfer;
    const Stroke stroke = selected                   ? Stroke{theme.ink, 5}
                          : how == Progress::to_come ? Stroke{theme.line, 1.5, 6}
                          : how == Progress::moving  ? Stroke{theme.accent, 4, 7}
                          : root                     ? Stroke{theme.ink, 3}
                                                     : Stroke{theme.rule, 1.5};
    const bool now = !one.is_term() && !scene_.state.measured && how == Progress::landed &&
                     scene_.schedule.transfers[static_cast<std::size_t>(one.transfer)].round + 1 ==
                         scene_.state.cursor.round;
    scene_.drawing.box(id, card, 8,
                       {now                        ? theme.warm
                        : how == Progress::to_come ? transparent
                                                   : theme.cell,
                        transparent},
                       stroke, note);
    if (one.is_term())
      scene_.drawing.box(id + "-hue", {card.x, card.y + 6, 8, card.height - 12}, 3,
                         rank_fill(theme, one.rank), {theme.ink, 1});
    write_node(i, id, card, how);
  }

  std::string title_of(std::size_t i) const {
    if (scene_.schedule.ranks > most_cards) return "";
    std::string title =
        bracketed(additions_, places_[i].node, scene_.schedule, scene_.trace.run.op);
    if (const std::optional<double> error = rounding(i); error && *error != 0)
      title += ", " + scene_.language.text("additions.rounded",
                                           {{"error", fmt::format("{:+.3g}", *error)}});
    return title;
  }

  // A term's name or where it was added, the value, and what rounding did.
  void write_node(std::size_t i, const std::string& id, const Rect& card, Progress how) {
    Drawing& drawing = scene_.drawing;
    const AdditionNode& one = node(i);
    const Color ink = how == Progress::to_come ? scene_.theme.faint : scene_.theme.ink;
    const Color quiet = how == Progress::to_come ? scene_.theme.faint : scene_.theme.quiet;
    const double left = card.x + (one.is_term() ? 18 : 10), right = card.right() - 8;
    const double width = right - left;
    const TextStyle mono{size::body, Face::mono_bold, Align::center, ink};
    const TextStyle plain{size::body, Face::sans, Align::center, quiet};
    const std::optional<double> error = rounding(i);
    const bool landed = how == Progress::landed;
    const std::string sign = !error || !landed ? "" : *error == 0 ? "= " : "≈ ";
    const auto room =
        static_cast<std::size_t>((width - drawing.width(sign, mono)) / drawing.width("0", mono));
    const std::string value =
        !landed ? "…"
                : sign + scene_.value_text(number_of(scene_.trace, bytes_of_node(places_[i].node),
                                                     one.transfer, one.terms),
                                           std::max<std::size_t>(room, 1));
    std::vector<std::pair<std::string, TextStyle>> lines;
    if (one.is_term()) {
      lines.emplace_back(term(one.rank, additions_.chunk, scene_.schedule.ranks), mono);
      lines.emplace_back(value, plain);
      lines.back().second.face = Face::mono;
    } else {
      const std::string round = round_name(
          scene_.schedule, scene_.schedule.transfers[static_cast<std::size_t>(one.transfer)].round);
      const std::string where = scene_.language.text(
          "additions.at", {{"rank", std::to_string(one.rank)}, {"round", round}});
      lines.emplace_back(value, mono);
      lines.emplace_back(drawing.width(where, plain) <= width ? where : round, plain);
      if (error && *error != 0 && how == Progress::landed) {
        const std::string off = fmt::format("{:+.1e}", *error);
        if (drawing.width(off, plain) <= width) lines.emplace_back(off, plain);
      }
    }
    constexpr double row = 30;
    const auto rows = std::min(lines.size(), static_cast<std::size_t>((card.height - 2) / row));
    double y = card.center().y - static_cast<double>(rows) * row / 2;
    for (std::size_t k = 0; k < rows; ++k, y += row)
      drawing.text(id + ".line" + std::to_string(k),
                   {(left + right) / 2, y + row / 2 + drawing.cap_height(lines[k].second) / 2},
                   drawing.fit(lines[k].first, lines[k].second, width), lines[k].second,
                   {.title = lines[k].first});
  }

  Scene& scene_;
  const Additions& additions_;
  const ValueLayout& layout_;
  std::vector<Place> places_;
  Rect area_;
  std::int32_t terms_ = 1;
  double pitch_ = 0, row_ = 0;
  Size card_;
  bool cards_ = true;
};

// What the order of ranks would have given, and in how many of the kept elements that differs.
std::string other_order_text(const Scene& scene, const Additions& additions,
                             const ValueLayout& layout, std::int32_t root) {
  const Language& language = scene.language;
  const AdditionNode& sum = additions.nodes[static_cast<std::size_t>(root)];
  if (sum.is_term()) return language.text("additions.nothing_added");
  if (sum.terms != scene.schedule.ranks) return "";
  const std::vector<std::byte> other = in_rank_order(scene.trace, layout, additions);
  const std::vector<std::byte> own = kept_bytes(scene.trace, layout, additions, root);
  if (other.empty() || other.size() != own.size()) return "";
  Differences differences;
  add_differences(scene.trace.run.type, 0, 0, own, other, differences);
  const std::string compared = language.integer(differences.compared);
  if (differences.differing == 0)
    return language.text("additions.same_bits", {{"compared", compared}});
  const std::string ulps = language.integer(differences.largest_ulps);
  return language.text("additions.other_bits",
                       {{"differing", language.integer(differences.differing)},
                        {"compared", compared},
                        {"ulps", ulps}});
}

}  // namespace

Figure draw_additions(const ViewContext& context, const ReplayState& state) {
  Scene scene(context, state, fit_stage(context, least_stage_of(context, 4)), false);
  Drawing& drawing = scene.drawing;
  const Language& language = scene.language;
  const Additions additions = additions_of(scene.trace, chosen_chunk(scene));
  const ValueLayout layout(scene.schedule, scene.trace.run.type, scene.trace.values.kept);
  const std::int32_t rank = rank_of(scene, additions);
  const std::int32_t root = additions.of_rank[static_cast<std::size_t>(rank)];
  const std::uint64_t elements = chunk_extent(scene.schedule, additions.chunk).count;
  std::vector<std::string> sentences;
  if (root >= 0) {
    const std::string other = other_order_text(scene, additions, layout, root);
    if (!other.empty()) sentences.push_back(other);
  }
  double y = draw_chunk_heading(
      scene,
      language.text("additions.title",
                    {{"chunk", std::to_string(additions.chunk)}, {"rank", std::to_string(rank)}}),
      elements > 1 ? language.text("view.first_of", {{"elements", language.integer(elements)}})
                   : "",
      sentences);
  if (root >= 0) {
    const TextStyle mono{size::body, Face::mono_bold, Align::left, scene.theme.ink};
    const double room = scene.stage.width - 2 * margin;
    const std::string sum = bracketed(additions, root, scene.schedule, scene.trace.run.op);
    constexpr std::size_t most_lines = 3;
    std::string rest = sum;
    for (std::size_t i = 0; i < most_lines && !rest.empty(); ++i) {
      // There is no space in it: a line begins with an operator, as far as that has one.
      std::size_t length = rest.size();
      const auto fits = static_cast<std::size_t>(room / drawing.width("0", mono));
      if (length > fits) length = i + 1 == most_lines ? fits - 2 : fits;
      if (const std::size_t sign = rest.find_last_of("+*", length);
          length < rest.size() && i + 1 < most_lines && sign != std::string::npos &&
          sign > length / 2)
        length = sign;
      std::string line = rest.substr(0, length);
      rest.erase(0, length);
      if (i + 1 == most_lines && !rest.empty()) line += "…";
      drawing.text("sum" + std::to_string(i), {margin, y += 32}, line, mono, {.title = sum});
    }
    y += 12;
    const Rect area{margin, y + 8, room, scene.stage.height - 28 - y};
    if (additions.nodes[static_cast<std::size_t>(root)].terms <= most_dots)
      TreeDrawing(scene, additions, layout, root, area).run();
  }
  draw_foot(scene);
  return std::move(scene.drawing).finish(scene.theme.surface);
}

}  // namespace ringscope
