#include "simt/analysis/thread_conflicts.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include <numeric>
#include <unordered_map>

#include "simt/analysis/dialect_calls.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// A sum of 32 bits wraps: its value as an address is known up to multiples of this.
constexpr uint64_t kWrap = uint64_t{1} << 32;
// Chains of operands are followed so far; the answer is then "yes".
constexpr unsigned kDeepest = 200;

bool is_parameter(Value* v) {
  auto* load = dyn_cast<LoadInst>(v);
  return load && load->getPointerAddressSpace() == kParam;
}

uint64_t magnitude(int64_t value) { return value < 0 ? 0 - uint64_t(value) : uint64_t(value); }

}  // namespace

ThreadConflicts::ThreadConflicts(Function& function, const BlockShape& block, bool distinct_pointers)
    : function_(function),
      block_(block),
      threads_(block.size[0] * block.size[1] * block.size[2]),
      distinct_pointers_(distinct_pointers),
      dominators_(function),
      loops_(dominators_) {}

Value* ThreadConflicts::pointer_of(Instruction& access) {
  if (auto* load = dyn_cast<LoadInst>(&access)) return load->getPointerOperand();
  if (auto* store = dyn_cast<StoreInst>(&access)) return store->getPointerOperand();
  if (auto* update = dyn_cast<AtomicRMWInst>(&access)) return update->getPointerOperand();
  if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&access)) return exchange->getPointerOperand();
  return nullptr;
}

uint64_t ThreadConflicts::bytes_of(Instruction& access) {
  Type* type = access.getType();
  if (auto* store = dyn_cast<StoreInst>(&access)) type = store->getValueOperand()->getType();
  if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&access)) type = exchange->getNewValOperand()->getType();
  return access.getDataLayout().getTypeStoreSize(type);
}

ThreadConflicts::Form ThreadConflicts::number(int64_t value) {
  Form form;
  form.constant = {value};
  return form;
}

ThreadConflicts::Form ThreadConflicts::unknown(bool may_be_address) const {
  Form form = number(0);
  form.modulus = 1;
  form.any_base = may_be_address;
  return form;
}

ThreadConflicts::Form ThreadConflicts::shared_value(Value* value) const {
  Form form = number(0);
  form.shared.push_back({value, 1});
  return form;
}

void ThreadConflicts::add(Form& to, const Form& from, int64_t factor) {
  to.bases.insert(from.bases.begin(), from.bases.end());
  to.any_base |= from.any_base;
  for (auto [value, coefficient] : from.shared) {
    auto* found = find_if(to.shared, [&, v = value](const auto& term) { return term.first == v; });
    const int64_t more = int64_t(uint64_t(coefficient) * uint64_t(factor));
    if (found == to.shared.end())
      to.shared.push_back({value, more});
    else if ((found->second = int64_t(uint64_t(found->second) + uint64_t(more))) == 0)
      to.shared.erase(found);
  }
  if (from.constant.size() > to.constant.size()) to.constant.resize(from.constant.size(), to.constant[0]);
  for (size_t t = 0; t < to.constant.size(); ++t)
    to.constant[t] = int64_t(uint64_t(to.constant[t]) + uint64_t(from.at(t)) * uint64_t(factor));
  to.modulus = std::gcd(to.modulus, from.modulus * magnitude(factor));
}

void ThreadConflicts::scale(Form& form, int64_t factor) {
  for (auto& [value, coefficient] : form.shared) coefficient = int64_t(uint64_t(coefficient) * uint64_t(factor));
  for (int64_t& c : form.constant) c = int64_t(uint64_t(c) * uint64_t(factor));
  form.modulus *= magnitude(factor);
}

// The same for every thread of the block, however often it is asked: parameters, indices of the block, and what is
// computed of these outside of loops' counters and memory.
bool ThreadConflicts::is_shared_by_threads(Value* value, unsigned depth) {
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

const ThreadConflicts::Form& ThreadConflicts::form_of(Value* value) {
  auto found = forms_.find(value);
  if (found != forms_.end()) return *found->second;
  // A circle through phis: what it adds is what the phi's step says (of_phi).
  if (in_work_.size() > kDeepest || !in_work_.insert(value).second) {
    static const Form nothing_more = [] {
      Form form = number(0);
      form.modulus = 1;
      form.any_base = true;
      return form;
    }();
    return nothing_more;
  }
  auto form = std::make_unique<Form>(compute(value));
  in_work_.erase(value);
  return *(forms_[value] = std::move(form));
}

ThreadConflicts::Form ThreadConflicts::compute(Value* value) {
  if (auto* constant = dyn_cast<ConstantInt>(value)) {
    if (constant->getBitWidth() > 64) return unknown(true);
    return number(constant->getSExtValue());
  }
  if (isa<ConstantPointerNull>(value)) return number(0);
  if (auto* expression = dyn_cast<ConstantExpr>(value); expression && expression->getOpcode() == Instruction::IntToPtr)
    return form_of(expression->getOperand(0));
  auto* i = dyn_cast<Instruction>(value);
  if (!i) return unknown(true);
  return of_instruction(*i);
}

ThreadConflicts::Form ThreadConflicts::of_instruction(Instruction& i) {
  const bool wide =
      i.getType()->isPointerTy() || (i.getType()->isIntegerTy() && i.getType()->getIntegerBitWidth() > 32);
  if (is_parameter(&i) && is_shared_by_threads(&i)) {
    Form form = shared_value(&i);
    if (i.getType()->isIntegerTy(64)) form.bases.insert(&i);
    return form;
  }
  if (auto d = dialect_of(&i)) {
    const unsigned axis = unsigned(*d) - unsigned(Dialect::TidX);
    if (*d == Dialect::TidX || *d == Dialect::TidY || *d == Dialect::TidZ || *d == Dialect::LaneId ||
        *d == Dialect::WarpId) {
      Form form = number(0);
      form.constant.resize(threads_);
      for (unsigned t = 0; t < threads_; ++t) {
        const unsigned tid[3] = {t % block_.size[0], t / block_.size[0] % block_.size[1],
                                 t / (block_.size[0] * block_.size[1])};
        form.constant[t] = *d == Dialect::LaneId ? t % kLanes : *d == Dialect::WarpId ? t / kLanes : tid[axis];
      }
      return form;
    }
    if (*d == Dialect::NtidX || *d == Dialect::NtidY || *d == Dialect::NtidZ)
      return number(block_.size[unsigned(*d) - unsigned(Dialect::NtidX)]);
    if (class_of(*d) == DialectClass::Block) {
      Form form = shared_value(&i);
      if (*d == Dialect::GlobalsBase || *d == Dialect::SharedBase || *d == Dialect::ParamBase) form.bases.insert(&i);
      return form;
    }
    return unknown(wide);
  }
  if (auto* phi = dyn_cast<PHINode>(&i)) return of_phi(*phi);
  switch (i.getOpcode()) {
    case Instruction::IntToPtr:
    case Instruction::PtrToInt:
    case Instruction::Freeze:
      return form_of(i.getOperand(0));
    case Instruction::Add:
    case Instruction::Sub: {
      Form form = form_of(i.getOperand(0));
      add(form, form_of(i.getOperand(1)), i.getOpcode() == Instruction::Add ? 1 : -1);
      return form;
    }
    case Instruction::Select: {
      if (is_shared_by_threads(&i)) break;
      // Either: what both have in common is not computed.
      Form form = unknown(false);
      for (Value* v : {i.getOperand(1), i.getOperand(2)}) {
        const Form& arm = form_of(v);
        form.bases.insert(arm.bases.begin(), arm.bases.end());
        form.any_base |= arm.any_base;
      }
      return form;
    }
    case Instruction::SExt:
    case Instruction::ZExt:
    case Instruction::Trunc: {
      Form form = form_of(i.getOperand(0));
      const unsigned from = i.getOperand(0)->getType()->getIntegerBitWidth(), to = i.getType()->getIntegerBitWidth();
      if (form.is_constant() && std::min(from, to) <= 64) {
        const unsigned bits = std::min(from, to);
        for (int64_t& c : form.constant) {
          const uint64_t low = bits == 64 ? uint64_t(c) : uint64_t(c) & ((uint64_t{1} << bits) - 1);
          c = i.getOpcode() == Instruction::ZExt || bits == 64 ? int64_t(low) : SignExtend64(low, bits);
        }
        return form;
      }
      if (std::min(from, to) < 32) return unknown(false);
      if (std::min(from, to) == 32) form.bases.clear(), form.any_base = false;  // an index, not an address
      form.modulus = std::gcd(form.modulus, kWrap);
      return form;
    }
    case Instruction::Shl:
    case Instruction::Mul:
      for (unsigned k : {1u, 0u}) {
        if (k == 0 && i.getOpcode() == Instruction::Shl) break;
        const Form& by = form_of(i.getOperand(k));
        if (!by.is_constant() || by.constant.size() != 1) continue;
        if (i.getOpcode() == Instruction::Shl && uint64_t(by.constant[0]) > 62) continue;
        Form form = form_of(i.getOperand(1 - k));
        scale(form, i.getOpcode() == Instruction::Shl ? int64_t(uint64_t{1} << by.constant[0]) : by.constant[0]);
        return form;
      }
      break;
    case Instruction::Or:
      if (cast<PossiblyDisjointInst>(&i)->isDisjoint()) {
        Form form = form_of(i.getOperand(0));
        add(form, form_of(i.getOperand(1)), 1);
        return form;
      }
      break;
    default:
      break;
  }
  if (isa<BinaryOperator>(i) && i.getType()->isIntegerTy() && i.getType()->getIntegerBitWidth() <= 64) {
    const Form &a = form_of(i.getOperand(0)), &b = form_of(i.getOperand(1));
    if (a.is_constant() && b.is_constant()) return of_constants(i, a, b);
  }
  if (is_shared_by_threads(&i)) {
    Form form = shared_value(&i);
    form.any_base = wide && !isa<BinaryOperator, CastInst>(i);
    return form;
  }
  if (isa<BinaryOperator>(i)) {
    Form form = unknown(false);
    for (Value* v : i.operands()) {
      const Form& of = form_of(v);
      form.bases.insert(of.bases.begin(), of.bases.end());
      form.any_base |= of.any_base;
    }
    return form;
  }
  return unknown(wide);
}

// Both operands are known for every thread: so is the result.
ThreadConflicts::Form ThreadConflicts::of_constants(Instruction& i, const Form& a, const Form& b) {
  const unsigned bits = i.getType()->getIntegerBitWidth();
  Form form = number(0);
  form.constant.resize(std::max(a.constant.size(), b.constant.size()));
  for (size_t t = 0; t < form.constant.size(); ++t) {
    Constant* folded =
        ConstantFoldBinaryOpOperands(i.getOpcode(), ConstantInt::get(i.getType(), uint64_t(a.at(t))),
                                     ConstantInt::get(i.getType(), uint64_t(b.at(t))), i.getDataLayout());
    auto* value = dyn_cast_or_null<ConstantInt>(folded);
    if (!value) return unknown(bits > 32);
    form.constant[t] = value->getSExtValue();
  }
  return form;
}

// A loop's counter: where it starts, and any multiple of its step. Other phis are one of what comes in.
ThreadConflicts::Form ThreadConflicts::of_phi(PHINode& phi) {
  Loop* loop = loops_.getLoopFor(phi.getParent());
  const bool wide = phi.getType()->isIntegerTy() && phi.getType()->getIntegerBitWidth() > 32;
  if (!phi.getType()->isIntegerTy()) return unknown(true);
  if (loop && loop->getHeader() == phi.getParent() && phi.getNumIncomingValues() == 2) {
    const unsigned back = loop->contains(phi.getIncomingBlock(0)) ? 0 : 1;
    auto* next = dyn_cast<BinaryOperator>(phi.getIncomingValue(back));
    if (loop->contains(phi.getIncomingBlock(back)) && !loop->contains(phi.getIncomingBlock(1 - back)) && next &&
        (next->getOpcode() == Instruction::Add || next->getOpcode() == Instruction::Sub)) {
      Value* by = next->getOperand(0) == &phi                                            ? next->getOperand(1)
                  : next->getOperand(1) == &phi && next->getOpcode() == Instruction::Add ? next->getOperand(0)
                                                                                         : nullptr;
      if (by && is_shared_by_threads(by)) {
        Form form = form_of(phi.getIncomingValue(1 - back));
        const Form& step = form_of(by);
        uint64_t multiple = std::gcd(step.modulus, magnitude(step.constant[0]));
        for (auto [value, coefficient] : step.shared) multiple = std::gcd(multiple, magnitude(coefficient));
        form.modulus = std::gcd(form.modulus, multiple);
        return form;
      }
    }
  }
  Form form = unknown(false);
  for (Value* v : phi.incoming_values()) {
    const Form& in = form_of(v);
    form.bases.insert(in.bases.begin(), in.bases.end());
    form.any_base |= in.any_base;
  }
  form.any_base |= wide && form.bases.empty();
  return form;
}

const std::vector<bool>& ThreadConflicts::threads_at(BasicBlock* bb) {
  auto found = threads_at_.find(bb);
  if (found != threads_at_.end()) return *found->second;
  auto threads = std::make_unique<std::vector<bool>>(threads_, true);
  for (auto* node = dominators_.getNode(bb); node && node->getIDom(); node = node->getIDom()) {
    BasicBlock* above = node->getIDom()->getBlock();
    auto* branch = dyn_cast<BranchInst>(above->getTerminator());
    if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) continue;
    for (unsigned side : {0u, 1u}) {
      if (!dominators_.dominates(BasicBlockEdge(above, branch->getSuccessor(side)), bb)) continue;
      auto* test = dyn_cast<ICmpInst>(branch->getCondition());
      if (!test || !test->getOperand(0)->getType()->isIntegerTy()) continue;
      const unsigned bits = test->getOperand(0)->getType()->getIntegerBitWidth();
      const Form a = form_of(test->getOperand(0)), b = form_of(test->getOperand(1));
      if (!a.is_constant() || !b.is_constant() || bits > 64) continue;
      for (unsigned t = 0; t < threads_; ++t) {
        const bool holds =
            ICmpInst::compare(APInt(bits, uint64_t(a.at(t))), APInt(bits, uint64_t(b.at(t))), test->getPredicate());
        if (holds != (side == 0)) (*threads)[t] = false;
      }
    }
  }
  return *(threads_at_[bb] = std::move(threads));
}

bool ThreadConflicts::may_conflict(Instruction& a, Instruction& b, bool lanes) {
  Value *pa = pointer_of(a), *pb = pointer_of(b);
  if (!pa || !pb) return true;
  const unsigned sa = pa->getType()->getPointerAddressSpace(), sb = pb->getType()->getPointerAddressSpace();
  auto is_private = [](unsigned space) { return space == kLocal || space == kParam || space == kConst; };
  if (is_private(sa) || is_private(sb)) return false;
  if (sa != sb && sa != kGeneric && sb != kGeneric) return false;
  const Form fa = form_of(pa), fb = form_of(pb);
  auto is_shared_base = [](Value* v) { return dialect_of(v) == Dialect::SharedBase; };
  if (sa != sb && (sa == kShared || sb == kShared)) {
    // Offsets on one side, addresses that begin at SharedBase on the other.
    const Form& generic = sa == kShared ? fb : fa;
    return generic.any_base || generic.bases.empty() || any_of(generic.bases, is_shared_base);
  }
  if (sa != kShared) {
    if (fa.any_base || fb.any_base || fa.bases.empty() || fb.bases.empty()) return true;
    if (none_of(fa.bases, [&](Value* v) { return fb.bases.contains(v); })) {
      // No parameter of a kernel is an address of its own shared memory.
      if (all_of(fa.bases, is_shared_base) || all_of(fb.bases, is_shared_base)) return false;
      if (!distinct_pointers_) return true;
      used_distinct_pointers_ = true;
      return false;
    }
  }
  Form difference = fa;
  difference.constant = {0};
  Form of_b = fb;
  of_b.constant = {0};
  add(difference, of_b, -1);
  uint64_t modulus = difference.modulus;
  for (auto [value, coefficient] : difference.shared) modulus = std::gcd(modulus, magnitude(coefficient));
  if (modulus == 1) return true;
  // Which groups (warps, or lanes of one warp) touch each byte with access a: the first, and whether there are more.
  const std::vector<bool>&in_a = threads_at(a.getParent()), &in_b = threads_at(b.getParent());
  const uint64_t bytes_a = bytes_of(a), bytes_b = bytes_of(b);
  auto residue = [&](int64_t byte) -> uint64_t {
    if (modulus == 0) return uint64_t(byte);
    const int64_t m = int64_t(modulus), r = byte % m;
    return uint64_t(r < 0 ? r + m : r);
  };
  for (unsigned first = 0; first < (lanes ? threads_ : 1); first += kLanes) {
    const unsigned end = lanes ? std::min(threads_, first + kLanes) : threads_;
    std::unordered_map<uint64_t, std::pair<unsigned, bool>> touched;
    for (unsigned t = first; t < end; ++t) {
      if (!in_a[t]) continue;
      const unsigned group = lanes ? t : t / kLanes;
      for (uint64_t k = 0; k < bytes_a; ++k) {
        auto [at, fresh] = touched.try_emplace(residue(fa.at(t) + int64_t(k)), group, false);
        if (!fresh && at->second.first != group) at->second.second = true;
      }
    }
    for (unsigned t = first; t < end; ++t) {
      if (!in_b[t]) continue;
      const unsigned group = lanes ? t : t / kLanes;
      for (uint64_t k = 0; k < bytes_b; ++k) {
        auto at = touched.find(residue(fb.at(t) + int64_t(k)));
        if (at != touched.end() && (at->second.second || at->second.first != group)) return true;
      }
    }
  }
  return false;
}

}  // namespace warpwise::simt
