#include "simt/analysis/decoupled_lookback.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/PatternMatch.h>

#include <limits>
#include <optional>

#include "simt/analysis/dialect_calls.h"
#include "simt/analysis/thread_values.h"
#include "simt/dialect.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// An address as a sum over values, `constant` included. `below`: minus something unknown that is not negative.
struct Sum {
  SmallMapVector<Value*, int64_t, 4> terms;
  int64_t constant = 0;
  bool below = false;
};

// A counter that goes down: its start, or null.
Value* start_of_countdown(PHINode& phi, int64_t factor) {
  if (phi.getNumIncomingValues() != 2) return nullptr;
  for (unsigned i : {0u, 1u}) {
    auto* step = dyn_cast<BinaryOperator>(phi.getIncomingValue(i));
    if (!step || step->getOpcode() != Instruction::Add || step->getOperand(0) != &phi) continue;
    auto* by = dyn_cast<ConstantInt>(step->getOperand(1));
    if (by && by->getBitWidth() <= 64 && (by->getSExtValue() < 0) == (factor > 0)) return phi.getIncomingValue(1 - i);
  }
  return nullptr;
}

void add_up(Value* value, int64_t factor, Sum& sum, unsigned depth = 0) {
  if (auto* constant = dyn_cast<ConstantInt>(value); constant && constant->getBitWidth() <= 64) {
    sum.constant += factor * constant->getSExtValue();
    return;
  }
  auto constant_of = [](Value* v) -> std::optional<int64_t> {
    auto* c = dyn_cast<ConstantInt>(v);
    return c && c->getBitWidth() <= 64 ? std::optional(c->getSExtValue()) : std::nullopt;
  };
  if (depth < 32) {
    if (auto* phi = dyn_cast<PHINode>(value)) {
      if (Value* start = start_of_countdown(*phi, factor)) {
        sum.below = true;
        return add_up(start, factor, sum, depth + 1);
      }
      if (phi->getNumIncomingValues() == 1) return add_up(phi->getIncomingValue(0), factor, sum, depth + 1);
    }
    if (isa<SExtInst>(value) || isa<ZExtInst>(value))
      return add_up(cast<CastInst>(value)->getOperand(0), factor, sum, depth + 1);
    if (auto* i = dyn_cast<BinaryOperator>(value)) {
      Value *a = i->getOperand(0), *b = i->getOperand(1);
      auto number = constant_of(b);
      switch (i->getOpcode()) {
        case Instruction::Add:
          return add_up(a, factor, sum, depth + 1), add_up(b, factor, sum, depth + 1);
        case Instruction::Sub:
          return add_up(a, factor, sum, depth + 1), add_up(b, -factor, sum, depth + 1);
        case Instruction::Or:
          if (!cast<PossiblyDisjointInst>(i)->isDisjoint()) break;
          return add_up(a, factor, sum, depth + 1), add_up(b, factor, sum, depth + 1);
        case Instruction::Shl:
          if (number && *number >= 0 && *number < 32) return add_up(a, factor << *number, sum, depth + 1);
          break;
        case Instruction::Mul:
          if (number && std::abs(*number) < (int64_t{1} << 24)) return add_up(a, factor * *number, sum, depth + 1);
          break;
        default:
          break;
      }
    }
  }
  if ((sum.terms[value] += factor) == 0) sum.terms.erase(value);
}

// The same in all threads between two barriers.
bool same_for_block(const Value* value) {
  if (auto* load = dyn_cast<LoadInst>(value)) {
    if (load->isVolatile() || load->isAtomic()) return false;
    unsigned space = load->getPointerAddressSpace();
    return (space == kParam || space == kShared) && isa<Constant>(load->getPointerOperand());
  }
  auto d = dialect_of(value);
  return d && class_of(*d) == DialectClass::Block;
}

bool is_pointer_parameter(const Value* value) {
  auto* load = dyn_cast<LoadInst>(value);
  return load && load->getPointerAddressSpace() == kParam && load->getType()->isIntegerTy(64) &&
         isa<Constant>(load->getPointerOperand());
}

std::optional<Sum> sum_of(Value* pointer) {
  if (auto* cast = dyn_cast<IntToPtrInst>(pointer)) {
    Sum sum;
    add_up(cast->getOperand(0), 1, sum);
    return sum;
  }
  return std::nullopt;
}

// The parameter that the address starts from.
Value* base_of(const Sum& sum) {
  Value* base = nullptr;
  for (auto& [value, factor] : sum.terms)
    if (factor == 1 && is_pointer_parameter(value)) {
      if (base) return nullptr;
      base = value;
    }
  return base;
}

// What a sum comes to in each thread, without the terms that all threads of the block share.
class Offsets {
 public:
  Offsets(const Function& function, const BlockShape& block) : function_(function), block_(block) {}

  // False when some term is neither shared nor a function of threadIdx.
  bool shared_terms(const Sum& sum, SmallMapVector<Value*, int64_t, 4>& shared) const {
    ThreadValues values(function_, block_, 0);
    for (auto& [value, factor] : sum.terms) {
      if (values.of(value)) continue;
      if (!same_for_block(value)) return false;
      shared[value] = factor;
    }
    return true;
  }

  int64_t in_thread(const Sum& sum, uint32_t thread) const {
    ThreadValues values(function_, block_, thread);
    int64_t total = sum.constant;
    for (auto& [value, factor] : sum.terms)
      if (auto* number = dyn_cast_or_null<ConstantInt>(values.of(value))) total += factor * number->getSExtValue();
    return total;
  }

 private:
  const Function& function_;
  const BlockShape& block_;
};

bool same_terms(const SmallMapVector<Value*, int64_t, 4>& a, const SmallMapVector<Value*, int64_t, 4>& b) {
  if (a.size() != b.size()) return false;
  for (auto& [value, factor] : a) {
    auto at = b.find(value);
    if (at == b.end() || at->second != factor) return false;
  }
  return true;
}

}  // namespace

bool waits_for_smaller_numbers(const Loop& loop, const BlockShape& block, const BitVector& waiting,
                               ArrayRef<SmallPtrSet<Instruction*, 8>> written) {
  const Function& function = *loop.getHeader()->getParent();
  Offsets offsets(function, block);

  // What is awaited: its parameter, the terms that number the block, and how high it reaches.
  Value* base = nullptr;
  SmallMapVector<Value*, int64_t, 4> number;
  int64_t awaited_end = std::numeric_limits<int64_t>::min();
  for (BasicBlock* bb : loop.blocks())
    for (Instruction& i : *bb) {
      if (isa<AtomicRMWInst>(i) || isa<AtomicCmpXchgInst>(i)) return false;
      auto* load = dyn_cast<LoadInst>(&i);
      if (!load || (!load->isVolatile() && !load->isAtomic())) continue;
      if (load->getPointerAddressSpace() != kGlobal) return false;
      std::optional<Sum> sum = sum_of(load->getPointerOperand());
      SmallMapVector<Value*, int64_t, 4> shared;
      if (!sum || !base_of(*sum) || (base && base != base_of(*sum)) || !offsets.shared_terms(*sum, shared))
        return false;
      if (base && !same_terms(number, shared)) return false;
      base = base_of(*sum);
      number = shared;
      const int64_t size = load->getType()->getPrimitiveSizeInBits() / 8;
      for (unsigned t : waiting.set_bits()) awaited_end = std::max(awaited_end, offsets.in_thread(*sum, t) + size);
    }
  if (!base || number.size() < 2) return false;  // without a number blocks have no order
  for (auto& [value, factor] : number)
    if (value != base && factor <= 0) return false;

  // Every write lies above.
  for (uint32_t t = 0; t < block.threads(); ++t)
    for (Instruction* i : written[t]) {
      Value* pointer = nullptr;
      if (auto* store = dyn_cast<StoreInst>(i))
        pointer = store->getPointerOperand();
      else if (auto* rmw = dyn_cast<AtomicRMWInst>(i))
        pointer = rmw->getPointerOperand();
      if (!pointer) return false;
      unsigned space = pointer->getType()->getPointerAddressSpace();
      if (space == kShared || space == kLocal) continue;  // what is awaited is global, and so are other blocks' eyes
      if (space != kGlobal) return false;
      std::optional<Sum> sum = sum_of(pointer);
      Value* other = sum ? base_of(*sum) : nullptr;
      if (!other) return false;
      if (other != base) continue;
      SmallMapVector<Value*, int64_t, 4> shared;
      if (sum->below || !offsets.shared_terms(*sum, shared) || !same_terms(number, shared)) return false;
      if (offsets.in_thread(*sum, t) < awaited_end) return false;
    }
  return true;
}

}  // namespace warpwise::simt
