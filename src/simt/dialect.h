// The dialect: what a kernel looks like between lowering and the passes.
//
// Lowering (simt/lower) turns PTX into *scalar* LLVM IR: the program of one thread, in ordinary
// arithmetic, loads, stores, atomicrmw, cmpxchg, branches, plus calls of the functions below for what
// depends on the thread, the warp or the block. The passes then either vectorise it for a warp of 32 lanes
// (SIMT mode) or bind it to a thread (independent-thread mode). Because it is plain LLVM IR, every dump can be
// read back by LLVM's own parser.
//
// Registers      An alloca each, typed float/double/half/bfloat where arithmetic uses them as such, else
//                iN; i1 for predicates. promote_registers turns them into SSA.
// Addresses      PTX addresses are integers, so memory is always reached through
//                `inttoptr i64 %address to ptr addrspace(N)`, N as in Addrspace. The i64 means:
//                  Generic, Global, Const  the address as the program sees it
//                  Shared                  an offset into the block's shared memory
//                  Local                   an offset into the thread's local memory
//                  Param                   an offset into the kernel's parameter buffer
// Functions      A kernel is `void @name()`. A device function gets `i64 %lsp` first (the offset of the
//                free part of local memory), then one `ptr` per PTX parameter and return parameter: an
//                alloca of the caller, so that inlining and SROA make them vanish.
// Debug places   DILocation: line = index of the PTX instruction in its function + 1, column = 0 (passes
//                use the column for the first lane of a part of a split access, + 1).
// NaN            `ww.canonical.f32(x)` and `.f16` mark where a float's bits leave arithmetic; the pass
//                canonical_nan, the first after promote_registers, decides and removes them.
// Metadata       !ww.group !{i32 k, i32 n}: access k of the n that make one vector access. !ww.red: an atomicrmw whose
//                old value is not used (red). !ww.sys: one of scope .sys. !ww.ftz: an atomicrmw fadd that flushes
//                subnormals.
// Convergence    Calls of warp and barrier functions are `convergent`.
#pragma once

namespace warpwise::simt {

enum Addrspace : unsigned {
  kGeneric = 0,
  kGlobal = 1,
  kShared = 3,
  kConst = 4,
  kLocal = 5,
  kParam = 101,
};

}  // namespace warpwise::simt
