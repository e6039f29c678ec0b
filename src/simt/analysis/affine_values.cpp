#include "simt/analysis/affine_values.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/KnownBits.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace warpwise::simt {

using namespace llvm;

namespace {

// A sum of 32 bits wraps: its value as an address is known up to multiples of this.
constexpr uint64_t kWrap = uint64_t{1} << 32;
// Chains of operands are followed so far; the answer is then "anything".
constexpr unsigned kDeepest = 200;

bool is_parameter(Value* v) {
  auto* load = dyn_cast<LoadInst>(v);
  return load && load->getPointerAddressSpace() == kParam;
}

bool is_wide(const Value& v) {
  Type* type = v.getType();
  return type->isPointerTy() || (type->isIntegerTy() && type->getIntegerBitWidth() > 32);
}

// What is known of a number by its bits alone.
AffineForm bounded(Instruction& i, bool may_be_address) {
  if (!i.getType()->isIntegerTy() || i.getType()->getIntegerBitWidth() > 64) return AffineForm::unknown(may_be_address);
  const KnownBits bits = computeKnownBits(&i, i.getDataLayout());
  const uint64_t least = bits.getMinValue().getZExtValue(), most = bits.getMaxValue().getZExtValue();
  // A number of 32 bits that may be negative has no bounds as an index.
  const uint64_t limit = std::min(AffineForm::kWidest, uint64_t{1} << (i.getType()->getIntegerBitWidth() - 1));
  if (most >= limit) return AffineForm::unknown(may_be_address);
  return AffineForm::bounded(least, most - least);
}

// The offset of a parameter at a constant place.
std::optional<uint64_t> parameter_offset(const LoadInst& load) {
  const Value* pointer = load.getPointerOperand();
  if (isa<ConstantPointerNull>(pointer)) return 0;
  auto* expression = dyn_cast<ConstantExpr>(pointer);
  if (!expression || expression->getOpcode() != Instruction::IntToPtr) return {};
  auto* offset = dyn_cast<ConstantInt>(expression->getOperand(0));
  if (!offset) return {};
  return offset->getZExtValue();
}

}  // namespace

AffineValues::AffineValues(Function& function, const BlockShape& block, bool ranges)
    : block_(block), threads_(block.threads()), ranges_(ranges), dominators_(function), loops_(dominators_) {}

std::optional<LaunchRange> AffineValues::launch_number(Value* value) {
  if (auto d = dialect_of(value)) {
    if (*d == Dialect::CtaidX) return LaunchRange{LaunchRange::Of::GridX};
    if (*d == Dialect::CtaidY) return LaunchRange{LaunchRange::Of::GridY};
    if (*d == Dialect::CtaidZ) return LaunchRange{LaunchRange::Of::GridZ};
    return {};
  }
  if (!is_parameter(value)) return {};
  const auto offset = parameter_offset(*cast<LoadInst>(value));
  Type* type = value->getType();
  if (!offset || *offset > ~uint32_t{0} || !(type->isIntegerTy(32) || type->isIntegerTy(64))) return {};
  return LaunchRange{LaunchRange::Of::Parameter, uint8_t(type->getIntegerBitWidth() / 8), uint32_t(*offset)};
}

std::optional<uint32_t> AffineValues::pointer_of_launch(Value* base) {
  if (dialect_of(base) == Dialect::GlobalsBase) return DistinctPointers::kVariables;
  if (!is_parameter(base)) return {};
  const auto offset = parameter_offset(*cast<LoadInst>(base));
  return offset && *offset < DistinctPointers::kVariables ? std::optional(uint32_t(*offset)) : std::nullopt;
}

// The same for every thread of the block, however often it is asked: parameters, indices of the block, and what is
// computed of these outside of loops' counters and memory.
bool AffineValues::is_shared_by_threads(Value* value, unsigned depth) {
  if (isa<Constant>(value)) return true;
  auto* i = dyn_cast<Instruction>(value);
  if (!i || depth > kDeepest) return false;
  auto [known, fresh] = shared_.try_emplace(value, false);
  if (!fresh) return known->second;
  bool result = false;
  if (is_parameter(i))
    result = is_shared_by_threads(cast<LoadInst>(i)->getPointerOperand(), depth + 1);
  else if (auto d = dialect_of(i))
    result = class_of(*d) == DialectClass::Block;
  else if (isa<BinaryOperator, CastInst, CmpInst, SelectInst, FreezeInst>(i))
    result = all_of(i->operands(), [&](Value* v) { return is_shared_by_threads(v, depth + 1); });
  return shared_[value] = result;
}

const AffineForm& AffineValues::of(Value* value) {
  auto found = forms_.find(value);
  if (found != forms_.end()) return *found->second;
  // A circle through phis: what it adds is what the phi's step says (of_phi).
  if (in_work_.size() > kDeepest || !in_work_.insert(value).second) {
    static const AffineForm anything = AffineForm::unknown(true);
    return anything;
  }
  auto form = std::make_unique<AffineForm>(compute(value));
  in_work_.erase(value);
  return *(forms_[value] = std::move(form));
}

void AffineValues::set(Value& value, int64_t number) {
  forms_[&value] = std::make_unique<AffineForm>(AffineForm::number(number));
}

std::optional<bool> AffineValues::decides(Value& condition) {
  for (const bool holds : {true, false}) {
    std::vector<bool> threads(threads_, true);
    keep_threads(condition, holds, threads);
    if (!is_contained(threads, true)) return !holds;
  }
  return {};
}

AffineForm AffineValues::compute(Value* value) {
  if (auto* constant = dyn_cast<ConstantInt>(value)) {
    if (constant->getBitWidth() > 64) return AffineForm::unknown(true);
    return AffineForm::number(constant->getSExtValue());
  }
  if (isa<ConstantPointerNull>(value)) return AffineForm::number(0);
  if (auto* expression = dyn_cast<ConstantExpr>(value); expression && expression->getOpcode() == Instruction::IntToPtr)
    return of(expression->getOperand(0));
  auto* i = dyn_cast<Instruction>(value);
  if (!i) return AffineForm::unknown(true);
  return of_instruction(*i);
}

AffineForm AffineValues::of_instruction(Instruction& i) {
  if (is_parameter(&i) && is_shared_by_threads(&i)) {
    // Loads of one parameter are one value, and one whose place is not known may be of any.
    const auto offset = parameter_offset(cast<LoadInst>(i));
    Value* one = offset ? parameters_.try_emplace({*offset, i.getType()}, &i).first->second : &i;
    AffineForm form = AffineForm::shared(one);
    if (i.getType()->isIntegerTy(64) && offset) form.bases.insert(one);
    form.any_base |= i.getType()->isIntegerTy(64) && !offset;
    return form;
  }
  if (auto d = dialect_of(&i)) return of_dialect(i, *d);
  if (auto* phi = dyn_cast<PHINode>(&i)) return of_phi(*phi);
  switch (i.getOpcode()) {
    case Instruction::IntToPtr:
    case Instruction::PtrToInt:
    case Instruction::Freeze:
      return of(i.getOperand(0));
    case Instruction::Add:
    case Instruction::Sub: {
      AffineForm form = of(i.getOperand(0));
      form.add(of(i.getOperand(1)), i.getOpcode() == Instruction::Add ? 1 : -1);
      return form;
    }
    case Instruction::Or: {  // blockIdx.x * 1024 | threadIdx.x
      AffineForm form = of(i.getOperand(0));
      const AffineForm& other = of(i.getOperand(1));
      if (!cast<PossiblyDisjointInst>(&i)->isDisjoint() && !form.has_no_bit_of(other) && !other.has_no_bit_of(form))
        break;
      form.add(other, 1);
      return form;
    }
    case Instruction::Select:
      if (is_shared_by_threads(&i)) break;
      return one_of(i, {i.getOperand(1), i.getOperand(2)});
    case Instruction::SExt:
    case Instruction::ZExt:
    case Instruction::Trunc:
      return of_extension(i);
    case Instruction::Shl:
    case Instruction::Mul:
      if (auto form = of_product(i)) return std::move(*form);
      break;
    default:
      break;
  }
  if (isa<BinaryOperator>(i) && i.getType()->isIntegerTy() && i.getType()->getIntegerBitWidth() <= 64) {
    const AffineForm &a = of(i.getOperand(0)), &b = of(i.getOperand(1));
    if (a.is_constant() && b.is_constant()) return of_constants(i, a, b);
  }
  if (is_shared_by_threads(&i)) {
    AffineForm form = AffineForm::shared(&i);
    form.any_base = is_wide(i) && !isa<BinaryOperator, CastInst>(i);
    return form;
  }
  if (isa<BinaryOperator>(i)) return one_of(i, {i.getOperand(0), i.getOperand(1)});
  return bounded(i, is_wide(i));
}

// What is not computed further than its bounds, and was made of these.
AffineForm AffineValues::one_of(Instruction& i, ArrayRef<Value*> values) {
  AffineForm form = bounded(i, false);
  for (Value* v : values) form.take_bases(of(v));
  return form;
}

AffineForm AffineValues::of_dialect(Instruction& i, Dialect d) {
  switch (d) {
    case Dialect::TidX:
    case Dialect::TidY:
    case Dialect::TidZ:
    case Dialect::LaneId:
    case Dialect::WarpId: {
      std::vector<int64_t> values(threads_);
      for (unsigned t = 0; t < threads_; ++t) {
        const unsigned tid[3] = {t % block_.size[0], t / block_.size[0] % block_.size[1],
                                 t / (block_.size[0] * block_.size[1])};
        values[t] = d == Dialect::LaneId   ? t % kLanes
                    : d == Dialect::WarpId ? t / kLanes
                                           : tid[unsigned(d) - unsigned(Dialect::TidX)];
      }
      AffineForm form;
      form.constant = PerThread(std::move(values));
      return form;
    }
    case Dialect::NtidX:
    case Dialect::NtidY:
    case Dialect::NtidZ:
      return AffineForm::number(block_.size[unsigned(d) - unsigned(Dialect::NtidX)]);
    case Dialect::GlobalsBase:
    case Dialect::SharedBase:
    case Dialect::ParamBase: {
      // Two branches may each have a call: one value all the same.
      Value* one = bases_.try_emplace(d, &i).first->second;
      AffineForm form = AffineForm::shared(one);
      form.bases.insert(one);
      return form;
    }
    default:
      return class_of(d) == DialectClass::Block ? AffineForm::shared(&i) : bounded(i, is_wide(i));
  }
}

// Numbers of more or fewer bits.
AffineForm AffineValues::of_extension(Instruction& i) {
  AffineForm form = of(i.getOperand(0));
  const unsigned from = i.getOperand(0)->getType()->getIntegerBitWidth(), to = i.getType()->getIntegerBitWidth();
  const unsigned bits = std::min(from, to);
  if (form.is_constant() && bits <= 64) {
    form.constant.change([&](int64_t c) {
      const uint64_t low = bits == 64 ? uint64_t(c) : uint64_t(c) & ((uint64_t{1} << bits) - 1);
      return i.getOpcode() == Instruction::ZExt || bits == 64 ? int64_t(low) : SignExtend64(low, bits);
    });
    return form;
  }
  const int64_t limit = int64_t(uint64_t{1} << (std::min(bits, 63u) - 1));
  const bool keeps_value = form.bases.empty() && !form.any_base && form.terms.empty() && form.modulus == 0 &&
                           form.constant.least() >= 0 && form.constant.most() < limit - int64_t(form.spread);
  if (keeps_value) return form;
  if (bits < 32) return bounded(i, false);
  if (bits == 32) form.bases.clear(), form.any_base = false;  // an index, not an address
  form.add_modulus(kWrap);
  return form;
}

std::optional<AffineForm> AffineValues::of_product(Instruction& i) {
  const bool shift = i.getOpcode() == Instruction::Shl;
  for (unsigned k : {1u, 0u}) {
    if (k == 0 && shift) break;
    const AffineForm& by = of(i.getOperand(k));
    if (!by.is_number()) continue;
    const int64_t number = by.constant.at(0);
    if (shift && uint64_t(number) > 62) continue;
    AffineForm form = of(i.getOperand(1 - k));
    form.scale(shift ? int64_t(uint64_t{1} << number) : number);
    return form;
  }
  if (shift || !ranges_ || is_shared_by_threads(&i)) return {};
  const auto a = factor(i.getOperand(0)), b = factor(i.getOperand(1));
  if (!a || !b || (a->is_constant() && b->is_constant())) return {};
  return AffineForm::product(*a, *b);
}

// A number to multiply by: an extended one is what it was before, if the numbers of the launch that it is made of are
// small.
std::optional<AffineForm> AffineValues::factor(Value* value) {
  if (is_parameter(value) && is_shared_by_threads(value)) return AffineForm::shared(value);  // not an address
  auto* extension = dyn_cast<CastInst>(value);
  if (!extension || !isa<SExtInst, ZExtInst>(extension) || !extension->getSrcTy()->isIntegerTy(32)) return of(value);
  AffineForm form = of(extension->getOperand(0));
  if (form.is_constant()) return of(value);
  if (!form.is_exact()) return {};
  constexpr int64_t kMost = INT32_MAX;
  const int64_t least = form.constant.least(), most = form.constant.most();
  if (least < (isa<SExtInst>(extension) ? INT32_MIN : 0) || most > kMost) return {};
  const uint64_t share = uint64_t(kMost - std::max<int64_t>(most, 0)) / std::max<size_t>(1, form.terms.size());
  for (const AffineForm::Term& term : form.terms) {
    if (term.product.size() != 1 || !term.coefficient.is_uniform() || term.coefficient.at(0) <= 0) return {};
    auto range = launch_number(term.product[0]);
    if (!range) return {};
    range->most = share / uint64_t(term.coefficient.at(0));
    form.assumed.add(*range);
  }
  return form;
}

// Both operands are known for every thread: so is the result.
AffineForm AffineValues::of_constants(Instruction& i, const AffineForm& a, const AffineForm& b) {
  bool folds = true;
  auto fold = [&](int64_t x, int64_t y) -> int64_t {
    Constant* folded = ConstantFoldBinaryOpOperands(i.getOpcode(), ConstantInt::get(i.getType(), uint64_t(x)),
                                                    ConstantInt::get(i.getType(), uint64_t(y)), i.getDataLayout());
    auto* value = dyn_cast_or_null<ConstantInt>(folded);
    if (!value) folds = false;
    return value ? value->getSExtValue() : 0;
  };
  AffineForm form;
  form.constant = PerThread::combine(a.constant, b.constant, fold);
  return folds ? form : AffineForm::unknown(is_wide(i));
}

AffineForm AffineValues::of_phi(PHINode& phi) {
  if (!phi.getType()->isIntegerTy()) return AffineForm::unknown(true);
  if (auto form = of_counter(phi)) return std::move(*form);
  // Compilers compute an index on each of several paths.
  AffineForm first = of(phi.getIncomingValue(0));
  if (all_of(phi.incoming_values(), [&](Value* v) { return of(v).says_the_same_as(first); })) {
    for (Value* v : phi.incoming_values()) first.assumed.add(of(v).assumed);
    return first;
  }
  AffineForm form = bounded(phi, false);
  if (form.modulus != 0)
    if (auto joined = of_either(phi)) return std::move(*joined);
  for (Value* v : phi.incoming_values()) form.take_bases(of(v));
  form.any_base |= is_wide(phi) && form.bases.empty();
  return form;
}

// A loop's counter behind the loop, which may not have been entered; a row of an unrolled loop or of its rest.
std::optional<AffineForm> AffineValues::of_either(PHINode& phi) {
  std::optional<AffineForm> form = of(phi.getIncomingValue(0));
  for (Value* v : phi.incoming_values())
    if (form) form = AffineForm::either(*form, of(v));
  return form && form->modulus != 1 ? form : std::nullopt;
}

// A loop's counter: where it starts, and any multiple of its step.
std::optional<AffineForm> AffineValues::of_counter(PHINode& phi) {
  Loop* loop = loops_.getLoopFor(phi.getParent());
  if (!loop || loop->getHeader() != phi.getParent() || phi.getNumIncomingValues() != 2) return {};
  const unsigned back = loop->contains(phi.getIncomingBlock(0)) ? 0 : 1;
  auto* next = dyn_cast<BinaryOperator>(phi.getIncomingValue(back));
  if (!loop->contains(phi.getIncomingBlock(back)) || loop->contains(phi.getIncomingBlock(1 - back)) || !next ||
      (next->getOpcode() != Instruction::Add && next->getOpcode() != Instruction::Sub))
    return {};
  Value* by = next->getOperand(0) == &phi                                            ? next->getOperand(1)
              : next->getOperand(1) == &phi && next->getOpcode() == Instruction::Add ? next->getOperand(0)
                                                                                     : nullptr;
  if (!by || !is_shared_by_threads(by)) return {};
  AffineForm form = of(phi.getIncomingValue(1 - back));
  const AffineForm& step = of(by);
  uint64_t multiple = step.spread != 0 ? 1 : std::gcd(step.modulus, magnitude(step.constant.at(0)));
  for (const AffineForm::Term& term : step.terms) multiple = std::gcd(multiple, magnitude(term.coefficient.at(0)));
  form.add_modulus(multiple);
  return form;
}

// Those for which the condition may be so.
void AffineValues::keep_threads(Value& condition, bool holds, std::vector<bool>& threads) {
  using namespace PatternMatch;
  Value *first, *second;
  if (holds ? match(&condition, m_LogicalAnd(m_Value(first), m_Value(second)))
            : match(&condition, m_LogicalOr(m_Value(first), m_Value(second)))) {
    keep_threads(*first, holds, threads);
    keep_threads(*second, holds, threads);
    return;
  }
  if (match(&condition, m_Not(m_Value(first)))) return keep_threads(*first, !holds, threads);
  auto* test = dyn_cast<ICmpInst>(&condition);
  if (!test || !test->getOperand(0)->getType()->isIntegerTy()) return;
  const unsigned bits = test->getOperand(0)->getType()->getIntegerBitWidth();
  const AffineForm a = of(test->getOperand(0)), b = of(test->getOperand(1));
  if (!a.is_constant() || !b.is_constant() || bits > 64) return;
  for (unsigned t = 0; t < threads_; ++t)
    if (ICmpInst::compare(APInt(bits, uint64_t(a.constant.at(t))), APInt(bits, uint64_t(b.constant.at(t))),
                          test->getPredicate()) != holds)
      threads[t] = false;
}

const std::vector<bool>& AffineValues::threads_at(BasicBlock* bb) {
  auto found = threads_at_.find(bb);
  if (found != threads_at_.end()) return *found->second;
  auto threads = std::make_unique<std::vector<bool>>(threads_, true);
  for (auto* node = dominators_.getNode(bb); node && node->getIDom(); node = node->getIDom()) {
    BasicBlock* above = node->getIDom()->getBlock();
    auto* branch = dyn_cast<BranchInst>(above->getTerminator());
    if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) continue;
    for (unsigned side : {0u, 1u}) {
      if (!dominators_.dominates(BasicBlockEdge(above, branch->getSuccessor(side)), bb)) continue;
      keep_threads(*branch->getCondition(), side == 0, *threads);
    }
  }
  return *(threads_at_[bb] = std::move(threads));
}

}  // namespace warpwise::simt
