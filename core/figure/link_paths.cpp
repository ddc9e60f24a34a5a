#include "core/figure/link_paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ringscope {
namespace {

std::string text_of(std::string_view family, LinkPath path, const Language& language) {
  return language.text(fmt::format("{}{}", family, name_of(path)));
}

}  // namespace

std::string_view name_of(LinkPath path) {
  constexpr std::array<std::string_view, 3> names{"same_device", "peer", "through_host"};
  return names[static_cast<std::size_t>(path)];
}

std::optional<LinkPath> path_of(const Trace& trace, std::int32_t src, std::int32_t dst) {
  const std::vector<DeviceLink>& links = trace.where.links;
  const auto found =
      std::lower_bound(links.begin(), links.end(), std::pair(src, dst),
                       [](const DeviceLink& link, const std::pair<std::int32_t, std::int32_t>& to) {
                         return std::pair(link.src, link.dst) < to;
                       });
  if (found == links.end() || found->src != src || found->dst != dst) return std::nullopt;
  return found->path;
}

std::vector<LinkPath> paths_of(const Trace& trace) {
  std::vector<LinkPath> paths;
  for (const LinkPath path : {LinkPath::peer, LinkPath::through_host, LinkPath::same_device})
    if (std::any_of(trace.where.links.begin(), trace.where.links.end(),
                    [&](const DeviceLink& link) { return link.path == path; }))
      paths.push_back(path);
  return paths;
}

std::string path_text(LinkPath path, const Language& language) {
  return text_of("panel.legend.path_", path, language);
}

double link_dash(const Trace& trace, LinkPath path) {
  if (path == LinkPath::peer || paths_of(trace).size() < 2) return 0;
  return path == LinkPath::through_host ? 18 : 6;
}

double link_dash(const Trace& trace, std::int32_t src, std::int32_t dst) {
  const std::optional<LinkPath> path = path_of(trace, src, dst);
  return path ? link_dash(trace, *path) : 0;
}

std::string link_title(const Trace& trace, std::int32_t src, std::int32_t dst,
                       const Language& language) {
  const std::optional<LinkPath> path = path_of(trace, src, dst);
  if (!path) return {};
  return language.text("view.link_path", {{"src", std::to_string(src)},
                                          {"dst", std::to_string(dst)},
                                          {"path", path_text(*path, language)}});
}

std::string link_marks_text(const Trace& trace, const Language& language) {
  const std::vector<LinkPath> paths = paths_of(trace);
  if (paths.size() < 2) return {};
  std::vector<std::string> marks;
  for (const LinkPath path : paths) marks.push_back(text_of("view.link_mark.", path, language));
  return language.text(
      "view.link_marks",
      {{"list", fmt::format("{}", fmt::join(marks, language.text("view.link_separator")))}});
}

}  // namespace ringscope
