#include "check/race/race_checker.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "base/demangled.h"
#include "check/memory/shadow_memory.h"
#include "check/source/places.h"
#include "exec/memory/arena.h"
#include "ptx/isa/isa.h"

namespace warpwise::check {

using device::Address;
using exec::Arena;
using exec::ObservedEvent;
using simt::AccessKind;
using simt::EventKind;

namespace event = simt::event;

namespace {

constexpr const char* kOneOfSeveral = "several threads read it; which ones besides the writer itself was not kept";
constexpr const char* kNoFenceBehindLock =
    "both held the same lock, but no fence that reaches the other thread stands between taking it and the access: what "
    "is done under the lock may "
    "begin before it is held (put __threadfence() behind the loop that takes the lock)";

simt::MemoryAccess access_of(const ObservedEvent& access) { return simt::unpack<event::Access>(access.what).access; }

// A thread's own memory, reached by a generic address.
bool is_own_local(const simt::BlockContext& block, Address address) {
  const uint64_t threads = uint64_t{block.ntid[0]} * block.ntid[1] * block.ntid[2];
  return address - (block.local - simt::kAliasOffset) < threads * block.local_stride;
}

}  // namespace

void RaceChecker::begin(Arena& arena) {
  arena_ = &arena;
  if (const Result<void> mapped = cells_.map(); !mapped)
    sink_.note_unchecked(fmt::format("races: {}", mapped.error().message));
}

// Called by any thread of the program, while another may run commands. What was known of the memory is forgotten before
// the next command, which is the first that can have the memory again. Its next owner has nothing to do with the last
// one: giving it back and handing it out are in order.
void RaceChecker::freed(const exec::Region& region) {
  std::lock_guard lock(freed_mutex_);
  freed_.push_back(region);
}

void RaceChecker::forget_freed() {
  std::lock_guard lock(freed_mutex_);
  for (const exec::Region& region : freed_) {
    cells_.forget(region.base, region.size);
    history_.forget(region);
  }
  freed_.clear();
}

void RaceChecker::launch_begins(const exec::KernelLaunch& launch) {
  if (!cells_.is_mapped()) return;
  launch_ = &launch;
  clocks_.launch_begins();
  locks_.launch_begins();
  prepared_ = exhausted_ = released_ = false;
  first_serial_ = serial_ + 1;
  block_of_.clear();
  fences_.clear();
}

// What the parameters of the launch point to, and nothing writes while it runs: no thread of it, and no other work of
// the device.
void RaceChecker::block_memory(exec::BlockRun& run) {
  const uint64_t written = run.launch.kernel.about().written_pointers;
  if (!cells_.is_mapped() || written == ~uint64_t{0} || !history_.now() || !history_.now()->alone) return;
  const uint64_t count = std::min<uint64_t>(simt::kPointers, run.launch.launch.parameters.size() / 8);
  auto region_of = [&](uint64_t n) {
    Address address;
    std::memcpy(&address, reinterpret_cast<const char*>(run.context.parameters) + n * 8, sizeof address);
    return arena_->find(address);
  };
  for (uint64_t n = 0; n < count; ++n) {
    const auto region = region_of(n);
    if (!region || region->owner != exec::Owner::Program || !ShadowMemory::covers(region->base, region->size)) continue;
    bool unwritten = true;
    for (uint64_t w = 0; w < count && unwritten; ++w)
      if (written >> w & 1)
        if (const auto other = region_of(w)) unwritten = other->base != region->base;
    simt::PointedTo& known = (*run.pointer_provenance)[n];
    known.first = region->base + simt::kAliasOffset;
    known.unwritten = unwritten ? region->size : 0;
  }
}

void RaceChecker::block_begins(exec::BlockRun& run) {
  if (!cells_.is_mapped()) return;
  if (!prepared_) prepare(run);
  std::unique_ptr<BlockState>& state = states_[&run];
  if (!state)
    state = std::make_unique<BlockState>();
  else
    block_ends(*state);
  state->block = run.block;
  state->shared = run.context.shared - simt::kAliasOffset;
  state->shared_bytes = run.context.total_shared_bytes;
  run.watched = state.get();
  run.context.race = reinterpret_cast<uint64_t>(&state->epochs);
  state->copies.clear();
  state->clocks.begin(++serial_, static_cast<unsigned>(launch_->block.count()));
  block_of_.push_back(run.block);
  begin_numbers(run, *state);
}

bool RaceChecker::has_block_scope(const ObservedEvent& fence) {
  auto [found, fresh] = fences_.try_emplace(fence.pc, false);
  if (!fresh) return found->second;
  const simt::Site* at = fence.run.launch.kernel.site_at(fence.pc);
  if (at)
    found->second = launch_->image->module->functions[at->function].instructions[at->instruction].has(ptx::Mod::Cta);
  return found->second;
}

RaceChecker::Space RaceChecker::space_of(const ObservedEvent& access, Address address) const {
  const simt::BlockContext& block = access.run.context;
  if (address - (block.shared - simt::kAliasOffset) < block.total_shared_bytes) return kShared;
  if (launch_->cluster.count() == 1) return kGlobal;
  const auto region = arena_->find(address);  // another block's of the cluster
  return region && region->what == exec::kSharedMemoryName ? kShared : kGlobal;
}

void RaceChecker::on_event(const ObservedEvent& access) {
  if (!access.run.watched || access.mask == 0) return;
  BlockState& state = *static_cast<BlockState*>(access.run.watched);
  BlockClocks& block = state.clocks;
  const EventKind kind = simt::kind_of(access.what);
  if (!is_for_races(kind)) return;
  if (kind == EventKind::Barrier && simt::unpack<event::Barrier>(access.what).of == event::Barrier::Of::Block) {
    if (locks_.is_held())
      for (uint32_t thread = 0; thread < block.threads; ++thread)
        locks_.fence({block.serial, thread}, LockDiscipline::kDeviceFence);
    return all_warps_arrived(state);
  }
  const unsigned lane = static_cast<unsigned>(std::countr_zero(access.mask));
  const unsigned warp =
      access.run.running_thread >= 0 ? static_cast<unsigned>(access.run.running_thread) / simt::kLanes : access.warp;
  const unsigned who =
      access.run.running_thread >= 0 ? static_cast<unsigned>(access.run.running_thread) : access.warp * simt::kLanes;
  clocks_.resume(block, who);
  renumber(state);
  const Address address = access.addresses[lane];
  const simt::Overloaded by_kind{
      [&](const event::Access& what) { check_access(access, what); },
      [&](const event::Barrier& barrier) {
        if (barrier.of == event::Barrier::Of::WarpOfBlock) return;  // the block reports it
        fence_locks(access, block, LockDiscipline::kDeviceFence);
        clocks_.barrier(block, warp, who, static_cast<unsigned>(address & 31));
      },
      [&](const event::BarrierArrive&) { clocks_.barrier_arrive(block, warp, static_cast<unsigned>(address & 31)); },
      [&](const event::WarpSync&) { clocks_.warp_sync(block, warp); },
      [&](const event::Fence&) {
        const bool of_block = has_block_scope(access);
        fence_locks(access, block, of_block ? LockDiscipline::kBlockFence : LockDiscipline::kDeviceFence);
        clocks_.fence(block, warp, of_block);
      },
      [&](const event::AsyncCommit& commit) { commit_copies(access, commit.bulk); },
      [&](const event::AsyncWait& wait) { end_copies(access, wait); },
      [&](const event::Arrive&) { clocks_.mbarrier_arrive(block, warp, address); },
      [&](const event::Await&) {
        state.copies.arrived(address);
        clocks_.mbarrier_await(block, warp, address);
      },
      [](const auto&) {},
  };
  simt::visit_event(access.what, by_kind);
  renumber(state);
  decide_how_to_compare(state);
}

void RaceChecker::check_access(const ObservedEvent& access, const event::Access& event) {
  const simt::MemoryAccess& what = event.access;
  BlockState& state = *static_cast<BlockState*>(access.run.watched);
  if (access.site >= launch_sites_.size()) return;
  const simt::WatchedSite& numbered = watched_sites_[access.site];
  const Site& site = sites_[launch_sites_[access.site]];
  const int64_t alone = access.run.running_thread;
  const unsigned warp = alone >= 0 ? static_cast<unsigned>(alone) / simt::kLanes : access.warp;
  const bool reads = what.reads(), writes = what.writes();
  BlockClocks& block = state.clocks;
  if (site.copies_later || !state.copies.empty()) follow_copies(access, what, site);
  if (!history_.unordered().empty()) compare_with_copies(access, what, site);
  if (site.strong || locks_.is_held()) follow_locks(access, what, block, site);
  if (alone < 0 && what.kind == AccessKind::Store) keep(state, access, site);
  for (uint32_t left = access.mask; left != 0; left &= left - 1) {
    const unsigned lane = static_cast<unsigned>(std::countr_zero(left));
    const Address address = access.addresses[lane];
    if (!ShadowMemory::covers(address, what.bytes)) continue;  // no memory: another checker reports that
    if (is_own_local(access.run.context, address)) continue;
    const Space space = space_of(access, address);
    const uint32_t thread = alone >= 0 ? static_cast<uint32_t>(alone) : warp * simt::kLanes + lane;
    if (site.strong && reads) clocks_.acquire(block, warp, address, site.acquires, site.block_scope), renumber(state);
    const Number epoch = epoch_of(state, space, warp);
    if (epoch == 0 || numbered.number[space] == simt::WatchedSite::kNone) continue;
    const Entry entry{epoch + numbered.number[space] * numbers_[space].of_site() + 2 * thread,
                      block.serial,
                      block.now(warp),
                      thread,
                      site.index,
                      site.strong,
                      site.atomic,
                      site.block_scope,
                      event.observes};
    if (space == kShared && launch_->cluster.count() > 1) note_visit(access, entry, writes, address, what.bytes);
    if (what.bytes >= 4) {
      for (Address at = address; at < address + what.bytes; at += 4) {
        const Cell cell = CellMemory::of_word(at);
        if (cell.write == simt::kSplitCell) cells_.join(at, first_of(space));
        if (cell.write != simt::kSplitCell && !(writes && lies_beneath(access, space, cell.write, entry))) {
          visit(access, cell, space, entry, reads, writes, lane, address);
        } else {
          for (ByteCell& byte : cells_.of_bytes(at))
            visit(access, byte.cell(), space, entry, reads, writes, lane, address);
        }
      }
    } else {
      auto& bytes = cells_.of_bytes(address);
      for (Address at = address; at < address + what.bytes && at / 4 == address / 4; ++at)
        visit(access, bytes[at % 4].cell(), space, entry, reads, writes, lane, address);
    }
    if (site.strong && writes) clocks_.release(block, warp, address, site.releases, site.block_scope), renumber(state);
  }
}

// What a number of this launch, or of one that is unordered with it, says.
RaceChecker::Entry RaceChecker::entry_of(Space space, Number number) const {
  const RaceNumbers* numbers = &numbers_[space];
  const std::vector<uint32_t>* sites = &numbered_[space];
  if (!numbers->has(number)) {
    const PastCommand* past = space == kGlobal ? history_.launch_of(number) : nullptr;
    if (!past) return {number};
    numbers = &past->numbers, sites = &past->sites;
  }
  const RaceNumbers::Meaning m = numbers->meaning(number);
  const uint32_t index = m.site < sites->size() ? (*sites)[m.site] : 0;
  const Site& site = sites_[index];
  return {number & ~simt::kMarked, m.serial, m.clock, m.thread, index, site.strong, site.atomic, site.block_scope};
}

// Which reader of a word is kept, when neither is over: the first, but of one instruction that of the highest number.
// It is mostly thread 0 that writes what all have read, and a thread that writes its own word that reads its
// neighbour's first.
uint32_t RaceChecker::joined(Space space, uint32_t kept, uint32_t reader) const {
  return (numbers_[space].is_one_instruction(kept, reader) && kept < reader ? reader : kept) | simt::kMarked;
}

// A strong write that comes after a plain one of this launch, with which other blocks may yet conflict.
bool RaceChecker::lies_beneath(const ObservedEvent& access, Space space, Number before, const Entry& entry) const {
  const RaceNumbers& numbers = numbers_[space];
  if (space != kGlobal || !entry.strong || launch_->grid.count() == 1 || !numbers.has(before) ||
      numbers.is_same(before, entry.number))
    return false;
  const Entry plain = entry_of(space, before);
  const BlockClocks& block = static_cast<BlockState*>(access.run.watched)->clocks;
  return !plain.strong &&
         clocks_.is_before(block, entry.thread / simt::kLanes, plain.serial, plain.thread / simt::kLanes, plain.clock);
}

// Of atomics of several blocks that nothing orders the first one stays: whatever the later block does itself is
// compared with it.
bool RaceChecker::stays(const ObservedEvent& access, Space space, Number before, const Entry& entry) const {
  if (space != kGlobal || !entry.atomic || entry.observes || !numbers_[space].has(before)) return false;
  const Entry kept = entry_of(space, before);
  const BlockClocks& block = static_cast<BlockState*>(access.run.watched)->clocks;
  return kept.atomic && kept.serial != entry.serial && kept.block_scope == entry.block_scope &&
         !clocks_.is_before(block, entry.thread / simt::kLanes, kept.serial, kept.thread / simt::kLanes, kept.clock);
}

void RaceChecker::visit(const ObservedEvent& access, Cell cell, Space space, const Entry& entry, bool reads,
                        bool writes, unsigned lane, Address address) {
  const RaceNumbers& numbers = numbers_[space];
  const Number first = first_of(space);
  if (cell.write >= first && !numbers.is_same(cell.write, entry.number))
    compare(access, space, cell.write, true, entry, writes, lane, address);
  if (cell.plain && *cell.plain >= first && !numbers.is_same(*cell.plain, entry.number))
    compare(access, space, *cell.plain, true, entry, writes, lane, address);
  if (writes) {
    if (cell.read >= first) {
      if (!numbers.is_same(cell.read, entry.number))
        compare(access, space, cell.read, false, entry, true, lane, address);
      else if (cell.read & simt::kMarked)
        compare_with_others(access, entry_of(space, cell.read), entry, address);
    }
    // A thread's own atomic does not hide the plain write before it.
    const bool hides = numbers.is_same(cell.write, entry.number) && entry.strong && !entry_of(space, cell.write).strong;
    if (hides || stays(access, space, cell.write, entry)) return;
    if (cell.plain && !entry.strong)
      *cell.plain = 0;
    else if (cell.plain && lies_beneath(access, space, cell.write, entry))
      *cell.plain = cell.write;
    cell.write = entry.as_writer();
    return;
  }
  if (!reads) return;
  if (cell.read < first) {
    cell.read = entry.number;
    return;
  }
  if (numbers.is_same(cell.read, entry.number)) return;
  const Entry kept = entry_of(space, cell.read);
  const BlockClocks& block = static_cast<BlockState*>(access.run.watched)->clocks;
  const bool over = (numbers.has(cell.read) ? kept.serial != block.serial && is_left_over(kept.serial, space)
                                            : !history_.launch_of(cell.read)) ||
                    (numbers.has(cell.read) && clocks_.is_before(block, entry.thread / simt::kLanes, kept.serial,
                                                                 kept.thread / simt::kLanes, kept.clock));
  cell.read = over ? entry.number : joined(space, cell.read, entry.number);
}

// The reader that was kept is the writer; the others are not known by name.
void RaceChecker::compare_with_others(const ObservedEvent& access, const Entry& before, const Entry& entry,
                                      Address address) {
  if (before.strong && entry.strong) return;
  report(access, entry.atomic ? "C0206" : "C0201", before, false, entry, true, address, kOneOfSeveral);
}

// Shared memory is used again by the next block, which has nothing to do with what the last one left there.
bool RaceChecker::is_left_over(Serial serial, Space space) const {
  if (space != kShared) return false;
  for (const auto& [run, state] : states_)
    if (state->clocks.serial == serial) return false;
  return true;
}

bool RaceChecker::is_volatile_data(Space space, const Entry& before, const Entry& entry) const {
  const Site &one = sites_[before.site], &other = sites_[entry.site];
  if (before.site == 0 || entry.site == 0 || !(one.is_volatile || other.is_volatile)) return false;
  if (space == kShared) return !one.polled && !other.polled;
  return one.use != ValueUse::Decision && other.use != ValueUse::Decision;
}

// --- locks (lock_discipline.h) ------------------------------------------------------------------------

void RaceChecker::fence_locks(const ObservedEvent& access, const BlockClocks& block, LockDiscipline::Fence fence) {
  if (!locks_.is_held()) return;
  if (const int64_t alone = access.run.running_thread; alone >= 0)
    return locks_.fence({block.serial, static_cast<uint32_t>(alone)}, fence);
  for (uint32_t left = access.mask; left != 0; left &= left - 1)
    locks_.fence({block.serial, access.warp * simt::kLanes + static_cast<uint32_t>(std::countr_zero(left))}, fence);
}

void RaceChecker::follow_locks(const ObservedEvent& access, const simt::MemoryAccess& what, const BlockClocks& block,
                               const Site& site) {
  const bool atomic = what.kind == AccessKind::Atomic, writes = what.writes();
  const bool takes = atomic && (site.compares || site.exchanges) && site.use == ValueUse::Decision;
  if (!takes && !locks_.is_held()) return;
  Address taken = 0;  // of lanes that try to take one lock the first has it
  for (uint32_t left = access.mask; left != 0; left &= left - 1) {
    const unsigned lane = static_cast<unsigned>(std::countr_zero(left));
    const Address address = access.addresses[lane];
    if (!ShadowMemory::covers(address, what.bytes) || is_own_local(access.run.context, address)) continue;
    const int64_t alone = access.run.running_thread;
    const LockDiscipline::Thread thread{block.serial,
                                        alone >= 0 ? static_cast<uint32_t>(alone) : access.warp * simt::kLanes + lane};
    const simt::BlockContext& context = access.run.context;
    const bool shared = address - (context.shared - simt::kAliasOffset) < context.total_shared_bytes;
    if (writes && locks_.holds(thread, address)) {
      // What a compare-and-swap or a sum writes is not reported. A holder that changes the word otherwise releases the
      // lock.
      const bool known = what.kind == AccessKind::Store || site.exchanges;
      for (const LockDiscipline::Broken& broken : locks_.give_back(thread, address, shared, known, access.values[lane]))
        report_unfenced(access, broken);
      continue;
    }
    if (takes && what.bytes <= 8 && address != taken) {
      uint64_t there = 0;
      std::memcpy(&there, exec::engine_view(address), what.bytes);
      if ((there == access.values[lane]) == site.compares) locks_.take(thread, taken = address, there);
    }
    if ((!what.strong || site.is_volatile) && !atomic && site.index != 0)
      locks_.touch(thread, address, site.index, writes);
  }
}

void RaceChecker::report_unfenced(const ObservedEvent& access, const LockDiscipline::Broken& broken) {
  const LockDiscipline::Touch &one = broken.unfenced, &other = broken.other;
  const bool same_block = one.thread.block == other.thread.block;
  const char* rule = one.fence == LockDiscipline::kBlockFence                               ? "C0207"
                     : !same_block                                                          ? "C0203"
                     : one.thread.index / simt::kLanes == other.thread.index / simt::kLanes ? "C0202"
                                                                                            : "C0201";
  auto entry = [](const LockDiscipline::Touch& t) { return Entry{0, t.thread.block, 0, t.thread.index, t.site}; };
  report(access, rule, entry(other), other.writes, entry(one), one.writes, one.word, kNoFenceBehindLock);
}

// --- asynchronous copies (async_copies.h) -----------------------------------------------------------------

void RaceChecker::follow_copies(const ObservedEvent& access, const simt::MemoryAccess& what, const Site& site) {
  BlockState& state = *static_cast<BlockState*>(access.run.watched);
  const int64_t alone = access.run.running_thread;
  for (uint32_t left = access.mask; left != 0; left &= left - 1) {
    const unsigned lane = static_cast<unsigned>(std::countr_zero(left));
    const uint32_t thread = alone >= 0 ? static_cast<uint32_t>(alone) : access.warp * simt::kLanes + lane;
    const Address address = access.addresses[lane];
    if (!ShadowMemory::covers(address, what.bytes)) continue;
    for (Address word = address / 4 * 4; word < address + what.bytes; word += 4) {
      if (site.copies_later) {
        if (what.kind == AccessKind::Store) state.copies.issue(thread, word, site.index);
        continue;
      }
      const bool writes = what.writes();
      const AsyncCopies::Pending* written = state.copies.find(word);
      const AsyncCopies::Pending* pending = written || !writes ? written : state.copies.find_reader(word);
      if (!pending) continue;
      const Serial serial = state.clocks.serial;
      const Entry copy{0, serial, 0, pending->thread, pending->site}, entry{0, serial, 0, thread, site.index};
      report(access, "C0208", copy, written != nullptr, entry, writes, word,
             written ? "the copy may still be on its way: no thread has waited for it"
                     : "the copy may still have to read it: its thread has not waited for the bulk group "
                       "(cp.async.bulk.wait_group.read)");
      break;
    }
  }
}

void RaceChecker::bulk_copy_begins(const exec::BulkAtShared& load) {
  if (!load.run.watched) return;
  BlockState& state = *static_cast<BlockState*>(load.run.watched);
  const simt::Site* at = load.run.launch.kernel.site_at(load.pc);
  const AccessKind kind = load.mbarrier != 0 ? AccessKind::Store : AccessKind::Load;
  const uint32_t site = at ? site_index({at->function, at->instruction, static_cast<uint8_t>(kind)},
                                        load.run.launch.kernel.calls_around(at->call))
                           : 0;
  if (load.mbarrier != 0)
    state.copies.issue_bulk(load.thread, load.shared, load.bytes, load.mbarrier, site);
  else
    state.copies.issue_bulk_source(load.thread, load.shared, load.bytes, site);
  decide_how_to_compare(state);
}

void RaceChecker::commit_copies(const ObservedEvent& access, bool bulk) {
  BlockState& state = *static_cast<BlockState*>(access.run.watched);
  if (state.copies.empty()) return;
  const int64_t alone = access.run.running_thread;
  for (uint32_t left = access.mask; left != 0; left &= left - 1) {
    const unsigned lane = static_cast<unsigned>(std::countr_zero(left));
    const uint32_t thread = alone >= 0 ? static_cast<uint32_t>(alone) : access.warp * simt::kLanes + lane;
    bulk ? state.copies.commit_bulk(thread) : state.copies.commit(thread);
  }
}

void RaceChecker::end_copies(const ObservedEvent& access, const event::AsyncWait& wait) {
  BlockState& state = *static_cast<BlockState*>(access.run.watched);
  if (state.copies.empty()) return;
  const int64_t alone = access.run.running_thread;
  for (uint32_t left = access.mask; left != 0; left &= left - 1) {
    const unsigned lane = static_cast<unsigned>(std::countr_zero(left));
    const uint32_t thread = alone >= 0 ? static_cast<uint32_t>(alone) : access.warp * simt::kLanes + lane;
    if (wait.bulk) {
      state.copies.wait_bulk(thread, access.values[lane]);
      continue;
    }
    // The words are written now, by this thread: other threads need a barrier from here on.
    for (Address word : state.copies.wait(thread, access.values[lane], wait.ungrouped)) {
      const Cell cell = CellMemory::of_word(word);
      const Space space = space_of(access, word);
      if (!numbers_[space].has(cell.write)) continue;
      const RaceNumbers::Meaning written = numbers_[space].meaning(cell.write);
      if (written.serial != state.clocks.serial || written.thread != thread) continue;
      if (const Number epoch = epoch_of(state, space, thread / simt::kLanes)) cell.write += epoch - written.epoch;
    }
  }
}

// --- order --------------------------------------------------------------------------------------------

void RaceChecker::keep(BlockState& state, const ObservedEvent& access, const Site& site) {
  BlockState::Store& store = state.stores[access.warp % state.stores.size()];
  store.warp = access.warp, store.site = site.index, store.clock = state.clocks.now(access.warp),
  store.mask = access.mask;
  std::copy_n(access.addresses, simt::kLanes, store.addresses.begin());
  std::copy_n(access.values, simt::kLanes, store.values.begin());
}

// What the last writer wrote: it is there, or in a store that has been reported and is about to happen.
uint64_t RaceChecker::written_by(const ObservedEvent& access, const Entry& before, Address address, size_t bytes) {
  const BlockState& state = *static_cast<const BlockState*>(access.run.watched);
  const unsigned warp = before.thread / simt::kLanes, lane = before.thread % simt::kLanes;
  const BlockState::Store& store = state.stores[warp % state.stores.size()];
  if (access.run.running_thread < 0 && before.serial == state.clocks.serial && store.warp == warp &&
      store.site == before.site && store.clock == before.clock && (store.mask >> lane & 1) != 0 &&
      store.addresses[lane] == address)
    return store.values[lane];
  uint64_t there = 0;
  if (before.serial == state.clocks.serial &&
      access.run.deferred.read_hidden(warp, exec::engine_view(address), uint32_t(bytes), &there))
    return there;
  std::memcpy(&there, exec::engine_view(address), bytes);
  return there;
}

void RaceChecker::compare(const ObservedEvent& access, Space space, uint32_t number, bool before_writes,
                          const Entry& entry, bool writes, unsigned lane, Address address) {
  if (!writes && !before_writes) return;
  const Entry before = entry_of(space, number);
  if (!numbers_[space].has(number)) return compare_with_stream(access, before, before_writes, entry, writes, address);
  const BlockClocks& block = static_cast<BlockState*>(access.run.watched)->clocks;
  if (before.serial == entry.serial && before.thread == entry.thread) return;
  const bool same_block = before.serial == entry.serial;
  if (!same_block && is_left_over(before.serial, space)) return;
  const bool both_strong = before.strong && entry.strong;
  const bool scopes_match = same_block || !(before.block_scope || entry.block_scope);
  if (both_strong && scopes_match && !is_volatile_data(space, before, entry)) return;
  const unsigned warp = entry.thread / simt::kLanes, other_warp = before.thread / simt::kLanes;
  if (clocks_.is_before(block, warp, before.serial, other_warp, before.clock)) return;
  if (both_strong && clocks_.has_seen(block, warp, before.serial, other_warp, before.clock)) return;
  // Threads take turns: each writes what the next one has read before it writes.
  if (both_strong && scopes_match && writes && before_writes &&
      clocks_.has_read(block, warp, address, before.serial, other_warp, before.clock))
    return;
  const char* rule = nullptr;
  const bool compares =
      (entry.atomic && sites_[entry.site].compares) || (before.atomic && sites_[before.site].compares);
  const bool narrow =
      !same_block &&
      (clocks_.is_before(block, warp, before.serial, other_warp, before.clock, kAnyScope) ||
       (both_strong && clocks_.has_seen(block, warp, before.serial, other_warp, before.clock, kAnyScope)));
  if (!scopes_match && both_strong)
    rule = "C0207";
  else if (narrow)
    rule = "C0207";
  else if (before.atomic != entry.atomic)
    rule = compares && !(before.atomic ? writes && !entry.atomic : before_writes) ? "C0210" : "C0206";
  else if (!same_block)
    rule = "C0203";
  else
    rule = other_warp == warp ? "C0202" : "C0201";
  // Writers of one value.
  const simt::MemoryAccess what = access_of(access);
  if (before_writes && what.kind == AccessKind::Store && !before.atomic && what.bytes <= 8) {
    const uint64_t there = written_by(access, before, address, what.bytes);
    if (there == access.values[lane] && both_strong) return;  // a volatile flag that several raise
    if (there == access.values[lane]) rule = "C0209";
  }
  report(access, rule, before, before_writes, entry, writes, address);
}

namespace {

// Nothing stands between the accesses of one statement: advice to put a barrier there would lead astray. "" where they
// are two.
std::string help_for_one_statement(std::string_view rule, const Finding& race) {
  const auto &one = race.parties[0].code.frames, &other = race.parties[1].code.frames;
  const bool one_statement = !one.empty() && !other.empty() && one[0].line != 0 && one[0].line == other[0].line &&
                             one[0].file == other[0].file;
  if ((rule != "C0201" && rule != "C0202") || !one_statement) return "";
  return fmt::format(
      "several threads use this element in one statement: let one thread do it, use an atomic operation, or give each "
      "thread an element of its own; where the two are rounds of a loop, put {} between the rounds",
      rule == "C0202" ? "__syncwarp()" : "__syncthreads()");
}

}  // namespace

void RaceChecker::report(const ObservedEvent& access, const char* rule, const Entry& before, bool before_writes,
                         const Entry& entry, bool writes, Address address, const char* note) {
  // A race with an unnamed reader is a cause of its own: report/consequences.h leaves it out where the same places were
  // reported with a name.
  const std::string kind = std::string(rule) + (note == kOneOfSeveral ? "?" : "");
  FindingSink::Cause& cause = reported_[{kind, std::min(before.site, entry.site), std::max(before.site, entry.site)}];
  if (cause != 0) return sink_.again(cause);
  const exec::KernelLaunch& launch = access.run.launch.launch;
  auto role = [](const Entry& e, bool writes) { return e.atomic ? "atomic" : writes ? "write" : "read"; };
  auto party = [&](const Entry& e, bool writes) {
    const Site& site = sites_[e.site];
    const uint64_t index = e.serial - first_serial_;
    return thread_party(launch, role(e, writes), index < block_of_.size() ? block_of_[index] : 0, e.thread,
                        site.place());
  };
  const simt::MemoryAccess what = access_of(access);
  MemoryPlace memory = memory_place(*arena_, address, what.bytes, &access.run);
  const std::string place = memory.space == "shared" ? fmt::format("byte {} of shared memory", address - memory.base)
                                                     : fmt::format("byte {} of {}", address - memory.base,
                                                                   memory.name.empty() ? "an allocation" : memory.name);
  const char* why = rule == std::string_view("C0207") ? "threads of different blocks, and only block scope orders them"
                    : rule == std::string_view("C0208")
                        ? "an asynchronous copy and a thread, and no thread has waited for the copy"
                        : "different threads, and nothing orders them";
  Finding finding = make_finding(
      rule, fmt::format("{} and {} of {} by {}", role(before, before_writes), role(entry, writes), place, why));
  finding.parties.push_back(party(entry, writes));
  finding.parties.push_back(party(before, before_writes));
  if (note == kOneOfSeveral) finding.parties.back().thread.reset();
  if (note) finding.notes.push_back(note);
  finding.help = help_for_one_statement(rule, finding);
  finding.memory = std::move(memory);
  cause = sink_.report(std::move(finding));
}

}  // namespace warpwise::check
