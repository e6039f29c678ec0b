// The part of the race checker that gives out numbers (race_numbers.h) and tells compiled code where they stand
// (simt::RaceEpochs).
//
// A block begins an epoch when it begins and at each barrier of all its warps, unless no thread has used a number of
// the last one. A warp that orders something by itself (__syncwarp, a fence, a release) has no number from then on,
// until it accesses something: it comes here and gets an epoch of its own.
#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "base/demangled.h"
#include "check/places.h"
#include "check/race_checker.h"
#include "exec/memory/arena.h"
#include "ptx/isa/isa.h"

namespace warpwise::check {

using exec::BlockRun;

namespace {

// A launch begins with at least so many numbers, and a block with so many of shared memory.
constexpr uint32_t kFewNumbers = RaceNumbers::kEnd / 2;

}  // namespace

// What an instruction is, found out once.
CodePlace RaceChecker::Site::place() const {
  return module ? code_place(*module, function, instruction, calls) : CodePlace{};
}

uint32_t RaceChecker::site_index(const simt::WatchedSite& watched, std::vector<simt::InlinedCall> calls) {
  const auto& module = launch_->image->module;
  CallPlaces called_at;
  for (const simt::InlinedCall& call : calls) called_at.push_back({call.function, call.instruction});
  auto [known, fresh] = known_sites_.try_emplace(
      {module.get(), watched.function, watched.instruction, watched.access, std::move(called_at)}, 0);
  if (!fresh) return known->second;
  Site site;
  site.module = module;
  site.calls = std::move(calls);
  site.strong = watched.strong != 0;
  site.atomic = watched.access == static_cast<uint8_t>(simt::AccessKind::Atomic);
  site.strong = site.strong || site.atomic;
  if (watched.function < module->functions.size() &&
      watched.instruction < module->functions[watched.function].instructions.size()) {
    site.function = watched.function;
    site.instruction = watched.instruction;
    const ptx::Function& function = module->functions[watched.function];
    const ptx::Instruction& inst = function.instructions[watched.instruction];
    site.block_scope = inst.has(ptx::Mod::Cta);
    site.acquires = inst.has(ptx::Mod::Acquire) || inst.has(ptx::Mod::AcqRel);
    site.releases = inst.has(ptx::Mod::Release) || inst.has(ptx::Mod::AcqRel);
    site.compares = inst.has(ptx::Mod::Cas);
    site.exchanges = inst.has(ptx::Mod::Exch);
    site.copies_later = inst.spec().name == "cp_async";
    site.is_volatile = inst.has(ptx::Mod::Volatile);
    if (site.is_volatile || inst.spec().opcode == "atom")
      site.use = use_of_result(*module, watched.function, watched.instruction);
    site.polled = site.is_volatile && site.use == ValueUse::Decision &&
                  may_be_polled(*module, watched.function, watched.instruction);
  }
  site.index = known->second = static_cast<uint32_t>(sites_.size());
  sites_.push_back(std::move(site));
  return known->second;
}

// What the code of a launch says of itself is known when its first block is about to run.
void RaceChecker::prepare(const BlockRun& run) {
  prepared_ = true;
  const simt::CompiledKernel& kernel = run.launch.kernel.about();
  one_by_one_ = kernel.mode == simt::Mode::Simt && !kernel.spins;
  last_ = nullptr;
  launch_sites_.clear();
  for (auto& numbered : numbered_) numbered.clear();
  watched_sites_ = kernel.watched_sites;
  scoped_ = false;
  for (const simt::WatchedSite& watched : watched_sites_) {
    const uint32_t index = site_index(watched, run.launch.kernel.calls_around(watched.call));
    launch_sites_.push_back(index);
    scoped_ = scoped_ || (sites_[index].atomic && sites_[index].block_scope);
    for (unsigned space = 0; space < kSpaces; ++space) {
      if (watched.number[space] == simt::WatchedSite::kNone) continue;
      numbered_[space].resize(std::max<size_t>(numbered_[space].size(), watched.number[space] + 1));
      numbered_[space][watched.number[space]] = index;
    }
  }
  if (numbers_[kGlobal].next() > kFewNumbers || numbers_[kShared].next() > kFewNumbers) forget_numbers();
  const uint32_t threads = static_cast<uint32_t>(launch_->block.count());
  for (unsigned space = 0; space < kSpaces; ++space)
    numbers_[space] = RaceNumbers(numbers_[space].next(), threads, static_cast<uint32_t>(numbered_[space].size()));
  oldest_ = numbers_[kGlobal].first();
  for (const Past* past : beside_)
    if (past->launch.image) oldest_ = std::min(oldest_, past->numbers.first());
}

// All cells are free again. What earlier launches did is over but for those of other streams, which are lost here.
void RaceChecker::forget_numbers() {
  for (uint64_t distance : {simt::kWriteCellDistance, simt::kReadCellDistance})
    madvise(reinterpret_cast<void*>(exec::Arena::kFirst + simt::kAliasOffset - distance), simt::kShadowReach,
            MADV_DONTNEED);
  bytes_.clear();
  past_.clear();
  beside_.clear();
  for (RaceNumbers& numbers : numbers_) numbers = {};
}

RaceChecker::Number RaceChecker::begin_epoch(Watched& watched, Space space, uint32_t clock) {
  RaceNumbers& numbers = numbers_[space];
  const Number first = numbers.begin_epoch(watched.clocks.serial, clock);
  if (first == 0) {
    if (!std::exchange(exhausted_, true))
      sink_.stop_watching(fmt::format("races in blocks of `{}` beyond the first {}",
                                      demangled(launch_->image->function().name), block_of_.size()));
    watched.epochs.quick = watched.epochs.sums = 0;
    return 0;
  }
  simt::RaceEpochs::Space& own = watched.epochs.spaces[space];
  if (own.own_count != 0 && own.own + own.own_count == first)
    own.own_count += numbers.step();
  else
    own.own = own.ordered = first, own.own_count = numbers.step();
  return first;
}

void RaceChecker::begin_numbers(BlockRun& run, Watched& watched) {
  const simt::CompiledKernel& kernel = run.launch.kernel.about();
  watched.compares = kernel.mode == simt::Mode::Simt;
  // Another block's shared memory is not checked here.
  if (one_by_one_ && numbers_[kShared].next() > kFewNumbers) {
    for (uint64_t distance : {simt::kWriteCellDistance, simt::kReadCellDistance})
      std::memset(reinterpret_cast<void*>(run.context.shared - distance), 0, run.context.total_shared_bytes);
    numbers_[kShared] =
        RaceNumbers(1, static_cast<uint32_t>(launch_->block.count()), static_cast<uint32_t>(numbered_[kShared].size()));
    last_ = nullptr;
  }
  const Watched* last = std::exchange(last_, one_by_one_ ? &watched : nullptr);
  const simt::RaceEpochs before = last ? last->epochs : simt::RaceEpochs{};
  const Number unused[kSpaces] = {last && before.spaces[kGlobal].touched == 0 ? last->together[kGlobal] : 0,
                                  last && before.spaces[kShared].touched == 0 ? last->together[kShared] : 0};
  watched.epochs = {};
  for (Watched::Store& store : watched.stores) store.mask = 0;
  for (Space space : {kGlobal, kShared}) {
    watched.by_clock[space].clear();
    if (!watched.compares) continue;
    simt::RaceEpochs::Space& own = watched.epochs.spaces[space];
    own.launch = oldest_;
    Number first = unused[space];
    if (first != 0) {
      numbers_[space].rename_epoch(first, watched.clocks.serial, 1);
      own.own = own.ordered = first, own.own_count = numbers_[space].step();
    } else {
      first = begin_epoch(watched, space, 1);
    }
    watched.together[space] = first;
    std::fill(std::begin(own.now), std::end(own.now), first);
  }
  std::fill(std::begin(watched.clock_at), std::end(watched.clock_at), 1);
  decide_how_to_compare(watched);
}

void RaceChecker::decide_how_to_compare(Watched& watched) {
  if (!watched.compares) return;
  const bool quick = !exhausted_ && beside_.empty() && watched.copies.empty() && !locks_.is_held();
  const bool barriers_only = clocks_.is_quiet();
  watched.epochs.quick = quick;
  watched.epochs.barriers_only = barriers_only;
  watched.epochs.sums = quick && barriers_only && !scoped_;
  if (barriers_only || std::exchange(released_, true)) return;
  for (auto& [run, other] : watched_)
    other->epochs.barriers_only = other->epochs.sums = 0;  // what was released may be acquired
}

// All warps have met.
void RaceChecker::all_warps_arrived(Watched& watched) {
  clocks_.all_warps_arrived(watched.clocks);
  if (!watched.compares) return;
  const uint32_t clock = watched.clocks.epoch;
  for (Space space : {kGlobal, kShared}) {
    simt::RaceEpochs::Space& own = watched.epochs.spaces[space];
    Number& first = watched.together[space];
    if (own.touched != 0 || first == 0)
      first = begin_epoch(watched, space, clock);
    else
      numbers_[space].rename_epoch(first, watched.clocks.serial, clock);
    own.touched = 0;
    if (first >= own.own) own.ordered = first;
    std::fill_n(own.now, watched.clocks.warps, first);
  }
  std::fill_n(watched.clock_at, watched.clocks.warps, clock);
}

// Behind whatever may have moved clocks: warps whose numbers are no longer theirs.
void RaceChecker::renumber(Watched& watched) {
  const BlockClocks& clocks = watched.clocks;
  if (clocks.together) return;
  for (unsigned w = 0; w < clocks.warps; ++w) {
    if (clocks.now(w) == watched.clock_at[w]) continue;
    watched.clock_at[w] = clocks.now(w);
    for (auto& space : watched.epochs.spaces) space.now[w] = 0;
  }
}

// The first number of what a warp does now; 0: there is none left.
RaceChecker::Number RaceChecker::epoch_of(Watched& watched, Space space, unsigned warp) {
  const uint32_t clock = watched.clocks.now(warp);
  watched.epochs.spaces[space].touched = 1;
  if (watched.compares) {
    uint32_t& now = watched.epochs.spaces[space].now[warp];
    if (now == 0) now = begin_epoch(watched, space, clock);
    return now;
  }
  std::vector<Number>& epochs = watched.by_clock[space];
  if (epochs.size() <= clock) epochs.resize(clock + 1);
  if (epochs[clock] == 0) epochs[clock] = begin_epoch(watched, space, clock);
  return epochs[clock];
}

}  // namespace warpwise::check
