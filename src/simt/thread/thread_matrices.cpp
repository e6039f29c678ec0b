#include "simt/thread/thread_matrices.h"

#include "simt/abi.h"

namespace warpwise::simt {

using namespace llvm;

Value* ThreadMatrices::words_in_memory(ArrayRef<Value*> words) {
  Value* memory = t_.words(words.size());
  for (unsigned n = 0; n < words.size(); ++n)
    b_.CreateStore(words[n], b_.CreateConstGEP1_64(b_.getInt32Ty(), memory, n));
  return memory;
}

Value* ThreadMatrices::product(CallInst& call) {
  Type* i32 = b_.getInt32Ty();
  auto* result = cast<StructType>(call.getType());
  SmallVector<Value*, 32> inputs(call.arg_begin() + 1, call.arg_end());
  Value* outputs = t_.words(result->getNumElements());
  t_.invoke(Service::multiply_sync,
            {t_.thread, call.getArgOperand(0), words_in_memory(inputs), outputs, t_.site(call)});
  Value* fields = PoisonValue::get(result);
  for (unsigned n = 0; n < result->getNumElements(); ++n)
    fields = b_.CreateInsertValue(fields, b_.CreateLoad(i32, b_.CreateConstGEP1_64(i32, outputs, n)), n);
  return fields;
}

// The words of all lanes: word w of lane l at [w * 32 + l].
Value* ThreadMatrices::gather(ArrayRef<Value*> words, CallInst& call) {
  Value* table = t_.words(words.size() * kLanes);
  t_.invoke(Service::gather, {t_.thread, words_in_memory(words), b_.getInt32(words.size()), table, t_.site(call)});
  return table;
}

Value* ThreadMatrices::gathered(Value* table, Value* index) {
  return b_.CreateLoad(b_.getInt32Ty(), b_.CreateGEP(b_.getInt32Ty(), table, index));
}

// Where this lane's half `half` of matrix j lies: its row's address is lane 8j + row's. Without .trans the row is
// lane / 4 and both halves lie together.
Value* ThreadMatrices::matrix_element(Value* table, unsigned j, unsigned half, bool transposed, Value* lane) {
  Value* group = b_.CreateLShr(lane, b_.getInt32(2));
  Value* pair = b_.CreateAdd(b_.CreateShl(b_.CreateAnd(lane, b_.getInt32(3)), b_.getInt32(1)), b_.getInt32(half));
  Value* row = b_.CreateAdd(transposed ? pair : group, b_.getInt32(8 * j));
  Type* i64 = b_.getInt64Ty();
  Value* low = b_.CreateZExt(gathered(table, row), i64);
  Value* high = b_.CreateZExt(gathered(table, b_.CreateAdd(row, b_.getInt32(kLanes))), i64);
  Value* address = b_.CreateOr(low, b_.CreateShl(high, b_.getInt64(32)));
  Value* bytes = b_.CreateShl(b_.CreateZExt(transposed ? group : pair, i64), b_.getInt64(1));
  return b_.CreateIntToPtr(b_.CreateAdd(b_.CreateAdd(address, bytes), b_.getInt64(kAliasOffset)), b_.getPtrTy());
}

Value* ThreadMatrices::address_table(CallInst& call) {
  Value* address = call.getArgOperand(0);
  return gather({b_.CreateTrunc(address, b_.getInt32Ty()),
                 b_.CreateTrunc(b_.CreateLShr(address, b_.getInt64(32)), b_.getInt32Ty())},
                call);
}

Value* ThreadMatrices::load_matrix(CallInst& call, Value* lane) {
  auto* type = dyn_cast<StructType>(call.getType());
  const bool transposed = cast<ConstantInt>(call.getArgOperand(1))->isOne();
  Value* table = address_table(call);
  Value* fields = type ? PoisonValue::get(type) : nullptr;
  for (unsigned j = 0; j < (type ? type->getNumElements() : 1); ++j) {
    auto half = [&](unsigned n) {
      return b_.CreateZExt(
          b_.CreateAlignedLoad(b_.getInt16Ty(), matrix_element(table, j, n, transposed, lane), Align(2)),
          b_.getInt32Ty());
    };
    Value* word = b_.CreateOr(half(0), b_.CreateShl(half(1), b_.getInt32(16)));
    if (!type) return word;
    fields = b_.CreateInsertValue(fields, word, j);
  }
  return fields;
}

void ThreadMatrices::store_matrix(CallInst& call, Value* lane) {
  const bool transposed = cast<ConstantInt>(call.getArgOperand(1))->isOne();
  Value* table = address_table(call);
  for (unsigned j = 0; j + 2 < call.arg_size(); ++j)
    for (unsigned half = 0; half < 2; ++half) {
      Value* bits = b_.CreateTrunc(b_.CreateLShr(call.getArgOperand(j + 2), b_.getInt32(16 * half)), b_.getInt16Ty());
      b_.CreateAlignedStore(bits, matrix_element(table, j, half, transposed, lane), Align(2));
    }
}

Value* ThreadMatrices::move_matrix(CallInst& call, Value* lane) {
  Value* table = gather({call.getArgOperand(0)}, call);
  Value* column = b_.CreateLShr(lane, b_.getInt32(2));
  Value* row = b_.CreateShl(b_.CreateAnd(lane, b_.getInt32(3)), b_.getInt32(1));
  auto half = [&](unsigned n) {
    Value* from = b_.CreateAdd(b_.CreateShl(b_.CreateAdd(row, b_.getInt32(n)), b_.getInt32(2)),
                               b_.CreateLShr(column, b_.getInt32(1)));
    Value* shift = b_.CreateShl(b_.CreateAnd(column, b_.getInt32(1)), b_.getInt32(4));
    return b_.CreateAnd(b_.CreateLShr(gathered(table, from), shift), b_.getInt32(0xffff));
  };
  return b_.CreateOr(half(0), b_.CreateShl(half(1), b_.getInt32(16)));
}

}  // namespace warpwise::simt
