// Places and threads, in a finding's terms: what an engine knows as indices and addresses.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/finding.h"
#include "exec/engine.h"
#include "exec/launch/block_run.h"
#include "exec/memory/arena.h"

namespace warpwise::check {

// A PTX instruction of a module: its source lines, innermost first, those of the calls that it stands in, and its text.
// Unknown indices (-1) give an empty place.
CodePlace code_place(const ptx::Module& module, int64_t function, int64_t instruction,
                     const std::vector<simt::InlinedCall>& calls = {});

// Null where the indices lead to none.
const ptx::Instruction* instruction_at(const ptx::Module& module, int64_t function, int64_t instruction);

// Whether an instruction is a call. A kernel that was ended there had a pointer that leads to no function; a program's
// own trap is an instruction of its own.
bool is_call(const ptx::Module& module, int64_t function, int64_t instruction);

// A thread of a launch. `block` and `thread` are linear; thread -1: not known.
Party thread_party(const exec::KernelLaunch& launch, std::string role, uint64_t block, int64_t thread, CodePlace code);

// Where a block comes among those of its launch.
LaunchOrder order_of(const exec::BlockRun& run);

// What is at an address of the program's view, as seen from a block that runs (null: from nowhere).
MemoryPlace memory_place(const exec::Arena& arena, device::Address address, uint64_t bytes, const exec::BlockRun* run);

// The same among the variables of the kernel's module, where it is one.
void name_global(MemoryPlace& place, const exec::KernelImage& image);

// Gives a place without a name that of its allocation, if the program has told one. Rules tell a variable of a module
// by its name: they are chosen before.
void name_allocation(MemoryPlace& place, const exec::Arena& arena);

// Whether an address is one that the host might use: neither in the device's window nor so close before it that an
// index from the first allocation leads there.
bool is_host_address(device::Address address);

// The variables in the static shared memory of a kernel, by offset.
struct SharedVariable {
  const ptx::Variable* variable;
  uint64_t offset;
};
std::vector<SharedVariable> shared_variables(const exec::KernelImage& image);

}  // namespace warpwise::check
