// The compiler's front: a kernel of a verified module in, machine code and what the engine must know
// about it out. Plain data, so that the engine can keep results on disk and load them without LLVM.
//
// The compiler lives in a plug-in (libwarpwise-simt.so) that src/exec opens with dlopen the first time
// a kernel is neither in memory nor in the cache.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ptx/module.h"
#include "simt/apart_accesses.h"
#include "simt/instrument/counts.h"
#include "simt/instrument/modelled_clocks.h"
#include "simt/launch_assumptions.h"

namespace warpwise::simt {

enum class Mode : uint8_t {
  Automatic,  // the first that is right for the kernel:
  Simt,
  Warps,        // independent-warp mode
  Independent,  // independent-thread mode
};

enum class Tier : uint8_t {
  Quick,      // compile fast
  Balanced,   // twice as long for code twice as fast: as Quick, but registers are allocated over whole functions
  Optimised,  // run fast
};

// What a warp sees of plain stores of other warps of its block that nothing orders
// (docs/internals/unordered_accesses.md).
enum class Unordered : uint8_t {
  HardwareLike,  // nothing before the next synchronisation, as if every warp issued its loads first
  AsScheduled,   // what the order of the warps brings: for shuffled schedules, under which luck fails
};

struct CompileOptions {
  Mode mode = Mode::Automatic;
  Tier tier = Tier::Optimised;
  bool all_passes = false;  // those that copy code (passes.inc) in the quick tier, too
  // The block's shape is a constant of the compiled code: lane patterns come from it.
  std::array<uint32_t, 3> block{1, 1, 1};
  // True when gridDim.x * blockDim.x (and y, z) fit in 31 bits: most index arithmetic then cannot wrap.
  bool small_grid = true;
  // Local memory of a thread behind the frames that the call graph bounds, for recursion, calls through pointers and
  // alloca; a multiple of 16. Kernels without any of these ignore it (ptx::KernelLayout::needs_stack).
  uint32_t stack_bytes = 16 << 10;
  Unordered unordered = Unordered::HardwareLike;
  MayAssume may_assume;
  // What the code checks while it runs: bits of Watch (events.h); 0 costs nothing.
  uint32_t watch = 0;
  // What it counts (counts.h).
  Counting count = Counting::None;
  // Of Counting::Steps: the instructions whose values are reported.
  ReportedValues values;
  // What passes on a thread that asks for the time.
  ModelledClocks clocks;
  // LLVM's name of the host's CPU and its features; "" detects. Tests switch features down here.
  std::string cpu;
  std::string features;
  // Passes to leave out (--off=) and passes to dump the code after (--dump=after:NAME), by name (pass_names.h). "all"
  // dumps it after each.
  std::vector<std::string> off;
  std::vector<std::string> dump_after;
  bool time_passes = false;
  std::function<void(std::string_view pass, std::string_view text)> on_dump;
};

// A call that became the code of what it calls: its PTX instruction, and the call that this stands in, as an index into
// CompiledKernel::inlined_calls.
struct InlinedCall {
  static constexpr uint32_t kNone = ~uint32_t{0};
  uint32_t function = 0, instruction = 0;
  uint32_t within = kNone;
  friend auto operator<=>(const InlinedCall&, const InlinedCall&) = default;
};

// Machine code position -> PTX instruction, sorted by `code`.
struct Site {
  uint32_t code = 0;         // first byte, as an offset into the text section
  uint32_t function = 0;     // index into Module::functions
  uint32_t instruction = 0;  // index into Function::instructions
  // The first lane of the slice of an access that this code does; + 32 for each further interleaved warp; + kWarpsApart
  // where the elements of one access are that lane's in successive warps; + kLanesReversed where they are those of the
  // lanes of the slice, the last one first; + kRegistersTell.
  uint16_t first_lane = 0;
  // The call that it stands in, in code with checks: an index into CompiledKernel::inlined_calls.
  uint32_t call = InlinedCall::kNone;
  // Not 0: the code accesses the shadow or a race cell of what the instruction accesses (an index of kShadowDistances,
  // race_cells.h).
  uint8_t shadow = 0;
};
constexpr unsigned kLanesReversed = 2048;
constexpr unsigned kScatterLanes = 8;  // of a slice: one scatter instruction takes so many 64-bit addresses
constexpr unsigned kWarpsApart = 4096;
// At a fault, registers say what first_lane cannot: the target of a gather of words around bytes and halves holds the
// low bits of their addresses (vectorise/gathers.cpp), the index register of a scalar access in a loop over lanes
// (codegen/scalarise_masked_memory.h) a LaneTag. One without an index register is for first_lane alone.
constexpr unsigned kRegistersTell = 8192;
struct LaneTag {
  static constexpr unsigned kLowBitsAt = 6, kEnd = 4 << kLowBitsAt;
  unsigned lane, low_bits;
  explicit constexpr LaneTag(uint64_t tag) : lane(tag % (1 << kLowBitsAt)), low_bits(tag >> kLowBitsAt & 3) {}
};

// Debug columns are 1 + first_lane, and so much more times Site::shadow.
constexpr unsigned kShadowColumn = 1u << 14;

// An access that is reported to the race checker (race_cells.h): a PTX instruction, and its number among those of a
// space.
struct RaceSite {
  static constexpr uint32_t kNone = ~uint32_t{0};
  uint32_t function = 0, instruction = 0;
  uint8_t access = 0;  // AccessKind
  uint8_t strong = 0;
  uint32_t number[2] = {kNone, kNone};  // global memory, shared memory
  uint32_t call = InlinedCall::kNone;   // that it stands in; of plain accesses where it stands in one alone
  friend bool operator==(const RaceSite&, const RaceSite&) = default;
};

// Sums of floats that the engine adds to memory in the order of blocks (scalar/log_sums.h): their type, and whether
// subnormals become zeros.
enum class LoggedSums : uint8_t { None, F32, F32Flushed, F64 };

struct CompiledKernel {
  uint32_t abi_version = 0;
  Mode mode = Mode::Simt;           // SIMT: entry is a KernelEntry; else a ThreadEntry
  std::vector<std::byte> object;    // a relocatable ELF file with no undefined symbols
  std::string entry;                // the symbol to call
  uint32_t frame_bytes = 0;         // SIMT mode: per warp, for values that live across barriers
  uint32_t native_frame_bytes = 0;  // otherwise: frames on a thread's or warp's own stack, one of each function
  uint32_t local_bytes = 0;         // per thread
  uint32_t static_shared_bytes = 0;
  // Blocks must run in order for the same answer every time: floating-point or value-returning
  // atomics on global memory.
  bool order_sensitive = false;
  // ... but this is all that the order decides, and it is kept: blocks may run beside each other.
  LoggedSums logged_sums = LoggedSums::None;
  bool cancels_clusters = false;    // asks for clusters that have not started (clusterlaunchcontrol)
  bool flushes_subnormals = false;  // runs where the processor makes zeros of subnormal results (base/subnormals.h)
  // Compiled for Unordered::HardwareLike, the code serves for AsScheduled as well: warps run in the order of
  // BlockContext::warp_order, and the engine defers no store of a shuffled schedule.
  bool any_order = false;
  LaunchAssumptions assumed;  // the code is right for such launches alone
  bool spins =
      false;  // has loops that wait: in independent-thread mode for other threads, in SIMT mode for other blocks
  std::vector<Site> sites;
  // Of code that is checked for races: through which parameters, by offset / 8, the kernel may write; all bits: it may
  // write anywhere.
  uint64_t written_pointers = ~uint64_t{0};
  uint64_t accessed_pointers = ~uint64_t{0};  // likewise: may access
  uint64_t plain_pointers = ~uint64_t{0};     // likewise: may access by other things than atomics
  std::vector<ApartAccesses> apart_accesses;
  std::vector<RaceSite> race_sites;
  std::vector<InlinedCall> inlined_calls;
  std::string why_independent;  // for people: which instruction needs another mode than SIMT mode
};

class Compiler {
 public:
  virtual ~Compiler() = default;
  // Thread-safe. Errors: P0900 (an instruction that is not executed yet), X0001.
  virtual Result<CompiledKernel> compile(const ptx::Module& module, uint32_t kernel, const CompileOptions& options) = 0;
  // What to put into a cache key besides the PTX and the options: versions of LLVM and of us, the CPU.
  virtual std::string fingerprint(const CompileOptions& options) const = 0;
};

// The plug-in's one symbol: `extern "C" Compiler* warpwise_simt_compiler();` (never freed).
constexpr const char* kCompilerSymbol = "warpwise_simt_compiler";

}  // namespace warpwise::simt
