#include "simt/instrument/copied_loads.h"

#include <llvm/IR/Constants.h>

#include "simt/analysis/dialect_calls.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// A sum or a disjunction of parts, of which one has been shifted into its place.
bool joins_parts(const Value& value) {
  auto* i = dyn_cast<Instruction>(&value);
  if (!i || (i->getOpcode() != Instruction::Or && i->getOpcode() != Instruction::Add)) return false;
  auto is_shifted = [](const Value* part) {
    auto* shift = dyn_cast<Instruction>(part);
    return (shift && shift->getOpcode() == Instruction::Shl && isa<ConstantInt>(shift->getOperand(1))) ||
           joins_parts(*part);
  };
  return is_shifted(i->getOperand(0)) || is_shifted(i->getOperand(1));
}

bool only_stored(Instruction& value, bool narrow, unsigned depth) {
  if (value.use_empty() || depth > 8) return false;
  for (User* user : value.users()) {
    auto* i = cast<Instruction>(user);
    if (auto* store = dyn_cast<StoreInst>(i)) {
      if (store->getValueOperand() != &value) return false;
      continue;
    }
    if (auto* field = dyn_cast<ExtractValueInst>(i); field && field->getIndices()[0] != 0)
      continue;  // was there a source?
    auto which = dialect_of(i);
    const bool moves =
        isa<ExtractValueInst>(i) || (which && is_shuffle(*which) && cast<CallInst>(i)->getArgOperand(0) == &value);
    const bool packs = narrow && (isa<ZExtInst>(i) || isa<TruncInst>(i) || joins_parts(*i) ||
                                  (i->getOpcode() == Instruction::Shl && i->getOperand(0) == &value));
    if (!(moves || packs) || !only_stored(*i, narrow, depth + 1)) return false;
  }
  return true;
}

bool goes_back_in_part(const Value& part, const Value* address) {
  return !part.use_empty() && all_of(part.users(), [&](const User* user) {
    if (const auto* store = dyn_cast<StoreInst>(user))
      return store->getValueOperand() == &part && same_address(store->getPointerOperand(), address);
    // A disjunction of bits that are not in both is a sum by now.
    const auto* joined = dyn_cast<BinaryOperator>(user);
    return joined && is_contained({Instruction::Or, Instruction::Add, Instruction::And}, joined->getOpcode()) &&
           goes_back_in_part(*joined, address);
  });
}

}  // namespace

bool only_copied(LoadInst& load) { return only_stored(load, load.getType()->getPrimitiveSizeInBits() < 32, 0); }

bool is_stored_as_it_is(const Instruction& load) {
  return all_of(load.users(), [](const User* user) { return isa<StoreInst>(user); });
}

bool writes_bit_field(const LoadInst& load) {
  return !load.use_empty() && all_of(load.users(), [&](const User* user) {
    const auto* cut = dyn_cast<BinaryOperator>(user);
    return cut && cut->getOpcode() == Instruction::And && isa<ConstantInt>(cut->getOperand(1)) &&
           goes_back_in_part(*cut, load.getPointerOperand());
  });
}

bool same_address(const Value* a, const Value* b) {
  if (a == b) return true;
  const auto *one = dyn_cast<Instruction>(a), *other = dyn_cast<Instruction>(b);
  if (!one || !other || one->getOpcode() != other->getOpcode() || one->getType() != other->getType()) return false;
  if (!isa<CastInst>(one) && one->getOpcode() != Instruction::Add) return false;
  return equal(one->operands(), other->operands(),
               [](const Use& x, const Use& y) { return same_address(x.get(), y.get()); });
}

}  // namespace warpwise::simt
