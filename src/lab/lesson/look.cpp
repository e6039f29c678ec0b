#include "lab/lesson/look.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>

#include "trace/json.h"

namespace warpwise::lab {
namespace {

using trace::SiteKind;

Error not_there(std::string what) { return {"L0012", std::move(what)}; }

// "value 3": 3; nothing for another figure.
std::optional<unsigned> lane_of_figure(std::string_view figure, std::string_view kind) {
  if (!figure.starts_with(kind)) return std::nullopt;
  figure.remove_prefix(kind.size());
  unsigned lane = 0;
  const auto [end, error] = std::from_chars(figure.data(), figure.data() + figure.size(), lane);
  if (error != std::errc{} || end != figure.data() + figure.size() || lane >= trace::kLanes) return std::nullopt;
  return lane;
}

// What there is to see at a site: accesses before barriers and branches, and those before arithmetic.
unsigned interest(const trace::Site& site) {
  if (site.accesses) return 3;
  if (site.kind == SiteKind::Barrier || site.kind == SiteKind::Shuffle) return 2;
  return site.kind == SiteKind::Branch ? 1 : 0;
}

bool is_on_line(const trace::Recording& r, const trace::Site& site, unsigned line) {
  const auto& frames = r.lines[site.line];
  return !frames.empty() && frames[0].file == r.program && frames[0].line == line;
}

// Of the step's memory, its kind, or its shared array.
bool is_of(const trace::StepDetail& detail, const trace::Site& site, const std::string& of) {
  if (of.empty() || name_of(site.kind) == of) return true;
  for (const trace::AccessView& access : detail.accesses)
    if (name_of(access.access.space) == of || (access.variable && access.variable->name.ends_with("::" + of)))
      return true;
  return false;
}

Result<std::string> figure_at(trace::TraceFile& file, const trace::StepDetail& detail, const std::string& figure,
                              uint64_t times) {
  const trace::Recording& r = file.recording();
  const trace::Step& step = detail.view.placed.step;
  if (figure == "lanes") return std::to_string(std::popcount(step.on));
  if (figure == "times") return std::to_string(times);
  if (figure == "warps") return std::to_string(r.warps.size());
  if (figure == "finding") {
    const trace::Findings findings = TRY(file.findings());
    return findings.findings.empty() ? std::string("none") : findings.findings[0].code;
  }
  if (const auto lane = lane_of_figure(figure, "value ")) {
    for (const trace::LaneValues& values : step.values)
      if (values.mask >> *lane & 1) return trace::value_text(values.bits[*lane], r.sites[step.site].value_type);
    return not_there(fmt::format("lane {} has no recorded value there", *lane));
  }
  if (detail.accesses.empty()) return not_there(fmt::format("the step has no `{}`: it accesses no memory", figure));
  const trace::AccessView& access = detail.accesses[0];
  if (figure == "sectors") return std::to_string(access.cost.sectors);
  if (figure == "passes") return std::to_string(access.cost.wavefronts);
  const unsigned lane = *lane_of_figure(figure, "element ");
  if (!(access.access.mask >> lane & 1)) return not_there(fmt::format("lane {} accesses nothing there", lane));
  const uint64_t base = access.memory ? access.memory->base : access.variable ? access.variable->offset : 0;
  const uint64_t bytes = std::max<uint64_t>(1, r.sites[step.site].access.bytes);
  return std::to_string((access.access.addresses[lane] - base) / bytes);
}

}  // namespace

bool is_figure(std::string_view name) {
  for (const std::string_view one : {"lanes", "sectors", "passes", "times", "warps", "finding"})
    if (name == one) return true;
  return lane_of_figure(name, "value ") || lane_of_figure(name, "element ");
}

Result<LessonPlace> find_place(trace::TraceFile& file, const LessonLook& look, const std::string& figure) {
  const trace::Recording& r = file.recording();
  if (look.warp >= r.warps.size()) return not_there(fmt::format("the block has no warp {}", look.warp));
  trace::Queries queries(file);
  const trace::WarpInfo& warp = r.warps[look.warp];
  std::vector<uint64_t> numbers;  // of the steps of the site that is chosen
  std::optional<uint32_t> site;
  for (const trace::PlacedStep& placed : TRY(file.steps(look.warp, warp.first, warp.count))) {
    const uint32_t here = placed.step.site;
    if (site != here) {
      if (!is_on_line(r, r.sites[here], look.line) || (site && interest(r.sites[here]) <= interest(r.sites[*site])))
        continue;
      if (!look.of.empty() && !is_of(TRY(queries.step(look.warp, placed.number)), r.sites[here], look.of)) continue;
      site = here, numbers.clear();
    }
    numbers.push_back(placed.number);
  }
  if (look.time == 0 || numbers.size() < look.time)
    return not_there(
        fmt::format("warp {} is at line {} {} times, and not {}", look.warp, look.line, numbers.size(), look.time));
  LessonPlace found{{look.warp, numbers[look.time - 1]}, ""};
  if (!figure.empty()) {
    if (!is_figure(figure)) return not_there(fmt::format("`{}` is no figure: there are {}", figure, kFigureNames));
    found.figure = TRY(figure_at(file, TRY(queries.step(look.warp, found.place.step)), figure, numbers.size()));
  }
  return found;
}

}  // namespace warpwise::lab
