#include "trace/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "trace/json.h"

namespace warpwise::trace {

namespace {

std::string in_grid(const Index3& i) { return fmt::format("({},{},{})", i.x, i.y, i.z); }
std::string shape(const Index3& i) { return fmt::format("{}x{}x{}", i.x, i.y, i.z); }

// "0-3, 5"
std::string ranges(const std::vector<uint32_t>& numbers) {
  std::string text;
  for (size_t n = 0; n < numbers.size();) {
    size_t end = n + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", numbers[n]);
    if (end - n > 1) text += fmt::format("-{}", numbers[end - 1]);
    n = end;
  }
  return text;
}

std::vector<uint32_t> lanes_of(uint32_t mask) {
  std::vector<uint32_t> lanes;
  for (uint32_t left = mask; left != 0; left &= left - 1) lanes.push_back(uint32_t(std::countr_zero(left)));
  return lanes;
}

std::string_view base_name(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == path.npos ? path : path.substr(slash + 1);
}

std::string place_of(const Recording& r, uint32_t line) {
  const auto& frames = r.lines[line];
  return frames.empty() ? "no line" : fmt::format("{}:{}", base_name(frames[0].file), frames[0].line);
}

// The text of a line without the blanks around it; "" where it is not known.
std::string source_of(const std::vector<SourceFile>& sources, const std::vector<SourceFrame>& frames) {
  if (frames.empty()) return {};
  for (const SourceFile& file : sources) {
    if (file.name != frames[0].file) continue;
    std::string_view text = file.text;
    for (uint32_t n = 1; n < frames[0].line && !text.empty(); ++n) {
      const size_t end = text.find('\n');
      text = end == text.npos ? std::string_view() : text.substr(end + 1);
    }
    text = text.substr(0, text.find('\n'));
    const size_t first = text.find_first_not_of(" \t");
    return first == text.npos ? std::string() : std::string(text.substr(first));
  }
  return {};
}

std::string cost_text(const Cost& cost) {
  std::string text;
  const auto add = [&](uint64_t value, uint64_t ideal, const char* what) {
    if (value == 0) return;
    text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", value, what, value == 1 ? "" : "s");
    if (ideal != 0 && ideal != value) text += fmt::format(" (ideal {}, {:.1f}x)", ideal, double(value) / double(ideal));
  };
  add(cost.sectors, cost.ideal_sectors, "sector");
  add(cost.wavefronts, cost.ideal_wavefronts, "wavefront");
  add(cost.words, 0, "word");
  return text;
}

// A row of characters for a warp's buckets, at most `width`: what is worst in each.
std::string strip(const std::vector<PlacedBucket>& buckets, const WarpInfo& warp, size_t width) {
  std::string text;
  const size_t merge = (buckets.size() + width - 1) / std::max<size_t>(width, 1);
  for (size_t at = 0; at < buckets.size(); at += std::max<size_t>(merge, 1)) {
    Bucket b;
    for (size_t n = at; n < std::min(buckets.size(), at + merge); ++n) b += buckets[n].sums;
    using F = OverviewField;
    const bool wasteful = b[F::Sectors] > 2 * b[F::IdealSectors], conflicts = b[F::Wavefronts] > b[F::IdealWavefronts];
    const bool partial = b[F::Lanes] < b[F::Steps] * warp.threads;
    text += b[F::Barriers] != 0 ? '|' : wasteful ? 's' : conflicts ? 'b' : partial ? '-' : b[F::Accesses] ? 'm' : '=';
  }
  return text;
}

constexpr std::string_view kLegend =
    "    = all lanes  m memory  - some lanes  s sectors wasted  b bank conflicts  | barrier\n";

void add_warps(const Summary& summary, const Overview& overview, std::string& out) {
  const Recording& r = *summary.recording;
  constexpr size_t kStrip = 60;
  for (const Fold& fold : summary.folds) {
    const uint32_t w = fold.warps[0];
    const WarpInfo& warp = r.warps[w];
    const std::string name = fold.warps.size() == 1
                                 ? fmt::format("warp {}", w)
                                 : fmt::format("warps {} ({} of them)", ranges(fold.warps), fold.warps.size());
    out +=
        fmt::format("  {:<26} {} steps, {} threads, {} modelled clocks\n", name, warp.steps, warp.threads, warp.clocks);
    if (w < overview.warps.size()) out += fmt::format("    {}\n", strip(overview.warps[w], warp, kStrip));
  }
  out += kLegend;
}

}  // namespace

std::string to_text(const Summary& summary, const Overview& overview, const std::vector<LineSums>& lines,
                    const std::vector<SourceFile>& sources) {
  const Recording& r = *summary.recording;
  std::string out = fmt::format("{}\n  launch {} of {}: grid {}, block {}; on {}, {}\n", r.kernel, r.launch, r.program,
                                shape(r.grid), shape(r.block_shape), r.device, r.schedule);
  constexpr std::string_view kWhy[] = {"as asked", "the first finding is there", "for the costliest line", "the first"};
  out += fmt::format("  block {} ({}): {} of {} steps are recorded\n\n", in_grid(r.block), kWhy[size_t(r.choice)],
                     summary.recorded, summary.steps);
  add_warps(summary, overview, out);

  out += fmt::format("\n  {:<18} {:>9} {:>7}  cost of the recorded steps\n", "line", "steps", "lanes");
  std::vector<const LineSums*> sorted;
  for (const LineSums& line : lines) sorted.push_back(&line);
  const auto weight = [](const LineSums& l) { return l.steps + 4 * (l.cost.sectors + l.cost.wavefronts); };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const LineSums* a, const LineSums* b) { return weight(*a) > weight(*b); });
  constexpr size_t kLines = 12;
  for (size_t n = 0; n < std::min(kLines, sorted.size()); ++n) {
    const LineSums& l = *sorted[n];
    out += fmt::format("  {:<18} {:>9} {:>7.1f}  {}\n", place_of(r, l.line), l.steps,
                       double(l.on_lanes) / double(l.steps), cost_text(l.cost));
    if (const std::string text = source_of(sources, r.lines[l.line]); !text.empty())
      out += fmt::format("      {}\n", text.substr(0, 90));
  }
  if (sorted.size() > kLines) out += fmt::format("  and {} lines more\n", sorted.size() - kLines);

  if (!summary.findings.checked) out += "\n  the program was not checked\n";
  for (size_t f = 0; f < summary.findings.findings.size(); ++f) {
    const Finding& finding = summary.findings.findings[f];
    out += fmt::format("\n  {} {}\n", finding.code, finding.message);
    for (const Mark& mark : summary.findings.marks)
      if (mark.finding == f)
        out += fmt::format("    {}: warp {}, lane {}, step {}\n", finding.parties[mark.party].role, mark.warp,
                           mark.lane, mark.step);
  }
  if (!r.notes.empty()) out += "\n";
  for (const std::string& note : r.notes) out += fmt::format("  note: {}\n", note);
  out += fmt::format("\nNext: warpwise view FILE --warp={} --step={}\n", r.open_warp, r.open_step);
  return out;
}

std::string to_text(const Overview& overview, const Recording& r) {
  constexpr size_t kStrip = 84;
  std::string out = fmt::format("buckets of {} steps\n", uint64_t{1} << overview.shift);
  for (size_t w = 0; w < std::min(overview.warps.size(), r.warps.size()); ++w)
    out += fmt::format("  warp {:>2}  {}\n", w, strip(overview.warps[w], r.warps[w], kStrip));
  return out.append(kLegend);
}

std::string to_text(std::span<const StepView> steps, uint32_t warp, const Recording& r) {
  std::string out = fmt::format("warp {}\n{:>9} {:>6} {:>9}  {:<10} {:<18} instruction\n", warp, "step", "phase",
                                "clock", "lanes on", "line");
  for (const StepView& view : steps) {
    const Step& step = view.placed.step;
    const Site& site = r.sites[step.site];
    out += fmt::format("{:>9} {:>6} {:>9}  {:#010x} {:<18} {}", view.placed.number, view.placed.phase,
                       view.modelled_clock, step.on, place_of(r, site.line), site.ptx);
    if (const std::string cost = cost_text(view.cost); !cost.empty()) out += fmt::format("   {}", cost);
    out += "\n";
  }
  return out;
}

namespace {

void add_lanes(const StepDetail& detail, const Site& site, std::string& out) {
  const Step& step = detail.view.placed.step;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!(step.active >> lane & 1)) continue;
    out += fmt::format("  lane {:>2}", lane);
    if (!(step.on >> lane & 1)) {
      out += "  off: the guard is false\n";
      continue;
    }
    for (const AccessView& access : detail.accesses)
      if (access.access.mask >> lane & 1)
        out += fmt::format("  {} {:#x}", name_of(access.access.space), access.access.addresses[lane]);
    for (const LaneValues& values : step.values)
      if (values.mask >> lane & 1) out += fmt::format("  = {}", value_text(values.bits[lane], site.value_type));
    out += "\n";
  }
}

// So many banks from there on have one word each, for one lane each, bank after bank and lane after lane.
size_t banks_in_a_row(const std::vector<Touched>& touched, size_t first) {
  const Touched& begin = touched[first];
  if (begin.words != 1 || !std::has_single_bit(begin.lanes)) return 1;
  size_t count = 1;
  while (first + count < touched.size()) {
    const Touched& next = touched[first + count];
    if (next.at != begin.at + count || next.words != 1 || next.lanes != uint64_t{begin.lanes} << count) break;
    ++count;
  }
  return count;
}

uint32_t lanes_of_banks(const std::vector<Touched>& touched, size_t first, size_t count) {
  uint32_t lanes = 0;
  for (size_t at = first; at < first + count; ++at) lanes |= touched[at].lanes;
  return lanes;
}

void add_access(const AccessView& view, std::string& out) {
  const Access& access = view.access;
  out += fmt::format("  {}: {} bytes named", name_of(access.space), view.cost.bytes);
  if (view.memory && !view.memory->name.empty())
    out += fmt::format(" in `{}`", view.memory->name);
  else if (view.memory)
    out += fmt::format(" in an allocation of {} bytes at {:#x}", view.memory->bytes, view.memory->base);
  if (view.memory && view.memory->argument >= 0) out += fmt::format(" (argument {})", view.memory->argument + 1);
  if (view.variable) out += fmt::format(" in `{}`", view.variable->name);
  if (view.stride) out += fmt::format(", {} bytes from lane to lane", *view.stride);
  out += fmt::format("\n    {}\n", cost_text(view.cost));
  for (size_t at = 0; at < view.touched.size();) {
    const Touched& t = view.touched[at];
    const size_t run = access.space == Space::Shared ? banks_in_a_row(view.touched, at) : 1;
    const std::string lanes = ranges(lanes_of(lanes_of_banks(view.touched, at, run)));
    if (run > 1)
      out += fmt::format("    banks {} to {}: 1 word each, lanes {}\n", t.at, t.at + run - 1, lanes);
    else if (access.space == Space::Shared)
      out += fmt::format("    bank {:>2}: {} word{}, lanes {}\n", t.at, t.words, t.words == 1 ? "" : "s", lanes);
    else
      out += fmt::format("    {} {:#x}: lanes {}\n", access.space == Space::Const ? "word" : "sector", t.at, lanes);
    at += run;
  }
}

}  // namespace

std::string to_text(const StepDetail& detail, uint32_t warp, const Recording& r, const Findings& findings,
                    const std::vector<SourceFile>& sources, Depth depth) {
  const PlacedStep& placed = detail.view.placed;
  const Site& site = r.sites[placed.step.site];
  std::string out =
      fmt::format("step {} of warp {}, block {}: {}\n", placed.number, warp, in_grid(r.block), place_of(r, site.line));
  if (depth == Depth::Instruction) out += fmt::format("  {}\n", site.ptx);
  if (const std::string text = source_of(sources, r.lines[site.line]); !text.empty())
    out += fmt::format("  {}\n", text);
  if (depth == Depth::Instruction)
    out += fmt::format("  behind {} barrier{}, modelled clock {}; active {:#010x}, on {:#010x}\n", placed.phase,
                       placed.phase == 1 ? "" : "s", detail.view.modelled_clock, placed.step.active, placed.step.on);
  if (detail.view.waits != 0) out += fmt::format("  waits {} modelled clocks for the last warp\n", detail.view.waits);
  for (const Mark& mark : detail.marks) {
    const Finding& finding = findings.findings[mark.finding];
    out += fmt::format("  {} {}: the {} by lane {}\n", finding.code, finding.message, finding.parties[mark.party].role,
                       mark.lane);
    for (const Mark& other : findings.marks)
      if (other.finding == mark.finding && other.party != mark.party)
        out += fmt::format("    the {}: warp {}, lane {}, step {}\n", finding.parties[other.party].role, other.warp,
                           other.lane, other.step);
  }
  out += "\n";
  for (const AccessView& access : detail.accesses) add_access(access, out);
  if (!detail.accesses.empty()) out += "\n";
  add_lanes(detail, site, out);
  return out;
}

}  // namespace warpwise::trace
