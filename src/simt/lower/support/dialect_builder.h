// Making calls of the dialect's functions (simt/dialect.h); analysis/dialect_calls.h recognises them.
#pragma once

#include <initializer_list>

#include "simt/analysis/dialect_calls.h"
#include "simt/lower/support/value.h"

namespace warpwise::simt {

// The declaration of `function` in `module`, made at first use, with the attributes of its class.
llvm::Function* declare(llvm::Module& module, Dialect function);

// ww.canonical.f32 or .f16 (scalar/canonical_nan.h), for a float or a half.
llvm::Function* declare_canonical(llvm::Module& module, llvm::Type* type);

Value call(Builder& builder, Dialect function, std::initializer_list<Value> arguments);
Value call(Builder& builder, Dialect function, llvm::ArrayRef<llvm::Value*> arguments);
Value call(Builder& builder, Dialect function, llvm::ArrayRef<Value> arguments);

// A matrix product (ww.product): `inputs` and the fields of the result are registers as i32.
Value call_product(Builder& builder, uint64_t product, llvm::ArrayRef<Value> inputs, unsigned outputs);

// A warp's share of wgmma (ww.wgmma): `words` and the fields of the result are registers as i32.
Value call_wgmma(Builder& builder, uint64_t form, Value a, Value b, Value accumulate, llvm::ArrayRef<Value> words,
                 unsigned outputs);

// A thread's share of tcgen05.ld or .st (ww.tensor.move): `words` and the fields of the result are registers as i32.
Value call_tensor_move(Builder& builder, uint64_t move, Value address, Value second, llvm::ArrayRef<Value> words,
                       unsigned outputs);

}  // namespace warpwise::simt
