#include "check/race/race_checker.h"

#include <fmt/format.h>

#include <bit>
#include <utility>

#include "base/clones.h"
#include "check/event_threads.h"
#include "check/memory/shadow_memory.h"
#include "check/race/apart_memory.h"
#include "check/race/atomic_memory.h"
#include "check/race/race_rules.h"
#include "check/race/unwritten_memory.h"
#include "exec/memory/arena.h"

namespace warpwise::check {

using device::Address;
using exec::ObservedEvent;
using simt::AccessKind;
using simt::EventKind;

namespace event = simt::event;

void RaceChecker::begin(exec::Arena& arena) {
  arena_ = &arena;
  reporter_.begin(arena);
  if (const Result<void> mapped = cells_.map(); !mapped)
    sink_.note_unchecked(fmt::format("races: {}", mapped.error().message));
}

// --- memory and commands --------------------------------------------------------------------------------

// Called by any thread of the program, while another may run commands. What was known of the memory is forgotten before
// the next command, which is the first that can have the memory again. Its next owner has nothing to do with the last
// one: giving it back and handing it out are in order.
void RaceChecker::freed(const exec::Region& region) {
  std::lock_guard lock(freed_mutex_);
  freed_.push_back(region);
}

void RaceChecker::heap_freed(Address base, size_t bytes) {
  std::lock_guard lock(mutex_);
  cells_.forget(base, bytes);
}

void RaceChecker::forget_freed() {
  std::lock_guard lock(freed_mutex_);
  for (const exec::Region& region : freed_) {
    cells_.forget(region.base, region.size);
    history_.forget(region);
  }
  freed_.clear();
}

void RaceChecker::command_begins(const std::shared_ptr<const exec::StreamOrder::Command>& command) {
  forget_freed();
  history_.begin(command);
}

// A copy, a fill, a row of one, or the begin or end of an allocation. Copies that a running kernel makes are accesses
// of the kernel and are not taken here.
void RaceChecker::touched(Address base, size_t bytes, Touch touch, const HostPlace& host) {
  if (!cells_.is_mapped() || !history_.now() || launch_ || bytes == 0) return;
  streams_.touch(base, bytes, touch, host);
}

void RaceChecker::host_touched(Address address, bool writes, const HostPlace& place) {
  if (cells_.is_mapped() && history_.now()) streams_.host_access(address, writes, place);
}

// --- launches and blocks --------------------------------------------------------------------------------

void RaceChecker::launch_begins(const exec::KernelLaunch& launch) {
  if (!cells_.is_mapped()) return;
  launch_ = &launch;
  has_begun_block_ = false;
  has_released_ = false;
  clocks_.launch_begins();
  locks_.begin_launch();
  words_.begin_launch(launch.grid.count());
  launch_blocks_.begin_launch();
  numbers_.use_shared(nullptr);
  shared_numbers_.clear();
}

void RaceChecker::launch_ends(const exec::KernelLaunch& launch) {
  for (const auto& [at, numbers] : shared_numbers_) numbers_.shared_ended(numbers);
  blocks_.for_each([&](RaceBlock& block) { clusters_.block_ends(launch, block); });
  launch_ = nullptr;
  if (!cells_.is_mapped() || !history_.now() || launch_blocks_.count() == 0) return;
  history_.add_launch({{},
                       {},
                       launch,
                       launch_blocks_.first(),
                       launch_blocks_.indices(),
                       numbers_.of(kGlobal),
                       launch_sites_.by_number(kGlobal)});
}

void RaceChecker::find_known_memory(const LaunchPointers& pointers, KnownMemory& known) const {
  if (!history_.now() || !history_.now()->alone) return;
  find_unwritten_memory(pointers, known);
  // Words that are split would become whole again without the rest of what is known of them.
  if (cells_.has_split_words()) return;
  find_apart_memory(pointers, known);
  find_atomic_memory(pointers, known);
}

bool RaceChecker::wants_blocks_in_order(const exec::KernelLaunch& launch, const exec::LoadedKernel& kernel) const {
  if (!cells_.is_mapped()) return false;
  if (kernel.about().mode != simt::Mode::Simt || kernel.about().spins) return true;
  const LaunchPointers pointers(kernel.about(), launch, *arena_);
  KnownMemory known{};
  find_known_memory(pointers, known);
  return !is_all_known(pointers, known);
}

void RaceChecker::block_memory(exec::BlockRun& run) {
  if (!cells_.is_mapped()) return;
  std::lock_guard lock(mutex_);
  find_known_memory({run.launch.kernel.about(), run.launch.launch, *arena_}, *run.pointer_provenance);
}

void RaceChecker::block_begins(exec::BlockRun& run) {
  if (!cells_.is_mapped()) return;
  std::unique_lock lock(mutex_);
  if (!std::exchange(has_begun_block_, true)) first_block_begins(run);
  RaceBlock& block = blocks_.of(run);
  clusters_.block_ends(*launch_, block);
  const Serial serial = launch_blocks_.begin_block(run.block);
  block.index = run.block;
  block.shared = run.context.shared - simt::kAliasOffset;
  block.shared_bytes = run.context.total_shared_bytes;
  block.shared_numbers = shared_numbers_of(run);
  block.copies.clear();
  numbers_.use_shared(block.shared_numbers);
  begin_epochs(run, block, serial);
  lock.unlock();  // the rest is the block's own
  block.stores.clear();
  block.clocks.begin(serial, static_cast<unsigned>(launch_->block.count()));
  run.observed = &block;
  run.context.race = block.epochs.shown_at();
}

// What the code of a launch says of itself is known when its first block is about to run.
void RaceChecker::first_block_begins(const exec::BlockRun& run) {
  const exec::LoadedKernel& kernel = run.launch.kernel;
  one_by_one_ = kernel.about().mode == simt::Mode::Simt && !kernel.about().spins;
  launch_sites_.begin_launch(kernel, launch_->image->module);
  // All cells are free again. What earlier launches did is over but for those of other streams, which are lost here.
  if (numbers_.is_short(kGlobal) || numbers_.is_any_shared_short()) {
    cells_.forget_all();
    history_.forget_all();
    numbers_.restart();
  }
  numbers_.begin_launch(launch_->image->function().name, static_cast<uint32_t>(launch_->block.count()));
}

// Null: those of the launch.
RaceNumbers* RaceChecker::shared_numbers_of(const exec::BlockRun& run) {
  if (!one_by_one_) return nullptr;
  const auto [found, fresh] = shared_numbers_.try_emplace(run.context.shared);
  if (fresh) found->second = numbers_.shared_numbers();
  return &found->second;
}

// `block` still has the epochs of the block before it.
void RaceChecker::begin_epochs(const exec::BlockRun& run, RaceBlock& block, Serial serial) {
  BlockEpochs::Numbers unused{};
  if (one_by_one_) {
    // Another block's shared memory is not checked here.
    if (numbers_.is_short(kShared)) {
      CellMemory::clear(block.shared, block.shared_bytes);
      numbers_.restart_shared();
    } else if (block.launch == launch_blocks_.first()) {
      unused = block.epochs.unused();
    }
  }
  block.launch = launch_blocks_.first();
  const bool code_compares = run.launch.kernel.about().mode == simt::Mode::Simt;
  block.epochs.begin(numbers_, serial, code_compares, run.launch.in_order, unused);
  let_code_decide(block);
}

void RaceChecker::let_code_decide(RaceBlock& block) {
  if (!block.epochs.code_compares()) return;
  const bool quick =
      !numbers_.is_exhausted() && history_.unordered().empty() && block.copies.empty() && !locks_.is_held();
  const bool barriers_only = clocks_.only_barriers_order();
  block.epochs.let_code_decide(quick, barriers_only,
                               quick && barriers_only && !launch_sites_.has_atomics_of_block_scope());
  if (barriers_only || has_released_.exchange(true)) return;
  blocks_.for_each([](RaceBlock& other) { other.epochs.something_was_released(); });  // it may be acquired
}

// --- events -----------------------------------------------------------------------------------------------

void RaceChecker::on_event(const ObservedEvent& event) {
  RaceBlock* block = RaceBlock::of(event.run);
  if (!block || event.mask == 0) return;
  const EventKind kind = simt::kind_of(event.what);
  if (!is_for_races(kind)) return;
  const bool of_all_warps =
      kind == EventKind::Barrier && simt::unpack<event::Barrier>(event.what).of == event::Barrier::Of::Block;
  if (of_all_warps && !event.run.launch.in_order && all_warps_arrived_beside_others(*block)) return;
  std::lock_guard lock(mutex_);
  numbers_.use_shared(block->shared_numbers);
  if (of_all_warps) return all_warps_arrived(*block);
  clocks_.resume(block->clocks, first_thread_of(event));
  block->epochs.renumber(block->clocks);  // other threads may have moved the clocks since the block's last event
  if (kind == EventKind::Access)
    check_access(event, simt::unpack<event::Access>(event.what), *block);
  else
    order(event, *block);
  reporter_.flush();
  block->epochs.renumber(block->clocks);  // and so may this event
  let_code_decide(*block);
}

// Without the lock, for which barriers of many host threads would wait. No thread holds a lock of the program there: to
// take one it uses the result of an atomic, and then blocks run in order.
bool RaceChecker::all_warps_arrived_beside_others(RaceBlock& block) {
  if (has_released_ || !block.shared_numbers || !block.epochs.code_compares()) return false;
  block.clocks.meet();
  // If no numbers are left, once more with the lock, and a note: clocks may skip some.
  return block.epochs.all_warps_arrived(*block.shared_numbers, block.clocks);
}

void RaceChecker::all_warps_arrived(RaceBlock& block) {
  locks_.fence_all(block.clocks.serial, block.clocks.threads);
  clocks_.all_warps_arrived(block.clocks);
  block.epochs.all_warps_arrived(numbers_, block.clocks);
}

// Takes an event that orders accesses: barriers, fences, mbarriers, waits for copies.
void RaceChecker::order(const ObservedEvent& event, RaceBlock& block) {
  BlockClocks& clocks = block.clocks;
  const unsigned warp = warp_of(event);
  const Address address = event.addresses[std::countr_zero(event.mask)];
  const auto barrier_number = static_cast<unsigned>(address & 31);
  const simt::Overloaded by_kind{
      [&](const event::Barrier& barrier) {
        if (barrier.of == event::Barrier::Of::WarpOfBlock) return;  // the block reports it
        locks_.fence(event, clocks.serial, LockDiscipline::kDeviceFence);
        clocks_.barrier(clocks, warp, first_thread_of(event), barrier_number);
      },
      [&](const event::BarrierArrive&) { clocks_.barrier_arrive(clocks, warp, barrier_number); },
      [&](const event::WarpSync&) { clocks_.warp_sync(clocks, warp); },
      [&](const event::Fence&) {
        const bool of_block = launch_sites_.has_block_scope(event);
        locks_.fence(event, clocks.serial, of_block ? LockDiscipline::kBlockFence : LockDiscipline::kDeviceFence);
        clocks_.fence(clocks, warp, of_block);
      },
      [&](const event::AsyncCommit& commit) { CopyRaces::commit(event, commit.bulk, block.copies); },
      [&](const event::AsyncWait& wait) {
        CopyRaces::wait(event, wait, block.copies,
                        [&](uint32_t thread, Address word) { end_copy(event, block, thread, word); });
      },
      [&](const event::Arrive&) { clocks_.mbarrier_arrive(clocks, warp, address); },
      [&](const event::Await&) {
        block.copies.arrived(address);
        clocks_.mbarrier_await(clocks, warp, address);
      },
      [](const auto&) {},
  };
  simt::visit_event(event.what, by_kind);
}

MemorySpace RaceChecker::space_of(const exec::BlockRun& run, Address address) const {
  if (is_own_shared(run.context, address)) return kShared;
  if (launch_->cluster.count() == 1) return kGlobal;
  const auto region = arena_->find(address);  // another block's of the cluster
  return region && region->what == exec::kSharedMemoryName ? kShared : kGlobal;
}

namespace {

// Whether all lanes of a warp access one place.
WARPWISE_CLONES bool are_alike(const uint64_t* addresses) {
  uint64_t apart = 0;
  for (unsigned lane = 1; lane < simt::kLanes; ++lane) apart |= addresses[lane] ^ addresses[0];
  return apart == 0;
}
bool is_broadcast(const ObservedEvent& event) {
  return event.mask == ~uint32_t{0} && event.run.running_thread < 0 && are_alike(event.addresses);
}

}  // namespace

// What WordHistory finds about one lane's access, decided and reported.
class RaceChecker::Conflicts {
 public:
  Conflicts(RaceChecker& checker, const ObservedEvent& event, const simt::MemoryAccess& what, const RaceBlock& block,
            MemorySpace space, const RaceAccess& now, const EventThread& at, WordHistory::Found* found)
      : c_(checker), event_(event), what_(what), block_(block), space_(space), now_(now), at_(at), found_(found) {}

  void with(const RaceAccess& before) const {
    if (!c_.numbers_.of(space_).has(before.number))
      return c_.streams_.compare_with_launch(event_, before, now_, address(), what_.bytes);
    const Conflict conflict{before, now_, c_.sites_[before.site], c_.sites_[now_.site], space_};
    const char* rule = broken_rule(conflict, Facts{*this, before});
    if (!rule) return;
    const FindingSink::Cause cause = c_.reporter_.race(event_.run, rule, before, now_, address(), what_.bytes);
    c_.count_races(now_.site, 1);
    if (found_) found_->races_with(before, cause);
  }
  void with_unnamed_reader(const RaceAccess& reader) const {
    if (reader.strong && now_.strong) return;
    c_.reporter_.race_with_unnamed_reader(event_.run, now_.atomic ? "C0206" : "C0201", reader, now_, address(),
                                          what_.bytes);
  }

 private:
  // For broken_rule().
  struct Facts {
    const Conflicts& of;
    const RaceAccess& before;

    bool is_of_ended_block() const { return of.c_.words_.is_of_ended_block(of.space_, before.serial); }
    bool is_ordered(Width width) const {
      return of.c_.clocks_.is_before(of.block_.clocks, of.now_.warp(), before.serial, before.warp(), before.clock,
                                     width);
    }
    bool is_seen(Width width) const {
      return of.c_.clocks_.has_seen(of.block_.clocks, of.now_.warp(), before.serial, before.warp(), before.clock,
                                    width);
    }
    bool is_read() const {
      return of.c_.clocks_.has_read(of.block_.clocks, of.now_.warp(), of.address(), before.serial, before.warp(),
                                    before.clock);
    }
    bool is_same_value() const {
      if (!before.writes || before.atomic || of.what_.kind != AccessKind::Store || of.what_.bytes > 8) return false;
      return of.block_.stores.value_of(of.event_, before, before.serial == of.block_.clocks.serial, of.address(),
                                       of.what_.bytes) == of.event_.values[of.at_.lane];
    }
  };

  Address address() const { return event_.addresses[at_.lane]; }

  RaceChecker& c_;
  const ObservedEvent& event_;
  const simt::MemoryAccess& what_;
  const RaceBlock& block_;
  const MemorySpace space_;
  const RaceAccess& now_;
  const EventThread at_;
  WordHistory::Found* const found_;  // of a plain read; null: of another access
};

void RaceChecker::count_races(uint32_t site, uint64_t races) {
  if (site >= races_of_.size()) races_of_.resize(site + 1, 0);
  races_of_[site] += races;
}

void RaceChecker::check_access(const ObservedEvent& event, const event::Access& access, RaceBlock& block) {
  if (!launch_sites_.has(event.site)) return;
  const simt::MemoryAccess& what = access.access;
  const AccessSite& site = launch_sites_[event.site];
  BlockClocks& clocks = block.clocks;
  const unsigned warp = warp_of(event);
  if (site.copies_later || !block.copies.empty()) copies_.follow(event, what, site, block);
  if (!history_.unordered().empty()) streams_.compare_with_copies(event, what, site);
  if (site.strong || locks_.is_held()) locks_.follow(event, what, site, clocks.serial);
  // In SIMT mode, interleaved warps report before they store (reported_stores.h).
  if (event.run.running_thread < 0 && what.kind == AccessKind::Store)
    block.stores.keep(event, site.index, clocks.now(event.warp));
  if (!site.strong && !site.atomic && has_raced_enough(site.index)) return;
  const bool plain_read = what.kind == AccessKind::Load && !site.strong && what.bytes >= 4;
  const bool one_block_of_cluster = launch_->cluster.count() == 1;
  const bool by_found = plain_read && one_block_of_cluster;
  WordHistory::Found found[kSpaces];
  if (by_found && is_broadcast(event) && add_broadcast(event, what, block, found)) return;
  for (const EventThread at : threads_of(event)) {
    const Address address = event.addresses[at.lane];
    if (!ShadowMemory::covers(address, what.bytes)) continue;  // no memory: another checker reports that
    if (is_own_local(event.run.context, address)) continue;
    const MemorySpace space = space_of(event.run, address);
    if (site.strong && what.reads()) {
      clocks_.acquire(clocks, warp, address, site.acquires, site.block_scope);
      block.epochs.renumber(clocks);
    }
    const RaceNumbers::Number epoch = block.epochs.epoch_of(numbers_, clocks, space, warp);
    const uint32_t number_of_site = launch_sites_.number(event.site, space);
    // No numbers are left, or this site cannot access this space.
    if (epoch == 0 || number_of_site == simt::RaceSite::kNone) continue;
    const RaceNumbers::Number number = epoch + number_of_site * numbers_.of(space).of_site() + 2 * at.thread;
    if (by_found) {
      const auto races = words_.add_plain_read(number, warp, space, clocks, address, what.bytes, found[space]);
      if (races && *races != 0) {
        reporter_.again(found[space].race, *races);
        count_races(site.index, *races);
      }
      if (races) continue;
    }
    const RaceAccess now{.number = number,
                         .serial = clocks.serial,
                         .clock = clocks.now(warp),
                         .thread = at.thread,
                         .site = site.index,
                         .strong = site.strong,
                         .atomic = site.atomic,
                         .block_scope = site.block_scope,
                         .observes = access.observes,
                         .writes = what.writes()};
    if (space == kShared && !one_block_of_cluster) clusters_.follow(block, now, address, what.bytes);
    words_.add(now, what.reads(), space, clocks, address, what.bytes,
               Conflicts(*this, event, what, block, space, now, at, by_found ? &found[space] : nullptr));
    if (site.strong && what.writes()) {
      clocks_.release(clocks, warp, address, site.releases, site.block_scope);
      block.epochs.renumber(clocks);
    }
  }
}

// A plain read by a whole warp of one place. False: the threads are to be taken one by one.
bool RaceChecker::add_broadcast(const ObservedEvent& event, const simt::MemoryAccess& what, RaceBlock& block,
                                WordHistory::Found* found) {
  const Address address = event.addresses[0];
  if (!ShadowMemory::covers(address, what.bytes) || is_own_local(event.run.context, address)) return false;
  const MemorySpace space = space_of(event.run, address);
  const RaceNumbers::Number epoch = block.epochs.epoch_of(numbers_, block.clocks, space, event.warp);
  const uint32_t number_of_site = launch_sites_.number(event.site, space);
  if (epoch == 0 || number_of_site == simt::RaceSite::kNone) return false;
  const RaceNumbers::Number number = epoch + number_of_site * numbers_.of(space).of_site() + 2 * first_thread_of(event);
  return words_.add_broadcast(number, event.warp, space, block.clocks, address, what.bytes, found[space]);
}

// --- asynchronous copies ------------------------------------------------------------------------------------

void RaceChecker::bulk_copy_begins(const exec::BulkAtShared& copy) {
  RaceBlock* block = RaceBlock::of(copy.run);
  if (!block) return;
  std::lock_guard lock(mutex_);
  numbers_.use_shared(block->shared_numbers);
  const exec::LoadedKernel& kernel = copy.run.launch.kernel;
  const simt::Site* at = kernel.site_at(copy.pc);
  const AccessKind kind = copy.mbarrier != 0 ? AccessKind::Store : AccessKind::Load;
  const uint32_t site =
      at ? sites_.index_of(launch_->image->module, {at->function, at->instruction, static_cast<uint8_t>(kind)},
                           kernel.calls_around(at->call))
         : 0;
  if (copy.mbarrier != 0)
    block->copies.issue_bulk(copy.thread, copy.shared, copy.bytes, copy.mbarrier, site);
  else
    block->copies.issue_bulk_source(copy.thread, copy.shared, copy.bytes, site);
  let_code_decide(*block);
}

// A thread has waited for its copy into a word, which is written now: other threads need a barrier from here on.
void RaceChecker::end_copy(const ObservedEvent& event, RaceBlock& block, uint32_t thread, Address word) {
  const MemorySpace space = space_of(event.run, word);
  if (!words_.is_written_by(space, block.clocks.serial, thread, word)) return;
  const RaceNumbers::Number epoch = block.epochs.epoch_of(numbers_, block.clocks, space, thread / simt::kLanes);
  if (epoch != 0) words_.date_write(space, word, epoch);
}

}  // namespace warpwise::check
