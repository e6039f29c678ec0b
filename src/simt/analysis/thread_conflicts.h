// May two accesses of different warps of one block touch the same byte?
//
//     s[threadIdx.x] += s[threadIdx.x + 128];     // in blocks of 256 threads, for threadIdx.x < 128: no
//     x[threadIdx.x % 32] += 1;                   // yes: every warp's lane 3 has the same word
//     for (i = first; i < n; i += stride) y[i] += x[i];   // no, if the stride is a multiple of the block
//
// An address is written as
//
//     bases + constant of each thread + sum of coefficients * values that all threads share
//           + anything from 0 to `spread` + any multiple of `modulus`
//
// The constant is computed for every thread of the block (its shape is a constant of the compiled code), conditions on
// threadIdx say which threads execute the access, loop counters contribute multiples of their step, what is not
// understood but bounded (`digit & 255`) a spread, and everything else any multiple of its coefficient. Two accesses
// conflict unless they are made of different pointer parameters (where the launch has made sure that those lead to
// different allocations), or the sets of bytes that different warps touch are disjoint modulo the common modulus. The
// answer "no" is a proof, "yes" a guess.
//
// Related: the may-happen-in-parallel and disjointness questions of GPUVerify (Betts et al., OOPSLA 2012), which asks a
// solver for all blocks at once; here one block shape is known, so that enumeration does.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>

#include <memory>
#include <optional>
#include <vector>

#include "simt/analysis/lane_shapes.h"
#include "simt/analysis/thread_values.h"

namespace warpwise::simt {

class ThreadConflicts {
 public:
  // `distinct_pointers`: pointers among the parameters lead to different allocations.
  ThreadConflicts(llvm::Function& function, const BlockShape& block, bool distinct_pointers);

  // Two accesses to memory that threads share: loads, stores, atomics. `lanes`: ask of different threads of one warp
  // instead of threads of different warps.
  bool may_conflict(llvm::Instruction& a, llvm::Instruction& b, bool lanes = false);
  // Offsets in the block's shared memory, [first, end), that hold every byte that an access of shared memory touches.
  struct Range {
    uint64_t first, end;
  };
  std::optional<Range> shared_range(llvm::Instruction& access);
  // Whether an answer so far was "no" because two parameters lead to different allocations.
  bool used_distinct_pointers() const { return used_distinct_pointers_; }

  static llvm::Value* pointer_of(llvm::Instruction& access);
  static uint64_t bytes_of(llvm::Instruction& access);

 private:
  struct Form {
    llvm::SmallPtrSet<llvm::Value*, 2> bases;                       // pointers that it was made of
    bool any_base = false;                                          // may be an address that was loaded or computed
    llvm::SmallVector<std::pair<llvm::Value*, int64_t>, 4> shared;  // by value, coefficient
    std::vector<int64_t> constant;  // of each thread; one number where all have the same
    uint64_t spread = 0;            // and up to so much more
    uint64_t modulus = 0;           // and any multiple of it; 0: nothing more

    int64_t at(size_t thread) const { return constant[constant.size() == 1 ? 0 : thread]; }
    bool is_constant() const { return bases.empty() && !any_base && shared.empty() && spread == 0 && modulus == 0; }
  };

  const Form& form_of(llvm::Value* value);
  Form compute(llvm::Value* value);
  Form of_instruction(llvm::Instruction& i);
  Form of_phi(llvm::PHINode& phi);
  Form of_constants(llvm::Instruction& i, const Form& a, const Form& b);
  static Form number(int64_t value);
  Form unknown(bool may_be_address) const;
  // Of a value about which at most its bounds are known.
  Form bounded(llvm::Instruction& i, bool may_be_address) const;
  Form shared_value(llvm::Value* value) const;
  static void add(Form& to, const Form& from, int64_t factor);
  static void add_spread(Form& form, uint64_t spread, int64_t factor);
  static void scale(Form& form, int64_t factor);
  bool is_shared_by_threads(llvm::Value* value, unsigned depth = 0);
  // Which threads execute an instruction, as far as conditions on threadIdx alone say.
  const std::vector<bool>& threads_at(llvm::BasicBlock* bb);

  llvm::Function& function_;
  const BlockShape block_;
  const unsigned threads_;
  const bool distinct_pointers_;
  bool used_distinct_pointers_ = false;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  llvm::DenseMap<llvm::Value*, std::unique_ptr<Form>> forms_;
  llvm::SmallPtrSet<llvm::Value*, 8> in_work_;
  llvm::DenseMap<llvm::BasicBlock*, std::unique_ptr<std::vector<bool>>> threads_at_;
  llvm::DenseMap<llvm::Value*, bool> shared_;
};

}  // namespace warpwise::simt
