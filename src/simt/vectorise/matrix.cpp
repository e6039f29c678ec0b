#include "simt/vectorise/matrix.h"

#include <llvm/Analysis/VectorUtils.h>

#include <cstddef>

#include "simt/abi.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

constexpr unsigned kRows = 8, kWordsOfRow = 4;

}  // namespace

void MatrixEmitter::emit_product(CallInst& call) {
  Type* i32 = b_.getInt32Ty();
  const unsigned inputs = call.arg_size() - 1, outputs = cast<StructType>(call.getType())->getNumElements();
  auto* row = FixedVectorType::get(i32, kLanes);
  // Each used by one product at a time: kernels unroll hundreds.
  const auto rows = [&](AllocaInst*& memory, unsigned count, const char* name) {
    if (!memory) {
      memory = slot(ArrayType::get(row, count), name);
      memory->setAlignment(Align(64));
    }
    return memory;
  };
  AllocaInst* in = rows(fragments_[inputs], inputs, "fragments");
  AllocaInst* out = rows(products_[outputs], outputs, "product");
  for (unsigned n = 0; n < inputs; ++n)
    b_.CreateAlignedStore(b_.CreateFreeze(vector(call.getArgOperand(n + 1))), b_.CreateConstGEP1_64(row, in, n),
                          Align(64));
  call_service(Service::multiply, {block_arg_, call.getArgOperand(0), in, out});
  SmallVector<Value*, 16> fields;
  for (unsigned n = 0; n < outputs; ++n)
    fields.push_back(b_.CreateAlignedLoad(row, b_.CreateConstGEP1_64(row, out, n), Align(64)));
  set_fields(call, fields);
}

// The matrix's transpose: lane l has elements (l / 4, 2 (l % 4)) and the next, two halves of a word.
Value* MatrixEmitter::transpose(Value* matrix) {
  SmallVector<int, 2 * kLanes> from;
  for (unsigned element = 0; element < 2 * kLanes; ++element) from.push_back(int(element % 8 * 8 + element / 8));
  Value* halves = b_.CreateBitCast(matrix, FixedVectorType::get(b_.getInt16Ty(), 2 * kLanes));
  return b_.CreateBitCast(b_.CreateShuffleVector(halves, from), FixedVectorType::get(b_.getInt32Ty(), kLanes));
}

// Row `row` of all the call's matrices: its address is lane `row`'s, generic.
Value* MatrixEmitter::row_pointer(CallInst& call, unsigned row) {
  Value* address = call.getArgOperand(0);
  Value* own = is_uniform(address) ? scalar(address) : b_.CreateExtractElement(vector(address), uint64_t{row});
  return b_.CreateIntToPtr(b_.CreateAdd(own, b_.getInt64(kAliasOffset)), b_.getPtrTy());
}

void MatrixEmitter::emit_load_matrix(CallInst& call) {
  auto* type = dyn_cast<StructType>(call.getType());
  const unsigned matrices = type ? type->getNumElements() : 1;
  const bool transposed = cast<ConstantInt>(call.getArgOperand(1))->isOne();
  auto* row_type = FixedVectorType::get(b_.getInt32Ty(), kWordsOfRow);
  DebugLoc whole = b_.getCurrentDebugLocation();
  SmallVector<Value*, 4> fields;
  for (unsigned j = 0; j < matrices; ++j) {
    SmallVector<Value*, kRows> rows;
    for (unsigned r = 0; r < kRows; ++r) {
      at_lane(j * kRows + r);
      rows.push_back(b_.CreateAlignedLoad(row_type, row_pointer(call, j * kRows + r), Align(16)));
    }
    b_.SetCurrentDebugLocation(whole);
    Value* matrix = concatenateVectors(b_, rows);
    fields.push_back(transposed ? transpose(matrix) : matrix);
  }
  type ? set_fields(call, fields) : set_vector(call, fields[0]);
}

void MatrixEmitter::emit_store_matrix(CallInst& call) {
  const unsigned matrices = call.arg_size() - 2;
  const bool transposed = cast<ConstantInt>(call.getArgOperand(1))->isOne();
  DebugLoc whole = b_.getCurrentDebugLocation();
  for (unsigned j = 0; j < matrices; ++j) {
    Value* matrix = b_.CreateFreeze(vector(call.getArgOperand(j + 2)));
    if (transposed) matrix = transpose(matrix);
    for (unsigned r = 0; r < kRows; ++r) {
      at_lane(j * kRows + r);
      b_.CreateAlignedStore(part_of(matrix, r * kWordsOfRow, kWordsOfRow), row_pointer(call, j * kRows + r), Align(16));
    }
    b_.SetCurrentDebugLocation(whole);
  }
}

}  // namespace warpwise::simt
