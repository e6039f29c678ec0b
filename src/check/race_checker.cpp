#include "check/race_checker.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <bit>
#include <cerrno>
#include <cstring>

#include "base/demangled.h"
#include "check/places.h"
#include "check/shadow_memory.h"
#include "exec/memory/arena.h"
#include "ptx/isa/isa.h"

// Versions of a function for what the running processor has.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__)
#define WARPWISE_CLONES [[gnu::target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")]]
#else
#define WARPWISE_CLONES
#endif

namespace warpwise::check {

using device::Address;
using exec::Arena;
using exec::NoticedAccess;
using simt::AccessKind;
using simt::NoticeKind;

namespace {

// Cells lie below everything else that we map: four bytes for each byte of the window.
constexpr uint64_t kCells = uint64_t{0x0800} << 32;
constexpr uint64_t kCellBytes = 4 * simt::kShadowReach;

constexpr Serial kMostSerials = (1 << 24) - 2;
constexpr uint32_t kMostClocks = (1 << 14) - 1, kMostSites = (1 << 13) - 1;

constexpr const char* kOneOfSeveral = "several threads read it; which ones besides the writer itself was not kept";
constexpr const char* kNoFenceBehindLock =
    "both held the same lock, but no fence that reaches the other thread stands between taking it and the access: what is done under the lock may "
    "begin before it is held (put __threadfence() behind the loop that takes the lock)";

// --- the cells of a warp's 32 words in a row: pairs {write, read}, lane k's own entry is `now` + k << 16
//
// One loop each, without branches, which compilers make vectors of.

// What is over for a warp: entries below `old`, and of its block's own those below `settled`.
struct Settled {
  uint64_t old, own, settled;
  bool covers(uint64_t e) const { return (e < old) | ((e >= own) & (e < settled)); }
};
// Parts of an entry: all but place and kind (race_checker.h).
constexpr uint64_t kSameEntry = ~uint64_t{0xffff};

// A whole warp, a word for each lane, one behind the other.
bool is_contiguous(const uint64_t* addresses, uint32_t mask) {
  if (mask != ~uint32_t{0}) return false;
  uint64_t apart = 0;
  for (unsigned k = 0; k < simt::kLanes; ++k) apart |= addresses[k] ^ (addresses[0] + 4 * k);
  return apart == 0;
}

// No lane meets anybody: its word was last touched in an earlier launch, before the last barrier, or by itself.
WARPWISE_CLONES bool row_is_over(const uint64_t* cells, uint64_t now, const Settled& settled, bool writes, uint64_t others) {
  uint64_t meets = 0;
  for (unsigned k = 0; k < simt::kLanes; ++k) {
    const uint64_t write = cells[2 * k], read = cells[2 * k + 1], me = now + (uint64_t{k} << 16);
    const bool write_same = ((write ^ me) & kSameEntry) == 0, read_same = ((read ^ me) & kSameEntry) == 0;
    const bool write_over = settled.covers(write) || write_same;
    // A writer that has read the word, like others, is looked at.
    const bool read_over = settled.covers(read) | (read_same & ((read & others) == 0));
    meets |= static_cast<uint64_t>((!write_over) | (writes & (!read_over)));
  }
  return meets == 0;
}

WARPWISE_CLONES bool row_has_no_reader(const uint64_t* cells, const Settled& settled) {
  uint64_t meets = 0;
  for (unsigned k = 0; k < simt::kLanes; ++k) meets |= uint64_t{!settled.covers(cells[2 * k + 1])};
  return meets == 0;
}

WARPWISE_CLONES void row_is_written(uint64_t* cells, uint64_t now) {
  for (unsigned k = 0; k < simt::kLanes; ++k) cells[2 * k] = now + (uint64_t{k} << 16);
}

WARPWISE_CLONES void row_is_read(uint64_t* cells, uint64_t now) {
  for (unsigned k = 0; k < simt::kLanes; ++k) cells[2 * k + 1] = now + (uint64_t{k} << 16);
}

// A thread's own memory, reached by a generic address.
bool is_own_local(const simt::BlockContext& block, Address address) {
  const uint64_t threads = uint64_t{block.ntid[0]} * block.ntid[1] * block.ntid[2];
  return address - (block.local - simt::kAliasOffset) < threads * block.local_stride;
}

}  // namespace

uint64_t RaceChecker::Entry::pack() const {
  return uint64_t{serial} << 40 | uint64_t{clock} << 26 | uint64_t{thread} << 16 | uint64_t{site} << 3 | uint64_t{strong} << 2 |
         uint64_t{atomic} << 1 | uint64_t{block_scope};
}

RaceChecker::Entry RaceChecker::Entry::unpack(uint64_t bits) {
  return {static_cast<Serial>(bits >> 40),         static_cast<uint32_t>(bits >> 26) & kMostClocks,
          static_cast<uint32_t>(bits >> 16) & 1023, static_cast<uint32_t>(bits >> 3) & kMostSites,
          (bits & 4) != 0,                         (bits & 2) != 0,
          (bits & 1) != 0};
}

void RaceChecker::begin(Arena& arena) {
  arena_ = &arena;
  void* wanted = reinterpret_cast<void*>(kCells);
  void* got = mmap(wanted, kCellBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  mapped_ = got == wanted;
  if (mapped_) {
    madvise(got, kCellBytes, MADV_DONTDUMP);
    sites_.resize(1);
    return;
  }
  const int why = got == MAP_FAILED ? errno : EEXIST;
  if (got != MAP_FAILED) munmap(got, kCellBytes);
  sink_.stop_watching(fmt::format("races: no room for their shadow memory: {} ({} TiB of addresses; `ulimit -v` must allow them)", std::strerror(why),
                                  kCellBytes >> 40));
}

RaceChecker::~RaceChecker() {
  if (mapped_) munmap(reinterpret_cast<void*>(kCells), kCellBytes);
}

RaceChecker::Cell& RaceChecker::cell_of(Address address) {
  return *reinterpret_cast<Cell*>(kCells + (address - Arena::kFirst) / 4 * sizeof(Cell));
}

void RaceChecker::freed(const exec::Region& region) {
  if (!mapped_ || region.size == 0 || !ShadowMemory::covers(region.base, region.size)) return;
  constexpr uint64_t kPage = 4096;
  const uint64_t first = (reinterpret_cast<uint64_t>(&cell_of(region.base)) + kPage - 1) / kPage * kPage;
  const uint64_t last = reinterpret_cast<uint64_t>(&cell_of(region.base + region.size)) / kPage * kPage;
  if (last > first) madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

void RaceChecker::launch_begins(const exec::KernelLaunch& launch) {
  if (!mapped_) return;
  launch_ = &launch;
  clocks_.launch_begins();
  locks_.launch_begins();
  if (launch.grid.count() + serial_ > kMostSerials) {  // the numbers are used up: begin anew
    madvise(reinterpret_cast<void*>(kCells), kCellBytes, MADV_DONTNEED);
    bytes_.clear();
    past_.clear();
    beside_.clear();
    serial_ = 0;
  }
  if (launch.grid.count() > kMostSerials)
    sink_.stop_watching(fmt::format("races in blocks of `{}` beyond the first {}", demangled(launch.image->function().name), kMostSerials));
  first_serial_ = oldest_ = serial_ + 1;
  for (const Past* past : beside_)
    if (past->launch.image) oldest_ = std::min(oldest_, past->first);
  block_of_.clear();
  by_pc_.clear();
  if (sites_.size() > kMostSites / 2) sites_.resize(1), reported_.clear();
}

// What the parameters of the launch point to, and nothing writes while it runs: no thread of it, and no other work of the device.
void RaceChecker::block_memory(exec::BlockRun& run) {
  const uint64_t written = run.launch.kernel.about().written_pointers;
  if (!mapped_ || written == ~uint64_t{0} || !command_ || !command_->alone) return;
  const uint64_t count = std::min<uint64_t>(simt::kPointers, run.launch.launch.parameters.size() / 8);
  auto region_of = [&](uint64_t n) {
    Address address;
    std::memcpy(&address, reinterpret_cast<const char*>(run.context.parameters) + n * 8, sizeof address);
    return arena_->find(address);
  };
  for (uint64_t n = 0; n < count; ++n) {
    const auto region = region_of(n);
    if (!region || region->owner != exec::Owner::Program || !ShadowMemory::covers(region->base, region->size)) continue;
    bool quiet = true;
    for (uint64_t w = 0; w < count && quiet; ++w)
      if (written >> w & 1)
        if (const auto other = region_of(w)) quiet = other->base != region->base;
    simt::PointedTo& known = (*run.pointed_to)[n];
    known.first = region->base + simt::kAliasOffset;
    known.quiet = quiet ? region->size : 0;
  }
}

void RaceChecker::block_begins(exec::BlockRun& run) {
  if (!mapped_ || serial_ == kMostSerials) return;
  std::unique_ptr<Watched>& watched = watched_[&run];
  if (!watched) watched = std::make_unique<Watched>();
  run.watched = watched.get();
  watched->copies.clear();
  watched->clocks.begin(++serial_, static_cast<unsigned>(launch_->block.count()));
  block_of_.push_back(run.block);
}

const RaceChecker::Site& RaceChecker::site_of(const NoticedAccess& access) {
  auto [found, fresh] = by_pc_.try_emplace(access.pc);
  Site& site = found->second;
  if (!fresh) return site;
  const exec::LaunchRun& launch = access.run.launch;
  site.module = launch.launch.image->module.get();
  if (const simt::Site* at = launch.kernel.site_at(access.pc)) {
    site.function = at->function;
    site.instruction = at->instruction;
    const ptx::Instruction& inst = site.module->functions[at->function].instructions[at->instruction];
    site.block_scope = inst.has(ptx::Mod::Cta);
    site.acquires = inst.has(ptx::Mod::Acquire) || inst.has(ptx::Mod::AcqRel);
    site.releases = inst.has(ptx::Mod::Release) || inst.has(ptx::Mod::AcqRel);
    site.compares = inst.has(ptx::Mod::Cas);
    site.exchanges = inst.has(ptx::Mod::Exch);
    site.copies_later = inst.spec().name == "cp_async";
    site.is_volatile = inst.has(ptx::Mod::Volatile);
    if (site.is_volatile || inst.spec().opcode == "atom") site.use = use_of_result(site.module->functions[at->function], static_cast<size_t>(at->instruction));
  }
  for (uint32_t n = 1; n < sites_.size(); ++n)
    if (sites_[n].module == site.module && sites_[n].function == site.function && sites_[n].instruction == site.instruction) site.index = n;
  if (site.index == 0 && sites_.size() < kMostSites) {
    site.index = static_cast<uint32_t>(sites_.size());
    sites_.push_back(site);
  }
  return site;
}

void RaceChecker::noticed(const NoticedAccess& access) {
  if (!access.run.watched || access.mask == 0) return;
  BlockClocks& block = static_cast<Watched*>(access.run.watched)->clocks;
  const simt::Notice what = simt::Notice::unpack(access.what);
  if (what.kind == NoticeKind::Shadow || what.kind == NoticeKind::Look || what.kind == NoticeKind::Blank || what.kind == NoticeKind::Rows) return;
  const unsigned lane = static_cast<unsigned>(std::countr_zero(access.mask));
  const unsigned warp = access.run.running_thread >= 0 ? static_cast<unsigned>(access.run.running_thread) / simt::kLanes : access.warp;
  const unsigned who = access.run.running_thread >= 0 ? static_cast<unsigned>(access.run.running_thread) : access.warp * simt::kLanes;
  clocks_.resume(block, who);
  const Address address = access.addresses[lane];
  switch (what.kind) {
    case NoticeKind::Access: return look_at(access, what);
    case NoticeKind::Barrier:
      if (what.bytes == uint8_t(simt::BarrierOf::WarpOfBlock)) return;
      if (what.bytes == uint8_t(simt::BarrierOf::Block)) {
        if (locks_.somebody_holds())
          for (uint32_t thread = 0; thread < block.threads; ++thread) locks_.fence({block.serial, thread}, LockDiscipline::kDeviceFence);
        return clocks_.meet(block);
      }
      fence_locks(access, block, LockDiscipline::kDeviceFence);
      return clocks_.barrier(block, warp, who, static_cast<unsigned>(address & 31));
    case NoticeKind::BarrierArrive: return clocks_.barrier_arrive(block, warp, static_cast<unsigned>(address & 31));
    case NoticeKind::WarpSync: return clocks_.warp_sync(block, warp);
    case NoticeKind::Fence:
      fence_locks(access, block, site_of(access).block_scope ? LockDiscipline::kBlockFence : LockDiscipline::kDeviceFence);
      return clocks_.fence(block, warp, site_of(access).block_scope);
    case NoticeKind::AsyncCommit:
    case NoticeKind::AsyncWait: return end_copies(access, what);
    case NoticeKind::Arrive: return clocks_.mbarrier_arrive(block, warp, address);
    case NoticeKind::Await: return clocks_.mbarrier_await(block, warp, address);
    default: return;
  }
}

void RaceChecker::look_at(const NoticedAccess& access, const simt::Notice& what) {
  BlockClocks& block = static_cast<Watched*>(access.run.watched)->clocks;
  const Site& site = site_of(access);
  const int64_t alone = access.run.running_thread;
  const unsigned warp = alone >= 0 ? static_cast<unsigned>(alone) / simt::kLanes : access.warp;
  const bool atomic = what.access == AccessKind::Atomic;
  const bool reads = what.access != AccessKind::Store, writes = what.access != AccessKind::Load;
  const bool strong = what.strong || atomic;
  if (AsyncCopies& copies = static_cast<Watched*>(access.run.watched)->copies; site.copies_later || !copies.empty()) follow_copies(access, what, site);
  if (!beside_.empty()) meet_copies(access, what, site);
  if (strong || locks_.somebody_holds()) follow_locks(access, what, block, site);
  if (!strong && what.bytes == 4 && alone < 0 && site.index != 0 && pass_quickly(access, block, site, writes)) return;
  for (uint32_t left = access.mask; left != 0; left &= left - 1) {
    const unsigned lane = static_cast<unsigned>(std::countr_zero(left));
    const Address address = access.addresses[lane];
    if (!ShadowMemory::covers(address, what.bytes)) continue;  // no memory: that is told elsewhere
    if (is_own_local(access.run.context, address)) continue;
    if (strong && reads) clocks_.acquire(block, warp, address, site.acquires, site.block_scope);
    Entry entry{block.serial, std::min(block.now(warp), kMostClocks), alone >= 0 ? static_cast<uint32_t>(alone) : warp * simt::kLanes + lane,
                site.index, strong, atomic, site.block_scope};
    if (what.bytes >= 4) {
      for (Address at = address; at < address + what.bytes; at += 4) {
        Cell& cell = cell_of(at);
        if (cell.write != kSplit) {
          visit(access, cell, entry, reads, writes, lane, address);
        } else {
          for (Cell& byte : bytes_[at / 4]) visit(access, byte, entry, reads, writes, lane, address);
        }
      }
    } else {
      Cell& cell = cell_of(address);
      if (cell.write != kSplit) {
        bytes_[address / 4] = {cell, cell, cell, cell};
        cell.write = kSplit;
      }
      auto& bytes = bytes_[address / 4];
      for (Address at = address; at < address + what.bytes && at / 4 == address / 4; ++at) visit(access, bytes[at % 4], entry, reads, writes, lane, address);
    }
    if (strong && writes) clocks_.release(block, warp, address, site.releases, site.block_scope);
  }
}

// The usual case, for a whole warp and without branches: every word was last touched in an earlier launch, by this very
// thread, or before the last barrier. False, with nothing changed, when some lane must be looked at.
bool RaceChecker::pass_quickly(const NoticedAccess& access, const BlockClocks& block, const Site& site, bool writes) {
  const uint64_t own = uint64_t{block.serial} << 40;
  // In this warp's eyes everything of its block up to this clock is over, whichever warp did it.
  const uint32_t settled = block.settled(access.warp);
  const simt::BlockContext& context = access.run.context;
  const Address shared = context.shared - simt::kAliasOffset;
  const unsigned first_lane = static_cast<unsigned>(std::countr_zero(access.mask));
  const bool is_shared = access.addresses[first_lane] - shared < context.total_shared_bytes;
  // What is below `old` is over; of a block's own entries, what is below `settled_end`. Shared memory knows no other blocks.
  const uint64_t settled_end = own | uint64_t{settled + 1} << 26;
  const uint64_t old = is_shared ? settled_end : uint64_t{oldest_} << 40;
  const Entry entry{block.serial, std::min(block.now(access.warp), kMostClocks), access.warp * simt::kLanes, site.index, false, false, site.block_scope};
  const uint64_t now = entry.pack();
  if (is_contiguous(access.addresses, access.mask)) {
    const Settled settled{old, own, settled_end};
    const Address from = access.addresses[0];
    const bool ordinary = ShadowMemory::covers(from, simt::kLanes * 4) && is_shared == (from + (simt::kLanes - 1) * 4 - shared < context.total_shared_bytes) &&
                          !is_own_local(context, from) && from % 4 == 0;
    uint64_t* cells = &cell_of(from).write;
    if (!ordinary || !row_is_over(cells, now, settled, writes, kOthers)) return false;
    if (writes) row_is_written(cells, now);
    else if (row_has_no_reader(cells, settled)) row_is_read(cells, now);
    else
      for (unsigned k = 0; k < simt::kLanes; ++k) {
        uint64_t& read = cells[2 * k + 1];
        const uint64_t me = now + (uint64_t{k} << 16);
        if (((read ^ me) & kSame) != 0) read = settled.covers(read) ? me : joined(read, me);
      }
    return true;
  }
  auto over = [&](uint64_t e, uint64_t me) {
    return (e < old) | ((e >= own) & (e < settled_end)) | (((e ^ me) & kSame) == 0);
  };
  Cell* cells[simt::kLanes];
  bool in_order = true;
  unsigned count = 0;
  uint64_t mine[simt::kLanes];
  Address last = 0;
  // Lanes that read one word are one reader, the last of them; lanes that write one word are looked at.
  for (uint32_t left = access.mask; left != 0; left &= left - 1) {
    const unsigned lane = static_cast<unsigned>(std::countr_zero(left));
    const Address address = access.addresses[lane];
    if (address == last && !writes) --count;
    in_order &= !writes || address > last;
    last = address;
    in_order &= ShadowMemory::covers(address, 4) && (address - shared < context.total_shared_bytes) == is_shared && !is_own_local(context, address);
    if (!in_order) return false;
    cells[count] = &cell_of(address);
    mine[count++] = now + (uint64_t{lane} << 16);
  }
  bool quick = true;
  for (unsigned k = 0; k < count; ++k) {
    const Cell cell = *cells[k];
    // A writer that has read the word, like others, is looked at.
    const bool alone = (((cell.read ^ mine[k]) & kSame) != 0) | ((cell.read & kOthers) == 0);
    const bool may_write = over(cell.read, mine[k]) & alone;
    quick &= (cell.write != kSplit) & over(cell.write, mine[k]) & (!writes | may_write);
  }
  if (!quick) return false;
  if (writes) {
    for (unsigned k = 0; k < count; ++k) cells[k]->write = mine[k];
  } else {
    for (unsigned k = 0; k < count; ++k) {
      const uint64_t read = cells[k]->read;
      if (((read ^ mine[k]) & kSame) == 0) continue;
      cells[k]->read = over(read, mine[k]) ? mine[k] : joined(read, mine[k]);
    }
  }
  return true;
}

void RaceChecker::visit(const NoticedAccess& access, Cell& cell, const Entry& entry, bool reads, bool writes, unsigned lane, Address address) {
  const uint64_t now = entry.pack(), first = uint64_t{oldest_} << 40;
  if (cell.write >= first && ((cell.write ^ now) & kSame) != 0) compare(access, cell.write, true, entry, writes, lane, address);
  if (writes) {
    if (cell.read >= first) {
      if (((cell.read ^ now) & kSame) != 0) compare(access, cell.read & ~kOthers, false, entry, true, lane, address);
      else if (cell.read & kOthers) compare_with_others(access, cell.read, entry, address);
    }
    // A thread's own atomic does not hide the plain write before it.
    const bool hides = ((cell.write ^ now) & kSame) == 0 && entry.strong && !Entry::unpack(cell.write).strong;
    if (!hides) cell.write = now;
    return;
  }
  if (!reads) return;
  if (cell.read < first) {
    cell.read = now;
    return;
  }
  if (((cell.read ^ now) & kSame) == 0) return;
  const Entry kept = Entry::unpack(cell.read);
  const BlockClocks& block = static_cast<Watched*>(access.run.watched)->clocks;
  const bool over = is_left_over(kept.serial, address) || (kept.serial < first_serial_ && !beside(kept.serial)) ||
                    clocks_.is_before(block, entry.thread / simt::kLanes, kept.serial, kept.thread / simt::kLanes, kept.clock);
  cell.read = over ? now : joined(cell.read, now);
}

// The reader that was kept is the writer; the others are not known by name.
void RaceChecker::compare_with_others(const NoticedAccess& access, uint64_t kept, const Entry& entry, Address address) {
  const Entry before = Entry::unpack(kept & ~kOthers);
  if (before.strong && entry.strong) return;
  report(access, entry.atomic ? "C0206" : "C0201", before, false, entry, true, address, kOneOfSeveral);
}

// Shared memory is used again by the next block, which has nothing to do with what the last one left there.
bool RaceChecker::is_left_over(Serial serial, Address address) const {
  auto region = arena_->find(address);
  if (!region || region->what != exec::kSharedMemoryName) return false;
  for (const auto& [run, watched] : watched_)
    if (watched->clocks.serial == serial) return false;
  return true;
}

bool RaceChecker::is_volatile_data(const Entry& before, const Entry& entry) const {
  const Site &one = sites_[before.site], &other = sites_[entry.site];
  if (before.site == 0 || entry.site == 0 || !(one.is_volatile || other.is_volatile)) return false;
  return one.use != ValueUse::Decision && other.use != ValueUse::Decision;
}

// --- locks (lock_discipline.h) ------------------------------------------------------------------------

void RaceChecker::fence_locks(const NoticedAccess& access, const BlockClocks& block, LockDiscipline::Fence fence) {
  if (!locks_.somebody_holds()) return;
  if (const int64_t alone = access.run.running_thread; alone >= 0) return locks_.fence({block.serial, static_cast<uint32_t>(alone)}, fence);
  for (uint32_t left = access.mask; left != 0; left &= left - 1)
    locks_.fence({block.serial, access.warp * simt::kLanes + static_cast<uint32_t>(std::countr_zero(left))}, fence);
}

void RaceChecker::follow_locks(const NoticedAccess& access, const simt::Notice& what, const BlockClocks& block, const Site& site) {
  const bool atomic = what.access == AccessKind::Atomic, writes = what.access != AccessKind::Load;
  const bool takes = atomic && (site.compares || site.exchanges) && site.use == ValueUse::Decision;
  if (!takes && !locks_.somebody_holds()) return;
  Address taken = 0;  // of lanes that want one lock the first has it
  for (uint32_t left = access.mask; left != 0; left &= left - 1) {
    const unsigned lane = static_cast<unsigned>(std::countr_zero(left));
    const Address address = access.addresses[lane];
    if (!ShadowMemory::covers(address, what.bytes) || is_own_local(access.run.context, address)) continue;
    const int64_t alone = access.run.running_thread;
    const LockDiscipline::Thread thread{block.serial, alone >= 0 ? static_cast<uint32_t>(alone) : access.warp * simt::kLanes + lane};
    const simt::BlockContext& context = access.run.context;
    const bool shared = address - (context.shared - simt::kAliasOffset) < context.total_shared_bytes;
    if (writes && locks_.holds(thread, address)) {
      // What a compare-and-swap or a sum writes is not told; a holder that changes the word otherwise gives it back.
      const bool known = what.access == AccessKind::Store || site.exchanges;
      for (const LockDiscipline::Broken& broken : locks_.give_back(thread, address, shared, known, access.values[lane])) report_unfenced(access, broken);
      continue;
    }
    if (takes && what.bytes <= 8 && address != taken) {
      uint64_t there = 0;
      std::memcpy(&there, exec::engine_view(address), what.bytes);
      if ((there == access.values[lane]) == site.compares) locks_.take(thread, taken = address, there);
    }
    if ((!what.strong || site.is_volatile) && !atomic && site.index != 0) locks_.touch(thread, address, site.index, writes);
  }
}

void RaceChecker::report_unfenced(const NoticedAccess& access, const LockDiscipline::Broken& broken) {
  const LockDiscipline::Touch &one = broken.unfenced, &other = broken.other;
  const bool same_block = one.thread.block == other.thread.block;
  const char* rule = one.fence == LockDiscipline::kBlockFence                               ? "C0207"
                     : !same_block                                                          ? "C0203"
                     : one.thread.index / simt::kLanes == other.thread.index / simt::kLanes ? "C0202"
                                                                                            : "C0201";
  auto entry = [](const LockDiscipline::Touch& t) { return Entry{t.thread.block, 0, t.thread.index, t.site, false, false, false}; };
  report(access, rule, entry(other), other.writes, entry(one), one.writes, one.word, kNoFenceBehindLock);
}

// --- asynchronous copies (async_copies.h) -----------------------------------------------------------------

void RaceChecker::follow_copies(const NoticedAccess& access, const simt::Notice& what, const Site& site) {
  Watched& watched = *static_cast<Watched*>(access.run.watched);
  const int64_t alone = access.run.running_thread;
  for (uint32_t left = access.mask; left != 0; left &= left - 1) {
    const unsigned lane = static_cast<unsigned>(std::countr_zero(left));
    const uint32_t thread = alone >= 0 ? static_cast<uint32_t>(alone) : access.warp * simt::kLanes + lane;
    const Address address = access.addresses[lane];
    if (!ShadowMemory::covers(address, what.bytes)) continue;
    for (Address word = address / 4 * 4; word < address + what.bytes; word += 4) {
      if (site.copies_later) {
        if (what.access == AccessKind::Store) watched.copies.issue(thread, word, site.index);
        continue;
      }
      const AsyncCopies::Pending* pending = watched.copies.find(word);
      if (!pending) continue;
      const Serial serial = watched.clocks.serial;
      const Entry copy{serial, 0, pending->thread, pending->site, false, false, false}, entry{serial, 0, thread, site.index, false, false, false};
      report(access, "C0208", copy, true, entry, what.access != AccessKind::Load, word, "the copy may still be on its way: nobody has waited for it");
      break;
    }
  }
}

void RaceChecker::end_copies(const NoticedAccess& access, const simt::Notice& what) {
  Watched& watched = *static_cast<Watched*>(access.run.watched);
  if (watched.copies.empty()) return;
  const int64_t alone = access.run.running_thread;
  for (uint32_t left = access.mask; left != 0; left &= left - 1) {
    const unsigned lane = static_cast<unsigned>(std::countr_zero(left));
    const uint32_t thread = alone >= 0 ? static_cast<uint32_t>(alone) : access.warp * simt::kLanes + lane;
    if (what.kind == NoticeKind::AsyncCommit) {
      watched.copies.commit(thread);
      continue;
    }
    // The words are written now, by this thread: other threads need a barrier from here on.
    for (Address word : watched.copies.wait(thread, access.values[lane], what.strong)) {
      Cell& cell = cell_of(word);
      if (cell.write == kSplit) continue;
      Entry entry = Entry::unpack(cell.write);
      if (entry.serial != watched.clocks.serial || entry.thread != thread) continue;
      entry.clock = std::min(watched.clocks.now(thread / simt::kLanes), kMostClocks);
      cell.write = entry.pack();
    }
  }
}

// --- order --------------------------------------------------------------------------------------------

void RaceChecker::compare(const NoticedAccess& access, uint64_t before_bits, bool before_writes, const Entry& entry, bool writes, unsigned lane,
                          Address address) {
  if (!writes && !before_writes) return;
  const Entry before = Entry::unpack(before_bits);
  const BlockClocks& block = static_cast<Watched*>(access.run.watched)->clocks;
  if (before.serial == entry.serial && before.thread == entry.thread) return;
  const bool same_block = before.serial == entry.serial;
  if (!same_block && is_left_over(before.serial, address)) return;
  if (before.serial < first_serial_) return compare_with_stream(access, before, before_writes, entry, writes, address);
  const bool both_strong = before.strong && entry.strong;
  const bool scopes_meet = same_block || !(before.block_scope || entry.block_scope);
  if (both_strong && scopes_meet && !is_volatile_data(before, entry)) return;
  const unsigned warp = entry.thread / simt::kLanes, other_warp = before.thread / simt::kLanes;
  if (clocks_.is_before(block, warp, before.serial, other_warp, before.clock)) return;
  if (both_strong && clocks_.has_seen(block, warp, before.serial, other_warp, before.clock)) return;
  const char* rule = nullptr;
  const bool compares = (entry.atomic && by_pc_[access.pc].compares) || (before.atomic && sites_[before.site].compares);
  const bool narrow = !same_block && (clocks_.is_before(block, warp, before.serial, other_warp, before.clock, kAnyScope) ||
                                      (both_strong && clocks_.has_seen(block, warp, before.serial, other_warp, before.clock, kAnyScope)));
  if (!scopes_meet && both_strong) rule = "C0207";
  else if (narrow) rule = "C0207";
  else if (before.atomic != entry.atomic) rule = compares && !(before.atomic ? writes && !entry.atomic : before_writes) ? "C0210" : "C0206";
  else if (!same_block) rule = "C0203";
  else rule = other_warp == warp ? "C0202" : "C0201";
  // Writers of one value: what the first wrote is there, or in the other lane of this very store.
  const simt::Notice what = simt::Notice::unpack(access.what);
  if (before_writes && what.access == AccessKind::Store && !before.atomic && what.bytes <= 8) {
    uint64_t there = 0;
    if (access.run.running_thread < 0 && before.serial == entry.serial && before.clock == entry.clock && before.site == entry.site &&
        before.thread / simt::kLanes == entry.thread / simt::kLanes && (access.mask >> before.thread % simt::kLanes & 1) != 0) {
      there = access.values[before.thread % simt::kLanes];
    } else {
      std::memcpy(&there, exec::engine_view(address), what.bytes);
    }
    if (there == access.values[lane] && both_strong) return;  // a volatile flag that several raise
    if (there == access.values[lane]) rule = "C0209";
  }
  report(access, rule, before, before_writes, entry, writes, address);
}

void RaceChecker::report(const NoticedAccess& access, const char* rule, const Entry& before, bool before_writes, const Entry& entry, bool writes,
                         Address address, const char* note) {
  FindingSink::Cause& cause = reported_[{rule, std::min(before.site, entry.site), std::max(before.site, entry.site)}];
  if (cause != 0) return sink_.again(cause);
  const exec::KernelLaunch& launch = access.run.launch.launch;
  auto role = [](const Entry& e, bool writes) { return e.atomic ? "atomic" : writes ? "write" : "read"; };
  auto party = [&](const Entry& e, bool writes) {
    const Site& site = sites_[e.site];
    const uint64_t index = e.serial - first_serial_;
    return thread_party(launch, role(e, writes), index < block_of_.size() ? block_of_[index] : 0, e.thread,
                        site.module ? code_place(*site.module, site.function, site.instruction) : CodePlace{});
  };
  const simt::Notice what = simt::Notice::unpack(access.what);
  MemoryPlace memory = memory_place(*arena_, address, what.bytes, &access.run);
  const std::string place = memory.space == "shared" ? fmt::format("byte {} of shared memory", address - memory.base)
                                                     : fmt::format("byte {} of {}", address - memory.base, memory.name.empty() ? "an allocation" : memory.name);
  const char* why = rule == std::string_view("C0207") ? "threads of different blocks, and only block scope orders them"
                    : rule == std::string_view("C0208") ? "an asynchronous copy and a thread, and nobody has waited for the copy"
                                                      : "different threads, and nothing orders them";
  Finding finding = make_finding(rule, fmt::format("{} and {} of {} by {}", role(before, before_writes), role(entry, writes), place, why));
  finding.parties.push_back(party(entry, writes));
  finding.parties.push_back(party(before, before_writes));
  if (note == kOneOfSeveral) finding.parties.back().thread.reset();
  if (note) finding.notes.push_back(note);
  finding.memory = std::move(memory);
  cause = sink_.report(std::move(finding));
}

}  // namespace warpwise::check
