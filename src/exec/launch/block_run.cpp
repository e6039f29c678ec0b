#include "exec/launch/block_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <numeric>
#include <random>

#include "exec/fault/memory_operand.h"
#include "exec/memory/arena.h"
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
  if (next_.load(std::memory_order_relaxed) >= end_) return {};
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
  uint64_t c = place / size;
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
  uint32_t threads = static_cast<uint32_t>(l.block.count());
  uint32_t warps = (threads + 31) / 32;
  uint32_t stride = (about.local_bytes + 15) / 16 * 16;
  uint32_t shared = about.static_shared_bytes + l.dynamic_shared_bytes;
  if (l.dynamic_shared_bytes != 0)
    shared = std::max(shared, l.image->layout.dynamic_shared_offset + l.dynamic_shared_bytes);
  const uint32_t frame_bytes =
      launch.counting ? std::max(about.frame_bytes, launch.counting->about().frame_bytes) : about.frame_bytes;
  TRY(memory.reserve(shared, size_t{stride} * threads, size_t{frame_bytes} * warps));

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

namespace {

// Bytes that one lane accesses, 0 when it is no plain load or store.
unsigned lane_bytes(const ptx::Module& module, const simt::Site& site) {
  if (site.function >= module.functions.size()) return 0;
  const auto& instructions = module.functions[site.function].instructions;
  if (site.instruction >= instructions.size()) return 0;
  const ptx::Instruction& instruction = instructions[site.instruction];
  return ptx::bytes_of(instruction.type()) * instruction.vector_length();
}

// Frames of kernel functions are smaller than this.
constexpr uint64_t kStackReach = 64 << 10;

Failure failure_of(int signal) {
  switch (signal) {
    case SIGSEGV:
    case SIGBUS:
      return Failure::IllegalAddress;
    case SIGILL:
      return Failure::IllegalInstruction;
    default:
      return Failure::LaunchFailure;
  }
}

}  // namespace

std::optional<KernelFault> BlockRun::cause() const {
  const SignalRecord& signal = guard.signal();
  if (signal.number == 0) return fault;
  KernelFault f;
  f.block = block;
  f.failure = failure_of(signal.number);
  f.thread = running_thread;
  if (running_thread < 0) f.warp = running_warp();
  const simt::Site* site = launch.site_at(signal.registers.rip);
  if (site) {
    f.function = site->function;
    f.instruction = site->instruction;
    if (f.warp >= 0)
      // Interleaved warps report the first one.
      f.warp += site->first_lane % simt::kWarpsApart / simt::kLanes;
  }
  if (signal.number == kLeaveSignal) {
    if (launch.is_pointless(place)) return std::nullopt;
    f.failure = Failure::LaunchTimeout;
    f.what = launch.reason_to_stop().value_or("stopped");
    return f;
  }
  if (f.failure != Failure::IllegalAddress) return f;
  // A store just below the stack pointer, outside device memory: the guard page of a stack.
  uint64_t stack = signal.registers.general[4];
  if (signal.address_known && signal.address - (stack - kStackReach) < 2 * kStackReach) {
    f.failure = Failure::HardwareStackError;
    f.what = describe_stack_overflow(launch.launch, f.function);
    return f;
  }
  uint64_t view = simt::kAliasOffset - (site ? simt::kShadowDistances[site->shadow] : 0);  // to the program's address
  // Lookups of shadows that LLVM has merged have lost what distinguished them (codegen.cpp, sites). Those of a null
  // pointer, and of an index before the first allocation, are known by where they are.
  constexpr uint64_t kNearlyNull = 4096, kShadowView = simt::kAliasOffset - simt::kShadowDistance;
  const uint64_t looked_up = signal.address - kShadowView;
  if (launch.machine.observer && signal.address_known &&
      (looked_up < kNearlyNull || Arena::just_before_window(looked_up)))
    view = kShadowView;
  if (signal.address_known) f.address = signal.address - view;
  const LoadedCode* around = launch.code_at(signal.registers.rip);
  if (!around) return f;  // inside memcpy or memset

  const uint8_t* code = reinterpret_cast<const uint8_t*>(signal.registers.rip);
  size_t rest = around->text() + around->text_bytes() - signal.registers.rip;
  auto operand = decode_memory_operand({code, std::min<size_t>(rest, 15)}, signal.registers);
  if (!operand || operand->elements.empty()) return f;
  int64_t lane = -1;
  const bool registers_tell = site && (site->first_lane & simt::kRegistersTell),
             warps_apart = site && (site->first_lane & simt::kWarpsApart);
  if (operand->indexed) {
    // Gathers complete from the lowest element up, so the first one not done is the one that faulted.
    f.address = operand->elements[0].address - view + (registers_tell ? operand->elements[0].kept & 3 : 0);
    lane = (site ? site->first_lane % simt::kWarpsApart : 0) + operand->elements[0].index;
  } else {
    uint64_t start = operand->elements[0].address;
    if (!signal.address_known) f.address = start - view;
    unsigned bytes = site ? lane_bytes(*launch.launch.image->module, *site) : 0;
    // A vector of neighbouring lanes; the processor reports the first byte it could not reach. Of an address that
    // is no address at all it reports nothing, and the first lane's is as wrong as the others'.
    const uint64_t reached = signal.address_known ? signal.address : start;
    if (registers_tell) {
      // A loop's access adds two registers, either of which can be the index. One register is an access of the one lane
      // that its place names.
      const bool in_loop = operand->base && operand->index;
      const uint64_t number = in_loop ? std::min(*operand->base, *operand->index) : simt::LaneTag::kEnd;
      if (!in_loop) lane = site->first_lane % simt::kWarpsApart;
      if (number < simt::LaneTag::kEnd) {
        const simt::LaneTag tag(number);
        lane = site->first_lane % simt::kWarpsApart + int64_t{tag.lane} * (warps_apart ? simt::kLanes : 1);
        f.address = reached - view + tag.low_bits;
      }
    } else if (operand->vector_bytes > bytes && bytes != 0 && reached >= start) {
      lane = site->first_lane % simt::kWarpsApart + (reached - start) / bytes * (warps_apart ? simt::kLanes : 1);
    }
  }
  // Lanes from 32 on are those of the next interleaved warps.
  if (running_thread < 0 && running_warp() >= 0 && lane >= 0) {
    uint64_t thread = static_cast<uint64_t>(running_warp() * simt::kLanes + lane);
    if (thread < launch.launch.block.count()) f.thread = static_cast<int64_t>(thread);
  }
  return f;
}

}  // namespace warpwise::exec
