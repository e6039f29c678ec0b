// What `warpwise bench` and its workers say to each other. A worker is one version of a kernel as a program: its
// `solve`, the ladder's `reference`, and the main() of bench_main.cu.
//
//     bench ──Prepare: arguments, seed──► worker     allocates, computes the answers to some inputs
//           ◄─Answer────────────────────
//           ──Round: n runs─────────────► worker     times n runs and compares what each has left
//           ◄─Answer, n times Run───────
//           ──End───────────────────────► worker
//
// Each version is a process of its own, so that they take turns without seeing each other's memory, and the crash of
// one is one row of the table. A worker is trusted as any program is that its user runs: the protocol finds kernels
// that are wrong or skip work, not programs that attack their own clock.
#pragma once

#include <cstdint>

namespace warpwise::bench_worker {

// Where the worker finds its socket; or, for `warpwise check`, a file of orders whose answers go to standard error.
constexpr const char* kDescriptorVariable = "WARPWISE_BENCH_DESCRIPTOR";
constexpr const char* kScriptVariable = "WARPWISE_BENCH_SCRIPT";

constexpr uint32_t kMostArguments = 32;
constexpr uint32_t kMostRuns = 256;

// X(enumerator, spelling in ladder.toml, C++ type of an element in the worker). Half, BFloat16 and E4m3 are their bits
// there. Floating-point types come first.
#define WARPWISE_BENCH_ELEMENTS(X)           \
  X(Float, "float", float)                   \
  X(Double, "double", double)                \
  X(Half, "half", HalfBits)                  \
  X(BFloat16, "__nv_bfloat16", BFloat16Bits) \
  X(E4m3, "__nv_fp8_e4m3", E4m3Bits)         \
  X(Int8, "int8_t", int8_t)                  \
  X(UInt8, "uint8_t", uint8_t)               \
  X(Int16, "int16_t", int16_t)               \
  X(UInt16, "uint16_t", uint16_t)            \
  X(Int32, "int32_t", int32_t)               \
  X(UInt32, "uint32_t", uint32_t)            \
  X(Int64, "int64_t", int64_t)               \
  X(UInt64, "uint64_t", uint64_t)

struct HalfBits {
  uint16_t bits;
};
struct BFloat16Bits {
  uint16_t bits;
};
struct E4m3Bits {
  uint8_t bits;
};

enum class Element : uint32_t {
#define X(name, spelling, type) name,
  WARPWISE_BENCH_ELEMENTS(X)
#undef X
};
enum class Role : uint32_t { Input, Output, Inout, Scratch, Number };
// What an input has in it (docs/ladder_format.md, "Data").
enum class Filling : uint32_t { Normal, Uniform, Below, Skewed, Constant, Bits };

struct Argument {
  Role role = Role::Number;
  Element element = Element::Float;
  Filling filling = Filling::Normal;
  uint32_t zeroed = 0;                // instead of poisoned
  uint64_t count = 0;                 // of elements
  uint64_t number = 0;                // Role::Number: its bits, from the lowest
  uint64_t below = 0;                 // Below, Skewed
  double low = 0, high = 0;           // Uniform; Constant has `low`
  double absolute = 0, relative = 0;  // of outputs: what an element may be off
};

enum class OrderKind : uint32_t { Prepare, Round, Copy, End };

struct Order {
  OrderKind kind = OrderKind::End;
  uint32_t runs = 0;       // Round
  uint32_t warm = 0;       // Round: the cache keeps what a run before has left in it
  uint32_t arguments = 0;  // Prepare; so many follow
  uint32_t unchecked = 0;  // Prepare: no answers; for a run whose kernels are counted
  uint32_t padding = 0;
  uint64_t seed = 0;
  uint64_t memory = 0;  // Prepare: the most bytes to allocate; 0: any number. Copy: how many to copy
  uint64_t flush = 0;   // Prepare, Copy: bytes to read so that the cache has nothing else; 0: it may have
};

struct Answer {
  uint32_t ok = 0;
  uint32_t runs = 0;   // so many Run follow
  uint64_t bytes = 0;  // Prepare: allocated; Copy: moved, reads and writes, in `seconds`
  double seconds = 0;  // Prepare: between two events with nothing between them; Round: of its runs, by the wall
                       // clock; Copy: the best
  char why[256] = {};
};

enum class Fault : uint32_t {
  None,
  Wrong,      // an element has another value
  Unwritten,  // all wrong elements still have their poison
  Replayed,   // the outputs are right for the inputs of another run
  Changed,    // an input is not what it was
};

struct Run {
  double seconds = 0;
  Fault fault = Fault::None;
  uint32_t argument = 0;  // the first with a fault
  uint64_t elements = 0;  // that are wrong
  uint64_t first = 0;     // the first of them
  double got = 0, expected = 0;
};

}  // namespace warpwise::bench_worker
