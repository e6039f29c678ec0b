// Computes, beside each value, which of its bits depend on registers that were never written (ww.undefined), or on what
// a shuffle took from a lane that does not take part (absent_lanes.h). undefined_uses.h asks where that matters; it is
// the only user.
//
//     entry:  %u = ww.undefined                    v                 its undefined bits
//     then:   %x = load ...
//     join:   %v = phi [%u, entry], [%x, then]     %v                phi [-1, entry], [0, then]
//             %w = and %v, 255                     %w                and (bits of %v), 255
//
// Beside each value that depends on such a register comes an integer of the same width, computed by the rules that
// Valgrind's Memcheck (Seward and Nethercote, USENIX 2005) and MemorySanitizer (Stepanov and Serebryany, CGO 2015) use:
// moves, masks, shifts, tests for equality, sums, differences and choices are followed bit by bit. A product has
// undefined bits from the lowest undefined bit upward. The result of any other operation is undefined in all bits if
// any operand has an undefined bit. Programs without such registers and shuffles, which is nearly all, get no code.
//
// A lane that does not take part gives 0 to those that read from it. So shuffles send the bits that are defined: a lane
// that gets 0 has none.
//
// Memory has its shadow for this (instrument/shadow.h): a loaded value counts as defined, because the load was checked.
// Arguments and results of functions that are not inlined count as defined, and so do votes other than a ballot,
// reductions of a warp and matrix products.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <optional>

#include "simt/instrument/absent_lanes.h"

namespace warpwise::simt {

// Metadata of the shuffles and ballots that this pass adds. insert_sync_events skips them, because the program does not
// contain them.
constexpr const char* kAddedCollective = "ww.shadow";

class UndefinedValues {
 public:
  // Inserts the code that computes the undefined bits of all dependent values of `function`.
  UndefinedValues(llvm::Function& function, const Shuffles& shuffles);
  // The undefined bits of a value; null: it has none.
  llvm::Value* bits_of(llvm::Value* value) const;
  // The register that those bits come from, as ww.undefined has it: an i64, function << 32 | register; or the shuffle,
  // as number_of_shuffle() has it. Null for a value without undefined bits. Where several contribute, one of those that
  // this thread's value is made of.
  llvm::Value* source_of(llvm::Value* value) const;
  // Replaces each ww.undefined by zero. Call it last: bits_of() and source_of() must not be used afterwards.
  void replace_registers_by_zero();

 private:
  void find_dependent_values();
  bool may_pass_bits(const llvm::Instruction& user, const llvm::Value& operand) const;
  void insert(llvm::Instruction& i);
  void fill_phis();
  llvm::Value* compute(llvm::Instruction& i);
  llvm::Value* of_binary(llvm::BinaryOperator& op);
  llvm::Value* of_sum(llvm::BinaryOperator& op, llvm::Value* sa, llvm::Value* sb);
  llvm::Value* of_cast(llvm::CastInst& cast);
  llvm::Value* of_comparison(llvm::CmpInst& compare);
  llvm::Value* of_choice(llvm::SelectInst& select);
  llvm::Value* of_call(llvm::CallInst& call);
  llvm::Value* of_any_operand(llvm::Instruction& i);
  llvm::Value* choose_source(llvm::Instruction& i);
  llvm::Value* source_of_choice(llvm::SelectInst& select);
  llvm::Value* of_shuffle(llvm::CallInst& shuffle);
  llvm::Value* shuffled_source(llvm::CallInst& shuffle);
  llvm::Value* move_beside(llvm::CallInst& shuffle, llvm::Value* value);
  llvm::Value* source_or_zero(llvm::Value* value) const;
  llvm::Value* shadow_or_zero(llvm::Value* value) const;
  llvm::Value* either(llvm::Value* a, llvm::Value* b);
  llvm::Value* both(llvm::Value* a, llvm::Value* b);
  llvm::Value* as_integer(llvm::Value* value);
  llvm::IntegerType* shadow_type(llvm::Type* type) const;
  bool has_shadow(llvm::Type* type) const;

  llvm::Function& function_;
  const Shuffles& shuffles_;  // whose source may be absent
  llvm::IRBuilder<> b_;       // without simplification: that would look into phis before they are complete
  // What each origin has in the upper half of its number; nothing: they differ.
  std::optional<uint32_t> function_of_all_;
  // For each dependent value, the only origin that reaches it; null: several.
  llvm::DenseMap<llvm::Value*, llvm::Value*> single_;
  llvm::DenseMap<llvm::Value*, llvm::Value*> bits_, sources_;
};

}  // namespace warpwise::simt
