// Recognising calls of the dialect's functions (simt/dialect.h).
#pragma once

#include <llvm/ADT/StringMap.h>
#include <llvm/IR/Instructions.h>

#include <optional>

#include "simt/dialect.h"

namespace warpwise::simt {

enum class Dialect : unsigned {
#define DIALECT(id, name, signature, cls) id,
#include "simt/dialect.inc"
#undef DIALECT
};

enum class DialectClass : unsigned { Thread, Block, Warp, Barrier, Cluster, Tensor, Effect, Pure };

// ww.wgmma comes in as many functions as there are counts of registers: ww.wgmma.16.16.
constexpr const char* kWgmmaPrefix = "ww.wgmma.";
// Its arguments before the registers.
constexpr unsigned kWgmmaScalars = 4;

// Which dialect function a call calls, if it calls one.
std::optional<Dialect> dialect_of(const llvm::Value* value);
// ww.product comes in as many functions as there are counts of registers: ww.product.10.4.
constexpr const char* kMatrixProductPrefix = "ww.product.";
// ww.tensor.move likewise: ww.tensor.move.0.8. Its arguments before the registers.
constexpr const char* kTensorMovePrefix = "ww.tensor.move.";
constexpr unsigned kTensorMoveScalars = 3;
DialectClass class_of(Dialect function);
// Marks of what is counted: they change nothing that a program could see.
inline bool is_count(Dialect function) {
  return function == Dialect::CountBlock || function == Dialect::CountGuard || function == Dialect::CountAccess ||
         function == Dialect::CountValue;
}
const char* name_of(Dialect function);
inline bool is_shuffle(Dialect function) {
  return function == Dialect::ShflUp || function == Dialect::ShflDown || function == Dialect::ShflBfly ||
         function == Dialect::ShflIdx;
}
// How many bytes a thread stores, with the other elements of the vector access that the store is part of (!ww.group).
unsigned bytes_stored(const llvm::StoreInst& store);
// Threads of the block arrive there, and mostly wait for each other.
inline bool is_barrier(const llvm::Instruction& i) {
  auto function = dialect_of(&i);
  return function && class_of(*function) == DialectClass::Barrier;
}

}  // namespace warpwise::simt
