// A random program as a tree of statements, so that it can be printed as PTX and made smaller.
//
// The kernel of every program has the same frame: registers %r0 to %r4, %rd, %rs, %f, %fd, %h, %hh and %p
// of the names that the table's forms use (ptx/shapes/forms.h), filled from a buffer of interesting numbers, and
// stored at the end, each thread's in its own place. The tree is in between. The frame handles only the registers and
// the memory that the tree uses: otherwise compiling the frame would cost more than the rest.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace warpwise::random_programs {

constexpr unsigned kRegisters = 5;       // of each class
constexpr unsigned kMostThreads = 2048;  // of a launch
constexpr unsigned kInputs =
    4096;  // 64-bit numbers that programs read: a power of two, and more than one for each thread (program.cpp, fill)
constexpr unsigned kCounters = 24;         // 32-bit cells that programs change atomically
constexpr unsigned kScratch = 8;           // 32-bit cells of each thread that programs use while they run
constexpr unsigned kLocalBytes = 32;       // of each thread's array in local memory
constexpr unsigned kTallies = 4;           // 32-bit cells of shared memory that a block counts in
constexpr unsigned kTileBytes = 2048;      // of shared memory that a warp's matrices lie in
constexpr unsigned kOperandBytes = 16384;  // of shared memory that a warpgroup's products read
constexpr unsigned kBoxBytes = 2048;       // of shared memory that a box of a tensor fits in
constexpr unsigned kWideBoxBytes = 9216;   // that 128 pixels fit in (im2col::w::128)
constexpr unsigned kBoxesBytes = 32768;    // of global memory that boxes are stored to
constexpr unsigned kInboxBytes = 16;       // of a thread, in shared memory, that other blocks of its cluster write to

struct Statement {
  enum class Kind : uint8_t {
    Code,    // `lines`
    If,      // children under the predicate in lines[0], others when it is false
    Loop,    // children, as often as the register in lines[1] says once lines[0] has set it
    Switch,  // one of `children`, each a Block, by the index that lines[0] puts into %x (brx.idx)
    Block,   // children
  };
  Kind kind = Kind::Code;
  std::vector<std::string> lines;
  std::vector<Statement> children, others;
  uint32_t id = 0;  // names its labels and registers
};

struct DeviceFunction {
  std::string name;
  std::vector<Statement> body;
};

using Extent = std::array<uint32_t, 3>;
constexpr uint32_t product(const Extent& e) { return e[0] * e[1] * e[2]; }

// What a program is for, and the device that runs it.
enum class Target : uint8_t { Sm90a, Sm100a, Sm120a };
struct TargetNames {
  const char *target, *device;  // "": the default device
};
constexpr TargetNames names_of(Target target) {
  constexpr TargetNames kNames[] = {{"sm_90a", ""}, {"sm_100a", "b200"}, {"sm_120a", "rtx5070"}};
  return kNames[static_cast<unsigned>(target)];
}

// What a launch of a program needs besides its PTX; its text is the first line of the PTX.
struct Shape {
  uint64_t seed = 0;
  Extent grid{1, 1, 1}, block{32, 1, 1};
  // Lanes of a warp communicate in ways that SIMT mode does not promise (see simt/analysis/choose_mode.h).
  bool independent = false;
  uint32_t cluster = 0;  // blocks of a cluster along x; 0: no clusters
  Target target = Target::Sm90a;

  uint32_t blocks() const { return product(grid); }
  uint32_t threads() const { return product(grid) * product(block); }
};

struct Program {
  Shape shape;
  std::vector<DeviceFunction> functions;
  std::vector<Statement> body;
};

std::string to_ptx(const Program& program);
// The tree alone, for reports: without the frame that all programs share.
std::string to_text(const Program& program);

// "// random program: seed=7 grid=2,1,1 block=32,1,1 cluster=2", and back; false when the line is another one.
std::string to_line(const Shape& shape);
bool from_line(std::string_view line, Shape& shape);

// Bytes of the buffer in which all threads leave their registers.
size_t output_bytes(const Shape& shape);
// Which register of which thread holds byte `at` of that buffer.
std::string output_at(const Shape& shape, size_t at);

}  // namespace warpwise::random_programs
