// Matrices in the registers of a warp: products are a service; the loads and stores of 8 by 8 matrices become eight
// vectors of 16 bytes, one for each row, whose address is some lane's.
#pragma once

#include "simt/vectorise/warp_emitter.h"

namespace warpwise::simt {

class MatrixEmitter : WarpEmitter {
 public:
  using WarpEmitter::WarpEmitter;
  void emit_product(llvm::CallInst& call);
  void emit_load_matrix(llvm::CallInst& call);
  void emit_store_matrix(llvm::CallInst& call);
  Value* transpose(Value* matrix);  // 8 by 8 numbers of 16 bits, a row in each four lanes (movmatrix)

 private:
  Value* row_pointer(llvm::CallInst& call, unsigned row);

  // What products of so many words pass and get.
  llvm::DenseMap<unsigned, llvm::AllocaInst*> fragments_, products_;
};

}  // namespace warpwise::simt
