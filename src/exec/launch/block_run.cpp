#include "exec/launch/block_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>

#include "exec/launch/signal_cause.h"
#include "exec/observer.h"
#include "exec/services/services.h"
#include "simt/instrument/race_cells.h"

namespace warpwise::exec {

using device::Failure;

LaunchRun::LaunchRun(const Machine& machine, const KernelLaunch& launch, const LoadedKernel& kernel,
                     const LoadedKernel* counting, uint64_t parameters, bool in_order, const LaunchStart& start)
    : machine(machine),
      launch(launch),
      kernel(kernel),
      counting(counting),
      parameters(parameters),
      in_order(in_order),
      first_place(start.place),
      blocks(launch.grid.count()),
      slots(launch, kernel.about().cancels_clusters, first_place),
      sum_order(kernel.about().logged_sums, first_place),
      output(*machine.output, in_order),
      started(start.time),
      next_(first_place),
      end_(blocks) {
  double seconds = machine.options.timeout_seconds;
  if (seconds > 0)
    deadline = started + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  clusters_ = blocks / launch.cluster.count();
  if (machine.options.schedule.shuffle && clusters_ > 1) {
    // Visit them with a stride coprime to their number: a permutation that needs no memory.
    uint64_t seed = machine.options.schedule.seed * 0x9e3779b97f4a7c15u + launch.grid_id * 0xbf58476d1ce4e5b9u;
    seed ^= seed >> 31;
    stride_ = seed % clusters_ | 1;
    while (std::gcd(stride_, clusters_) != 1) ++stride_;
    offset_ = (seed >> 17) % clusters_;
  }
}

LaunchRun::Range LaunchRun::take(uint64_t chunk) {
  if (failed_place_.load(std::memory_order_relaxed) != std::numeric_limits<uint64_t>::max()) return {};
  if (next_.load(std::memory_order_relaxed) >= end_.load(std::memory_order_relaxed)) return {};
  uint64_t first = next_.fetch_add(chunk, std::memory_order_relaxed);
  if (first >= blocks) return {};
  return {first, std::min(first + chunk, blocks)};
}

const simt::Site* LaunchRun::site_at(uint64_t pc) const {
  const simt::Site* site = kernel.site_at(pc);
  return site || !counting ? site : counting->site_at(pc);
}

const LoadedCode* LaunchRun::code_at(uint64_t pc) const {
  if (kernel.code().contains(pc)) return &kernel.code();
  return counting && counting->code().contains(pc) ? &counting->code() : nullptr;
}

uint64_t LaunchRun::block_at(uint64_t place) const {
  const device::Dim3 &grid = launch.grid, &cluster = launch.cluster;
  const uint64_t size = cluster.count();
  uint64_t c = size == 1 ? place : place / size;  // a division would be a seventh of enter()
  if (stride_ != 1 || offset_ != 0)
    c = static_cast<uint64_t>((static_cast<unsigned __int128>(c) * stride_ + offset_) % clusters_);
  if (size == 1) return c;
  const uint64_t rank = place % size, across = grid.x / cluster.x, down = grid.y / cluster.y;
  uint64_t x = c % across * cluster.x + rank % cluster.x;
  uint64_t y = c / across % down * cluster.y + rank / cluster.x % cluster.y;
  uint64_t z = c / across / down * cluster.z + rank / cluster.x / cluster.y;
  return x + grid.x * (y + uint64_t{grid.y} * z);
}

void LaunchRun::record(uint64_t place, const KernelFault& fault) {
  std::lock_guard lock(mutex_);
  if (place >= failed_place_.load()) return;
  failed_place_ = place;
  fault_ = fault;
}

BlockMemory::~BlockMemory() {
  for (Piece* piece : {&shared_, &local_, &frames_}) drop(*piece);
}

void BlockMemory::drop(Piece& piece) {
  if (piece.view) arena_.free(piece.view - simt::kAliasOffset);
  piece = {};
}

Result<void> BlockMemory::grow(Piece& piece, size_t bytes, std::string_view what, const Placement& placement) {
  if (bytes <= piece.bytes && piece.view) return {};
  drop(piece);
  bytes = (std::max<size_t>(bytes, 1) + 4095) / 4096 * 4096;
  auto base = TRY(arena_.allocate(bytes, device::MemoryKind::Device, Owner::Engine, what, placement));
  piece = {base + simt::kAliasOffset, bytes};
  return {};
}

// A masked vector access whose inactive lanes lie in a page without memory costs the processor a hundred times
// as much as one without (`if (t >= 4) s[t - 4]` reads before the array in the lanes that are off). So shared
// memory has a page of its own memory on either side.
Result<void> BlockMemory::reserve(size_t shared, size_t local, size_t frames) {
  const Piece before = shared_;
  TRY(grow(shared_, shared + 2 * kMargin, kSharedMemoryName, {kSharedAlignment, kMargin}));
  if (shared_.view != before.view || shared_.bytes != before.bytes)
    std::memset(reinterpret_cast<void*>(shared_.view), 0, shared_.bytes);
  TRY(grow(local_, local, kLocalMemoryName));
  TRY(grow(frames_, frames, "the saved registers of a block"));
  return {};
}

namespace {

void set(uint32_t (&out)[3], const device::Dim3& d) { out[0] = d.x, out[1] = d.y, out[2] = d.z; }

}  // namespace

Result<void> BlockRun::begin(BlockMemory& memory) {
  const KernelLaunch& l = launch.launch;
  const simt::CompiledKernel& about = launch.kernel.about();
  uint32_t warps = (static_cast<uint32_t>(l.block.count()) + simt::kLanes - 1) / simt::kLanes;
  uint32_t stride = (about.local_bytes + 15) / 16 * 16;
  uint32_t shared = about.static_shared_bytes + l.dynamic_shared_bytes;
  if (l.dynamic_shared_bytes != 0)
    shared = std::max(shared, l.image->layout.dynamic_shared_offset + l.dynamic_shared_bytes);
  const uint32_t frame_bytes =
      launch.counting ? std::max(about.frame_bytes, launch.counting->about().frame_bytes) : about.frame_bytes;
  // Local memory of whole warps: it may be interleaved (simt/analysis/local_layout.h).
  TRY(memory.reserve(shared, size_t{stride} * warps * simt::kLanes, size_t{frame_bytes} * warps));

  simt::BlockContext& c = context;
  c.parameters = launch.parameters;
  c.shared = memory.shared();
  c.local = memory.local();
  c.globals = l.image->globals + simt::kAliasOffset;
  c.frames = memory.frames();
  c.services = &services();
  set(c.nctaid, l.grid);
  set(c.ntid, l.block);
  c.dynamic_shared_bytes = l.dynamic_shared_bytes;
  c.total_shared_bytes = shared;
  c.local_stride = stride;
  c.nsmid = launch.machine.properties->sm_count;
  c.nwarpid = launch.machine.properties->warps_per_sm();
  c.gridid = l.grid_id;
  set(c.nclusterid, {l.grid.x / l.cluster.x, l.grid.y / l.cluster.y, l.grid.z / l.cluster.z});
  set(c.cluster_nctaid, l.cluster);
  set(c.cluster_ctaid, {0, 0, 0});
  std::iota(std::begin(c.warp_order), std::end(c.warp_order), 0u);
  c.engine = this;
  if (Observer* observer = launch.machine.observer) {
    pointer_provenance = std::make_unique<std::array<simt::PointedTo, simt::kPointers>>();
    c.pointer_provenance = reinterpret_cast<uint64_t>(pointer_provenance->data());
    static simt::RaceEpochs never_compared;
    c.race = reinterpret_cast<uint64_t>(&never_compared);
    observer->block_memory(*this);
  }
  return {};
}

// Not in enter(): the generator would make every block pay for its 2.5 KiB of stack.
[[gnu::noinline]] void BlockRun::shuffle_warps() {
  std::mt19937_64 random(launch.machine.options.schedule.seed ^ block * 0x9e3779b97f4a7c15u);
  std::iota(std::begin(context.warp_order), std::end(context.warp_order), 0u);
  const uint64_t warps = (launch.launch.block.count() + simt::kLanes - 1) / simt::kLanes;
  std::shuffle(context.warp_order, context.warp_order + warps, random);
}

void BlockRun::enter(uint64_t new_place) {
  const KernelLaunch& l = launch.launch;
  const uint64_t last = block;
  place = new_place;
  block = launch.block_at(place);
  running_thread = -1;
  running = nullptr;
  if (!deferred.empty()) deferred.clear();  // a block before this one failed
  if (launch.machine.options.schedule.shuffle) shuffle_warps();
  simt::BlockContext& c = context;
  device::Dim3 at;
  if (block != 0 && block == last + 1) {  // the usual case, without divisions
    at = {c.ctaid[0] + 1, c.ctaid[1], c.ctaid[2]};
    if (at.x == l.grid.x) at = {0, at.y + 1, at.z};
    if (at.y == l.grid.y) at = {at.x, 0, at.z + 1};
    c.smid = c.smid + 1 == c.nsmid ? 0 : c.smid + 1;
  } else {
    at = l.block_at(block);
    c.smid = static_cast<uint32_t>(block % c.nsmid);
  }
  set(c.ctaid, at);
  c.warp = kNoWarp;
  c.block_done = 0;
  c.barrier_result = 0;
  c.copied_unwritten = 0;
  const device::Dim3& k = l.cluster;
  if (k.count() == 1) {
    set(c.clusterid, at);
  } else {
    set(c.clusterid, {at.x / k.x, at.y / k.y, at.z / k.z});
    set(c.cluster_ctaid, {at.x % k.x, at.y % k.y, at.z % k.z});
  }

  // Shared memory starts the same for every block, whatever ran before on this host thread. A shuffled
  // schedule shows programs that rely on luck: there it is filled with NaNs.
  if (c.total_shared_bytes != 0) {
    bool adversarial = launch.machine.options.schedule.shuffle;
    std::memset(reinterpret_cast<void*>(c.shared), adversarial ? 0xff : 0, c.total_shared_bytes);
  }
  if (Observer* observer = launch.machine.observer) {
    observer->block_begins(*this);
    counts = observer->counting_of(launch.launch) != simt::Counting::None &&
             (!launch.counting || observer->count_block(*this));
  }
}

void BlockRun::fail(KernelFault f, uint64_t pc) {
  f.block = block;
  if (f.thread < 0) f.thread = running_thread;
  if (f.function < 0) {
    if (const simt::Site* site = launch.site_at(pc)) {
      f.function = site->function;
      f.instruction = site->instruction;
      f.calls = launch.kernel.calls_around(site->call);
    } else if (f.instruction >= 0) {
      f.function = launch.launch.image->kernel;
    }
  }
  fault = std::move(f);
  guard.leave();
}

void BlockRun::abandon() {
  fault.reset();
  guard.leave();
}

std::optional<std::string> LaunchRun::reason_to_stop() {
  interrupts.arm();
  if (deadline && Clock::now() >= *deadline)
    return fmt::format("the kernel did not end within {:.3g} s", machine.options.timeout_seconds);
  if (interrupts.interrupted() || machine.stopped()) return "interrupted";
  return std::nullopt;
}

void BlockRun::check_progress(int64_t warp, uint64_t pc) {
  if (launch.is_pointless(place)) abandon();
  auto reason = launch.reason_to_stop();
  if (!reason) return;
  KernelFault f;
  f.failure = Failure::LaunchTimeout;
  f.warp = warp;
  f.what = *reason;
  fail(std::move(f), pc);
}

void BlockRun::end_launch() {
  const auto reason = launch.reason_to_stop();
  if (!reason) return;
  KernelFault f;
  f.failure = Failure::LaunchTimeout;
  f.what = *reason;
  f.block = block;
  launch.record(place, f);
}

std::optional<KernelFault> BlockRun::cause() const {
  return guard.signal().number == 0 ? fault : cause_of_signal(*this);
}

}  // namespace warpwise::exec
