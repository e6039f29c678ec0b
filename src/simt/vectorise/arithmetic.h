// Arithmetic of a warp: uniform and affine values as scalars, varying ones as vectors.
#pragma once

#include "simt/vectorise/warp_emitter.h"

namespace warpwise::simt {

class ArithmeticEmitter : WarpEmitter {
 public:
  using WarpEmitter::WarpEmitter;
  // Any instruction without a call of the dialect, access to memory or phi.
  void emit(llvm::Instruction& i);

 private:
  void emit_field(llvm::ExtractValueInst& extract);
  void emit_scalar(llvm::Instruction& i);
  void emit_vector(llvm::Instruction& i);
  Value* divide_long(llvm::BinaryOperator& i);
};

}  // namespace warpwise::simt
