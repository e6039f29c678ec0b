// Which of the three modes a kernel runs in.
//
// SIMT mode lets lanes that diverged wait for each other at the reconvergence point. That is wrong for programs that
// rely on independent thread scheduling (since Volta), and it lets the warps of a block take turns only at barriers of
// the whole block. Other programs run in one of two modes, for one of these reasons:
//
//   spins      a loop whose exit depends on memory that another thread must write: a volatile or atomic
//              load, an exchange (a lock), a compare-and-swap whose expected value is not what the last
//              try returned (retry loops of lock-free updates are fine: one thread always wins), nanosleep.
//   mbarriers  a loop around mbarrier.test_wait or try_wait: other warps of the block complete what it waits for.
//   converge   lanes on both sides of a divergent branch can reach .sync operations or barriers: they may
//              have to take part together. A guard `if (i < n) { … shfl.sync … }` whose other side converges with no
//              lane is fine.
//   barriers   named ones, ones with a thread count, arrive without sync.
//   clusters   what reaches another block's shared memory, and barrier.cluster: the blocks take turns.
//   tensor memory   single threads start its products, and warps of different roles wait for them.
//   calls      recursion and function pointers.
//
// In independent-warp mode each warp is a fiber and its lanes stay together. It does for mbarriers, barriers and
// clusters where the lanes of a warp never wait for each other (lockstep_waits.h). In independent-thread mode each
// thread is a fiber, which is always right.
//
// A block that waits for other blocks alone stays in SIMT mode (inter_block_waits.h). A wrong choice of independent
// threads costs speed, and a wrong choice of SIMT mode costs the answer: in doubt, threads are independent.
#pragma once

#include <llvm/IR/Function.h>

#include <string>

#include "simt/analysis/lane_shapes.h"
#include "simt/compiler.h"

namespace warpwise::simt {

struct ModeChoice {
  Mode mode = Mode::Simt;  // never Automatic
  bool spins = false;      // some loop waits; in SIMT mode, for other blocks
  std::string why;         // for people: "a loop waits for memory that another thread writes (PTX instruction 12)"
};

// `function` is tidy (prepare.h).
ModeChoice choose_mode(llvm::Function& function, const BlockShape& block, uint32_t local_stride);

}  // namespace warpwise::simt
