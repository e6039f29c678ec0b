#include "check/race_clocks.h"

#include <algorithm>

namespace warpwise::check {

namespace {

// Releases at one address that are remembered; a lock that is taken more often publishes no more by it.
constexpr size_t kMostReleases = 1 << 20;

void join(Clocks& into, const Clocks& from) {
  for (size_t w = 0; w < into.size() && w < from.size(); ++w) into[w] = std::max(into[w], from[w]);
}

}  // namespace

void BlockClocks::begin(Serial new_serial, unsigned thread_count) {
  serial = new_serial;
  threads = thread_count;
  warps = (thread_count + 31) / 32;
  for (unsigned w = 0; w < warps; ++w) {
    clock[w].assign(warps, 0);
    clock[w][w] = 1;
    fenced[w].clear();
  }
  known.reset();
  published.clear();
  waits_at.assign(threads, 0);
  meetings.clear();
  mbarriers.clear();
}

void RaceClocks::barrier(BlockClocks& block, unsigned warp, unsigned who, unsigned number) {
  barrier_arrive(block, warp, number);
  block.waits_at[who] = static_cast<uint8_t>(number + 1);
}

void RaceClocks::barrier_arrive(BlockClocks& block, unsigned warp, unsigned number) {
  BlockClocks::Meeting& meeting = block.meetings[number];
  if (meeting.joined.empty()) meeting.joined.assign(block.warps, 0);
  join(meeting.joined, block.clock[warp]);
  meeting.warps |= 1u << warp;
}

void RaceClocks::finish_meeting(BlockClocks& block, unsigned number) {
  for (uint8_t& at : block.waits_at)
    if (at == number + 1) at = 0;
  auto meeting = block.meetings.find(number);
  if (meeting == block.meetings.end()) return;
  for (unsigned w = 0; w < block.warps; ++w) {
    if (!(meeting->second.warps >> w & 1)) continue;
    join(block.clock[w], meeting->second.joined);
    ++block.clock[w][w];
  }
  block.published.clear();
  block.meetings.erase(meeting);
}

void RaceClocks::warp_sync(BlockClocks& block, unsigned warp) { ++block.clock[warp][warp]; }

void RaceClocks::release(BlockClocks& block, unsigned warp, device::Address address, bool fenced) {
  const Clocks& clocks = fenced ? block.clock[warp] : block.fenced[warp];
  if (clocks.empty()) return;
  SyncPlace& place = places_[address];
  if (place.log.size() == kMostReleases) return;
  place.by_block[block.serial].push_back(static_cast<uint32_t>(place.log.size()));
  place.log.push_back({block.serial, clocks, block.known});
  if (fenced) ++block.clock[warp][warp];
}

void RaceClocks::acquire(BlockClocks& block, unsigned warp, device::Address address) {
  if (places_.empty()) return;
  auto found = places_.find(address);
  if (found == places_.end()) return;
  const SyncPlace& place = found->second;
  if (auto own = place.by_block.find(block.serial); own != place.by_block.end()) {
    join(block.clock[warp], place.log[own->second.back()].clocks);
    block.published.clear();
  }
  if (block.known)
    for (const Acquired& a : *block.known)
      if (a.place == &place && a.count == place.log.size() && a.warp == warp) return;
  // Whoever was given the old knowledge keeps it.
  auto known = block.known ? std::make_shared<Knowledge>(*block.known) : std::make_shared<Knowledge>();
  std::erase_if(*known, [&](const Acquired& a) { return a.place == &place && a.warp == warp; });
  known->push_back({&place, static_cast<uint32_t>(place.log.size()), warp, block.now(warp)});
  block.known = std::move(known);
  block.published.clear();
}

void RaceClocks::mbarrier_arrive(BlockClocks& block, unsigned warp, device::Address address) {
  Clocks& known = block.mbarriers[address];
  if (known.empty()) known.assign(block.warps, 0);
  join(known, block.clock[warp]);
  release(block, warp, address, true);
}

void RaceClocks::mbarrier_await(BlockClocks& block, unsigned warp, device::Address address) {
  if (auto known = block.mbarriers.find(address); known != block.mbarriers.end()) {
    join(block.clock[warp], known->second);
    ++block.clock[warp][warp];
    block.published.clear();
  }
  acquire(block, warp, address);
}

bool RaceClocks::is_before(const BlockClocks& block, unsigned warp, Serial serial, unsigned from, uint32_t clock) const {
  if (serial == block.serial) return from == warp ? clock < block.clock[warp][warp] : clock <= block.clock[warp][from];
  if (!block.known) return false;
  auto [answer, fresh] = block.published.try_emplace(uint64_t{serial} << 10 | from << 5 | warp, 0);
  if (fresh) {
    // What this warp has acquired, or another one that it has met since.
    Knowledge visible;
    for (const Acquired& a : *block.known)
      if (a.warp == warp || a.clock <= block.clock[warp][a.warp]) visible.push_back(a);
    answer->second = published_clock(visible, serial, from);
  }
  return clock <= answer->second;
}

// The latest clock of a block's warp that some chain of releases and acquisitions has brought here; 0: none.
uint32_t RaceClocks::published_clock(const Knowledge& known, Serial serial, unsigned from) const {
  uint32_t latest = 0;
  std::unordered_map<const SyncPlace*, uint32_t> explored;  // releases of a place that have been followed
  Knowledge work = known;
  while (!work.empty()) {
    const Acquired a = work.back();
    work.pop_back();
    uint32_t& done = explored[a.place];
    if (done >= a.count) continue;
    if (auto own = a.place->by_block.find(serial); own != a.place->by_block.end())
      for (uint32_t n : own->second)
        if (n < a.count && from < a.place->log[n].clocks.size()) latest = std::max(latest, a.place->log[n].clocks[from]);
    for (uint32_t n = done; n < a.count; ++n)
      if (const auto& before = a.place->log[n].known) work.insert(work.end(), before->begin(), before->end());
    done = a.count;
  }
  return latest;
}

}  // namespace warpwise::check
