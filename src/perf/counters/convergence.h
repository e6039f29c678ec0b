// Where diverged lanes of a warp reconverge. A multiprocessor has barriers for that: where a condition may
// differ between lanes, ptxas sets one before the branch (BSSY), and at the nearest instruction that all of them come
// to they wait for each other (BSYNC).
//
//     setp p, …;  @p bra ELSE;  …;  bra JOIN;  ELSE: …;  JOIN: …       BSSY before the branch, BSYNC at JOIN
//     LOOP: …;  @p bra LOOP;  …                                        BSSY before the loop, BSYNC behind it
//     @p bra JOIN;  LOOP: …;  @q bra LOOP;  JOIN: …                    one for both
//     @p bra END;  …;  END: ret                                        none: lanes that have ended wait for nothing
//
// None for conditions that are the same for all lanes (made of parameters, of numbers of blocks, of the loop's
// counter), nor for blocks that become predicated (predication.h). Branches that reconverge at the same place share
// one: in SASS of ptxas 13 for 9.0, kernels of HeCBench, 337 loops do so with the branch around them, and nine have one
// more. Each group of lanes that comes alone executes the wait: where lanes diverge, one more instruction runs.
#pragma once

#include <cstdint>
#include <vector>

#include "perf/counters/instruction_class.h"
#include "ptx/module.h"

namespace warpwise::perf {

// Fills `reconvergence` of the classes. `starts`: simt::block_starts.
void find_reconvergence(const ptx::Function& function, const std::vector<uint32_t>& starts,
                        std::vector<InstructionClass>& classes);

}  // namespace warpwise::perf
