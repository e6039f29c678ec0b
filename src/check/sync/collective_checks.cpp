#include "check/sync/collective_checks.h"

#include <fmt/format.h>

#include <bit>

#include "check/event_threads.h"
#include "check/source/copied_values.h"
#include "check/source/places.h"
#include "check/undefined_use.h"

namespace warpwise::check {

using exec::ObservedEvent;
using simt::event::Collective;
using simt::event::Reconvergence;
using simt::event::Undefined;

namespace {

constexpr unsigned kLanes = simt::kLanes;

// The event's lanes as bits of their warp.
uint32_t lanes_of(const ObservedEvent& event) {
  return event.run.running_thread >= 0 ? 1u << first_thread_of(event) % kLanes : event.mask;
}

template <class F>
void for_each_lane(uint32_t lanes, F f) {
  for (; lanes != 0; lanes &= lanes - 1) f(static_cast<unsigned>(std::countr_zero(lanes)));
}

// PTX ISA, shfl.sync: the lane that is read from; the lane itself where that is out of range.
unsigned source_of(unsigned mode, unsigned lane, uint64_t operands) {
  const int b = static_cast<int>(operands & 31), c = static_cast<int>(operands >> 32);
  const int clamp = c & 31, segment = c >> 8 & 31, own = static_cast<int>(lane);
  const int highest = (own & segment) | (clamp & ~segment), lowest = own & segment;
  int source = own;
  switch (mode) {
    case 0:
      source = own - b;
      return static_cast<unsigned>(source >= highest ? source : own);
    case 1:
      source = own + b;
      break;
    case 2:
      source = own ^ b;
      break;
    default:
      source = lowest | (b & ~segment);
      break;
  }
  return static_cast<unsigned>(source <= highest ? source : own);
}

// Whether lanes at the two collectives wait for each other: "with the same qualifiers and the same membermask" (PTX
// ISA, shfl.sync).
bool wait_for_each_other(const SyncBlock& block, const simt::Site* one, const simt::Site* other) {
  if (one == other) return true;
  const auto& functions = block.launch->image->module->functions;
  const ptx::Instruction& first = functions[one->function].instructions[one->instruction];
  const ptx::Instruction& second = functions[other->function].instructions[other->instruction];
  return first.op == second.op && first.mods == second.mods;
}

const char* note_of(Undefined::Use use) {
  switch (use) {
    case Undefined::Use::Branch:
      return "a branch depends on the value";
    case Undefined::Use::Address:
      return "an address depends on the value";
    case Undefined::Use::Stored:
    case Undefined::Use::Copied:
      return "what is stored depends on the value";
    case Undefined::Use::Added:
      return "an atomic operation works with the value";
  }
  return "";
}

}  // namespace

std::vector<uint32_t> BlockCollectives::Passes::of(unsigned lane) const {
  std::vector<uint32_t> counts;
  for (const auto& point : points) counts.push_back(point[lane]);
  return counts;
}

bool BlockCollectives::Passes::is_past(unsigned lane, const std::vector<uint32_t>& counts) const {
  for (size_t n = 0; n < points.size(); ++n)
    if (points[n][lane] > (n < counts.size() ? counts[n] : 0)) return true;
  return false;
}

void BlockCollectives::begin(uint32_t thread_count) {
  if (!touched && threads == thread_count) return;  // most kernels have no collectives
  *this = {};
  threads = thread_count;
  warps.resize((threads + kLanes - 1) / kLanes);
}

void CollectiveChecks::go_on(BlockCollectives& state, const ObservedEvent& event) {
  state.warps[warp_of(event)].waiting &= ~lanes_of(event);
}

void CollectiveChecks::arrive(const SyncBlock& block, BlockCollectives& state, const ObservedEvent& event,
                              const Collective& what, const simt::Site* site) {
  if (!site) return;
  state.touched = true;
  const uint32_t warp_index = warp_of(event), here = lanes_of(event);
  BlockCollectives::Warp& warp = state.warps[warp_index];
  const bool alone = event.run.running_thread >= 0;
  const uint32_t existing = state.threads - warp_index * kLanes >= kLanes ? ~0u : (1u << state.threads % kLanes) - 1;
  for (const auto [operand, thread] : threads_of(event)) {
    const unsigned lane = thread % kLanes;
    const uint64_t address = event.addresses[operand];
    const uint32_t mask = Collective::mask(address), group = Collective::group(address);
    const Arrival by{site, thread};
    if (!(mask >> lane & 1)) {
      reporter_.at_place(
          "C0403", fmt::format("lane {} calls a warp function with the mask {:#010x}, which leaves it out", lane, mask),
          block, "warp function", by, "");
      continue;
    }
    std::erase_if(warp.missed, [&](const auto& entry) {
      return entry.first.second == lane && wait_for_each_other(block, entry.second.by.site, site);
    });  // it came
    // Lanes that are named, and neither here nor waiting for this already; in independent-thread mode the others arrive
    // one by one.
    uint32_t absent = mask & existing & ~here;
    for_each_lane(absent & warp.waiting, [&](unsigned other) {
      if (warp.masks[other] == mask && wait_for_each_other(block, warp.sites[other], site)) absent &= ~(1u << other);
    });
    if (group != 0 && absent != 0) find_missed(block, state, warp, group, absent, by);
    if (what.is_shuffle) {
      const unsigned source = source_of(what.mode, lane, event.values[operand]);
      const bool exists = existing >> source & 1, named = mask >> source & 1;
      if (source != lane && (!exists || !named || (!alone && !(here >> source & 1))))
        take(state, by, source, named && what.used_by_all);
      if (alone) state.shuffles.try_emplace({site->function, site->instruction}, site);
    }
    warp.masks[lane] = mask;
    warp.sites[lane] = site;
  }
  warp.waiting |= here;
}

// The lanes that `by`'s mask names and that are not there: they may come yet. In independent-thread mode they may have
// gone past already.
void CollectiveChecks::find_missed(const SyncBlock& block, BlockCollectives& state, BlockCollectives::Warp& warp,
                                   uint32_t group, uint32_t absent, const Arrival& by) {
  const BlockCollectives::Passes& passes = warp.passes[group];
  const std::vector<uint32_t> own = passes.of(by.thread % kLanes);
  for_each_lane(absent, [&](unsigned other) {
    if (passes.is_past(other, own))
      report_missed(block, state, by, by.thread / kLanes * kLanes + other);
    else
      warp.missed.try_emplace({group, other}, BlockCollectives::Missed{by, own});
  });
}

void CollectiveChecks::pass(const SyncBlock& block, BlockCollectives& state, const ObservedEvent& event) {
  state.touched = true;
  const uint64_t number = event.addresses[std::countr_zero(event.mask)];
  const uint32_t group = Reconvergence::group(number), which = Reconvergence::which(number);
  BlockCollectives::Warp& warp = state.warps[warp_of(event)];
  BlockCollectives::Passes& passes = warp.passes[group];
  if (passes.points.size() <= which) passes.points.resize(which + 1);
  for (const auto [operand, thread] : threads_of(event)) ++passes.points[which][thread % kLanes];
  for (const auto [operand, thread] : threads_of(event)) {
    auto missed = warp.missed.find({group, thread % kLanes});
    if (missed == warp.missed.end()) continue;
    const Arrival by = missed->second.by;
    const bool past = passes.is_past(thread % kLanes, missed->second.passes);
    warp.missed.erase(missed);
    if (past) report_missed(block, state, by, thread);
  }
}

void CollectiveChecks::report_missed(const SyncBlock& block, BlockCollectives& state, const Arrival& by,
                                     uint32_t missing) {
  state.masks_reported.insert(by.site);
  reporter_.at_place("C0404", fmt::format("a mask names lane {}, which goes past", missing % kLanes), block,
                     "warp function", by, fmt::format("{} is alive and goes past", block.name_of(missing)));
}

void CollectiveChecks::take(BlockCollectives& state, const Arrival& by, unsigned source, bool is_used) {
  const BlockCollectives::Place place{by.site->function, by.site->instruction};
  const auto [known, fresh] = state.taken.try_emplace(place, BlockCollectives::Taken{by, source, is_used});
  if (!fresh && is_used && !known->second.is_used) known->second = {by, source, is_used};
}

void CollectiveChecks::use(const SyncBlock& block, BlockCollectives& state, const ObservedEvent& event,
                           const Undefined& what, const simt::Site* site, const exec::Arena& arena) {
  if (!site) return;
  state.touched = true;
  const ptx::Module& module = *block.launch->image->module;
  for (const auto [operand, thread] : threads_of(event)) {
    const uint64_t from = event.values[operand];
    if (!(from & Undefined::kShuffle)) continue;
    const BlockCollectives::Place place{static_cast<uint32_t>((from & ~Undefined::kShuffle) >> 32),
                                        static_cast<uint32_t>(from)};
    if (state.uses.contains(place)) continue;
    // What is stored to shared and local memory counts where it is loaded; a copy, where an object's part is used.
    if (what.stores() && memory_place(arena, event.addresses[operand], what.bytes, &event.run).space != "global")
      continue;
    if (what.use == Undefined::Use::Copied && !copies_one_value(module, site->function, site->instruction)) continue;
    state.uses[place] = {{site, thread}, what.use};
  }
}

// Known only now: a lane that gives no value had returned, or the mask named one that went past.
void CollectiveChecks::finish(const SyncBlock& block, BlockCollectives& state) {
  for (const auto& [place, taken] : state.taken)
    if (taken.is_used && !state.uses.contains(place)) report_taken(block, state, place, nullptr);
  for (const auto& [place, use] : state.uses) report_taken(block, state, place, &use);
  state.taken.clear(), state.uses.clear(), state.shuffles.clear();
}

void CollectiveChecks::report_taken(const SyncBlock& block, BlockCollectives& state, BlockCollectives::Place place,
                                    const BlockCollectives::Use* use) {
  Arrival by;
  std::string message = "a value comes from a lane that does not take part";
  if (const auto taken = state.taken.find(place); taken != state.taken.end()) {
    by = taken->second.by;
    message = fmt::format("lane {} takes a value from lane {}, which does not take part", by.thread % kLanes,
                          taken->second.source);
  } else if (const auto shuffle = state.shuffles.find(place); shuffle != state.shuffles.end()) {
    by = {shuffle->second, use->by.thread};
  }
  if (!by.site || state.masks_reported.contains(by.site)) return;
  std::optional<Party> user;
  if (use) user = block.party_of(role_of(use->use), use->by);
  reporter_.at_place("C0405", std::move(message), block, "warp function", by, use ? note_of(use->use) : "",
                     std::move(user));
}

}  // namespace warpwise::check
