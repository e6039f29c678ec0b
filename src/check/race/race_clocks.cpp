#include "check/race/race_clocks.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace warpwise::check {

namespace {

// Releases at one address that are kept. What is released there later orders nothing.
constexpr size_t kMostReleases = 1 << 20;

void join(Clocks& into, const Clocks& from) {
  for (size_t w = 0; w < into.size() && w < from.size(); ++w) into[w] = std::max(into[w], from[w]);
}

bool is_reached(const Reached& reached, Serial serial, unsigned from, uint32_t clock) {
  const auto of_block = reached.find(serial);
  return of_block != reached.end() && from < of_block->second.size() && clock <= of_block->second[from];
}

}  // namespace

const Release* SyncPlace::last(const std::vector<uint32_t>& own, uint32_t count) const {
  const auto end = std::lower_bound(own.begin(), own.end(), count);
  if (end == own.begin()) return nullptr;
  const size_t oldest = own.size() - std::min(own.size(), kKept);
  return &log[own[std::max(static_cast<size_t>(end - own.begin()) - 1, oldest)]];
}

void BlockClocks::begin(Serial new_serial, unsigned thread_count) {
  serial = new_serial;
  threads = thread_count;
  warps = (thread_count + 31) / 32;
  together = true;
  fenced_apart = false;
  epoch = 1;
  for (unsigned w = 0; w < warps; ++w) {
    for (Clocks& clocks : fenced[w]) clocks.clear();
    seen[w].clear();
  }
  for (auto& k : known) k.reset();
  forget_answers();
  waits_at.assign(threads, 0);
  barriers.clear();
  mbarriers.clear();
}

void BlockClocks::separate() {
  if (!together) return;
  for (unsigned w = 0; w < warps; ++w) {
    clock[w].assign(warps, epoch - 1);
    clock[w][w] = epoch;
  }
  together = false;
}

void BlockClocks::share_fences(uint32_t warps_of_mask) {
  for (Width width : {kDeviceWide, kAnyScope}) {
    Clocks all;
    for (unsigned w = 0; w < warps; ++w) {
      if (!(warps_of_mask >> w & 1) || fenced[w][width].empty()) continue;
      if (all.empty())
        all = fenced[w][width];
      else
        join(all, fenced[w][width]);
    }
    for (unsigned w = 0; w < warps; ++w)
      if (warps_of_mask >> w & 1) fenced[w][width] = all;
  }
}

void RaceClocks::all_warps_arrived(BlockClocks& block) {
  if (!places_.empty()) {
    if (std::exchange(block.fenced_apart, false)) block.share_fences(~0u);
    for (unsigned w = 0; w < block.warps; ++w) take_all(block, w, /*block_scope=*/false);
  }
  block.meet();
}

void BlockClocks::meet() {
  if (std::exchange(fenced_apart, false)) share_fences(~0u);
  // Clocks may skip numbers.
  uint32_t latest = epoch;
  if (!together)
    for (unsigned w = 0; w < warps; ++w) latest = std::max(latest, clock[w][w]);
  epoch = latest + 1;
  together = true;
  forget_answers();
}

void RaceClocks::barrier(BlockClocks& block, unsigned warp, unsigned thread, unsigned number) {
  barrier_arrive(block, warp, number);
  block.waits_at[thread] = static_cast<uint8_t>(number + 1);
}

void RaceClocks::barrier_arrive(BlockClocks& block, unsigned warp, unsigned number) {
  block.separate();
  BlockClocks::Barrier& barrier = block.barriers[number];
  if (barrier.joined.empty()) barrier.joined.assign(block.warps, 0);
  join(barrier.joined, block.clock[warp]);
  barrier.warps |= 1u << warp;
}

void RaceClocks::finish_barrier(BlockClocks& block, unsigned number) {
  for (uint8_t& at : block.waits_at)
    if (at == number + 1) at = 0;
  auto barrier = block.barriers.find(number);
  if (barrier == block.barriers.end()) return;
  for (unsigned w = 0; w < block.warps; ++w) {
    if (!(barrier->second.warps >> w & 1)) continue;
    take_all(block, w, /*block_scope=*/false);
    join(block.clock[w], barrier->second.joined);
    ++block.clock[w][w];
  }
  if (block.fenced_apart) block.share_fences(barrier->second.warps);
  block.forget_answers();
  block.barriers.erase(barrier);
}

void RaceClocks::warp_sync(BlockClocks& block, unsigned warp) {
  block.separate();
  ++block.clock[warp][warp];
}

void RaceClocks::fence(BlockClocks& block, unsigned warp, bool block_scope) {
  block.separate();
  take_all(block, warp, block_scope);  // first: what is acquired by a fence is released by it, too
  block.fenced_apart = true;
  block.fenced[warp][kAnyScope] = block.clock[warp];
  if (!block_scope) block.fenced[warp][kDeviceWide] = block.clock[warp];
  ++block.clock[warp][warp];  // what comes behind the fence is not released by it
}

void RaceClocks::release(BlockClocks& block, unsigned warp, device::Address address, bool fenced, bool block_scope) {
  if (!fenced && block.fenced[warp][kAnyScope].empty()) return;
  block.separate();
  SyncPlace& place = places_[address];
  if (place.log.size() == kMostReleases) return;
  Release release{block.serial, warp, block.now(warp), {}, {}};
  for (Width width : {kDeviceWide, kAnyScope}) {
    release.known[width] = block.known[width];
    if (width == kAnyScope || !block_scope)
      release.clocks[width] = fenced ? block.clock[warp] : block.fenced[warp][width];
  }
  std::vector<uint32_t>& own = place.by_block[block.serial];
  if (!own.empty()) {
    for (Width width : {kDeviceWide, kAnyScope}) {
      const Clocks& before = place.log[own.back()].clocks[width];
      if (release.clocks[width].empty())
        release.clocks[width] = before;
      else
        join(release.clocks[width], before);
    }
  }
  if (own.size() >= SyncPlace::kKept)
    place.log[own[own.size() - SyncPlace::kKept]] = Release{block.serial, 0, 0, {}, {}};
  own.push_back(static_cast<uint32_t>(place.log.size()));
  place.log.push_back(std::move(release));
  if (fenced) ++block.clock[warp][warp];
}

void RaceClocks::acquire(BlockClocks& block, unsigned warp, device::Address address, bool fenced, bool block_scope) {
  if (places_.empty()) return;
  auto found = places_.find(address);
  if (found == places_.end()) return;
  const BlockClocks::Seen seen{&found->second, static_cast<uint32_t>(found->second.log.size()), block_scope};
  if (fenced) return take(block, warp, seen, block_scope);
  // A loop that waits reads one place again and again.
  for (BlockClocks::Seen& before : block.seen[warp])
    if (before.place == seen.place && before.block_scope == block_scope) {
      before.count = seen.count;
      return;
    }
  block.seen[warp].push_back(seen);
}

void RaceClocks::take_all(BlockClocks& block, unsigned warp, bool block_scope) {
  if (block.seen[warp].empty()) return;
  for (const BlockClocks::Seen& seen : block.seen[warp]) take(block, warp, seen, block_scope || seen.block_scope);
  // What a narrow fence took may be taken by a wider one yet.
  if (block_scope)
    std::erase_if(block.seen[warp], [](const BlockClocks::Seen& seen) { return seen.block_scope; });
  else
    block.seen[warp].clear();
}

void RaceClocks::take(BlockClocks& block, unsigned warp, const BlockClocks::Seen& seen, bool block_scope) {
  block.separate();
  const SyncPlace& place = *seen.place;
  if (auto own = place.by_block.find(block.serial); own != place.by_block.end()) {
    if (const Release* last = place.last(own->second, seen.count)) join(block.clock[warp], last->clocks[kAnyScope]);
  }
  for (Width width : {kDeviceWide, kAnyScope}) {
    if (width == kDeviceWide && block_scope) continue;
    auto& current = block.known[width];
    if (current && std::any_of(current->begin(), current->end(), [&](const Acquired& a) {
          return a.place == &place && a.count >= seen.count && a.warp == warp;
        }))
      continue;
    // A thread that was given the old knowledge keeps it.
    auto known = current ? std::make_shared<Knowledge>(*current) : std::make_shared<Knowledge>();
    std::erase_if(*known, [&](const Acquired& a) { return a.place == &place && a.warp == warp; });
    known->push_back({&place, seen.count, warp, block.now(warp)});
    current = std::move(known);
  }
  block.forget_answers();
}

void RaceClocks::mbarrier_arrive(BlockClocks& block, unsigned warp, device::Address address) {
  block.separate();
  Clocks& known = block.mbarriers[address];
  if (known.empty()) known.assign(block.warps, 0);
  join(known, block.clock[warp]);
  release(block, warp, address, /*fenced=*/true, /*block_scope=*/false);
}

void RaceClocks::mbarrier_await(BlockClocks& block, unsigned warp, device::Address address) {
  if (auto known = block.mbarriers.find(address); known != block.mbarriers.end()) {
    block.separate();
    join(block.clock[warp], known->second);
    ++block.clock[warp][warp];
    block.forget_answers();
  }
  acquire(block, warp, address, /*fenced=*/true, /*block_scope=*/false);
}

bool RaceClocks::is_before(const BlockClocks& block, unsigned warp, Serial serial, unsigned from, uint32_t clock,
                           Width width) const {
  if (serial == block.serial) return from == warp ? clock < block.now(warp) : clock <= block.knows(warp, from);
  if (!block.known[width]) return false;
  BlockClocks::Answers& answers = block.answers[width];
  const Reached*& reached = answers.of_warp[warp];
  if (!reached) {
    auto [answer, fresh] = answers.reached.try_emplace(visible_to(block, warp, width));
    if (fresh) answer->second = reached_from(answer->first, width);
    reached = &answer->second;
  }
  return is_reached(*reached, serial, from, clock);
}

bool RaceClocks::has_seen(const BlockClocks& block, unsigned warp, Serial serial, unsigned from, uint32_t clock,
                          Width width) const {
  if (block.seen[warp].empty()) return false;
  if (serial == block.serial)
    return std::any_of(block.seen[warp].begin(), block.seen[warp].end(), [&](const BlockClocks::Seen& seen) {
      auto own = seen.place->by_block.find(serial);
      const Release* last = own == seen.place->by_block.end() ? nullptr : seen.place->last(own->second, seen.count);
      return last && from < last->clocks[kAnyScope].size() && clock <= last->clocks[kAnyScope][from];
    });
  Visible visible = visible_to(block, warp, width);
  for (const BlockClocks::Seen& seen : block.seen[warp])
    if (width == kAnyScope || !seen.block_scope) visible.emplace_back(seen.place, seen.count);
  return is_reached(reached_from(visible, width), serial, from, clock);
}

bool RaceClocks::has_read(const BlockClocks& block, unsigned warp, device::Address address, Serial serial,
                          unsigned from, uint32_t clock) const {
  const auto place = places_.find(address);
  if (place == places_.end()) return false;
  const auto own = place->second.by_block.find(serial);
  if (own == place->second.by_block.end()) return false;
  uint32_t count = 0;
  for (const BlockClocks::Seen& seen : block.seen[warp])
    if (seen.place == &place->second) count = std::max(count, seen.count);
  if (block.known[kAnyScope])
    for (const Acquired& a : *block.known[kAnyScope])
      if (a.place == &place->second && (a.warp == warp || a.clock <= block.knows(warp, a.warp)))
        count = std::max(count, a.count);
  const Release* last = place->second.last(own->second, count);
  return last && last->warp == from && last->clock >= clock;
}

// What a warp has acquired, or another warp with which it has synchronised since.
Visible RaceClocks::visible_to(const BlockClocks& block, unsigned warp, Width width) {
  Visible visible;
  if (!block.known[width]) return visible;
  for (const Acquired& a : *block.known[width])
    if (a.warp == warp || a.clock <= block.knows(warp, a.warp)) visible.emplace_back(a.place, a.count);
  // Of each place the most.
  std::sort(visible.begin(), visible.end(),
            [](const auto& a, const auto& b) { return std::pair(a.first, b.second) < std::pair(b.first, a.second); });
  visible.erase(
      std::unique(visible.begin(), visible.end(), [](const auto& a, const auto& b) { return a.first == b.first; }),
      visible.end());
  return visible;
}

Reached RaceClocks::reached_from(const Visible& visible, Width width) {
  Reached reached;
  std::unordered_map<const SyncPlace*, uint32_t> explored;  // releases of a place that have been followed
  std::unordered_set<const Knowledge*> followed;
  Visible work = visible;
  while (!work.empty()) {
    const auto [place, count] = work.back();
    work.pop_back();
    if (explored[place] >= count) continue;
    for (const auto& [from_block, own] : place->by_block) {
      const Release* last = place->last(own, count);
      if (!last) continue;
      if (!last->clocks[width].empty()) {
        Clocks& latest = reached[from_block];
        if (latest.empty())
          latest = last->clocks[width];
        else
          join(latest, last->clocks[width]);
      }
      const Knowledge* before = last->known[width].get();
      if (!before || !followed.insert(before).second) continue;
      for (const Acquired& b : *before)
        if (auto known = explored.find(b.place); known == explored.end() || known->second < b.count)
          work.emplace_back(b.place, b.count);
    }
    explored[place] = count;
  }
  return reached;
}

}  // namespace warpwise::check
