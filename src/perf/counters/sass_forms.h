// How ptxas translates instructions, where one of PTX is not one of SASS.
//
//     div.rn.f32                         eight and more: a first guess, Newton's steps, a check (sass_forms.inc)
//     mul.wide r, i, 4; add a, b, r      one, IMAD.WIDE: an address
//     shl r, i, 2;      add a, b, r      one, LEA
//     add r, a, b;      add s, r, c      one, IADD3
//     and r, a, b;      xor s, r, c      one, LOP3: any function of three
//     ld.u8 r, [a];     cvt.u32.u8 s, r  one: a load fills the register with zeros
//     ld.v4.u8 {r, …}, [a]               five, with those that take bytes out of a register (PRMT)
//     add.u64 a, a, b                    two, of 32 bits each: registers have no more
//     mov.f64 d, 0d3FB999999999999A      two, UMOV: an instruction has room for the upper word of a constant only
//     @p bra DONE; bra LOOP              one branch: ptxas turns the condition round
//     @p bra DONE; x = …; DONE:          no branch: a few instructions after one become predicated (predication.h)
//     i = i + 1; i < n; @p bra LOOP      a quarter, in a small loop whose count is known when it begins: ptxas unrolls
//                                        it by four (ncu on an H200: kernels/published/sgemm 01 and 02 have 3.7 times
//                                        fewer branches than their PTX)
#pragma once

#include <vector>

#include "perf/counters/instruction_class.h"

namespace warpwise::perf {

// By instruction of the function. `starts`: simt::block_starts.
std::vector<InstructionClass> classes_of(const ptx::Function& function, const std::vector<uint32_t>& starts);

// By instruction: the first instruction of the block whose warps start it. Its own block's, or, where it becomes
// predicated, that of the branch.
std::vector<uint32_t> started_with(const ptx::Function& function, const std::vector<uint32_t>& starts,
                                   const std::vector<InstructionClass>& classes);

// How many turns of a loop are one where ptxas has unrolled it: of a block that jumps back to itself. `classes`: those
// of classes_of.
unsigned turns_at_once(const ptx::Function& function, const std::vector<InstructionClass>& classes, uint32_t first,
                       uint32_t end);

// One past the last instruction of the block that begins at `first`.
uint32_t end_of(const std::vector<uint32_t>& starts, uint32_t first);

// Whether the block jumps back to its first instruction: with its last, or, where that leaves the loop, with the next
// (`@p bra OUT; bra LOOP`).
bool loops_to_itself(const ptx::Function& function, uint32_t first, uint32_t end);

}  // namespace warpwise::perf
