// The instructions of a block, each by the emitter that knows it.
#pragma once

#include "simt/vectorise/arithmetic.h"
#include "simt/vectorise/atomics.h"
#include "simt/vectorise/dialect_calls.h"
#include "simt/vectorise/memory.h"
#include "simt/vectorise/warp_emitter.h"

namespace warpwise::simt {

class InstructionEmitter : WarpEmitter {
 public:
  explicit InstructionEmitter(WarpBuilder& w);
  // Not a phi, and not a terminator.
  void emit(llvm::Instruction& i);

 private:
  void skip(llvm::Instruction& i);

  ArithmeticEmitter arithmetic_;
  MemoryEmitter memory_;
  PrivatisedSumEmitter sums_;
  AtomicEmitter atomics_;
  DialectEmitter dialect_;
};

}  // namespace warpwise::simt
