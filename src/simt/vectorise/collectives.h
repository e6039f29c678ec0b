// Values that the lanes of a warp exchange: shuffles, votes, matches, reductions (PTX ISA 9.7.9, 9.7.13).
//
// In SIMT mode the active lanes take part; where their member masks differ, with each lane the active ones that its
// mask names. So does an H200: lanes that execute an operation together take part together, though one mask leaves some
// of them out, for which the manual has no rule. Lanes that the mask names and that are not here have left the kernel,
// or do not wait any more (choose_mode.h says when that is safe to assume). What would be read from them is
// unpredictable, in the manual's word, and 0 here.
#pragma once

#include "simt/vectorise/matrix.h"
#include "simt/vectorise/memory.h"
#include "simt/vectorise/warp_emitter.h"

namespace warpwise::simt {

class CollectiveEmitter : WarpEmitter {
 public:
  CollectiveEmitter(WarpBuilder& w, MemoryEmitter& memory) : WarpEmitter(w), memory_(memory), matrix_(w) {}
  // A function of the dialect's class Warp.
  void emit(llvm::CallInst& call, Dialect which);

 private:
  void emit_shuffle(llvm::CallInst& call, Dialect which);
  Value* lanes_by_number(Value* given, Value* from);
  void emit_match(llvm::CallInst& call, Dialect which);
  void emit_redux(llvm::CallInst& call);
  void emit_wgmma(llvm::CallInst& call);

  MemoryEmitter& memory_;
  MatrixEmitter matrix_;
};

}  // namespace warpwise::simt
