// Which bits of a value were never set, as far as that depends on registers that were never written (ww.undefined).
//
//     entry:  %u = ww.undefined                    v                 its undefined bits
//     then:   %x = load ...
//     join:   %v = phi [%u, entry], [%x, then]     %v                phi [-1, entry], [0, then]
//             %w = and %v, 255                     %w                and (bits of %v), 255
//
// Beside each value that depends on such a register comes an integer of the same width, computed by the rules that
// Valgrind's Memcheck (Seward and Nethercote, USENIX 2005) and MemorySanitizer (Stepanov and Serebryany, CGO 2015) use:
// exactly for what moves, masks and compares bits, for additions with their carries, and for choices; all bits of what
// other arithmetic makes of an undefined bit. Programs without such registers, nearly all, get no code.
//
// What is in memory has the shadow for the same purpose (instrument/shadow.h); a value that is loaded counts as
// defined, because the load was checked. Arguments and results of functions that are not inlined count as defined, and
// so do votes, reductions of a warp and matrix products.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace warpwise::simt {

// Marks the shuffles and votes that move undefined bits beside the program's: no operations of the program.
constexpr const char* kShadowCollective = "ww.shadow";

class UndefinedValues {
 public:
  // Inserts the computation of what follows from the function's undefined registers.
  explicit UndefinedValues(llvm::Function& function);
  // The undefined bits of a value; null: it has none.
  llvm::Value* bits_of(llvm::Value* value) const;
  // The register that they come from, an i64 as in ww.undefined; of several, the one that this thread has met.
  llvm::Value* source_of(llvm::Value* value) const;
  // Undefined registers become zeros.
  void forget_sources();

 private:
  void find_dependent_values();
  bool carries(const llvm::Instruction& user, const llvm::Value& operand) const;
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
  llvm::Value* shadow_or_zero(llvm::Value* value) const;
  llvm::Value* either(llvm::Value* a, llvm::Value* b);
  llvm::Value* both(llvm::Value* a, llvm::Value* b);
  llvm::Value* as_integer(llvm::Value* value);
  llvm::IntegerType* shadow_type(llvm::Type* type) const;
  bool has_shadow(llvm::Type* type) const;

  llvm::Function& function_;
  llvm::IRBuilder<> b_;  // without simplification: that would look into phis before they are complete
  llvm::DenseMap<llvm::Value*, llvm::Value*> single_;  // the only source that reaches a value; null: several
  llvm::DenseMap<llvm::Value*, llvm::Value*> bits_, sources_;
};

}  // namespace warpwise::simt
