// Lane shapes: what each value of a scalar kernel looks like across the 32 lanes of a warp. In the literature this is
// divergence analysis combined with an affine (stride) analysis.
//
// The compiler gains more from it than from any other pass (ARCHITECTURE.md, "Lane patterns"). A value of
// the program of one thread becomes, for a warp, one of
//
//   uniform   the same in all active lanes: kept as one scalar.
//   affine    lane l holds  base + Σ coefficient_k * lanes_k[l]:  kept as the scalar `base` (lane 0's
//             value); coefficients are uniform values or 1, `lanes` are compile-time vectors with
//             lanes[0] == 0. Uniform is the case without terms.
//   varying   anything else: kept as <32 x T>.
//
//     threadIdx.x, blockDim 16x16     base 0                  + 1 * (0 1 2 … 15 0 1 2 … 15)
//     threadIdx.y                     base 2 * warp           + 1 * (0 0 0 …  0 1 1 1 …  1)
//     &A[row * N + col]               base a scalar           + 4N * (0 … 0 1 … 1) + 4 * (0 … 15 0 … 15)
//
// An access whose address is affine is a broadcast, one or a few contiguous vector accesses, or a load
// and a permute; a gather only when the lanes really scatter.
//
// Extension. A 32-bit index is extended to 64 bits before it is added to a pointer, and `ext(base + c)`
// is `ext(base) + c` only if no lane wraps. Where ranges do not prove that, the extended value stays
// affine and records a correction {the extension, multiplier}: the true value of lane l is the affine
// one plus multiplier * (true ext - affine ext). Accesses test one scalar overflow guard per extension.
// They compute exact addresses only on the cold side (vectorise/memory.cpp): the hot side carries
// nothing but scalars. Corrections survive additions and constant factors; anything else is varying.
//
// One optimistic fixpoint decides everything. Data: a value's shape follows from its operands'. Control:
// where lanes diverge at a branch, phis at the reconvergence points are varying. Values that leave a loop
// which lanes leave in different iterations are varying as well (divergence.h).
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "simt/abi.h"
#include "simt/analysis/divergence.h"

namespace warpwise::simt {

using LaneConstants = std::array<int64_t, kLanes>;

// A uniform factor of a term: 1 when value is null.
struct Coefficient {
  llvm::Value* value = nullptr;  // of the scalar function
  enum class Convert : uint8_t { None, SignExtend, Truncate } convert = Convert::None;
  bool operator==(const Coefficient&) const = default;
};

struct Term {
  Coefficient coefficient;
  LaneConstants lanes;  // lanes[0] == 0, not all zero
  bool operator==(const Term&) const = default;
};

struct Correction {
  llvm::Instruction* extension;  // a sext or zext of the scalar function
  int64_t multiplier;
  bool operator==(const Correction&) const = default;
};

struct Shape {
  enum class Kind : uint8_t { Unknown, Affine, Varying } kind = Kind::Unknown;
  llvm::SmallVector<Term, 2> terms;
  llvm::SmallVector<Correction, 1> corrections;
  // What is known of the base (lane 0's value), as a signed number of the value's width.
  std::optional<int64_t> constant;
  unsigned trailing_zeros = 0;
  int64_t low = INT64_MIN, high = INT64_MAX;

  static Shape varying() { return {.kind = Kind::Varying}; }
  static Shape uniform() { return {.kind = Kind::Affine}; }
  bool is_affine() const { return kind == Kind::Affine; }
  bool is_uniform() const { return kind == Kind::Affine && terms.empty() && corrections.empty(); }
  bool is_varying() const { return kind == Kind::Varying; }
  // Same lanes, whatever is known of the base.
  bool same_pattern(const Shape& other) const {
    return kind == other.kind && terms == other.terms && corrections == other.corrections;
  }
  bool operator==(const Shape&) const = default;
};

struct BlockShape {
  std::array<uint32_t, 3> size{1, 1, 1};
  bool small_grid = true;  // gridDim * blockDim < 2^31 in each dimension
  uint32_t threads() const { return size[0] * size[1] * size[2]; }
  uint32_t warps() const { return (threads() + kLanes - 1) / kLanes; }
};

class LaneShapes {
 public:
  // `function` is a kernel in the dialect: SSA, loops simplified, LCSSA. `local_stride` is the distance
  // in bytes between two threads' local memories.
  LaneShapes(llvm::Function& function, const BlockShape& block, uint32_t local_stride);

  const Shape& of(const llvm::Value* value) const;
  // Whether lanes may leave this block in different directions.
  bool diverges(const llvm::BasicBlock& block) const;
  const BlockShape& block() const { return block_; }

 private:
  Shape shape_or_constant(const llvm::Value* value) const;
  Shape visit(llvm::Instruction& instruction) const;
  Shape visit_phi(llvm::PHINode& phi) const;
  Shape visit_binary(llvm::BinaryOperator& op) const;
  Shape visit_product(llvm::BinaryOperator& op, const Shape& a, const Shape& b) const;
  std::optional<Shape> visit_constant_operand(llvm::BinaryOperator& op, const Shape& a, int64_t constant) const;
  void bound_block_base(Shape& product, const llvm::Value* factor, int64_t times, unsigned width) const;
  Shape visit_extension(llvm::CastInst& cast) const;
  Shape visit_call(llvm::CallInst& call) const;
  bool update_shapes();  // one round over all values; whether anything changed

  BlockShape block_;
  uint32_t local_stride_;
  Divergence divergence_;
  llvm::DenseMap<const llvm::Value*, Shape> shapes_;
};

// The shape of tid.x, .y or .z (axis 0, 1, 2) for a block, as lane 0's value is a function of the warp.
Shape shape_of_tid(const BlockShape& block, unsigned axis);

}  // namespace warpwise::simt
