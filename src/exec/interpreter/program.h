// A kernel as the interpreter needs it: where the registers of each function are kept, and how much local
// memory a thread has.
#pragma once

#include <vector>

#include "exec/engine.h"

namespace warpwise::exec::interpreter {

struct Program {
  explicit Program(const KernelLaunch& launch);

  const KernelImage& image;
  const ptx::Module& module;
  std::vector<std::vector<uint32_t>> slot;  // [function][register]: the first of its components in Frame::registers
  std::vector<uint32_t> slot_count;         // [function]
  uint32_t local_bytes = 0;                 // of a thread
  bool cancels_clusters = false;            // the module asks for clusters that have not started
  bool pairs = false;                       // ptx::works_for_pairs: how addresses in shared memory look
  uint32_t call_depth = 0;                  // calls within calls before the stack counts as overflowed
};

// The first instruction that the kernel may reach and that is recognised only, or null; and a function that it may call
// and that is not defined (P0900, P0901).
Result<void> check_executable(const KernelImage& image);

// Compilers declare vprintf, malloc, free, __assertfail and the function that reports signed overflow
// (ptx/signed_overflow.h; the interpreter ignores it), and the device defines them.
enum class Service : uint8_t { None, Vprintf, Malloc, Free, AssertFail, SignedOverflow };
Service service_of(const ptx::Function& function);

}  // namespace warpwise::exec::interpreter
