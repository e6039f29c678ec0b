#include "simt/passes/lane_shapes.h"

#include <llvm/ADT/GenericUniformityImpl.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include <bit>

#include "simt/passes/dialect_calls.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

unsigned width_of(const Value* value) { return value->getType()->getIntegerBitWidth(); }

int64_t sign_extend(uint64_t bits, unsigned width) {
  return width >= 64 ? static_cast<int64_t>(bits) : static_cast<int64_t>(bits << (64 - width)) >> (64 - width);
}

bool all_zero(const LaneConstants& lanes) {
  return std::all_of(lanes.begin(), lanes.end(), [](int64_t v) { return v == 0; });
}

// Adds `scale * term` to a list in which every coefficient occurs once.
void add_term(SmallVectorImpl<Term>& terms, const Term& term, uint64_t scale) {
  auto found = std::find_if(terms.begin(), terms.end(), [&](const Term& t) { return t.coefficient == term.coefficient; });
  if (found == terms.end()) found = &terms.emplace_back(Term{term.coefficient, {}});
  for (unsigned l = 0; l < kLanes; ++l)
    found->lanes[l] = static_cast<int64_t>(uint64_t(found->lanes[l]) + scale * uint64_t(term.lanes[l]));
  if (all_zero(found->lanes)) terms.erase(found);
}

void add_correction(SmallVectorImpl<Correction>& list, const Correction& correction, uint64_t scale) {
  auto found = std::find_if(list.begin(), list.end(), [&](const Correction& c) { return c.extension == correction.extension; });
  if (found == list.end()) found = &list.emplace_back(Correction{correction.extension, 0});
  found->multiplier = static_cast<int64_t>(uint64_t(found->multiplier) + scale * uint64_t(correction.multiplier));
  if (found->multiplier == 0) list.erase(found);
}

// Terms are kept modulo the width of the value, as signed numbers.
void wrap(Shape& shape, unsigned width) {
  for (size_t i = 0; i < shape.terms.size();) {
    for (int64_t& c : shape.terms[i].lanes) c = sign_extend(uint64_t(c), width);
    if (all_zero(shape.terms[i].lanes)) shape.terms.erase(shape.terms.begin() + i);
    else ++i;
  }
  auto in_range = [&](int64_t v) { return sign_extend(uint64_t(v), width) == v; };
  if (!in_range(shape.low) || !in_range(shape.high)) shape.low = INT64_MIN, shape.high = INT64_MAX;
  if (shape.constant) {
    shape.constant = sign_extend(uint64_t(*shape.constant), width);
    shape.low = shape.high = *shape.constant;
    shape.trailing_zeros = *shape.constant == 0 ? width : std::countr_zero(uint64_t(*shape.constant));
  }
}

Shape constant_shape(int64_t value, unsigned width) {
  Shape shape = Shape::uniform();
  shape.constant = value;
  wrap(shape, width);
  return shape;
}

// Only compile-time lane offsets (no uniform factors, no corrections)?
bool plain(const Shape& shape) {
  return shape.is_affine() && shape.corrections.empty() &&
         (shape.terms.empty() || (shape.terms.size() == 1 && shape.terms[0].coefficient == Coefficient{}));
}

int64_t plain_lane(const Shape& shape, unsigned lane) { return shape.terms.empty() ? 0 : shape.terms[0].lanes[lane]; }

// All 32 values when they are known at compile time.
std::optional<LaneConstants> known_lanes(const Shape& shape, unsigned width) {
  if (!plain(shape) || !shape.constant) return std::nullopt;
  LaneConstants lanes;
  for (unsigned l = 0; l < kLanes; ++l)
    lanes[l] = sign_extend(uint64_t(*shape.constant) + uint64_t(plain_lane(shape, l)), width);
  return lanes;
}

Shape from_lanes(const LaneConstants& lanes, unsigned width) {
  Shape shape = constant_shape(lanes[0], width);
  Term term;
  for (unsigned l = 0; l < kLanes; ++l) term.lanes[l] = lanes[l] - lanes[0];
  if (!all_zero(term.lanes)) shape.terms.push_back(term);
  wrap(shape, width);
  return shape;
}

std::optional<int64_t> saturating_sum(int64_t a, int64_t b) {
  int64_t sum;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

bool bounded(const Shape& s) { return s.low != INT64_MIN && s.high != INT64_MAX; }

Shape add(const Shape& a, const Shape& b, unsigned width, bool subtract) {
  if (!a.is_affine() || !b.is_affine()) return Shape::varying();
  Shape sum = Shape::uniform();
  sum.terms = a.terms;
  sum.corrections = a.corrections;
  uint64_t scale = subtract ? ~uint64_t{0} : 1;
  for (const Term& t : b.terms) add_term(sum.terms, t, scale);
  for (const Correction& c : b.corrections) add_correction(sum.corrections, c, scale);
  if (a.constant && b.constant) sum.constant = static_cast<int64_t>(uint64_t(*a.constant) + scale * uint64_t(*b.constant));
  sum.trailing_zeros = std::min(a.trailing_zeros, b.trailing_zeros);
  if (bounded(a) && bounded(b)) {
    auto low = saturating_sum(a.low, subtract ? -b.high : b.low);
    auto high = saturating_sum(a.high, subtract ? -b.low : b.high);
    if (low && high) sum.low = *low, sum.high = *high;
  }
  wrap(sum, width);
  return sum;
}

Shape scale(const Shape& a, int64_t factor, unsigned width) {
  if (!a.is_affine()) return Shape::varying();
  Shape result = Shape::uniform();
  if (factor == 0) return constant_shape(0, width);
  for (const Term& t : a.terms) add_term(result.terms, t, uint64_t(factor));
  for (const Correction& c : a.corrections) add_correction(result.corrections, c, uint64_t(factor));
  if (a.constant) result.constant = static_cast<int64_t>(uint64_t(*a.constant) * uint64_t(factor));
  result.trailing_zeros = std::min(width, a.trailing_zeros + unsigned(std::countr_zero(uint64_t(factor))));
  if (bounded(a)) {
    int64_t x, y;
    if (!__builtin_mul_overflow(a.low, factor, &x) && !__builtin_mul_overflow(a.high, factor, &y))
      result.low = std::min(x, y), result.high = std::max(x, y);
  }
  wrap(result, width);
  return result;
}

// affine * a uniform value that is no constant: every plain term becomes one with that factor.
Shape scale_by(const Shape& a, Value* factor, const Shape& factor_shape, unsigned width) {
  if (!plain(a)) return Shape::varying();
  Shape result = Shape::uniform();
  for (const Term& t : a.terms) result.terms.push_back({{factor, Coefficient::Convert::None}, t.lanes});
  result.trailing_zeros = std::min(width, a.trailing_zeros + factor_shape.trailing_zeros);
  wrap(result, width);
  return result;
}

// base and lane offsets occupy different bits, so that bitwise operations act on them separately:
// the base ends in trailing_zeros zeros and every offset is below that.
bool disjoint_bits(const Shape& shape) {
  if (!plain(shape)) return false;
  for (unsigned l = 0; l < kLanes; ++l) {
    int64_t c = plain_lane(shape, l);
    if (c < 0 || (shape.trailing_zeros < 63 && (c >> shape.trailing_zeros) != 0)) return false;
  }
  return true;
}

std::optional<int64_t> evaluate(unsigned opcode, int64_t a, int64_t b, unsigned width) {
  APInt x(width, uint64_t(a)), y(width, uint64_t(b)), r;
  switch (opcode) {
    case Instruction::And: r = x & y; break;
    case Instruction::Or: r = x | y; break;
    case Instruction::Xor: r = x ^ y; break;
    case Instruction::Mul: r = x * y; break;
    case Instruction::Shl: if (y.uge(width)) return std::nullopt; r = x.shl(y); break;
    case Instruction::LShr: if (y.uge(width)) return std::nullopt; r = x.lshr(y); break;
    case Instruction::AShr: if (y.uge(width)) return std::nullopt; r = x.ashr(y); break;
    case Instruction::UDiv: if (y.isZero()) return std::nullopt; r = x.udiv(y); break;
    case Instruction::URem: if (y.isZero()) return std::nullopt; r = x.urem(y); break;
    case Instruction::SDiv: if (y.isZero() || y.isAllOnes()) return std::nullopt; r = x.sdiv(y); break;
    case Instruction::SRem: if (y.isZero() || y.isAllOnes()) return std::nullopt; r = x.srem(y); break;
    default: return std::nullopt;
  }
  return r.getSExtValue();
}

Shape ranged(int64_t low, int64_t high, unsigned trailing_zeros = 0) {
  Shape shape = Shape::uniform();
  shape.low = low;
  shape.high = high;
  shape.trailing_zeros = trailing_zeros;
  return shape;
}

Shape lanes_of(LaneConstants lanes, Shape base) {
  Term term;
  for (unsigned l = 0; l < kLanes; ++l) term.lanes[l] = lanes[l] - lanes[0];
  if (!all_zero(term.lanes)) base.terms.push_back(term);
  return base;
}

}  // namespace

// How a block's threads fall onto lanes: thread t = x + nx * (y + ny * z) is lane t % 32 of warp t / 32.
Shape shape_of_tid(const BlockShape& block, unsigned axis) {
  const uint32_t nx = block.size[0], ny = block.size[1];
  auto tid = [&](uint32_t t) -> int64_t {
    return axis == 0 ? t % nx : axis == 1 ? t / nx % ny : t / (nx * ny);
  };
  LaneConstants first;
  for (unsigned l = 0; l < kLanes; ++l) first[l] = tid(l);
  if (block.warps() == 1) return from_lanes(first, 32);
  // The same offsets in every (full) warp?
  int64_t highest_base = 0;
  unsigned zeros = 31;
  bool constant_base = true;
  for (uint32_t w = 0; w < block.warps(); ++w) {
    int64_t base = tid(w * kLanes);
    for (unsigned l = 0; l < kLanes && w * kLanes + l < block.threads(); ++l)
      if (tid(w * kLanes + l) - base != first[l] - first[0]) return Shape::varying();
    highest_base = std::max(highest_base, base);
    constant_base = constant_base && base == 0;
    if (base != 0) zeros = std::min(zeros, unsigned(std::countr_zero(uint64_t(base))));
  }
  Shape base = constant_base ? constant_shape(0, 32) : ranged(0, highest_base, zeros);
  return lanes_of(first, base);
}

namespace {

// What LLVM's uniformity analysis asks a target.
class WarpTarget : public TargetTransformInfoImplCRTPBase<WarpTarget> {
 public:
  WarpTarget(const DataLayout& layout, const DenseMap<const Value*, Shape>* known)
      : TargetTransformInfoImplCRTPBase(layout), known_(known) {}

  bool hasBranchDivergence(const Function* = nullptr) const { return true; }

  bool isSourceOfDivergence(const Value* value) const {
    if (isAlwaysUniform(value)) return false;
    if (isa<AtomicRMWInst>(value) || isa<AtomicCmpXchgInst>(value) || isa<AllocaInst>(value)) return true;
    if (auto* load = dyn_cast<LoadInst>(value)) return load->getPointerAddressSpace() == kLocal;
    auto call = dialect_of(value);
    if (!call) return false;
    switch (class_of(*call)) {
      case DialectClass::Thread: return true;
      case DialectClass::Block:
      case DialectClass::Pure:
      case DialectClass::Barrier: return false;
      case DialectClass::Warp:
        return *call == Dialect::ShflUp || *call == Dialect::ShflDown || *call == Dialect::ShflBfly ||
               *call == Dialect::ShflIdx || *call == Dialect::MatchAny || *call == Dialect::MatchAll ||
               *call == Dialect::Elect;
      case DialectClass::Effect:
        return *call == Dialect::Vprintf || *call == Dialect::Malloc;
    }
    return false;
  }

  // A member mask that all lanes share; groups of match.any each have their own.
  bool same_members(const Value* members) const {
    if (isa<Constant>(members)) return true;
    if (isAlwaysUniform(members)) return true;
    return false;
  }

  bool isAlwaysUniform(const Value* value) const {
    auto found = known_->find(value);
    if (found != known_->end() && found->second.is_uniform()) return true;
    auto call = dialect_of(value);
    if (!call) return false;
    switch (*call) {
      case Dialect::Ballot: case Dialect::VoteAll: case Dialect::VoteAny: case Dialect::VoteUni:
        return same_members(cast<CallInst>(value)->getArgOperand(1));
      case Dialect::Redux: return same_members(cast<CallInst>(value)->getArgOperand(2));
      case Dialect::ActiveMask: case Dialect::BarrierRed: case Dialect::WarpId: return true;
      case Dialect::ShflIdx: {
        // A uniform source lane in one segment of 32: a broadcast.
        auto* lane = dyn_cast<ConstantInt>(cast<CallInst>(value)->getArgOperand(1));
        auto* control = dyn_cast<ConstantInt>(cast<CallInst>(value)->getArgOperand(2));
        return lane && control && control->getZExtValue() == 31;
      }
      default: return false;
    }
  }

 private:
  const DenseMap<const Value*, Shape>* known_;
};

// `threadIdx.x < 64` splits a block, never a warp: with 32 | base and 0 <= lane offset < 32, all lanes are
// on one side of a multiple of 32.
bool same_for_all_lanes(const ICmpInst& compare, const Shape& a, const Shape& b) {
  if (a.is_uniform() && b.is_uniform()) return true;
  if (!disjoint_bits(a) || !b.constant || !b.terms.empty() || a.trailing_zeros >= 62) return false;
  const int64_t bound = *b.constant, step = int64_t{1} << a.trailing_zeros;
  const bool unsigned_like = a.low >= 0 && bound >= 0;
  switch (compare.getPredicate()) {
    case CmpInst::ICMP_ULT: case CmpInst::ICMP_UGE: return bound % step == 0;
    case CmpInst::ICMP_UGT: case CmpInst::ICMP_ULE: return (bound + 1) % step == 0;
    case CmpInst::ICMP_SLT: case CmpInst::ICMP_SGE: return unsigned_like && bound % step == 0;
    case CmpInst::ICMP_SGT: case CmpInst::ICMP_SLE: return unsigned_like && (bound + 1) % step == 0;
    default: return false;
  }
}

}  // namespace

struct LaneShapes::Analyses {
  explicit Analyses(Function& f) : dominators(f) { cycles.compute(f); }
  DominatorTree dominators;
  CycleInfo cycles;
  UniformityInfo uniformity;
  bool ready = false;  // before the uniformity analysis ran: only what arithmetic alone proves
};

LaneShapes::LaneShapes(Function& function, const BlockShape& block, uint32_t local_stride)
    : block_(block), local_stride_(local_stride), analyses_(std::make_unique<Analyses>(function)) {
  ReversePostOrderTraversal<Function*> order(&function);

  // First, what arithmetic alone shows to be uniform although it comes from thread indices, as in
  // `threadIdx.x / 32`: the uniformity analysis is told. Phis count as varying here.
  for (BasicBlock* bb : order)
    for (Instruction& i : *bb) shapes_[&i] = isa<PHINode>(i) ? Shape::varying() : visit(i);

  WarpTarget* target = new WarpTarget(function.getDataLayout(), &shapes_);
  TargetTransformInfo tti(std::move(*target));
  delete target;
  analyses_->uniformity = UniformityInfo(analyses_->dominators, analyses_->cycles, &tti);
  analyses_->uniformity.compute();
  analyses_->ready = true;

  // Then the optimistic fixpoint: everything unknown, phis take what they have seen.
  shapes_.clear();
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock* bb : order)
      for (Instruction& i : *bb) {
        if (i.getType()->isVoidTy()) continue;
        Shape next = visit(i);
        Shape& now = shapes_[&i];
        if (now.is_varying() || next == now) continue;
        // Down the lattice only; what is known of a base may only get weaker.
        if (now.is_affine() && next.is_affine() && !now.same_pattern(next)) next = Shape::varying();
        if (now.is_affine() && next.is_affine()) {
          if (next.constant != now.constant) next.constant.reset();
          next.trailing_zeros = std::min(next.trailing_zeros, now.trailing_zeros);
          if (next.low < now.low) next.low = INT64_MIN;
          if (next.high > now.high) next.high = INT64_MAX;
          if (next == now) continue;
        }
        now = next;
        changed = true;
      }
  }
}

LaneShapes::~LaneShapes() = default;

bool LaneShapes::diverges(const BasicBlock& block) const {
  return analyses_->uniformity.hasDivergentTerminator(block);
}

const Shape& LaneShapes::of(const Value* value) const {
  static const Shape kUniform = Shape::uniform();
  auto found = shapes_.find(value);
  return found == shapes_.end() ? kUniform : found->second;
}

Shape LaneShapes::visit(Instruction& i) const {
  auto operand = [&](unsigned n) -> Shape {
    Value* v = i.getOperand(n);
    if (auto* c = dyn_cast<ConstantInt>(v); c && c->getBitWidth() <= 64) return constant_shape(c->getSExtValue(), c->getBitWidth());
    if (isa<Instruction>(v)) {
      auto found = shapes_.find(v);
      return found == shapes_.end() ? Shape{} : found->second;
    }
    return Shape::uniform();
  };
  // Unknown operands: come back when they are known.
  if (!isa<PHINode>(i))
    for (unsigned n = 0; n < i.getNumOperands(); ++n)
      if (isa<Instruction>(i.getOperand(n)) && operand(n).kind == Shape::Kind::Unknown) return {};

  bool uniform = analyses_->ready && analyses_->uniformity.isUniform(&i);
  Shape shape = Shape::varying();
  if (auto* phi = dyn_cast<PHINode>(&i)) {
    shape = visit_phi(*phi);
  } else if (auto* op = dyn_cast<BinaryOperator>(&i); op && i.getType()->isIntegerTy() && width_of(&i) <= 64 && width_of(&i) > 1) {
    shape = visit_binary(*op);
  } else if (isa<SExtInst>(i) || isa<ZExtInst>(i)) {
    shape = visit_extension(cast<CastInst>(i));
  } else if (isa<TruncInst>(i) && width_of(&i) > 1 && width_of(i.getOperand(0)) <= 64) {
    shape = operand(0);
    if (shape.is_affine()) {
      for (const Correction& c : shape.corrections)
        if (width_of(c.extension->getOperand(0)) < width_of(&i)) return uniform ? Shape::uniform() : Shape::varying();
      shape.corrections.clear();
      for (Term& t : shape.terms) {
        if (!t.coefficient.value) continue;
        using Convert = Coefficient::Convert;
        unsigned own = width_of(t.coefficient.value);
        if (own == width_of(&i)) t.coefficient.convert = Convert::None;
        else if (own > width_of(&i) && t.coefficient.convert != Convert::SignExtend) t.coefficient.convert = Convert::Truncate;
        else return uniform ? Shape::uniform() : Shape::varying();
      }
      wrap(shape, width_of(&i));
      shape.trailing_zeros = std::min(shape.trailing_zeros, width_of(&i));
    }
  } else if (isa<IntToPtrInst>(i) || isa<PtrToIntInst>(i) || isa<FreezeInst>(i)) {
    shape = operand(0);
  } else if (isa<SelectInst>(i)) {
    Shape a = operand(1), b = operand(2);
    if (operand(0).is_uniform() && a.is_affine() && a.same_pattern(b)) {
      shape = Shape::uniform();
      shape.terms = a.terms;
      shape.corrections = a.corrections;
      shape.trailing_zeros = std::min(a.trailing_zeros, b.trailing_zeros);
      shape.low = std::min(a.low, b.low);
      shape.high = std::max(a.high, b.high);
    }
  } else if (auto* compare = dyn_cast<ICmpInst>(&i); compare && same_for_all_lanes(*compare, operand(0), operand(1))) {
    shape = Shape::uniform();
  } else if (auto* call = dyn_cast<CallInst>(&i); call && dialect_of(call)) {
    shape = visit_call(*call);
  } else if (!i.mayReadOrWriteMemory() && !isa<AllocaInst>(i) && !i.isTerminator()) {
    // Any other function of uniform operands is uniform.
    bool all = true;
    for (Value* v : i.operands())
      if (isa<Instruction>(v) && !shapes_.lookup(v).is_uniform()) all = false;
    if (all) shape = Shape::uniform();
  }
  if (uniform && !shape.is_uniform()) {
    Shape known = shape;
    shape = Shape::uniform();
    if (known.is_affine() && known.terms.empty()) shape.low = known.low, shape.high = known.high, shape.trailing_zeros = known.trailing_zeros;
  }
  return shape;
}

bool LaneShapes::leaves_divergent_cycle(const Use& use) const {
  auto* definition = dyn_cast<Instruction>(use.get());
  if (!definition) return false;
  const BasicBlock* at = cast<PHINode>(use.getUser())->getParent();
  for (const Cycle* cycle = analyses_->cycles.getCycle(definition->getParent()); cycle && !cycle->contains(at);
       cycle = cycle->getParentCycle())
    for (const BasicBlock* bb : cycle->blocks())
      if (diverges(*bb)) return true;
  return false;
}

Shape LaneShapes::visit_phi(PHINode& phi) const {
  if (!phi.getType()->isIntegerTy() && !phi.getType()->isPointerTy()) return Shape::varying();
  BasicBlock* bb = phi.getParent();
  const Cycle* cycle = analyses_->cycles.getCycle(bb);
  bool header = cycle && cycle->getHeader() == bb && cycle->isReducible();
  if (!header && phi.getNumIncomingValues() > 1) {
    // A join: lanes may come from different sides unless every branch since the dominator is uniform.
    SmallVector<BasicBlock*, 8> work(predecessors(bb));
    SmallPtrSet<BasicBlock*, 16> seen;
    BasicBlock* top = analyses_->dominators[bb]->getIDom()->getBlock();
    while (!work.empty()) {
      BasicBlock* b = work.pop_back_val();
      if (!seen.insert(b).second) continue;
      if (diverges(*b)) return Shape::varying();
      if (b != top) work.append(pred_begin(b), pred_end(b));
    }
  }
  Shape result;
  for (unsigned n = 0; n < phi.getNumIncomingValues(); ++n) {
    Use& use = phi.getOperandUse(n);
    Shape in;
    if (auto* c = dyn_cast<ConstantInt>(use.get()); c && c->getBitWidth() <= 64) in = constant_shape(c->getSExtValue(), c->getBitWidth());
    else if (isa<Instruction>(use.get())) in = shapes_.lookup(use.get());
    else in = Shape::uniform();
    if (in.kind == Shape::Kind::Unknown) continue;
    // Lanes that left the loop in different iterations hold different bases.
    if (!in.is_uniform() && leaves_divergent_cycle(use)) return Shape::varying();
    if (in.is_varying() || analyses_->uniformity.isDivergentUse(use) != analyses_->uniformity.isDivergent(use.get()))
      return Shape::varying();
    if (result.kind == Shape::Kind::Unknown) {
      result = in;
      continue;
    }
    if (!result.same_pattern(in)) return Shape::varying();
    if (result.constant != in.constant) result.constant.reset();
    result.trailing_zeros = std::min(result.trailing_zeros, in.trailing_zeros);
    result.low = std::min(result.low, in.low);
    result.high = std::max(result.high, in.high);
  }
  return result;
}

Shape LaneShapes::visit_binary(BinaryOperator& op) const {
  const unsigned width = width_of(&op);
  auto shape_of = [&](Value* v) -> Shape {
    if (auto* c = dyn_cast<ConstantInt>(v)) return constant_shape(c->getSExtValue(), width);
    return isa<Instruction>(v) ? shapes_.lookup(v) : Shape::uniform();
  };
  Shape a = shape_of(op.getOperand(0)), b = shape_of(op.getOperand(1));
  if (!a.is_affine() || !b.is_affine()) return Shape::varying();
  const unsigned opcode = op.getOpcode();
  if (opcode == Instruction::Add) return add(a, b, width, false);
  if (opcode == Instruction::Sub) return add(a, b, width, true);
  if (opcode == Instruction::Mul) {
    if (b.constant && b.terms.empty()) {
      Shape product = scale(a, *b.constant, width);
      // blockIdx.x * blockDim.x: below 2^31 in a small grid, whatever blockIdx.x may be.
      auto call = dialect_of(op.getOperand(0));
      if (call && block_.small_grid && width == 32)
        for (unsigned axis = 0; axis < 3; ++axis)
          if (*call == static_cast<Dialect>(unsigned(Dialect::CtaidX) + axis) && *b.constant == block_.size[axis])
            product.low = 0, product.high = (int64_t{1} << 31) - block_.size[axis];
      return product;
    }
    if (a.constant && a.terms.empty()) return scale(b, *a.constant, width);
    if (b.is_uniform()) return a.is_uniform() ? Shape::uniform() : scale_by(a, op.getOperand(1), b, width);
    if (a.is_uniform()) return scale_by(b, op.getOperand(0), a, width);
    return Shape::varying();
  }
  auto x = known_lanes(a, width), y = known_lanes(b, width);
  if (x && y) {
    LaneConstants lanes;
    bool ok = true;
    for (unsigned l = 0; l < kLanes && ok; ++l) {
      auto v = evaluate(opcode, (*x)[l], (*y)[l], width);
      ok = v.has_value();
      if (ok) lanes[l] = *v;
    }
    if (ok) return from_lanes(lanes, width);
  }
  if (b.constant && b.terms.empty() && *b.constant >= 0) {
    const int64_t c = *b.constant;
    if (opcode == Instruction::Shl && c < width) return scale(a, int64_t(uint64_t{1} << c), width);
    const bool power = c > 0 && (c & (c - 1)) == 0;
    // and, and remainders and quotients by powers of two, where base and lanes do not touch.
    bool remainder = opcode == Instruction::URem && power;
    bool quotient = opcode == Instruction::UDiv && power;
    if (disjoint_bits(a)) {
      if (opcode == Instruction::And || remainder) {
        const uint64_t mask = remainder ? uint64_t(c) - 1 : uint64_t(c);
        Shape result = Shape::uniform();
        if (a.trailing_zeros >= width || (mask >> a.trailing_zeros) == 0) result = constant_shape(0, width);
        else result.trailing_zeros = std::max(a.trailing_zeros, unsigned(std::countr_zero(mask)));
        if (!result.constant) result.low = 0, result.high = int64_t(mask);
        Term term;
        for (unsigned l = 0; l < kLanes; ++l) term.lanes[l] = plain_lane(a, l) & int64_t(mask);
        if (!all_zero(term.lanes)) result.terms.push_back(term);
        if (result.constant || int64_t(mask) >= 0) return result;
      }
      if ((opcode == Instruction::LShr && c < width) || quotient || (opcode == Instruction::AShr && c < width)) {
        const unsigned shift = quotient ? std::countr_zero(uint64_t(c)) : unsigned(c);
        Shape result = Shape::uniform();
        result.trailing_zeros = a.trailing_zeros > shift ? a.trailing_zeros - shift : 0;
        if (a.low >= 0 && bounded(a)) result.low = a.low >> shift, result.high = a.high >> shift;
        Term term;
        for (unsigned l = 0; l < kLanes; ++l) term.lanes[l] = plain_lane(a, l) >> shift;
        if (!all_zero(term.lanes)) result.terms.push_back(term);
        return result;
      }
    }
  }
  if (opcode == Instruction::Or &&
      haveNoCommonBitsSet(op.getOperand(0), op.getOperand(1), SimplifyQuery(op.getDataLayout())))
    return add(a, b, width, false);
  if (opcode == Instruction::Or && b.constant && b.terms.empty() && *b.constant >= 0) {
    // The low bits of every lane are known to be zero.
    unsigned zeros = a.trailing_zeros;
    bool known = a.corrections.empty();
    for (const Term& t : a.terms)
      for (int64_t lane : t.lanes)
        if (lane != 0) zeros = std::min(zeros, unsigned(std::countr_zero(uint64_t(lane))));
    if (known && (zeros >= 63 || (*b.constant >> zeros) == 0)) return add(a, b, width, false);
  }
  if (a.is_uniform() && b.is_uniform()) {
    Shape result = Shape::uniform();
    if (opcode == Instruction::And && b.constant && *b.constant >= 0) result.low = 0, result.high = *b.constant;
    return result;
  }
  return Shape::varying();
}

Shape LaneShapes::visit_extension(CastInst& cast) const {
  Shape shape = isa<Instruction>(cast.getOperand(0)) ? shapes_.lookup(cast.getOperand(0)) : Shape::uniform();
  const unsigned from = width_of(cast.getOperand(0)), to = width_of(&cast);
  if (!shape.is_affine() || to > 64) return Shape::varying();
  if (from == 1) return shape.is_uniform() ? Shape::uniform() : Shape::varying();
  const bool zero = isa<ZExtInst>(cast);

  if (auto lanes = known_lanes(shape, from)) {
    if (zero)
      for (int64_t& v : *lanes) v = int64_t(uint64_t(v) & (from == 64 ? ~uint64_t{0} : (uint64_t{1} << from) - 1));
    return from_lanes(*lanes, to);
  }
  bool fits = plain(shape) && bounded(shape);
  if (fits) {
    int64_t lowest = 0, highest = 0;
    for (unsigned l = 0; l < kLanes; ++l) {
      lowest = std::min(lowest, plain_lane(shape, l));
      highest = std::max(highest, plain_lane(shape, l));
    }
    const int64_t top = (int64_t{1} << (from - 1)) - 1;
    fits = zero ? shape.low + lowest >= 0 && shape.high + highest <= top
                : shape.low + lowest >= -top - 1 && shape.high + highest <= top;
  }
  Shape result = Shape::uniform();
  result.trailing_zeros = shape.trailing_zeros;
  result.terms = shape.terms;
  if (fits || !zero || shape.low >= 0) result.low = shape.low, result.high = shape.high;
  if (shape.terms.empty()) return result;
  if (!fits) {
    if (from != 32 || to != 64 || !shape.corrections.empty()) return Shape::varying();
    result.corrections.push_back({&cast, 1});
    for (Term& t : result.terms) {
      if (!t.coefficient.value) continue;
      if (t.coefficient.convert != Coefficient::Convert::None) return Shape::varying();
      t.coefficient.convert = Coefficient::Convert::SignExtend;
    }
  }
  return result;
}

Shape LaneShapes::visit_call(CallInst& call) const {
  Dialect d = *dialect_of(&call);
  LaneConstants lane;
  for (unsigned l = 0; l < kLanes; ++l) lane[l] = l;
  switch (d) {
    case Dialect::TidX: case Dialect::TidY: case Dialect::TidZ:
      return shape_of_tid(block_, unsigned(d) - unsigned(Dialect::TidX));
    case Dialect::LaneId: return from_lanes(lane, 32);
    case Dialect::WarpId: return ranged(0, kLanes - 1);
    case Dialect::LocalBase: {
      for (int64_t& v : lane) v *= local_stride_;
      return lanes_of(lane, Shape::uniform());
    }
    case Dialect::CtaidX: return ranged(0, (int64_t{1} << 31) - 2);
    case Dialect::CtaidY: case Dialect::CtaidZ: return ranged(0, 65534);
    case Dialect::NctaidX: return ranged(1, (int64_t{1} << 31) - 1);
    case Dialect::NctaidY: case Dialect::NctaidZ: return ranged(1, 65535);
    default: break;
  }
  if (class_of(d) == DialectClass::Block) return Shape::uniform();
  if (class_of(d) == DialectClass::Pure) {
    for (Value* v : call.args())
      if (isa<Instruction>(v) && !shapes_.lookup(v).is_uniform()) return Shape::varying();
    return Shape::uniform();
  }
  if (analyses_->ready && analyses_->uniformity.isUniform(&call)) return Shape::uniform();
  return Shape::varying();
}

}  // namespace warpwise::simt
