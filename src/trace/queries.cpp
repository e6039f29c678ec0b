#include "trace/queries.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "trace/step_bucket.h"

namespace warpwise::trace {

namespace {

struct EventName {
  std::string_view name;
  Event event;
};
constexpr EventName kEvents[] = {
#define TRACE_EVENT(id, name, meaning) {name, Event::id},
#include "trace/events.inc"
#undef TRACE_EVENT
};

bool is_race(const Finding& finding) { return finding.code.starts_with("C02"); }

std::optional<int64_t> stride_of(const Access& access) {
  const uint32_t mask = access.mask;
  if (std::popcount(mask) < 2) return std::nullopt;
  const int first = std::countr_zero(mask), second = std::countr_zero(mask & (mask - 1));
  const int64_t apart = int64_t(access.addresses[size_t(second)] - access.addresses[size_t(first)]);
  if (apart % (second - first) != 0) return std::nullopt;
  const int64_t stride = apart / (second - first);
  for (uint32_t left = mask; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    if (access.addresses[size_t(lane)] != access.addresses[size_t(first)] + uint64_t(stride) * uint64_t(lane - first))
      return std::nullopt;
  }
  return stride;
}

// What the lanes touch: sectors, banks, or words. Of an access of several words each of them counts.
std::vector<Touched> touched_by(const Access& access, unsigned bytes) {
  constexpr unsigned kSectorBytes = 32, kWordBytes = 4, kBanks = 32;
  const bool banks = access.space == Space::Shared;
  const unsigned unit = banks || access.space == Space::Const ? kWordBytes : kSectorBytes;
  std::map<uint64_t, uint32_t> units;
  for (uint32_t left = access.mask; left != 0; left &= left - 1) {
    const unsigned lane = unsigned(std::countr_zero(left));
    uint64_t at = access.addresses[lane];
    // Words of the threads' local memories are interleaved (perf/counters/access_cost.h).
    if (access.space == Space::Local) at = (at / kWordBytes * kLanes + lane) * kWordBytes;
    const uint64_t last = at + std::max(bytes, 1u) - 1;
    for (uint64_t u = at / unit; u <= last / unit; ++u) units[u] |= 1u << lane;
  }
  std::map<uint64_t, Touched> touched;
  for (const auto& [number, lanes] : units) {
    const uint64_t at = banks ? number % kBanks : number * unit;
    Touched& entry = touched[at];
    entry.at = at, entry.lanes |= lanes, ++entry.words;
  }
  std::vector<Touched> list;
  for (const auto& [at, entry] : touched) list.push_back(entry);
  return list;
}

}  // namespace

std::optional<Event> event_named(std::string_view name) {
  for (const EventName& row : kEvents)
    if (row.name == name) return row.event;
  return std::nullopt;
}
std::vector<std::string_view> event_names() {
  std::vector<std::string_view> names;
  for (const EventName& row : kEvents) names.push_back(row.name);
  return names;
}

Result<Summary> Queries::summary() {
  Summary summary;
  const Recording& r = file_.recording();
  summary.recording = &r;
  std::map<std::array<uint64_t, 3>, size_t> known;
  for (uint32_t w = 0; w < r.warps.size(); ++w) {
    const WarpInfo& warp = r.warps[w];
    summary.steps += warp.steps, summary.recorded += warp.count;
    const auto [at, is_new] = known.try_emplace({warp.steps, warp.fingerprint, warp.threads}, summary.folds.size());
    if (is_new) summary.folds.emplace_back();
    summary.folds[at->second].warps.push_back(w);
  }
  summary.findings = TRY(file_.findings());
  return summary;
}

// The modelled clock: each warp alone between barriers; at a barrier all wait for the last.
Result<void> Queries::read_barriers() {
  if (barriers_read_) return {};
  barriers_read_ = true;
  arrivals_ = TRY(file_.arrivals());
  arrivals_.resize(file_.recording().warps.size());
  waits_.resize(arrivals_.size());
  size_t phases = 0;
  for (const auto& warp : arrivals_) phases = std::max(phases, warp.size());
  for (size_t p = 0; p < phases; ++p) {
    uint64_t release = 0;
    std::vector<uint64_t> at(arrivals_.size(), 0);
    for (size_t w = 0; w < arrivals_.size(); ++w) {
      if (p >= arrivals_[w].size()) continue;
      at[w] = arrivals_[w][p].clock - (p == 0 ? 0 : arrivals_[w][p - 1].clock) + (p == 0 ? 0 : releases_[p - 1]);
      release = std::max(release, at[w]);
    }
    for (size_t w = 0; w < arrivals_.size(); ++w)
      if (p < arrivals_[w].size()) waits_[w].push_back(release - at[w]);
    releases_.push_back(release);
  }
  return {};
}

StepView Queries::view_of(PlacedStep placed, uint32_t warp) const {
  StepView view;
  const Site& site = file_.recording().sites[placed.step.site];
  view.cost = cost_of(site, placed.step);
  const auto& arrivals = arrivals_[warp];
  const uint64_t passed = std::min<uint64_t>(placed.phase, arrivals.size());
  view.modelled_clock = placed.clock;
  if (passed > 0) view.modelled_clock += releases_[passed - 1] - arrivals[passed - 1].clock;
  if (placed.phase < arrivals.size() && arrivals[placed.phase].step == placed.number)
    view.waits = waits_[warp][placed.phase];
  view.placed = std::move(placed);
  return view;
}

Result<Overview> Queries::overview(unsigned shift) {
  TRY(read_barriers());
  const std::vector<WarpOverview> stored = TRY(file_.overview());
  Overview overview;
  overview.shift = std::min(shift, 63u);
  for (const WarpOverview& warp : stored) overview.shift = std::max(overview.shift, warp.shift());
  for (size_t w = 0; w < stored.size(); ++w) {
    std::vector<PlacedBucket>& buckets = overview.warps.emplace_back();
    const unsigned merge = overview.shift - stored[w].shift();
    for (size_t n = 0; n < stored[w].buckets().size(); ++n) {
      const size_t at = n >> merge;
      if (at == buckets.size()) buckets.push_back({.first = uint64_t{at} << overview.shift});
      buckets[at].sums += stored[w].buckets()[n];
    }
    if (w >= arrivals_.size()) continue;
    for (size_t p = 0; p < arrivals_[w].size(); ++p)
      if (const uint64_t at = arrivals_[w][p].step >> overview.shift; at < buckets.size())
        buckets[at].waits += waits_[w][p];
  }
  return overview;
}

// Whether these steps of the warps, as far as they have made them, are all recorded, and few.
bool Queries::has_steps(std::span<const uint32_t> warps, uint64_t first, uint64_t count) const {
  uint64_t all = 0;
  for (const uint32_t w : warps) {
    const WarpInfo& warp = file_.recording().warps[w];
    const uint64_t end = std::min(warp.steps, first + count);
    if (end <= first) continue;
    if (first < warp.first || end > warp.first + warp.count) return false;
    all += end - first;
  }
  return all <= kMostWindowSteps;
}

Result<Window> Queries::window(std::span<const uint32_t> warps, uint64_t first, unsigned shift, size_t columns) {
  const Recording& r = file_.recording();
  for (const uint32_t w : warps)
    if (w >= r.warps.size()) return Error{"V0008", fmt::format("the block has warps 0 to {}", r.warps.size() - 1)};
  TRY(read_barriers());
  Window window;
  columns = std::min(columns, kMostColumns);
  // More than any kernel runs: what is asked for does not overflow.
  constexpr unsigned kMostShift = 48;
  window.shift = std::min(shift, kMostShift), window.first = std::min(first, uint64_t{1} << kMostShift);
  const bool from_steps = has_steps(warps, window.first, uint64_t{columns} << window.shift);
  const Overview coarse = from_steps ? Overview{} : TRY(overview(window.shift));
  if (!from_steps) window.shift = coarse.shift;
  window.first = window.first >> window.shift << window.shift;
  const std::vector<Mark> marks = TRY(file_.findings()).marks;
  for (const uint32_t w : warps) {
    std::vector<WindowBucket>& row = window.rows.emplace_back(columns);
    const auto column_of = [&](uint64_t step) { return size_t((step - window.first) >> window.shift); };
    const auto in_window = [&](uint64_t step) { return step >= window.first && column_of(step) < columns; };
    if (from_steps) {
      for (const PlacedStep& placed : TRY(file_.steps(w, window.first, uint64_t{columns} << window.shift))) {
        WindowBucket& bucket = row[column_of(placed.number)];
        if (bucket.site == WindowBucket::kNoSite) bucket.site = placed.step.site;
        bucket.sums += bucket_of(placed.step, r.sites[placed.step.site], r.warps[w].threads);
      }
    } else if (w < coarse.warps.size()) {
      for (const PlacedBucket& bucket : coarse.warps[w])
        if (in_window(bucket.first)) row[column_of(bucket.first)].sums = bucket.sums;
    }
    for (size_t p = 0; p < waits_[w].size(); ++p)
      if (const uint64_t step = arrivals_[w][p].step; in_window(step)) row[column_of(step)].waits += waits_[w][p];
    for (const Mark& mark : marks)
      if (mark.warp == w && in_window(mark.step)) ++row[column_of(mark.step)].marks;
  }
  return window;
}

Result<std::vector<LineSums>> Queries::lines() {
  const Recording& r = file_.recording();
  std::vector<LineSums> all(r.lines.size());
  for (uint32_t w = 0; w < r.warps.size(); ++w) {
    constexpr uint64_t kPiece = 16'384;
    for (uint64_t at = r.warps[w].first, end = at + r.warps[w].count; at < end; at += kPiece)
      for (const PlacedStep& placed : TRY(file_.steps(w, at, std::min(kPiece, end - at)))) {
        const Site& site = r.sites[placed.step.site];
        LineSums& line = all[site.line];
        ++line.steps;
        line.lanes += unsigned(std::popcount(placed.step.active));
        line.on_lanes += unsigned(std::popcount(placed.step.on));
        line.diverging += is(Event::Divergence, placed);
        if (!placed.step.accesses.empty()) line.cost += cost_of(site, placed.step);
      }
  }
  std::vector<LineSums> lines;
  for (uint32_t n = 0; n < all.size(); ++n) {
    all[n].line = n;
    if (all[n].steps != 0) lines.push_back(all[n]);
  }
  return lines;
}

Result<std::vector<StepView>> Queries::steps(uint32_t warp, uint64_t first, uint64_t count) {
  TRY(read_barriers());
  std::vector<StepView> views;
  for (PlacedStep& placed : TRY(file_.steps(warp, first, std::min(count, kMostSteps))))
    views.push_back(view_of(std::move(placed), warp));
  return views;
}

Result<StepDetail> Queries::step(uint32_t warp, uint64_t number) {
  const Recording& r = file_.recording();
  std::vector<StepView> found = TRY(steps(warp, number, 1));
  if (found.empty()) {
    if (warp >= r.warps.size()) return Error{"V0008", fmt::format("the block has warps 0 to {}", r.warps.size() - 1)};
    const WarpInfo& info = r.warps[warp];
    return Error{"V0008", fmt::format("step {} of warp {} is not recorded: {} of its {} steps are, from {} on", number,
                                      warp, info.count, info.steps, info.first)};
  }
  StepDetail detail;
  detail.view = std::move(found[0]);
  const Site& site = r.sites[detail.view.placed.step.site];
  for (const Access& access : detail.view.placed.step.accesses) {
    AccessView view;
    view.access = access;
    view.cost = cost_of(site, access);
    view.stride = stride_of(access);
    view.touched = touched_by(access, site.access.bytes);
    const uint64_t at = access.addresses[size_t(std::countr_zero(access.mask))];
    if (access.space == Space::Global || access.space == Space::Const)
      for (const Memory& memory : r.memories)
        if (at >= memory.base && at - memory.base < memory.bytes) view.memory = &memory;
    if (access.space == Space::Shared)
      for (const SharedVariable& variable : r.shared)
        if (at >= variable.offset && (variable.bytes == 0 || at - variable.offset < variable.bytes))
          view.variable = &variable;
    detail.accesses.push_back(std::move(view));
  }
  for (const Mark& mark : TRY(file_.findings()).marks)
    if (mark.warp == warp && mark.step == number) detail.marks.push_back(mark);
  return detail;
}

bool Queries::is(Event event, const PlacedStep& placed) const {
  const Step& step = placed.step;
  const Site& site = file_.recording().sites[step.site];
  switch (event) {
    case Event::Divergence:
      return site.kind == SiteKind::Branch && step.on != 0 && step.on != step.active;
    case Event::Conflict: {
      const Cost cost = cost_of(site, step);
      return cost.wavefronts > cost.ideal_wavefronts;
    }
    case Event::Uncoalesced: {
      const Cost cost = cost_of(site, step);
      return cost.sectors > cost.ideal_sectors;
    }
    case Event::Barrier:
      return site.kind == SiteKind::Barrier && step.on != 0;
    case Event::Atomic:
      return (site.kind == SiteKind::Atomic || site.kind == SiteKind::Reduction) && step.on != 0;
    case Event::Race:
    case Event::Finding:
      break;
  }
  return false;
}

Result<std::optional<Place>> Queries::next_mark(Event event, Place from, bool backwards) {
  const Findings findings = TRY(file_.findings());
  std::optional<Place> best;
  const auto key = [](const Place& p) { return std::pair(p.warp, p.step); };
  for (const Mark& mark : findings.marks) {
    const Place place{mark.warp, mark.step};
    if (event == Event::Race && !is_race(findings.findings[mark.finding])) continue;
    if (backwards ? key(place) >= key(from) : key(place) <= key(from)) continue;
    if (!best || (backwards ? key(place) > key(*best) : key(place) < key(*best))) best = place;
  }
  return best;
}

Result<std::optional<Place>> Queries::next(Event event, Place from, bool backwards) {
  if (event == Event::Race || event == Event::Finding) return next_mark(event, from, backwards);
  return next_that([&](const PlacedStep& placed) { return is(event, placed); }, from, backwards);
}

Result<std::optional<Place>> Queries::next_of_lines(std::span<const uint32_t> lines, Place from) {
  const std::vector<Site>& sites = file_.recording().sites;
  return next_that(
      [&](const PlacedStep& placed) {
        return std::find(lines.begin(), lines.end(), sites[placed.step.site].line) != lines.end();
      },
      from, false);
}

Result<std::optional<Place>> Queries::next_that(const std::function<bool(const PlacedStep&)>& wanted, Place from,
                                                bool backwards) {
  const Recording& r = file_.recording();
  constexpr uint64_t kPiece = 4096;
  for (uint32_t w = from.warp; w < r.warps.size(); backwards ? --w : ++w) {
    const uint64_t begin = r.warps[w].first, end = begin + r.warps[w].count;
    if (!backwards) {
      for (uint64_t at = w == from.warp ? std::max(from.step + 1, begin) : begin; at < end; at += kPiece)
        for (const PlacedStep& placed : TRY(file_.steps(w, at, std::min(kPiece, end - at))))
          if (wanted(placed)) return std::optional(Place{w, placed.number});
      continue;
    }
    for (uint64_t stop = w == from.warp ? std::min(from.step, end) : end; stop > begin;) {
      const uint64_t at = stop - std::min(kPiece, stop - begin);
      const auto piece = TRY(file_.steps(w, at, stop - at));
      for (auto placed = piece.rbegin(); placed != piece.rend(); ++placed)
        if (wanted(*placed)) return std::optional(Place{w, placed->number});
      stop = at;
    }
  }
  return std::optional<Place>();
}

}  // namespace warpwise::trace
