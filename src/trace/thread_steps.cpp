#include "trace/thread_steps.h"

#include <algorithm>

#include "simt/abi.h"

namespace warpwise::trace {

ThreadSteps::ThreadSteps(const Sites& sites, uint32_t threads, Sink sink)
    : sites_(sites), sink_(std::move(sink)), lanes_(threads) {
  for (Lane& lane : lanes_)
    lane.maker = std::make_unique<WarpSteps>(sites_, [this, &lane](const Step& step) {
      lane.steps.push_back({step, lane.phase, path_of(lane.maker->callers())});
      if (sites_.all[step.site].kind == SiteKind::Barrier && step.on != 0) ++lane.phase;
    });
}

uint32_t ThreadSteps::path_of(const std::vector<WarpSteps::Rest>& callers) {
  if (callers.empty()) return 0;
  std::vector<uint32_t> path;
  for (const WarpSteps::Rest& rest : callers) path.push_back(rest.next);
  const auto [at, is_new] = known_paths_.try_emplace(path, uint32_t(paths_.size()));
  if (is_new) paths_.push_back(std::move(path));
  return at->second;
}

// Lanes that wait for others there.
bool ThreadSteps::waits(const LaneStep& step) const {
  const SiteKind kind = sites_.all[step.step.site].kind;
  return kind == SiteKind::Barrier || kind == SiteKind::WarpSync || kind == SiteKind::Shuffle || kind == SiteKind::Vote;
}

bool ThreadSteps::is_before(const LaneStep& a, const LaneStep& b) const {
  if (a.phase != b.phase) return a.phase < b.phase;
  if (const bool here = waits(a), there = waits(b); here != there) return there;
  const auto &from = paths_[a.path], &to = paths_[b.path];
  const auto at = [](const std::vector<uint32_t>& path, size_t depth, uint32_t site) {
    return depth < path.size() ? path[depth] : site;
  };
  const size_t depth = std::min(from.size(), to.size());
  for (size_t k = 0; k <= depth; ++k) {
    const uint32_t x = at(from, k, a.step.site), y = at(to, k, b.step.site);
    if (x != y) return x < y;
  }
  return from.size() > to.size();
}

void ThreadSteps::mark(uint32_t thread, const ThreadMark& mark) {
  if (thread >= lanes_.size()) return;
  lanes_[thread].marks.push_back(mark);
  if (++marks_ < kMostMarks) return;
  in_pieces_ = true;
  merge_all(false);
}

void ThreadSteps::take(Lane& lane, const ThreadMark& mark) {
  switch (mark.kind) {
    case simt::kMarkBlock:
      return lane.maker->block(mark.cell, 1);
    case simt::kMarkGuard:
      return lane.maker->guard(mark.cell, 1, mark.value != 0);
    case simt::kMarkAccess: {
      Access access{.space = mark.space, .mask = 1};
      access.addresses[0] = mark.value;
      return lane.maker->access(mark.cell, access);
    }
    default: {
      LaneValues values{.mask = 1};
      values.bits[0] = mark.value;
      return lane.maker->value(mark.cell, mark.element, values);
    }
  }
}

// Whether the lane's next step is known.
bool ThreadSteps::advance(Lane& lane, bool last) {
  while (lane.steps.empty() && !lane.marks.empty()) {
    take(lane, lane.marks.front());
    lane.marks.pop_front();
    --marks_;
  }
  if (lane.steps.empty() && last) lane.maker->finish();
  return !lane.steps.empty();
}

void ThreadSteps::merge(uint32_t warp, bool last) {
  const size_t first = size_t{warp} * kLanes, end = std::min(lanes_.size(), first + kLanes);
  for (;;) {
    const LaneStep* earliest = nullptr;
    for (size_t t = first; t < end; ++t)
      if (advance(lanes_[t], last) && (!earliest || is_before(lanes_[t].steps.front(), *earliest)))
        earliest = &lanes_[t].steps.front();
    if (!earliest) return;
    const LaneStep model = *earliest;
    Step whole;
    whole.begin(model.step.site, 0);
    whole.on = 0;
    for (size_t t = first; t < end; ++t) {
      Lane& lane = lanes_[t];
      if (lane.steps.empty()) continue;
      const LaneStep& here = lane.steps.front();
      if (here.step.site != model.step.site || here.phase != model.phase || here.path != model.path) continue;
      const unsigned l = unsigned(t - first);
      whole.active |= 1u << l;
      if (here.step.on != 0) whole.on |= 1u << l;
      for (const Access& from : here.step.accesses) {
        auto to = std::find_if(whole.accesses.begin(), whole.accesses.end(),
                               [&](const Access& access) { return access.space == from.space; });
        if (to == whole.accesses.end()) to = whole.accesses.insert(to, Access{.space = from.space});
        to->mask |= 1u << l;
        to->addresses[l] = from.addresses[0];
      }
      if (whole.values.size() < here.step.values.size()) whole.values.resize(here.step.values.size());
      for (size_t v = 0; v < here.step.values.size(); ++v)
        if (here.step.values[v].mask != 0) {
          whole.values[v].mask |= 1u << l;
          whole.values[v].bits[l] = here.step.values[v].bits[0];
        }
      lane.steps.pop_front();
    }
    sink_(warp, whole);
  }
}

void ThreadSteps::merge_all(bool last) {
  for (uint32_t warp = 0; size_t{warp} * kLanes < lanes_.size(); ++warp) merge(warp, last);
}

void ThreadSteps::finish() { merge_all(true); }

}  // namespace warpwise::trace
