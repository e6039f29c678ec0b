#include "perf/timing/predict.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "perf/counters/chains.h"
#include "perf/timing/model_constants.h"
#include "perf/timing/queue.h"

namespace warpwise::perf {
namespace {

using device::Machine;
using device::Properties;

// The median error of published analytical models and of cycle simulators on real GPUs is 13 to 15 per cent
// (docs/model.md); this model claims no smaller one.
constexpr double kModelError = 0.15;
// A part that is busy for less than this share of the time does not limit the kernel: Nsight Compute's guidance for its
// "speed of light" calls less than 60 per cent latency-bound.
constexpr double kBusy = 0.6;
// Above this share of the warps that an SM can hold, more warps are not advised.
constexpr double kCrowded = 0.75;
// Above this share of the time, idle SMs or the launch are the limiter.
constexpr double kMostOfIt = 0.4;

// How long a warp that runs alone waits, in clocks.
struct Waiting {
  double alone = 0;     // for arithmetic and shared memory: other warps of the block can fill it
  double loads = 0;     // for global memory ...
  double barriers = 0;  // ... and barriers: the warps of a block with barriers wait together

  double together() const { return loads + barriers; }
};

// Lines of constants that a block reads, by which the cache holds them or not.
double constant_lines(const LaunchCounts& launch) {
  return double(launch.totals[Counter::ConstantLines]) / double(launch.grid.count());
}

// Until an SM has read them for the first time.
double first_constants_ns(const LaunchCounts& launch) {
  const double lines = constant_lines(launch);
  return lines * (kConstantFirstNs + (lines > kConstantLinesHeld ? 0 : kConstantNs));
}

// Of a warp, for lines of constants that the cache does not hold.
double constant_wait(const LaunchCounts& launch) {
  if (constant_lines(launch) <= kConstantLinesHeld) return 0;
  return kConstantLine * double(launch.totals[Counter::ConstantVisits]) / double(launch.warps());
}

Waiting waiting_of(const LaunchCounts& launch, const Machine& m, double waves, double khz) {
  const ChainSteps& c = launch.latency.chain;
  return {fixed_wait(c, m) + constant_wait(launch),
          c.global * global_wait(launch, m, waves, khz) + c.atomic * m.l2_latency, c.barrier * m.barrier_latency};
}

std::string_view longest_wait(const LaunchCounts& launch, const Machine& m, double waves, double khz) {
  const ChainSteps& c = launch.latency.chain;
  const std::pair<double, std::string_view> waits[] = {
      {c.global * global_wait(launch, m, waves, khz), "its loads from global memory"},
      {c.atomic * m.l2_latency, "the results of its atomics"},
      {c.barrier * m.barrier_latency, "the other warps of its block at barriers"},
      {c.shared * m.shared_latency, "its loads from shared memory"},
      {c.fma * m.fma_latency + c.fp64 * m.fp64_latency, "the result of the previous arithmetic"},
      {c.xu * m.special_latency, "divisions, roots and exponentials"},
      {c.branch, "its branches"},
      {c.tensor * m.tensor_latency, "the previous matrix product"}};
  const auto* longest = std::max_element(std::begin(waits), std::end(waits),
                                         [](const auto& a, const auto& b) { return a.first < b.first; });
  return longest->first > 0 ? longest->second : std::string_view();
}

// Parts of the GPU that a warp uses one after the other. The parts of one station work side by side.
enum Station { kMath, kBarrierUnit, kMemoryPipe, kL2, kDram, kStations };

Station station_of(Resource r) {
  switch (r) {
    case Resource::L1:
    case Resource::Shared:
      return kMemoryPipe;
    case Resource::L2Port:
    case Resource::L2:
    case Resource::Atomics:
      return kL2;
    case Resource::Dram:
    case Resource::Host:
      return kDram;
    case Resource::Barriers:
      return kBarrierUnit;
    default:
      return kMath;
  }
}

// The launch, with everything that a what-if question may change.
struct Model {
  const LaunchCounts& launch;
  const Properties& device;
  device::Occupancy occupancy;
  Demands demands;
  std::vector<Demands> phase_shares;  // of the demands
  Waiting waiting;
  bool all_at_once = false;  // late atomics are accounted for separately
  bool divisible = false;    // as if the blocks could be cut to fill every SM
  double launch_seconds = 0;
  double khz = 0;   // of all clocks here
  double turn = 0;  // clocks between two blocks in one place
  Service service = Service::Alike;

  double warps_per_block() const { return occupancy.warps_per_block; }
  // Of those that work.
  double blocks() const { return double(launch.grid.count() - launch.idle_blocks); }
  double waves() const { return blocks() / (double(device.sm_count) * occupancy.blocks); }

  // Whether it has stores, which must have reached L2 before a block has ended.
  bool stores() const {
    const Counts& c = launch.totals;
    return c[Counter::GlobalStoreRequests] + c[Counter::BulkStoreBytes] + c[Counter::GlobalReductionRequests] > 0;
  }
  void set_clock(double to_khz) {
    khz = to_khz;
    demands = demands_of(launch, device, khz);
    // Blocks that go through more constants than the cache holds drive out what the others have.
    if (constant_lines(launch) > kConstantLinesHeld &&
        std::min(blocks() / device.sm_count, double(occupancy.blocks)) > 1)
      demands[Resource::Constant] += kConstantMiss * missed_constants();
    phase_shares = shares_of_phases(launch, device, khz);
    waiting = waiting_of(launch, device.machine, waves(), khz);
    turn = waves() > 1 ? kBlockTurn + (stores() ? device.machine.l2_latency : 0) : 0;
  }

  // Loads of constants that have to wait: the first of each line or, where there are more warps than lines are held,
  // all.
  double missed_constants() const {
    const Counts& c = launch.totals;
    const double resident = std::min(blocks() / device.sm_count, double(occupancy.blocks)) * warps_per_block();
    return double(c[resident > kConstantLinesHeld ? Counter::ConstantLoads : Counter::ConstantVisits]);
  }

  // Blocks are launched one after the other and end as far apart as they began, so that none waits for another's
  // launch. But a round of them lasts at least as long as launching them takes.
  double start_clocks(double of_blocks) const {
    return demands[Resource::Start] / double(launch.grid.count()) * of_blocks;
  }
  // Clocks that one warp needs of each station, where `demands` are those of the grid, or of a phase of it.
  std::array<double, kStations> work_of(const Demands& of, double sms) const;
  // Clocks until `resident` blocks on each of `sms` SMs are done.
  double clocks_of(double resident, double sms) const;
  // And until they have gone through one phase after the other, all at the same time; 0: there are none.
  double clocks_by_phase(double customers, double sms) const;
  // Blocks of an SM that are in the same phase, from barrier to barrier, share its busiest part, warp by warp, and come
  // out as far apart as they came in: N blocks of which each begins d clocks after the one before, with D clocks of
  // work in a phase, are in it for N D - (N - 1) d. They came d apart when the grid began, block by block over all SMs.
  // So where phases are long, none works while another waits.
  double in_step_clocks(double resident, double apart, double block_work) const {
    return apart + resident * block_work - std::max(0.0, resident - 1) * phases() * device.sm_count * kBlockStart;
  }
  double phases() const { return double(launch.totals[Counter::Barriers]) / (blocks() * warps_per_block()); }
  // From one load to the next the warps of a block drift apart: what many loads make of a phase, or of a kernel without
  // barriers, is no longer in step. Of loads that are under way together half count as one after the other, as in
  // global_latency.
  // Blocks that wait for each other do not drift apart.
  double rounds_of_phase() const {
    if (launch.latency.block_waits > 0) return 1;
    const double loads = launch.latency.chain.global * std::max(1.0, (1 + launch.latency.loads_in_flight) / 2);
    return std::max(1.0, loads / std::max(1.0, phases()));
  }
  // For blocks that begin all at once and differ in work: how much more work the busiest SM gets than the average.
  double unevenness() const;
  // For one wave of blocks, which begin together and reach their late atomics together: the clocks of those.
  double clocks_behind() const {
    const bool one_wave = blocks() <= double(device.sm_count) * occupancy.blocks;
    return one_wave && !all_at_once ? launch.latency.late_atomics * demands[Resource::Atomics] : 0;
  }
  // Clocks of the grid's blocks, wave by wave; and of the whole grid.
  double working_clocks() const;
  double clocks() const;
  // Clocks that no other work hides, when a part of the GPU is busy for a share `busiest` of the time of the blocks.
  // The last wave starts block by block, as the first did (unless the running blocks keep the GPU busy). All blocks
  // wait for their first load (which the time of the blocks includes, unless a part is busy). From load to load warps
  // drift apart, and at last the slowest are alone: distances add up as those of a random walk do. The grid ends when
  // its last stores have arrived at L2.
  double begin_and_end_clocks(double busiest) const {
    const double slots = double(device.sm_count) * occupancy.blocks, rest = blocks() - whole_waves() * slots,
                 last_wave = rest > 0 ? rest : slots;
    const double loads = launch.latency.chain.global, walk = loads > 0 ? std::sqrt(std::max(1.0, loads)) : 0;
    return (1 - busiest) * last_wave * kBlockStart +
           walk * busiest * global_latency(launch, device.machine, blocks() / slots, khz) +
           (stores() ? device.machine.l2_latency : 0);
  }
  // Of a warp that nothing delays but itself. A load's latency is that of lanes side by side; lines that it touches
  // beyond those follow clock by clock. Where a warp has more loads than instructions would let expect, it is in a loop
  // over what lies side by side, and most of those hit L1: so many of them count as it has instructions.
  double warp_clocks(const WarpShare& warp = {}) const {
    const double warps = blocks() * warps_per_block();
    const double instructions =
        demands[Resource::Issue] * device.machine.issue * (1 - launch.idle_instructions) / warps;
    const double lines = scattered_lines() / device.machine.l1_tags / warps;
    const double loads = std::min(warp.loads, std::max(1.0, warp.instructions));
    return warp.instructions * (waiting.alone + instructions) + loads * (waiting.loads + lines) + waiting.barriers;
  }
  // Cache lines that accesses touch and that would not be needed if lanes' data lay side by side.
  double scattered_lines() const {
    constexpr double kSectorsOfLine = 4;
    const Counts& c = launch.totals;
    const auto beyond = [&](Counter lines, Counter requests, Counter ideal) {
      return std::max(0.0, double(c[lines]) - std::max(double(c[requests]), double(c[ideal]) / kSectorsOfLine));
    };
    return beyond(Counter::GlobalLoadLines, Counter::GlobalLoadRequests, Counter::GlobalLoadIdealSectors) +
           beyond(Counter::GlobalStoreLines, Counter::GlobalStoreRequests, Counter::GlobalStoreIdealSectors);
  }
  // Of a block that waits for others: from a store of theirs to L2, and back by a load. All blocks wait at that time.
  double block_wait_clocks() const { return launch.latency.block_waits * 2 * device.machine.l2_latency; }
  // Blocks without work at the end of the grid begin while the last of the others are busy, for so many clocks.
  double idle_clocks(double last) const { return std::max(0.0, start_clocks(double(launch.idle_blocks)) - last); }
  double whole_waves() const { return std::floor(waves()); }
  double wave_clocks() const { return clocks_of(occupancy.blocks, device.sm_count); }
  // The blocks of a last wave take the places that become free, and the blocks of an SM end at about the same time: so
  // some SMs are filled again, while others are idle. A grid that is smaller than a wave is spread over all SMs. The
  // fullest SM ends last, and shares L2 and memory with what the others have: with 153 blocks on 132 SMs, two blocks
  // on an SM take as much of L2 as 153, not 264.
  double last_wave_clocks() const {
    const double sms = device.sm_count, rest = blocks() - whole_waves() * sms * occupancy.blocks;
    if (rest <= 0) return 0;
    const auto fullest = [&](double resident) { return clocks_of(resident, rest / resident); };
    const double spread = fullest(std::ceil(rest / sms));
    return whole_waves() < 1 ? spread : std::max(spread, fullest(std::min<double>(occupancy.blocks, rest)));
  }
  // Until the first instructions are there, and those that a warp jumps to later.
  double fetch_seconds() const {
    const double far = std::max(0.0, launch.latency.code_instructions - kFetchedAhead);
    return (device.machine.dram_latency_ns + first_constants_ns(launch) + launch.latency.code_blocks * kFetchNs +
            far * kFetchFarNs) *
           1e-9;
  }
  double seconds(double khz) const { return clocks() / (khz * 1e3) + launch_seconds + fetch_seconds(); }
};

std::array<double, kStations> Model::work_of(const Demands& of, double sms) const {
  const double warps = blocks() * warps_per_block();
  std::array<double, kStations> work{};
  for (unsigned i = 0; i < kResources; ++i) {
    auto r = static_cast<Resource>(i);
    if (r == Resource::Start) continue;
    double clocks = of[r] / warps * (info_of(r).scope == Scope::Gpu ? sms : 1);
    double& station = work[station_of(r)];
    if (station_of(r) == kMath) clocks *= 1 - launch.idle_instructions;
    // The load/store pipe serves L1 and shared memory in turn; other parts of a station work at the same time.
    station = station_of(r) == kMemoryPipe ? station + clocks : std::max(station, clocks);
  }
  return work;
}

// A phase waits for loads as it has loads, and otherwise as it has instructions.
double Model::clocks_by_phase(double customers, double sms) const {
  double loads = 0;
  for (const Counts& counts : launch.phases) loads += double(counts[Counter::GlobalLoadRequests]);
  const double waits = loads > 0 ? waiting.loads : 0, others = warp_clocks() - waits;
  double clocks = 0;
  for (size_t p = 0; p < phase_shares.size(); ++p) {
    Demands of_phase = demands;
    for (unsigned r = 0; r < kResources; ++r) of_phase.clocks[r] *= phase_shares[p].clocks[r];
    const std::array<double, kStations> work = work_of(of_phase, sms);
    const double of_loads = loads > 0 ? double(launch.phases[p][Counter::GlobalLoadRequests]) / loads : 0;
    const double think =
        waits * of_loads + others * phase_shares[p][Resource::Issue] - std::accumulate(work.begin(), work.end(), 0.0);
    clocks += round_clocks(customers, std::max(think, 0.0), work, service);
  }
  return clocks;
}

double Model::clocks_of(double resident, double sms) const {
  const std::array<double, kStations> work = work_of(demands, sms);  // of one warp
  double sum = std::accumulate(work.begin(), work.end(), 0.0), most = *std::max_element(work.begin(), work.end());
  double customers = resident * warps_per_block();

  double think = warp_clocks() + turn - sum;
  // A block lasts as long as its longest warp, whatever the others do.
  double free =
      std::max({round_clocks(customers, std::max(think, 0.0), work, service), warp_clocks(launch.longest_warp) + turn,
                launch.longest_warp.instructions * sum, start_clocks(resident * sms)});
  // All blocks of a single wave come to each phase together. Of more waves, one is in one phase and one in another.
  if (waves() <= 1) free = std::max(free, clocks_by_phase(customers, sms));
  // With barriers the warps of a block wait together, and only other blocks fill that time. Without, they begin
  // together, so that their first loads come at once, and the place is free when the last of them has ended; from one
  // load to the next they drift apart.
  const bool barriers = launch.totals[Counter::Barriers] > 0;
  if (!barriers && waves() <= 1) return free;
  double inner_think = warp_clocks() - waiting.together() - sum;
  double busy = round_clocks(warps_per_block(), std::max(inner_think, 0.0), work, service);
  double block_work = warps_per_block() * most;
  const double apart = std::max(busy + waiting.together() + turn - block_work, 0.0);
  double bound = round_clocks(resident, apart, std::array{block_work}, service);
  if (barriers && service != Service::Perfect)
    bound += std::max(0.0, in_step_clocks(resident, apart, block_work) - bound) / rounds_of_phase();
  return free + std::max(0.0, bound - free) / rounds_of_phase();
}

// The expected largest of as many sums as there are SMs (extreme values of a normal distribution: Cramér, Mathematical
// Methods of Statistics, 28.6).
double Model::unevenness() const {
  const double of_sm = blocks() / device.sm_count, sms = std::min<double>(device.sm_count, blocks());
  if (sms < 2 || launch.block_spread == 0) return 1;
  const double root = std::sqrt(2 * std::log(sms));
  const double deviations = std::max(0.0, root - (std::log(std::log(sms)) + std::log(4 * M_PI)) / (2 * root));
  return std::min(launch.longest_block, 1 + deviations * launch.block_spread / std::sqrt(std::max(of_sm, 1.0)));
}

double Model::working_clocks() const {
  if (const double behind = clocks_behind(); behind > 0) {
    Model before = *this;
    before.demands[Resource::Atomics] -= behind;
    before.all_at_once = true;
    return before.working_clocks() + behind;
  }
  double sms = device.sm_count, resident = occupancy.blocks, slots = sms * resident, n = blocks();
  if (divisible) {
    const double wave = clocks_of(n >= slots ? resident : n / sms, sms);
    return std::max(1.0, n / slots) * wave + idle_clocks(wave);
  }
  double clocks = (whole_waves() > 0 ? whole_waves() * wave_clocks() : 0) + last_wave_clocks();
  clocks += (block_wait_clocks() + kFetchAgain * launch.latency.code_again) * std::max(1.0, waves());
  if (n <= slots) clocks *= unevenness();
  // Nothing ends before the longest warp.
  clocks = std::max(clocks, warp_clocks(launch.longest_warp_of_all));
  // Nor before the longest block, which is alone at last.
  if (launch.longest_block > 1) clocks = std::max(clocks, launch.longest_block * clocks_of(1, std::min(n, sms)));
  return clocks + idle_clocks(whole_waves() > 0 ? wave_clocks() : clocks);
}

double Model::clocks() const {
  const double working = working_clocks();
  double busiest = 0;
  for (unsigned i = 0; i < kResources; ++i) {
    const auto r = static_cast<Resource>(i);
    if (r == Resource::Start) continue;
    busiest = std::max(busiest, demands[r] / (info_of(r).scope == Scope::Sm ? device.sm_count : 1) / working);
  }
  return working + begin_and_end_clocks(std::min(busiest, 1.0));
}

double clock_of(const Properties& device, double activity) {
  double boost = device.core_clock_khz, sustained = device.machine.sustained_khz;
  return boost - (boost - std::min(sustained, boost)) * std::clamp(activity, 0.0, 1.0);
}

// The clock falls from boost to base as arithmetic fills: what is busy decides the power, and the power the clock.
double sustained_clock_khz_of(Model& model) {
  double khz = model.device.core_clock_khz;
  for (int i = 0; i < 8; ++i) {
    model.set_clock(khz);
    double clocks = model.clocks() * model.device.sm_count;
    double activity = clocks > 0 ? std::max({model.demands[Resource::Fp32], model.demands[Resource::Fp64],
                                             model.demands[Resource::Fp16], model.demands[Resource::Tensor]}) /
                                       clocks
                                 : 0;
    khz = (khz + clock_of(model.device, activity)) / 2;
  }
  return khz;
}

void fill_utilization(Prediction& p, const Model& model) {
  double clocks = model.clocks();
  for (unsigned i = 0; i < kResources; ++i) {
    auto r = static_cast<Resource>(i);
    double capacity = info_of(r).scope == Scope::Sm ? clocks * model.device.sm_count : clocks;
    p.utilization[i] = capacity > 0 ? std::min(1.0, model.demands[r] / capacity) : 0;
    double& group = info_of(r).group == Group::Compute ? p.compute_of_peak : p.memory_of_peak;
    group = std::max(group, p.utilization[i]);
  }
  // L1 and shared memory are one pipe.
  p.memory_of_peak = std::clamp(p.of(Resource::L1) + p.of(Resource::Shared), p.memory_of_peak, 1.0);
}

struct Verdict {
  Limit limit;
  double tail_share = 0, busiest = 0;
};

Verdict verdict_of(const Model& model, double khz) {
  Verdict v;
  double seconds = model.seconds(khz), clocks = model.clocks();
  Model whole = model;
  whole.divisible = true;
  v.tail_share = seconds > 0 ? std::max(0.0, (seconds - whole.seconds(khz)) / seconds) : 0;
  Resource busiest = Resource::Issue;
  double pipe = 0;
  for (unsigned i = 0; i < kResources; ++i) {
    auto r = static_cast<Resource>(i);
    double share =
        model.demands[r] / (info_of(r).scope == Scope::Sm ? model.device.sm_count : 1) / std::max(clocks, 1e-9);
    if (station_of(r) == kMemoryPipe) pipe += share;
    if (share > v.busiest) v.busiest = share, busiest = r;
  }
  if (pipe > v.busiest) {
    v.busiest = pipe;
    busiest = model.demands[Resource::L1] >= model.demands[Resource::Shared] ? Resource::L1 : Resource::Shared;
  }
  if (model.launch_seconds > kMostOfIt * seconds)
    v.limit.kind = Limit::Kind::Launch;
  else if (v.tail_share > kMostOfIt)
    v.limit.kind = Limit::Kind::Tail;
  // The time of the tail is not caused by the busy part.
  else if (v.busiest / std::max(1 - v.tail_share, 0.01) < kBusy)
    v.limit.kind = Limit::Kind::Latency;
  else
    v.limit.resource = busiest;
  return v;
}

// The launch without what limits it.
Model without(Model model, Limit limit) {
  switch (limit.kind) {
    case Limit::Kind::Launch:
      model.launch_seconds = 0;
      break;
    case Limit::Kind::Tail:
      model.divisible = true;
      break;
    case Limit::Kind::Latency:
      model.waiting = {}, model.turn = 0;
      break;
    case Limit::Kind::Resource:
      model.demands[limit.resource] = 0;
      break;
  }
  return model;
}

// The registers of a kernel are an estimate where ptxas was not asked: how much the time would move with a quarter more
// or less.
double register_spread(const Model& model, double seconds, double khz) {
  if (model.launch.register_source == RegisterSource::Ptxas) return 0;
  double spread = 0;
  for (double factor : {0.8, 1.25}) {
    Model other = model;
    device::BlockResources block = resources_of(model.launch, model.device);
    block.registers = static_cast<unsigned>(std::clamp(block.registers * factor, 16.0, 255.0));
    other.occupancy = occupancy_of(model.device, block);
    if (other.occupancy.blocks > 0) spread = std::max(spread, std::abs(other.seconds(khz) - seconds) / seconds);
  }
  return spread;
}

void fill_uncertainty(Prediction& p, const Model& model) {
  auto with = [&](Service service) {
    Model other = model;
    other.service = service;
    return other.seconds(p.clock_khz);
  };
  auto relative = [&](double seconds) { return std::abs(seconds - p.seconds) / p.seconds; };
  double sampled =
      std::max(model.launch.error_of(Counter::Instructions), model.launch.error_of(Counter::DramReadBytes));
  double common =
      kModelError * kModelError + sampled * sampled + std::pow(register_spread(model, p.seconds, p.clock_khz), 2);
  p.low = p.seconds * std::max(0.1, 1 - std::sqrt(common + std::pow(relative(with(Service::Perfect)), 2)));
  p.high = p.seconds * (1 + std::sqrt(common + std::pow(relative(with(Service::Exponential)), 2)));
  // Nothing was put through the caches: all of L1's traffic may come from memory.
  if (model.launch.cached_blocks == 0) {
    double bytes = 32.0 * double(model.launch.totals[Counter::GlobalLoadSectors] +
                                 model.launch.totals[Counter::GlobalStoreSectors]);
    p.high = std::max(p.high, p.launch_seconds + dram_seconds(model.device, bytes, 0));
  }
}

}  // namespace

device::BlockResources resources_of(const LaunchCounts& launch, const Properties& device) {
  return {.threads = static_cast<unsigned>(launch.block.count()),
          .registers = launch.registers,
          .static_shared = launch.static_shared_bytes,
          .dynamic_shared = launch.dynamic_shared_bytes,
          .shared_limit = device.shared_per_block_optin_bytes,
          .barriers = std::max(launch.barriers_used, 1u)};
}

std::optional<Prediction> predict(const LaunchCounts& launch, const Properties& device) {
  Model model{launch, device, occupancy_of(device, resources_of(launch, device))};
  if (model.occupancy.blocks == 0 || launch.grid.count() == 0 || launch.totals[Counter::Instructions] == 0)
    return std::nullopt;
  model.launch_seconds = device.machine.launch_ns * 1e-9;

  Prediction p;
  p.occupancy = model.occupancy;
  p.clock_khz = sustained_clock_khz_of(model);
  p.seconds = model.seconds(p.clock_khz);
  p.launch_seconds = model.launch_seconds;
  p.waits_for = longest_wait(launch, device.machine, model.waves(), p.clock_khz);
  p.warps_of_sm = device.warps_per_sm();
  p.gap_seconds = std::max(0.0, device.machine.launch_ns - kStartNs) * 1e-9;
  p.waves = model.waves() * double(launch.grid.count()) / model.blocks();
  if (model.whole_waves() > 0) p.wave_seconds = model.wave_clocks() / (p.clock_khz * 1e3);
  p.last_wave_seconds = model.last_wave_clocks() / (p.clock_khz * 1e3);
  p.resident_warps =
      std::min(double(p.occupancy.warps()), model.blocks() / device.sm_count * p.occupancy.warps_per_block);
  fill_utilization(p, model);

  Verdict verdict = verdict_of(model, p.clock_khz);
  p.limiter = verdict.limit;
  p.tail_share = verdict.tail_share;
  p.latency_share = std::max(0.0, 1 - verdict.busiest);
  Model freed = without(model, p.limiter);
  p.seconds_without_limiter = freed.seconds(p.clock_khz);
  p.next = verdict_of(freed, p.clock_khz).limit;
  fill_uncertainty(p, model);
  return p;
}

std::string_view name_of(Limit limit) {
  switch (limit.kind) {
    case Limit::Kind::Resource:
      return info_of(limit.resource).name;
    case Limit::Kind::Latency:
      return "latency";
    case Limit::Kind::Tail:
      return "idle SMs";
    case Limit::Kind::Launch:
      return "launch overhead";
  }
  return "";
}

std::string_view key_of(Limit limit) {
  switch (limit.kind) {
    case Limit::Kind::Resource:
      return info_of(limit.resource).key;
    case Limit::Kind::Latency:
      return "latency";
    case Limit::Kind::Tail:
      return "tail";
    case Limit::Kind::Launch:
      return "launch";
  }
  return "";
}

namespace {

// Most SMs may have none: an average below one is no number of warps.
std::string few_warps(double warps) {
  if (warps < 0.95) return "less than one warp on average";
  return warps < 1.5 ? "only 1 warp" : fmt::format("only {:.0f} warps", warps);
}

}  // namespace

std::string limiter_words(const Prediction& p) {
  switch (p.limiter.kind) {
    case Limit::Kind::Resource:
      return std::string(info_of(p.limiter.resource).words);
    case Limit::Kind::Latency: {
      const std::string what(p.waits_for.empty() ? "the result before" : p.waits_for);
      // More warps would help only where there is room for them.
      if (p.resident_warps < kCrowded * p.warps_of_sm)
        return fmt::format("latency: each warp waits for {}, and an SM has {} (of {:.0f}) to execute meanwhile", what,
                           few_warps(p.resident_warps), p.warps_of_sm);
      return fmt::format(
          "latency: each warp waits for {} before it continues, and although the SMs are full of warps, all of them "
          "wait at once",
          what);
    }
    case Limit::Kind::Tail:
      return "idle SMs: there are too few blocks, the last wave fills only part of the GPU, or some blocks have far "
             "more "
             "work than others";
    case Limit::Kind::Launch:
      return "its launch: starting the kernel takes longer than running it";
  }
  return "";
}

}  // namespace warpwise::perf
