// Short blocks that ptxas makes predicated: a few instructions behind a branch around them. Warps without an active
// lane issue them, too, and their instructions are ordered as those of one block with what stands before and behind.
//
//     @p bra SKIP;              ld.global x, [a]; SKIP: st.shared [s], x;     eight times in a row: eight loads are
//     under
//     @p bra THEN; bra SKIP; THEN: ld.global x, [a]; SKIP: …                  way together
//     @p bra SKIP; bra THEN; THEN: ld.global x, [a]; SKIP: …                  Clang writes it like this
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "perf/counters/instruction_class.h"
#include "ptx/module.h"

namespace warpwise::perf {

class Predication {
 public:
  // `starts`: simt::block_starts. All must live as long as this.
  Predication(const ptx::Function& function, const std::vector<uint32_t>& starts,
              const std::vector<InstructionClass>& classes);

  // The branch with a guard around the block that begins at `first`; nothing: the block does not become predicated.
  std::optional<uint32_t> branch_around(uint32_t first) const;
  // How many branches go to the instruction. Those through a table may go to any of its labels.
  unsigned branches_to(uint32_t instruction) const { return branches_to_[instruction]; }

 private:
  const ptx::Function& function_;
  const std::vector<uint32_t>& starts_;
  const std::vector<InstructionClass>& classes_;
  std::vector<unsigned> branches_to_;
};

// By instruction, as simt::block_starts: the first of its block, or of the first of those that become one. `times`: how
// often the block that begins there ran; what is skipped more often than not stays a block of its own. So does what
// waits for its own load (`if (…) tile[i] = x[i]`): by its time kernels/transpose/02_tile has fewer of these under way
// together than it could.
std::vector<uint32_t> joined_starts(const ptx::Function& function, const std::vector<uint32_t>& starts,
                                    const std::vector<InstructionClass>& classes, const std::vector<double>& times);

// The function with the guards that the instructions of joined blocks get.
ptx::Function with_guards(const ptx::Function& function, const std::vector<uint32_t>& starts,
                          const std::vector<InstructionClass>& classes, const std::vector<uint32_t>& joined);

}  // namespace warpwise::perf
