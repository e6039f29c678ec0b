#include "perf/timing/demands.h"

#include <algorithm>
#include <cmath>

#include "perf/timing/model_constants.h"

namespace warpwise::perf {
namespace {

using enum Counter;

constexpr double kWarp = 32;
constexpr double kSector = 32;  // bytes
constexpr double kLine = 128;   // bytes behind one tag of L1

double per(double amount, double rate) { return rate > 0 ? amount / rate : 0; }

// The same for accesses whose lines are not counted: sectors beyond those of a dense warp are lines of their own.
double lines_of(double requests, double sectors, double dense) {
  return std::max(requests, sectors <= dense ? sectors / (kLine / kSector) : sectors);
}

// Clocks of the load/store pipe for global memory and for shared memory, of instructions that are alike.
double global_clocks(const Counts& c, const device::Machine& m) {
  auto access = [&](Counter requests, Counter sectors, Counter lines, Counter bytes) {
    return std::max({double(c[requests]) * kWarp / m.lsu_lanes, double(c[lines]) / m.l1_tags,
                     double(c[sectors]) * kSector / m.l1_bytes, double(c[bytes]) / m.l1_bytes});
  };
  double clocks = access(GlobalLoadRequests, GlobalLoadSectors, GlobalLoadLines, GlobalLoadRegisterBytes) +
                  access(GlobalStoreRequests, GlobalStoreSectors, GlobalStoreLines, GlobalStoreBytes);
  // The ideal of these is not counted: each sector is taken to be in a line of its own where there are more than a
  // dense warp has.
  auto plain = [&](Counter requests, Counter sectors, double ideal_a_request) {
    double n = double(c[requests]);
    return std::max(n * kWarp / m.lsu_lanes, lines_of(n, double(c[sectors]), n * ideal_a_request) / m.l1_tags);
  };
  clocks +=
      plain(GlobalAtomicRequests, GlobalAtomicSectors, 4) + plain(GlobalReductionRequests, GlobalReductionSectors, 4);
  clocks += plain(LocalLoadRequests, LocalLoadSectors, 4) + plain(LocalStoreRequests, LocalStoreSectors, 4);
  clocks += std::max(plain(AsyncCopyRequests, AsyncCopySectors, 16), double(c[AsyncCopyBytes]) / m.l1_bytes);
  return clocks;
}

double shared_clocks(const Counts& c, const device::Machine& m) {
  double pass = kLine / m.l1_bytes;  // a wavefront is 128 bytes
  auto access = [&](Counter requests, Counter wavefronts, Counter bytes) {
    return std::max(
        {double(c[requests]) * kWarp / m.lsu_lanes, double(c[wavefronts]) * pass, double(c[bytes]) / m.l1_bytes});
  };
  // Loads that ptxas merges are one instruction with the data of all of them.
  double loads =
      std::max({double(c[SharedLoads] - c[SharedLoadsFused]) * kWarp / m.lsu_lanes,
                double(c[SharedLoadWavefronts]) * pass, double(c[SharedLoadRegisterBytes]) / m.shared_register_bytes});
  return loads + access(SharedStores, SharedStoreWavefronts, SharedStoreBytes) +
         std::max(double(c[SharedAtomics]) * kWarp / m.lsu_lanes, double(c[SharedAtomicWavefronts]) * pass) +
         double(c[BulkLoadBytes] + c[BulkStoreBytes]) / m.l1_bytes;
}

// Clocks in which L2 moves `bytes` between itself and the multiprocessors, `stored` of them whole sectors that are
// stored.
double l2_clocks(const LaunchCounts& launch, const device::Properties& device, double bytes, double stored,
                 double khz) {
  if (!l2_has_own_clock(device) || launch.cached_blocks == 0) return per(bytes, device.machine.l2_bytes_per_clock);
  const double through_both = 1 - 1.0 / l2_parts(device);
  return per(bytes + through_both * (double(launch.totals[DramReadBytes]) + stored), kL2BytesPerNs) * khz * 1e-6;
}

// The sum over source lines, or from the totals where lines are not known.
template <class Clocks>
double by_lines(const LaunchCounts& launch, const device::Machine& m, Clocks clocks) {
  double whole = clocks(launch.totals, m), sum = 0;
  for (const LineCounts& line : launch.lines) sum += clocks(line.counts, m);
  return std::max(whole, sum);
}

}  // namespace

const ResourceInfo& info_of(Resource resource) {
  static constexpr ResourceInfo kInfo[] = {
#define RESOURCE(id, key, name, scope, group, words) {key, name, Scope::scope, Group::group, words},
#include "perf/timing/resources.inc"
#undef RESOURCE
  };
  return kInfo[static_cast<unsigned>(resource)];
}

Demands demands_of(const LaunchCounts& launch, const device::Properties& device, double khz) {
  const Counts& c = launch.totals;
  const device::Machine& m = device.machine;
  Demands d;
  const double more =
      double(c[MoreFma] + c[MoreAlu] + c[MoreXu] + c[MoreFp64] + c[MoreBranches] + c[MoreUniform] + c[PredicatedOff]);
  const double fused = double(c[SharedLoadsFused] + c[FusedAlu] + c[FusedBranches]);
  d[Resource::Issue] = per(std::max(0.0, double(c[Instructions]) - fused) + more, m.issue);
  d[Resource::Fp32] = per(double(c[PipeFma] + c[MoreFma]) * kWarp, m.fp32_lanes);
  d[Resource::Integer] =
      per((std::max(0.0, double(c[PipeAlu]) - double(c[FusedAlu])) + double(c[MoreAlu])) * kWarp, m.integer_lanes);
  d[Resource::Fp64] = per(double(c[PipeFp64] + c[MoreFp64]) * kWarp, m.fp64_lanes);
  d[Resource::Fp16] = per(double(c[PipeFp16]) * kWarp, m.fp16_lanes);
  d[Resource::Special] = per(double(c[PipeXu] + c[MoreXu]) * kWarp, m.special_lanes);
  d[Resource::Tensor] = per(double(c[TensorF16Ops]), m.tensor_f16) + per(double(c[TensorTf32Ops]), m.tensor_tf32) +
                        per(double(c[TensorF64Ops]), m.tensor_f64) + per(double(c[TensorF8Ops]), m.tensor_f8) +
                        per(double(c[TensorIntOps]), m.tensor_int8);
  // Matrix products of single warps on tensor cores that are made for warpgroups.
  const double products =
      double(c[TensorF16Ops] + c[TensorTf32Ops] + c[TensorF64Ops] + c[TensorF8Ops] + c[TensorIntOps]);
  if (products > 0)
    d[Resource::Tensor] *=
        (double(c[TensorWgmmaOps]) + (products - double(c[TensorWgmmaOps])) / m.mma_share) / products;
  d[Resource::L1] = by_lines(launch, m, global_clocks);
  d[Resource::Shared] = by_lines(launch, m, shared_clocks);
  // Shuffles and the like pass the load/store units, too.
  double accesses = double(c[GlobalLoadRequests] + c[GlobalStoreRequests] + c[GlobalAtomicRequests] +
                           c[GlobalReductionRequests] + c[LocalLoadRequests] + c[LocalStoreRequests] +
                           c[AsyncCopyRequests] + c[SharedLoads] + c[SharedStores] + c[SharedAtomics]);
  if (double(c[PipeLsu]) > accesses) d[Resource::Shared] += per((double(c[PipeLsu]) - accesses) * kWarp, m.lsu_lanes);

  // Without the cache models, all requests to L1 are taken to miss, and the DRAM traffic is not known.
  double read = double(launch.cached_blocks ? c[L2ReadSectors]
                                            : c[GlobalLoadSectors] + c[LocalLoadSectors] + c[AsyncCopySectors]);
  double written = double(launch.cached_blocks ? c[L2WriteSectors] : c[GlobalStoreSectors] + c[LocalStoreSectors]);
  double reduced = double(c[L2AtomicSectors] + c[L2ReductionSectors]);
  double bytes =
      (read + written + reduced) * kSector + double(launch.cached_blocks ? 0 : c[BulkLoadBytes] + c[BulkStoreBytes]);
  // Partly stored sectors are serialised at their slice, which takes longer than their bytes.
  const double turn = kSliceTurnNs * khz * 1e-6, part_store = kPartStoreNs * khz * 1e-6,
               whole = double(c[LocalStoreSectors]) + double(c[GlobalStoreBytes] + c[BulkStoreBytes]) / kSector;
  const double in_part = std::max(0.0, written - whole);
  const double alone = std::min(1.0, ratio(c, GlobalStoreLines, GlobalStoreSectors));
  d[Resource::L2Port] = std::max(per(bytes - in_part * kSector, m.l2_to_sm_bytes) + in_part * kPartStore,
                                 double(c[L2ReadLines]) * kLineRequest);
  d[Resource::Constant] = double(c[ConstantPasses]) * kConstantPass;
  d[Resource::L2] =
      l2_clocks(launch, device, bytes - in_part * kSector, (written - in_part) * kSector, khz) +
      per(in_part, m.l2_atomics_per_clock) * part_store * (kPartStoreInRow + (1 - kPartStoreInRow) * alone);
  // Spread over the slices of L2; one after the other where they contend for a line.
  d[Resource::Atomics] =
      (per(double(c[GlobalAtomicTurns]), kEvenAtomics * m.l2_atomics_per_clock) + double(c[GlobalAtomicContention])) *
      turn;
  d[Resource::Barriers] = double(c[Barriers]) * kBarrierWarp;
  d[Resource::Start] = double(launch.grid.count()) * kBlockStart;
  // Both ways at the same time.
  d[Resource::Host] =
      per(double(std::max(c[HostReadSectors], c[HostWriteSectors])) * kSector, m.host_gb_per_s * 1e9) * khz * 1e3;
  const double scattered = double(c[DramScattered]), moved = double(c[DramReadBytes] + c[DramWriteBytes]);
  d[Resource::Dram] = dram_seconds(device, double(c[DramReadBytes]), double(c[DramWriteBytes])) *
                      (moved > 0 ? 1 + scattered / moved : 1) * khz * 1e3;
  return d;
}

std::vector<Demands> shares_of_phases(const LaunchCounts& launch, const device::Properties& device, double khz) {
  if (launch.phases.size() < 2) return {};
  // What the caches had is known for the launch: each access has its share of it.
  constexpr Counter kLoads[] = {GlobalLoadSectors, LocalLoadSectors, AsyncCopySectors},
                    kStores[] = {GlobalStoreSectors, LocalStoreSectors},
                    kAtomics[] = {GlobalAtomicRequests, GlobalReductionRequests};
  constexpr Counter kOfLoads[] = {L1ReadSectors, L1ReadHits,    L2ReadSectors, L2ReadLines,
                                  L2ReadHits,    DramReadBytes, DramScattered, HostReadSectors},
                    kOfStores[] = {L2WriteSectors, DramWriteBytes, HostWriteSectors},
                    kOfAtomics[] = {L2AtomicSectors, L2ReductionSectors, GlobalAtomicTurns, GlobalAtomicContention};
  const auto sum = [](const Counts& counts, auto& counters) {
    double total = 0;
    for (Counter c : counters) total += double(counts[c]);
    return total;
  };
  std::vector<Demands> phases;
  for (const Counts& counts : launch.phases) {
    LaunchCounts part;
    part.grid = launch.grid, part.block = launch.block, part.cached_blocks = launch.cached_blocks;
    part.totals = counts;
    const auto share = [&](auto& by, auto& counters) {
      const double whole = sum(launch.totals, by);
      for (Counter c : counters)
        part.totals[c] = whole > 0 ? uint64_t(double(launch.totals[c]) * sum(counts, by) / whole) : 0;
    };
    share(kLoads, kOfLoads), share(kStores, kOfStores), share(kAtomics, kOfAtomics);
    phases.push_back(demands_of(part, device, khz));
  }
  for (unsigned r = 0; r < kResources; ++r) {
    double together = 0;
    for (const Demands& phase : phases) together += phase.clocks[r];
    for (Demands& phase : phases)
      phase.clocks[r] = together > 0 ? phase.clocks[r] / together : 1 / double(phases.size());
  }
  return phases;
}

double dram_seconds(const device::Properties& device, double read, double written) {
  const device::Machine& m = device.machine;
  const double bytes = read + written, mixed = bytes > 0 ? 2 * std::min(read, written) / bytes : 0;
  return per(bytes, device.dram_bytes_per_second() *
                        (m.dram_read_fraction + (m.dram_fraction - m.dram_read_fraction) * mixed));
}

namespace {

// With its parts multiplied: of what hits L1, and of what comes from memory.
double global_clocks_of_load(const LaunchCounts& launch, const device::Machine& m, double waves, double khz,
                             double times_in_l1, double times_from_memory) {
  // A warp that requests a sector which another warp has just requested waits with it. So do blocks of the first wave,
  // which begin together and reach shared data at the same time; later blocks hit L2.
  // A warp that has several loads in flight waits for the slowest. Loads that miss tend to miss together, so that half
  // of them count as independent.
  // Where it is known which loads are waited for, all this is in what those find.
  const double together = std::max(1.0, (1 + launch.latency.loads_in_flight) / 2);
  const WaitedLoads of_launch{
      std::pow(std::max(0.0, ratio(launch.totals, L1ReadHits, L1ReadSectors) - launch.latency.late_hits), together),
      1 - ratio(launch.totals, L2ReadHits, L2ReadSectors), launch.latency.first_reads};
  const WaitedLoads found = launch.latency.waited.value_or(of_launch);
  const double l1 = found.in_l1, missed = found.missed, first = std::max(missed, found.first);
  const double memory = missed + (first - missed) / std::max(1.0, waves);
  return l1 * times_in_l1 * m.l1_latency +
         (1 - l1) * ((1 - memory) * m.l2_latency +
                     memory * times_from_memory * (m.l2_latency + m.dram_latency_ns * khz * 1e-6));
}

}  // namespace

double global_latency(const LaunchCounts& launch, const device::Machine& m, double waves, double khz) {
  return global_clocks_of_load(launch, m, waves, khz, 1, 1);
}

double global_wait(const LaunchCounts& launch, const device::Machine& m, double waves, double khz) {
  return global_clocks_of_load(launch, m, waves, khz, launch.latency.in_l1, launch.latency.from_memory);
}

}  // namespace warpwise::perf
