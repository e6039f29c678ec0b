// The placement of a module's variables. It is decided in one place, so that the compiler, the interpreter and the
// engine that allocates the memory agree.
//
// Globals   All .global and .const variables of a module lie in one piece of device memory, each aligned as
//           declared (and to 16 at least). Address = base + offset. First the .global ones in order of
//           declaration, then the .const ones, so that isspacep.const compares with one range.
// Shared    A kernel's static shared memory holds the .shared variables that it or a function it may
//           call uses, module-level ones first; extern arrays of unknown size (dynamic shared memory)
//           all start after them, aligned to 16 at least. If a kernel reads %reserved_smem_offset_…, the
//           region reserved for the system comes first (PTX ISA 10, "%reserved_smem_offset_begin").
// Local     Each function's .local variables form its frame; a callee's frame follows its caller's, at the
//           `%lsp` that it receives.
//
// With a margin, that many unused bytes follow each global and shared variable, so that the checkers recognise an
// access past the end of an array.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/module.h"

namespace warpwise::ptx {

constexpr uint64_t kNotPlaced = ~uint64_t{0};

struct GlobalsLayout {
  uint64_t bytes = 0;
  uint64_t align = 16;
  uint64_t const_begin = 0, const_bytes = 0;  // where the .const variables lie, their margins included
  std::vector<uint64_t> offset;  // by Module::variables index; kNotPlaced for .shared ones and extern declarations
};
GlobalsLayout lay_out_globals(const Module& module, uint32_t margin = 0);

// The value of a function's address: not where its code lies (a device pointer cannot point there), but a number that
// an indirect call looks up. Never 0.
constexpr uint64_t function_address(uint32_t function) { return (uint64_t{function} + 1) * 16; }

// The reserved region as observed on an H200: it begins at 0, a part of it is in use, and the rest of 1 KiB stays free.
// Cooperative groups keep the barriers of tiles of more than a warp at %reserved_smem_offset_1, which is 0 as well.
constexpr uint32_t kReservedSharedBytes = 1024;  // %reserved_smem_offset_cap
constexpr uint32_t kReservedSharedEnd = 288;

struct KernelLayout {
  uint32_t margin = 0;
  uint32_t static_shared_bytes = 0;
  uint32_t dynamic_shared_offset = 0;
  std::vector<uint64_t> module_shared;                 // by Module::variables index
  std::vector<std::vector<uint64_t>> function_shared;  // [function][variable], kNotPlaced where it is not used
  std::vector<std::vector<uint64_t>> function_local;   // [function][variable]: offset in that function's frame
  std::vector<uint32_t> frame_bytes;                   // [function]: aligned to 16
  std::vector<bool> reachable;                         // [function]: the kernel may call it (address taken counts)
  bool recursive = false;                              // some reachable function may call itself
  bool indirect_calls = false;
  bool allocates = false;    // some reachable function has an alloca
  uint32_t local_bytes = 0;  // of a thread when nothing recurses: the deepest chain of frames
  // Whether a thread may need an unknown amount more than that: then a stack follows.
  bool needs_stack() const { return recursive || indirect_calls || allocates; }
  // [function][parameter]: the frame offset of the copy of a device function's .param whose address the function takes
  // (mov.b64 %rd, f_param_0); kNotPlaced for all others.
  std::vector<std::vector<uint64_t>> function_parameter_copies;
};
// `kernel` is an index into Module::functions.
KernelLayout lay_out_kernel(const Module& module, uint32_t kernel, uint32_t margin = 0);

}  // namespace warpwise::ptx
