// A random program as a tree of statements, so that it can be printed as PTX and made smaller.
//
// The kernel of every program has the same frame: registers %r0 to %r7, %rd, %rs, %f, %fd, %h, %hh and %p
// of the names that the table's forms use (ptx/forms.h), filled from a buffer of interesting numbers, and
// stored at the end, each thread's in its own place. In between stands the tree.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpwise::random_programs {

constexpr unsigned kRegisters = 8;     // of each class
constexpr unsigned kInputs = 64;       // 64-bit numbers that programs read
constexpr unsigned kCounters = 16;     // 32-bit cells that programs change atomically
constexpr unsigned kScratch = 8;       // 32-bit cells of each thread that programs write while they run

struct Statement {
  enum class Kind : uint8_t {
    Code,     // `lines`
    If,       // children under the predicate in lines[0], others when it is false
    Loop,     // children, as often as the register in lines[1] says once lines[0] has set it
    Block,    // children
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

struct Program {
  uint64_t seed = 0;
  uint32_t blocks = 1, threads = 32;
  std::vector<DeviceFunction> functions;
  std::vector<Statement> body;
};

std::string to_ptx(const Program& program);
// The tree alone, for reports: without the frame that all programs share.
std::string to_text(const Program& program);

// Bytes of the output buffer of a thread, without the scratch.
unsigned output_bytes();

}  // namespace warpwise::random_programs
