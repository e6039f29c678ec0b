#include "perf/counters/launch_state.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "perf/counters/latency.h"

namespace warpwise::perf {

namespace {

// What a block costs besides its accesses, in accesses.
constexpr uint64_t kPerBlock = 16;
constexpr uint64_t kMostSamples = 1024;
// Budgets after which a launch that seemed cheap is counted in full no longer.
constexpr uint64_t kOverdraft = 4;
// Sectors that a host thread collects before it looks for those it has twice.
constexpr size_t kManySectors = size_t{1} << 22;
// How many pieces of 256 bytes with contending atomics are kept: where there are more, few atomics contend for each.
constexpr size_t kMostLines = size_t{1} << 15;

void collect(std::vector<uint64_t>& all, const std::vector<uint64_t>& more) {
  all.insert(all.end(), more.begin(), more.end());
  if (all.size() > kManySectors) keep_different(all);
}

void add(simt::WarpWork& to, const simt::WarpWork& more) {
  to.instructions += more.instructions, to.loads += more.loads;
}

// By which of two warps is the longer one: a load that hits L2 takes as long as so many instructions of a warp that
// runs alone (280 clocks, and the four of dependent arithmetic).
uint64_t length_of(const simt::WarpWork& warp) {
  constexpr uint64_t kInstructionsOfLoad = 70;
  return warp.instructions + kInstructionsOfLoad * warp.loads;
}

// The part that blocks without work have of what warps wait for beside their loads.
void drop_idle(ChainSteps& chain, double part) {
  for (double* steps : {&chain.fma, &chain.fp64, &chain.xu, &chain.shared, &chain.branch, &chain.gap})
    *steps *= 1 - part;
}

// Sectors, or larger places, which then are in `room`.
const std::vector<uint64_t>& in_places(const std::vector<uint64_t>& sectors, std::optional<Grain> place,
                                       std::vector<uint64_t>& room) {
  if (!place) return sectors;
  room = places_of(sectors, shift_of(*place));
  return room;
}

// Of the places in the grid where neighbours are compared the first, and one in the other half.
void keep_some(std::vector<Neighbours>& places) {
  if (places.size() < 3) return;
  places[1] = places[2];
  places.resize(2);
}

}  // namespace

LaunchState::LaunchState(const KernelFacts& facts, const exec::KernelLaunch& launch, const CacheShape& caches,
                         const Depth& depth)
    : facts_(facts),
      grid_(launch.grid),
      warps_of_block_((launch.block.count() + simt::kLanes - 1) / simt::kLanes),
      caches_(caches),
      depth_(depth),
      neighbours_(neighbours_of(launch.grid)) {}

HostThread& LaunchState::this_thread() {
  auto& thread = threads_[std::this_thread::get_id()];
  if (!thread) thread = std::make_unique<HostThread>(facts_, caches_.arena);
  return *thread;
}

CountedBlock& LaunchState::count_block() {
  std::lock_guard lock(mutex_);
  blocks_.push_back(std::unique_ptr<CountedBlock>(new CountedBlock{this_thread(), {}}));
  return *blocks_.back();
}

void LaunchState::mark_thread(CountedBlock& watch, const exec::CountedThread& mark) {
  split_ = true;
  watch.assembly.mark(mark, facts_, watch.thread.cells, watch.thread.trace);
}

bool LaunchState::is_compared(uint64_t block) const {
  return std::any_of(neighbours_.begin(), neighbours_.end(),
                     [&](const Neighbours& n) { return n.block == block || n.right == block || n.below == block; });
}

bool LaunchState::counts(uint64_t block) {
  if (!pilot_) {
    pilot_ = block;
    return true;
  }
  if (cut_ || (!sampled_ && !depth_.exact && spent_ > kOverdraft * depth_.budget)) return counts_of_rest(block);
  return !sampled_ || plan_->weight(block) != 0 || is_compared(block);
}

// The thread is between two blocks: what it has counted in full is put aside.
bool LaunchState::counts_of_rest(uint64_t block) {
  std::lock_guard lock(mutex_);
  if (!cut_) {
    plan_.emplace(grid_, *pilot_, depth_.fewest);
    cut_ = true;
  }
  HostThread& thread = this_thread();
  if (std::exchange(thread.in_full, false)) {
    thread.strata[kInFull].cells = thread.cells;
    thread.cells.clear();
  }
  ++rest_[plan_->class_of(block)];
  return plan_->weight(block) != 0;
}

void LaunchState::pilot_ended() {
  if (!pilot_) return;
  HostThread& thread = *threads_.begin()->second;
  const uint64_t blocks = grid_.count(), cost = thread.reported + kPerBlock;
  if (depth_.brief && cost > depth_.budget) keep_some(neighbours_);
  const uint64_t samples = std::clamp(depth_.budget / (cost + facts_.cells().size() / 4), depth_.fewest, kMostSamples);
  if (!depth_.exact && blocks * cost > depth_.budget && samples < blocks) {
    plan_.emplace(grid_, *pilot_, samples);
    sampled_ = true;
  }
  finish_block(thread, *pilot_);
}

// The pilot waits until it is known what it stands for.
void LaunchState::block_ended(CountedBlock& watch, exec::BlockRun& run) {
  HostThread& thread = watch.thread;
  const uint64_t block = run.block;
  watch.assembly.finish(run, facts_, thread.cells, thread.trace);
  for (unsigned w = 0; w < kMostWarps; ++w) watch.warps[w] += watch.assembly.warps()[w];
  note_warps(watch);
  if (watch.assembly.in_pieces()) in_pieces_ = true;
  watch.assembly = {};
  if (block == pilot_ && !sampled_ && grid_.count() > 1 && thread.strata[kInFull].blocks == 0) return;
  finish_block(thread, block);
}

// The warps of a block end together only where they do the same work.
void LaunchState::note_warps(CountedBlock& watch) const {
  HostThread& thread = watch.thread;
  thread.longest_of_block = thread.all_of_block = {};
  for (uint64_t& word : watch.warps) {
    const simt::WarpWork warp = simt::WarpWork::unpack(std::exchange(word, 0));
    add(thread.all_of_block, warp);
    if (length_of(warp) > length_of(thread.longest_of_block)) thread.longest_of_block = warp;
  }
}

// How many instructions the block that has just ended has run: the launch waits for the longest.
uint64_t LaunchState::note_length(HostThread& thread, ClassSums& sums) const {
  uint64_t now = 0;
  for (const auto& [cell, instructions] : facts_.lengths())
    now += thread.cells.words[size_t{cell} * simt::kCellWords + simt::kCellWarps] * instructions;
  const uint64_t here = thread.in_full ? now - thread.before : now;
  thread.before = now;
  sums.instructions += here, sums.instructions_squared += double(here) * double(here);
  add(sums.longest_warps, thread.longest_of_block), add(sums.all_warps, thread.all_of_block);
  thread.most = std::max(thread.most, here);
  if (length_of(thread.longest_of_block) > length_of(thread.longest_warp))
    thread.longest_warp = thread.longest_of_block;
  return here;
}

void LaunchState::finish_block(HostThread& thread, uint64_t block) {
  if (sampled_) thread.in_full = false;
  spent_ += std::exchange(thread.reported, 0);
  BlockTraffic traffic = thread.trace.finish(caches_.l1_bytes);
  if (is_compared(block)) {
    std::lock_guard lock(mutex_);
    std::sort(traffic.first_at.begin(), traffic.first_at.end());
    compared_[block] = {traffic.read, traffic.written, traffic.kept, traffic.first_at};
  }
  if (!thread.in_full && plan_->weight(block) == 0) {  // it was counted to be compared
    thread.cells.clear();
    return;
  }
  const unsigned stratum = thread.in_full ? kInFull : plan_->class_of(block);
  ClassSums& sums = thread.strata[stratum];
  ++sums.blocks;
  const bool writes = traffic.l2_writes + traffic.l2_atomics + traffic.l2_reductions + traffic.bulk_stored > 0 ||
                      !traffic.written.empty();
  thread.log.add({block, note_length(thread, sums), thread.longest_of_block, thread.all_of_block, stratum}, writes);
  sums.l1_reads += traffic.l1_reads, sums.l1_hits += traffic.l1_hits, sums.l1_late += traffic.l1_late;
  sums.l2_reads += traffic.l2_reads, sums.l2_writes += traffic.l2_writes, sums.l2_atomics += traffic.l2_atomics,
      sums.l2_reductions += traffic.l2_reductions;
  sums.atomic_turns += traffic.atomic_turns;
  sums.bulk_copies += traffic.bulk_copies, sums.bulk_loaded += traffic.bulk_loaded,
      sums.bulk_stored += traffic.bulk_stored;
  sums.read += traffic.read.size(), sums.written += traffic.written.size(), sums.kept += traffic.kept.size();
  sums.l2_read_lines += traffic.l2_read_lines;
  sums.constant_lines += traffic.constant_lines, sums.constant_visits += traffic.constant_visits;
  for (unsigned p = 0; p < kPlaces; ++p)
    sums.read_at[p] += count_places(traffic.read, shift_of(Grain(p))),
        sums.written_at[p] += count_places(traffic.written, shift_of(Grain(p)));
  sums.local += traffic.local.size(), sums.local_misses += traffic.local_misses;
  sums.host_reads += traffic.host_reads, sums.host_writes += traffic.host_writes;
  for (size_t n = 0; n < traffic.rereads.size(); ++n) sums.rereads[n] += traffic.rereads[n];
  if (sums.sites.size() < traffic.sites.size()) sums.sites.resize(traffic.sites.size());
  for (size_t site = 0; site < traffic.sites.size(); ++site) {
    const SiteReads& of_block = traffic.sites[site];
    sums.sites[site].asked += of_block.asked, sums.sites[site].hits += of_block.hits,
        sums.sites[site].first += of_block.first;
  }
  auto& contention = thread.contention[stratum];
  for (const auto& [piece, turns] : traffic.contention) {
    if (contention.size() >= kMostLines && !contention.contains(piece)) continue;
    PieceContention& of_piece = contention[piece];
    of_piece.turns += double(turns), ++of_piece.blocks;
  }
  if (thread.in_full) {
    collect(thread.read, traffic.read);
    collect(thread.written, traffic.written);
    return;
  }
  if (sums.cells.words.empty()) sums.cells = CellSums<uint64_t>(facts_);
  sums.cells.add(thread.cells);
  const ExactCounts counts = totals_of(facts_, thread.cells);
  for (unsigned c = 0; c < kCounters; ++c) sums.sum[c] += counts[c], sums.squares[c] += counts[c] * counts[c];
  thread.cells.clear();
}

uint64_t LaunchState::counted_in(unsigned stratum) const {
  uint64_t counted = 0;
  for (const auto& [id, thread] : threads_) counted += thread->strata[stratum].blocks;
  return counted;
}

// The number of blocks that the counted blocks of a stratum represent. Blocks of a class without a counted one are
// taken to be like the most frequent class.
double LaunchState::population(unsigned stratum) const {
  if (stratum == kInFull) return double(counted_in(kInFull));
  if (!plan_) return 0;
  if (!cut_) return double(plan_->blocks(stratum));
  double blocks = double(rest_[stratum]);
  if (stratum == 0)
    for (unsigned other = 1; other < SamplePlan::kClasses; ++other)
      if (counted_in(other) == 0) blocks += double(rest_[other]);
  return blocks;
}

double LaunchState::weight_of(unsigned stratum) const {
  const uint64_t counted = counted_in(stratum);
  return counted == 0 ? 0 : population(stratum) / double(counted);
}

// Stratified sampling (Cochran, Sampling Techniques, 5.6): the variance of a total is the sum over classes of
// N² (1 - n/N) s² / n.
void LaunchState::estimate_errors(const ExactCounts& totals, LaunchCounts& counts) const {
  constexpr double kNormal95 = 1.96;
  for (unsigned c = 0; c < kCounters; ++c) {
    double variance = 0;
    for (unsigned cls = 0; cls < kStrata; ++cls) {
      double n = 0, sum = 0, squares = 0;
      for (const auto& [id, thread] : threads_) {
        const ClassSums& s = thread->strata[cls];
        n += double(s.blocks), sum += s.sum[c], squares += s.squares[c];
      }
      if (n < 2) continue;
      const double all = population(cls);
      if (cls == kInFull) continue;
      const double spread = std::max(0.0, (squares - sum * sum / n) / (n - 1));
      variance += all * all * (1 - n / all) * spread / n;
    }
    if (totals[c] > 0) counts.error[c] = float(kNormal95 * std::sqrt(variance) / totals[c]);
  }
}

Footprint LaunchState::footprint(bool written, std::optional<Grain> place) const {
  Reuse reuse;
  const auto which = written ? &Sectors::written : &Sectors::read;
  std::vector<uint64_t> rooms[3];
  auto sectors = [&](std::optional<uint64_t> block, std::vector<uint64_t>& room) -> const std::vector<uint64_t>* {
    if (!block) return nullptr;
    auto found = compared_.find(*block);
    return found == compared_.end() ? nullptr : &in_places(found->second.*which, place, room);
  };
  for (const Neighbours& n : neighbours_)
    if (auto* here = sectors(n.block, rooms[0]))
      reuse.add(*here, sectors(n.right, rooms[1]), sectors(n.below, rooms[2]));
  Footprint result;
  result.sharing = reuse.sharing();
  if (uint64_t{grid_.y} * grid_.z == 1) {
    // In a row of blocks what all read looks like what neighbours share, but for blocks far apart.
    result.sharing.by_all = std::min(result.sharing.along_x, common_far_apart(which, place));
    result.sharing.along_x -= result.sharing.by_all;
    result.sharing.returns = returns(which, place);
  }
  double all = 0;
  for (unsigned cls = 0; cls < kStrata; ++cls)
    for (const auto& [id, thread] : threads_) {
      const ClassSums& s = thread->strata[cls];
      const uint64_t of_class = !place    ? (written ? s.written : s.read)
                                : written ? s.written_at[size_t(*place)]
                                          : s.read_at[size_t(*place)];
      all += weight_of(cls) * double(of_class);
    }
  result.per_block = all / double(grid_.count());
  if (plan_) return result;
  std::vector<uint64_t> whole;
  for (const auto& [id, thread] : threads_) {
    const std::vector<uint64_t>& some = written ? thread->written : thread->read;
    whole.insert(whole.end(), some.begin(), some.end());
  }
  keep_different(whole);
  result.all = double(place ? count_places(whole, shift_of(*place)) : whole.size());
  return result;
}

// Of the blocks that are compared, each with its neighbour and with one in another part of the grid.
std::vector<Return> LaunchState::returns(std::vector<uint64_t> Sectors::* which, std::optional<Grain> place) const {
  RowReuse reuse;
  std::vector<uint64_t> rooms[3];
  for (size_t n = 0; n + 1 < neighbours_.size(); ++n) {
    const auto here = compared_.find(neighbours_[n].block), behind = compared_.find(neighbours_[n + 1].block);
    if (!neighbours_[n].right || here == compared_.end() || behind == compared_.end()) continue;
    if (const auto next = compared_.find(*neighbours_[n].right); next != compared_.end())
      reuse.add(in_places(here->second.*which, place, rooms[0]), in_places(next->second.*which, place, rooms[1]),
                in_places(behind->second.*which, place, rooms[2]), behind->first - here->first);
  }
  return reuse.returns();
}

double LaunchState::most_that_meet() const {
  HottestPiece hottest;
  for (unsigned cls = 0; cls < kStrata; ++cls) {
    Contention stratum;
    for (const auto& [id, thread] : threads_) add(stratum, thread->contention[cls]);
    hottest.add(stratum, weight_of(cls));
  }
  return hottest.turns();
}

// Of a block's sectors, the part that blocks elsewhere in the grid have as well: those at its edges share other things
// with their neighbours.
double LaunchState::common_far_apart(std::vector<uint64_t> Sectors::* which, std::optional<Grain> place) const {
  double sum = 0;
  unsigned pairs = 0;
  std::vector<uint64_t> rooms[2];
  for (size_t n = 0; n + 1 < neighbours_.size(); ++n) {
    const auto here = compared_.find(neighbours_[n].block), there = compared_.find(neighbours_[n + 1].block);
    if (here == compared_.end() || there == compared_.end()) continue;
    sum +=
        common_part(in_places(here->second.*which, place, rooms[0]), in_places(there->second.*which, place, rooms[1]));
    ++pairs;
  }
  return pairs == 0 ? 0 : sum / pairs;
}

// In sectors of the launch.
L1Sharing LaunchState::shared_in_l1() const {
  double kept = 0;
  for (unsigned cls = 0; cls < kStrata; ++cls)
    for (const auto& [id, thread] : threads_) kept += weight_of(cls) * double(thread->strata[cls].kept);
  const double by_all = common_far_apart(&Sectors::kept), blocks = double(grid_.count());
  const L1Sharing shares = l1_sharing(by_all, kept / blocks, blocks, double(caches_.of_sm), double(caches_.together),
                                      caches_.l1_bytes * caches_.of_sm);
  return {kept * by_all * shares.together, kept * by_all * shares.later};
}

void LaunchState::add_caches(ExactCounts& totals) const {
  auto at = [&](Counter c) -> double& { return totals[size_t(c)]; };
  std::array<double, kDistanceClasses> rereads{};
  double local = 0, local_misses = 0;
  for (unsigned cls = 0; cls < kStrata; ++cls) {
    const double weight = weight_of(cls);
    for (const auto& [id, thread] : threads_) {
      const ClassSums& s = thread->strata[cls];
      at(Counter::L1ReadSectors) += weight * double(s.l1_reads);
      at(Counter::L1ReadHits) += weight * double(s.l1_hits);
      at(Counter::L2ReadSectors) += weight * double(s.l2_reads);
      at(Counter::L2ReadLines) += weight * double(s.l2_read_lines);
      at(Counter::ConstantLines) += weight * double(s.constant_lines);
      at(Counter::ConstantVisits) += weight * double(s.constant_visits);
      at(Counter::L2WriteSectors) += weight * double(s.l2_writes);
      at(Counter::L2AtomicSectors) += weight * double(s.l2_atomics);
      at(Counter::GlobalAtomicTurns) += weight * double(s.atomic_turns);
      at(Counter::BulkCopies) += weight * double(s.bulk_copies);
      at(Counter::BulkLoadBytes) += weight * double(s.bulk_loaded);
      at(Counter::BulkStoreBytes) += weight * double(s.bulk_stored);
      at(Counter::L2ReductionSectors) += weight * double(s.l2_reductions);
      at(Counter::HostReadSectors) += weight * double(s.host_reads);
      at(Counter::HostWriteSectors) += weight * double(s.host_writes);
      for (size_t n = 0; n < rereads.size(); ++n) rereads[n] += weight * double(s.rereads[n]);
      local += weight * double(s.local), local_misses += weight * double(s.local_misses);
    }
  }
  constexpr double kSector = 32;
  const L1Sharing shares = shared_in_l1();
  const double shared = shares.together + shares.later;
  if (at(Counter::L2ReadSectors) > 0) at(Counter::L2ReadLines) *= 1 - shared / at(Counter::L2ReadSectors);
  at(Counter::L1ReadHits) += shared, at(Counter::L2ReadSectors) -= shared;
  const Footprint reads = footprint(false), writes = footprint(true);
  const MemoryTraffic memory = memory_traffic(reads, writes, grid_, caches_.together, caches_.l2_bytes);
  const double lost = lost_rereads(rereads, reads, writes, grid_, caches_.together, caches_.l2_bytes);
  const double asked = at(Counter::L2ReadSectors) + at(Counter::L2AtomicSectors) + at(Counter::L2ReductionSectors);
  const MemoryTraffic spilled = local_traffic(local, local_misses, grid_, caches_.together, caches_.l2_bytes);
  const double read = std::min(memory.read_sectors + lost + spilled.read_sectors, asked);
  at(Counter::L2ReadHits) = std::max(0.0, at(Counter::L2ReadSectors) - read);
  at(Counter::DramReadBytes) = read * kSector;
  at(Counter::DramWriteBytes) = (memory.written_sectors + spilled.written_sectors) * kSector;
  add_scattered(totals);
  // A multiprocessor asks the half of L2 next to it; what belongs to memory behind the other half passes through both
  // (A100 whitepaper, "A100 L2 Cache"). Half of all sectors do, when they are read from memory and when they are
  // written.
  const double through_both = 1 - 1.0 / caches_.l2_parts;
  at(Counter::L2AllReadSectors) = at(Counter::L2ReadSectors) + through_both * read;
  at(Counter::L2AllWriteSectors) = at(Counter::L2WriteSectors) * (1 + through_both);
  at(Counter::GlobalAtomicContention) = most_that_meet();
}

// What memory has to do beyond the sectors that are asked for, where these do not lie side by side. All three were
// measured on an H200 (ncu), with 2^20 accesses of 4 bytes, each to a sector of its own, 32 bytes to 1 KB apart or at
// random places of 4 MB to 1 GB:
//
//   - L2 reads two sectors at a time: loads 64 bytes apart and more read 64 bytes each.
//   - What is stored takes lines of L2, whose other sectors stay empty: from 33 MB of sectors that are 64 bytes apart
//     24 MB are written to memory, and 29 where they are 128 apart. What is filled in part is read before that, and
//     does not wait for L2 to be full: of 4 bytes in each sector 0.05, 0.56, 0.8, 0.9 and 0.95 of the sectors are,
//     where they take 8, 17, 34, 67 and 134 MB of lines. 8 MB are left out, a sixth of L2.
//     Of these, the square of their share is written to memory before the launch ends (0, 0.24, 0.39, 0.73 and 0.87).
//     A line that is filled and written in part takes as long as a whole one: 14.8 ps for each store where there are
//     two in a line, 34.5 where there is one.
//   - A row of DRAM that is opened for little takes as long as 54 bytes: those reads take 14.6, 16.4, 19.5 and 25.1 ps
//     each where they are 64, 128, 256 and 1024 bytes apart, and 27 at random places of 1 GB, beside the 14.8 that 64
//     bytes take in a copy. What is filled and written opens its row twice.
void LaunchState::add_scattered(ExactCounts& totals) const {
  if (!caches_.reads_pairs) return;
  auto at = [&](Counter c) -> double& { return totals[size_t(c)]; };
  constexpr double kSector = 32, kPair = 64, kLine = 128, kRow = 1024, kFilledInL2 = 1.0 / 6, kOpening = 54;
  const Footprint reads = footprint(false), writes = footprint(true);
  const double written = different_places(writes, grid_);
  double scattered = 0;
  if (reads.per_block > 0) {
    const Footprint pairs = footprint(false, Grain::Pair);
    const MemoryTraffic of_sectors = memory_traffic(reads, writes, grid_, caches_.together, caches_.l2_bytes),
                        of_pairs = memory_traffic(pairs, footprint(true, Grain::Pair), grid_, caches_.together,
                                                  caches_.l2_bytes, kPair);
    const double more = std::max(0.0, of_pairs.read_sectors * kPair - of_sectors.read_sectors * kSector);
    at(Counter::DramReadBytes) += more;
    const double once = different_places(pairs, grid_);
    const double again = once > 0 ? std::max(1.0, of_pairs.read_sectors / once) : 1;
    const double rows = std::min(opened(footprint(false, Grain::Row), grid_) * again, of_pairs.read_sectors);
    scattered += kOpening * std::max(0.0, rows - of_pairs.read_sectors * kPair / kRow);
  }
  if (written > 0) {
    const Footprint lines = footprint(true, Grain::Line);
    const MemoryTraffic of_lines =
        memory_traffic(footprint(false, Grain::Line), lines, grid_, caches_.together, caches_.l2_bytes, kLine);
    const double all = different_places(lines, grid_);
    const double share = all > 0 ? std::min(1.0, of_lines.written_sectors / all) : 0;
    const double in_part = at(Counter::L2AtomicSectors) + at(Counter::L2ReductionSectors) > 0
                               ? 0
                               : std::max(0.0, written - at(Counter::GlobalStoreBytes) / kSector);
    const double filled = std::max(0.0, 1 - double(caches_.l2_bytes) * kFilledInL2 / (all * kLine)) * in_part / written;
    const double out = std::max(share, filled * filled);
    at(Counter::DramReadBytes) += filled * written * kSector;
    at(Counter::DramWriteBytes) = std::max(at(Counter::DramWriteBytes), out * written * kSector);
    const double rows = std::min(opened(footprint(true, Grain::Row), grid_), written);
    scattered += kOpening * (out + filled) * std::max(0.0, rows - written * kSector / kRow) +
                 filled * std::max(0.0, all * kLine - 2 * written * kSector);
  }
  at(Counter::DramScattered) = scattered;
}

// How much of what is read is under way when it is asked for (LatencyProfile).
void LaunchState::add_waits(LaunchCounts& counts) const {
  double reads = 0, late = 0, beyond = 0, first = 0;
  for (unsigned cls = 0; cls < kStrata; ++cls)
    for (const auto& [id, thread] : threads_) {
      const ClassSums& s = thread->strata[cls];
      reads += weight_of(cls) * double(s.l1_reads), late += weight_of(cls) * double(s.l1_late),
          beyond += weight_of(cls) * double(s.l2_reads), first += weight_of(cls) * double(s.read);
    }
  const L1Sharing shares = shared_in_l1();
  const double shared = shares.together + shares.later;
  if (reads > 0) counts.latency.late_hits = (late + shares.together) / reads;
  if (beyond > shared) counts.latency.first_reads = std::clamp((first - shared) / (beyond - shared), 0.0, 1.0);
}

// Of the sectors that a block reads first at each site, the part that blocks elsewhere in the grid have as well.
std::vector<double> LaunchState::common_by_site() const {
  std::vector<std::pair<double, double>> sites;  // common, all
  for (size_t n = 0; n + 1 < neighbours_.size(); ++n) {
    const auto here = compared_.find(neighbours_[n].block), there = compared_.find(neighbours_[n + 1].block);
    if (here == compared_.end() || there == compared_.end()) continue;
    for (const auto& [sector, site] : here->second.first_at) {
      if (site == kNoSite) continue;
      if (site >= sites.size()) sites.resize(site + 1);
      sites[site].second += 1;
      sites[site].first += std::binary_search(there->second.kept.begin(), there->second.kept.end(), sector);
    }
  }
  std::vector<double> parts;
  for (const auto& [common, all] : sites) parts.push_back(all > 0 ? common / all : 0);
  return parts;
}

// What each load finds. `missed`: sectors that all of them together read from memory. Those are spread over what blocks
// read for the first time and do not share with all others.
std::vector<std::optional<WaitedLoads>> LaunchState::found_at_sites(double missed) const {
  struct Site {
    double asked = 0, hits = 0, first = 0, common = 0;
  };
  std::vector<Site> sums;
  for (unsigned cls = 0; cls < kStrata; ++cls)
    for (const auto& [id, thread] : threads_) {
      const std::vector<SiteReads>& sites = thread->strata[cls].sites;
      if (sums.size() < sites.size()) sums.resize(sites.size());
      for (size_t s = 0; s < sites.size(); ++s)
        sums[s].asked += weight_of(cls) * double(sites[s].asked),
            sums[s].hits += weight_of(cls) * double(sites[s].hits),
            sums[s].first += weight_of(cls) * double(sites[s].first);
    }
  const std::vector<double> common = common_by_site();
  double all_common = 0, alone = 0;
  for (size_t s = 0; s < sums.size(); ++s) {
    if (s < common.size()) sums[s].common = common[s] * sums[s].first;
    all_common += sums[s].common, alone += sums[s].first - sums[s].common;
  }
  const L1Sharing shares = shared_in_l1();
  // What all blocks share is found in L1, or comes with what another block has asked for.
  const double later = all_common > 0 ? std::min(1.0, shares.later / all_common) : 0,
               together = all_common > 0 ? std::min(1 - later, shares.together / all_common) : 0;
  const double from_memory = alone > 0 ? std::min(1.0, missed / alone) : 0;
  std::vector<std::optional<WaitedLoads>> found(sums.size());
  for (size_t s = 0; s < sums.size(); ++s) {
    const Site& site = sums[s];
    if (site.asked == 0) continue;
    const double hits = std::min(site.hits + later * site.common, site.asked), beyond = site.asked - hits;
    const double asked_of_l2 = std::max(0.0, beyond - together * site.common);
    const auto of = [&](double part) { return asked_of_l2 > 0 ? std::clamp(part / asked_of_l2, 0.0, 1.0) : 0; };
    found[s] = WaitedLoads{hits / site.asked, of((site.first - site.common) * from_memory),
                           of(site.first - (later + together) * site.common)};
  }
  return found;
}

// Where the work of a block depends on what others did before, or threads run one by one, blocks cannot be compared.
IdleBlocks LaunchState::idle() const {
  if (split_ || failed_ || facts_.work_depends_on_order()) return {};
  std::vector<const BlockLog*> logs;
  for (const auto& [id, thread] : threads_) logs.push_back(&thread->log);
  return idle_blocks(logs, grid_.count());
}

// The longest block and the longest warps, by the average of all blocks that are not idle.
void LaunchState::fill_in_lengths(LaunchCounts& counts, const IdleBlocks& idle) const {
  struct Sum {
    double instructions = 0, loads = 0;
    void add(const simt::WarpWork& work, double times) {
      instructions += times * double(work.instructions), loads += times * double(work.loads);
    }
  };
  uint64_t most = 0;
  simt::WarpWork longest;
  double blocks = 0, instructions = 0, squares = 0;
  Sum longest_of_blocks, all;
  for (unsigned cls = 0; cls < kStrata; ++cls) {
    uint64_t n = 0, sum = 0;
    simt::WarpWork longest_warps, all_warps;
    const double weight = weight_of(cls);
    for (const auto& [id, thread] : threads_) {
      const ClassSums& s = thread->strata[cls];
      n += s.blocks, sum += s.instructions, squares += weight * s.instructions_squared;
      add(longest_warps, s.longest_warps), add(all_warps, s.all_warps);
    }
    blocks += weight * double(n), instructions += weight * double(sum);
    longest_of_blocks.add(longest_warps, weight), all.add(all_warps, weight);
  }
  const double all_instructions = instructions;
  for (const SilentBlock& b : idle.counted) {
    const double weight = weight_of(b.stratum), length = double(b.instructions);
    blocks -= weight, instructions -= weight * length, squares -= weight * length * length;
    longest_of_blocks.add(b.longest, -weight), all.add(b.all, -weight);
  }
  counts.idle_blocks = idle.blocks;
  counts.idle_instructions = all_instructions > 0 ? 1 - instructions / all_instructions : 0;
  for (const auto& [id, thread] : threads_) {
    most = std::max(most, thread->most);
    if (length_of(thread->longest_warp) > length_of(longest)) longest = thread->longest_warp;
  }
  if (instructions > 0 && !split_) {
    const double average = instructions / blocks;
    counts.longest_block = double(most) / average;
    counts.block_spread = std::sqrt(std::max(0.0, squares / blocks / (average * average) - 1));
  }
  if (all.instructions == 0) return;
  const double warps = blocks * double(warps_of_block_);
  const auto share = [&](double instructions_of, double loads_of, double of) {
    return WarpShare{instructions_of / of * warps / all.instructions,
                     all.loads > 0 ? loads_of / of * warps / all.loads : 1};
  };
  counts.longest_warp = share(longest_of_blocks.instructions, longest_of_blocks.loads, blocks);
  counts.longest_warp_of_all = share(double(longest.instructions), double(longest.loads), 1);
}

void LaunchState::fill_in(LaunchCounts& counts) {
  counts.failed = failed_;
  if (split_)
    counts.notes.push_back(
        "its threads run one by one (`warpwise run -v` says why), so the grouping of threads into warp instructions is "
        "an estimate");
  if (facts_.lines().size() <= 1)
    counts.notes.push_back(
        "source lines are not known: the kernel was compiled without line information (nvcc -lineinfo)");
  if (in_pieces_)
    counts.notes.push_back(
        "threads of one warp ran far apart: the counts of requests and warp instructions are too high");
  CellSums<double> sums(facts_);
  for (const auto& [id, thread] : threads_) {
    if (thread->in_full) sums.add(thread->cells);
    for (unsigned cls = 0; cls < kStrata; ++cls) {
      const ClassSums& s = thread->strata[cls];
      counts.counted_blocks += s.blocks;
      if (!s.cells.words.empty()) sums.add(s.cells, weight_of(cls));
    }
  }
  const bool by_order = facts_.work_depends_on_order();
  const IdleBlocks idle_ones = idle();
  const uint64_t working = grid_.count() - idle_ones.blocks;
  if (!by_order) fill_in_lengths(counts, idle_ones);
  if (by_order && grid_.count() > 1)
    counts.notes.push_back(
        "how much a block does depends on what others have done before it: all blocks are taken to do the same");
  ExactCounts totals = totals_of(facts_, sums);
  for (const auto& [id, thread] : threads_)
    for (unsigned c = 0; c < kCounters; ++c) totals[c] += thread->reported_counts[c];
  add_caches(totals);
  // Of words that are one for all: where each thread has its own, the order does not matter.
  constexpr double kOneWord = 0.9;
  double& contention = totals[size_t(Counter::GlobalAtomicContention)];
  double& turns = totals[size_t(Counter::GlobalAtomicTurns)];
  if (contention > 0 && contention >= kOneWord * turns) {
    const double threads = double(std::min(caches_.together, grid_.count()) * warps_of_block_ * simt::kLanes);
    const double more = turns_of_swaps(facts_, sums, threads);
    contention += more, turns += more;
  }
  counts.cached_blocks = counts.counted_blocks;
  counts.totals = rounded(totals);
  const double missed = totals[size_t(Counter::L2ReadSectors)] - totals[size_t(Counter::L2ReadHits)];
  counts.latency = latency_of(facts_, sums, working * warps_of_block_, working, found_at_sites(missed));
  drop_idle(counts.latency.chain, counts.idle_instructions);
  add_waits(counts);
  counts.phases = counts_of_phases(facts_, sums, double(working * warps_of_block_));
  if (plan_) estimate_errors(totals, counts);

  if (!depth_.lines) return;
  std::vector<ExactCounts> lines = lines_of(facts_, sums);
  for (size_t line = 0; line < lines.size(); ++line) {
    LineCounts entry{facts_.lines()[line], rounded(lines[line])};
    if (entry.counts != Counts{}) counts.lines.push_back(std::move(entry));
  }
  std::stable_sort(counts.lines.begin(), counts.lines.end(), [](const LineCounts& a, const LineCounts& b) {
    return a.counts[Counter::Instructions] > b.counts[Counter::Instructions];
  });
}

}  // namespace warpwise::perf
