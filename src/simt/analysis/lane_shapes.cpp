#include "simt/analysis/lane_shapes.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Module.h>

#include <bit>

#include "simt/analysis/atomic_reads.h"
#include "simt/analysis/dialect_calls.h"
#include "simt/analysis/lane_algebra.h"

namespace warpwise::simt {

using namespace llvm;

// How a block's threads fall onto lanes: thread t = x + nx * (y + ny * z) is lane t % 32 of warp t / 32.
Shape shape_of_tid(const BlockShape& block, unsigned axis) {
  const uint32_t nx = block.size[0], ny = block.size[1];
  auto tid = [&](uint32_t t) -> int64_t { return axis == 0 ? t % nx : axis == 1 ? t / nx % ny : t / (nx * ny); };
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

// `threadIdx.x < 64` splits a block, never a warp: with 32 | base and 0 <= lane offset < 32, all lanes are
// on one side of a multiple of 32.
bool same_for_all_lanes(const ICmpInst& compare, const Shape& a, const Shape& b) {
  if (a.is_uniform() && b.is_uniform()) return true;
  if (!disjoint_bits(a) || !b.constant || !b.terms.empty() || a.trailing_zeros >= 62) return false;
  const int64_t bound = *b.constant, step = int64_t{1} << a.trailing_zeros;
  const bool unsigned_like = a.low >= 0 && bound >= 0;
  switch (compare.getPredicate()) {
    case CmpInst::ICMP_ULT:
    case CmpInst::ICMP_UGE:
      return bound % step == 0;
    case CmpInst::ICMP_UGT:
    case CmpInst::ICMP_ULE:
      return (bound + 1) % step == 0;
    case CmpInst::ICMP_SLT:
    case CmpInst::ICMP_SGE:
      return unsigned_like && bound % step == 0;
    case CmpInst::ICMP_SGT:
    case CmpInst::ICMP_SLE:
      return unsigned_like && (bound + 1) % step == 0;
    default:
      return false;
  }
}

}  // namespace

LaneShapes::LaneShapes(Function& function, const BlockShape& block, uint32_t local_stride)
    : block_(block), local_stride_(local_stride), divergence_(function) {
  do {
    while (update_shapes()) {
    }
  } while (divergence_.update([&](const BasicBlock& bb) { return diverges(bb); }));
}

static bool includes(ArrayRef<Correction> all, ArrayRef<Correction> some) {
  return std::all_of(some.begin(), some.end(), [&](const Correction& c) { return is_contained(all, c); });
}

// Down the lattice only: unknown, affine, varying; what is known of a base may only get weaker.
bool LaneShapes::update_shapes() {
  bool changed = false;
  for (BasicBlock* bb : divergence_.order())
    for (Instruction& i : *bb) {
      if (i.getType()->isVoidTy()) continue;
      Shape next = visit(i);
      Shape& now = shapes_[&i];
      if (now.is_varying() || next == now || next.kind == Shape::Kind::Unknown) continue;
      if (now.is_affine() && next.is_affine()) {
        // A larger range may have cost an extension its proof: from now on it has an overflow guard.
        if (now.terms != next.terms || !includes(next.corrections, now.corrections))
          next = Shape::varying();
        else {
          if (next.constant != now.constant) next.constant.reset();
          next.trailing_zeros = std::min(next.trailing_zeros, now.trailing_zeros);
          if (next.low < now.low)
            next.low = INT64_MIN;
          else
            next.low = now.low;
          if (next.high > now.high)
            next.high = INT64_MAX;
          else
            next.high = now.high;
          if (next == now) continue;
        }
      }
      now = next;
      changed = true;
    }
  return changed;
}

bool LaneShapes::diverges(const BasicBlock& block) const {
  auto* branch = dyn_cast<BranchInst>(block.getTerminator());
  if (!branch || branch->isUnconditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) return false;
  auto found = shapes_.find(branch->getCondition());
  return found != shapes_.end() && found->second.kind != Shape::Kind::Unknown && !found->second.is_uniform();
}

const Shape& LaneShapes::of(const Value* value) const {
  static const Shape kUniform = Shape::uniform();
  auto found = shapes_.find(value);
  return found == shapes_.end() ? kUniform : found->second;
}

Shape LaneShapes::shape_or_constant(const Value* value) const {
  if (auto* c = dyn_cast<ConstantInt>(value); c && c->getBitWidth() <= 64)
    return constant_shape(c->getSExtValue(), c->getBitWidth());
  return isa<Instruction>(value) ? shapes_.lookup(value) : Shape::uniform();
}

Shape LaneShapes::visit(Instruction& i) const {
  auto operand = [&](unsigned n) { return shape_or_constant(i.getOperand(n)); };
  if (auto* phi = dyn_cast<PHINode>(&i)) return visit_phi(*phi);
  // Unknown operands: come back when they are known.
  bool all_uniform = true;
  for (Value* v : i.operands()) {
    if (!isa<Instruction>(v)) continue;
    Shape s = shapes_.lookup(v);
    if (s.kind == Shape::Kind::Unknown) return {};
    all_uniform = all_uniform && s.is_uniform();
  }
  if (auto* op = dyn_cast<BinaryOperator>(&i);
      op && i.getType()->isIntegerTy() && width_of(&i) <= 64 && width_of(&i) > 1)
    return visit_binary(*op);
  if (isa<SExtInst>(i) || isa<ZExtInst>(i)) return visit_extension(cast<CastInst>(i));
  if (isa<TruncInst>(i) && width_of(&i) > 1 && width_of(i.getOperand(0)) <= 64) {
    Shape shape = operand(0);
    if (!shape.is_affine()) return Shape::varying();
    for (const Correction& c : shape.corrections)
      if (width_of(c.extension->getOperand(0)) < width_of(&i)) return Shape::varying();
    shape.corrections.clear();
    for (Term& t : shape.terms) {
      if (!t.coefficient.value) continue;
      using Convert = Coefficient::Convert;
      unsigned own = width_of(t.coefficient.value);
      if (own == width_of(&i))
        t.coefficient.convert = Convert::None;
      else if (own > width_of(&i) && t.coefficient.convert != Convert::SignExtend)
        t.coefficient.convert = Convert::Truncate;
      else
        return Shape::varying();
    }
    wrap(shape, width_of(&i));
    shape.trailing_zeros = std::min(shape.trailing_zeros, width_of(&i));
    return shape;
  }
  if (isa<IntToPtrInst>(i) || isa<PtrToIntInst>(i) || isa<FreezeInst>(i)) return operand(0);
  if (isa<SelectInst>(i)) {
    Shape a = operand(1), b = operand(2);
    if (!operand(0).is_uniform() || !a.is_affine() || !a.same_pattern(b)) return Shape::varying();
    Shape shape = Shape::uniform();
    shape.terms = a.terms;
    shape.corrections = a.corrections;
    shape.trailing_zeros = std::min(a.trailing_zeros, b.trailing_zeros);
    shape.low = std::min(a.low, b.low);
    shape.high = std::max(a.high, b.high);
    return shape;
  }
  if (auto* compare = dyn_cast<ICmpInst>(&i))
    return same_for_all_lanes(*compare, operand(0), operand(1)) ? Shape::uniform() : Shape::varying();
  if (auto* call = dyn_cast<CallInst>(&i); call && dialect_of(call)) return visit_call(*call);
  // All lanes that read one place get one value; but each thread has its own local memory.
  if (auto* load = dyn_cast<LoadInst>(&i))
    return all_uniform && load->getPointerAddressSpace() != kLocal ? Shape::uniform() : Shape::varying();
  if (auto* update = dyn_cast<AtomicRMWInst>(&i))
    return all_uniform && only_reads(*update) && update->getPointerAddressSpace() != kLocal ? Shape::uniform()
                                                                                            : Shape::varying();
  if (isa<AtomicCmpXchgInst>(i) || isa<AllocaInst>(i)) return Shape::varying();
  // Any other function of uniform operands is uniform.
  return all_uniform && !i.mayReadOrWriteMemory() ? Shape::uniform() : Shape::varying();
}

Shape LaneShapes::visit_phi(PHINode& phi) const {
  BasicBlock* bb = phi.getParent();
  Shape result;
  for (Value* incoming : phi.incoming_values()) {
    Shape in = shape_or_constant(incoming);
    if (in.kind == Shape::Kind::Unknown) continue;
    if (in.is_varying()) return in;
    // Lanes that left the loop in different iterations hold different values of it.
    if (auto* definition = dyn_cast<Instruction>(incoming); definition && divergence_.leaves_apart(*definition, *bb))
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
  if (divergence_.mixes(phi)) return Shape::varying();
  if (!phi.getType()->isIntegerTy() && !phi.getType()->isPointerTy() && result.is_affine() && !result.is_uniform())
    return Shape::varying();
  return result;
}

// blockIdx.x * blockDim.x is below 2^31 in a small grid, whatever blockIdx.x may be.
void LaneShapes::bound_block_base(Shape& product, const Value* factor, int64_t times, unsigned width) const {
  auto call = dialect_of(factor);
  if (!call || !block_.small_grid || width != 32) return;
  for (unsigned axis = 0; axis < 3; ++axis)
    if (*call == static_cast<Dialect>(unsigned(Dialect::CtaidX) + axis) && times == block_.size[axis])
      product.low = 0, product.high = (int64_t{1} << 31) - block_.size[axis];
}

Shape LaneShapes::visit_product(BinaryOperator& op, const Shape& a, const Shape& b) const {
  const unsigned width = width_of(&op);
  if (b.constant && b.terms.empty()) {
    Shape product = scale(a, *b.constant, width);
    bound_block_base(product, op.getOperand(0), *b.constant, width);
    return product;
  }
  if (a.constant && a.terms.empty()) return scale(b, *a.constant, width);
  if (b.is_uniform()) return a.is_uniform() ? Shape::uniform() : scale_by(a, op.getOperand(1), b, width);
  if (a.is_uniform()) return scale_by(b, op.getOperand(0), a, width);
  return Shape::varying();
}

namespace {

// Both operands are known for every lane, and so is the result.
std::optional<LaneConstants> evaluate_lanes(unsigned opcode, const Shape& a, const Shape& b, unsigned width) {
  const auto x = known_lanes(a, width), y = known_lanes(b, width);
  if (!x || !y) return std::nullopt;
  LaneConstants lanes;
  for (unsigned l = 0; l < kLanes; ++l) {
    const auto value = evaluate(opcode, (*x)[l], (*y)[l], width);
    if (!value) return std::nullopt;
    lanes[l] = *value;
  }
  return lanes;
}

// a & mask, where the bits of the base and of the lanes are disjoint.
Shape masked(const Shape& a, int64_t mask, unsigned width) {
  Shape result = Shape::uniform();
  if (a.trailing_zeros >= width || (uint64_t(mask) >> a.trailing_zeros) == 0)
    result = constant_shape(0, width);
  else
    result.trailing_zeros = std::max(a.trailing_zeros, unsigned(std::countr_zero(uint64_t(mask))));
  if (!result.constant && mask >= 0) result.low = 0, result.high = mask;
  if (!result.constant && mask < 0 && a.low >= 0 && bounded(a)) result.low = 0, result.high = a.high;
  LaneConstants offsets;
  for (unsigned l = 0; l < kLanes; ++l) offsets[l] = plain_lane(a, l) & mask;
  return lanes_of(offsets, result);
}

// a >> shift, where the bits of the base and of the lanes are disjoint.
Shape shifted(const Shape& a, unsigned shift) {
  Shape result = Shape::uniform();
  result.trailing_zeros = a.trailing_zeros > shift ? a.trailing_zeros - shift : 0;
  if (a.low >= 0 && bounded(a)) result.low = a.low >> shift, result.high = a.high >> shift;
  LaneConstants offsets;
  for (unsigned l = 0; l < kLanes; ++l) offsets[l] = plain_lane(a, l) >> shift;
  return lanes_of(offsets, result);
}

// Of a disjunction: no bit is set on both sides, so it is a sum.
bool is_sum(BinaryOperator& disjunction, const Shape& a, const Shape& b) {
  if (haveNoCommonBitsSet(disjunction.getOperand(0), disjunction.getOperand(1),
                          SimplifyQuery(disjunction.getDataLayout())))
    return true;
  if (!b.constant || !b.terms.empty() || *b.constant < 0 || !a.corrections.empty()) return false;
  // The low bits of every lane are known to be zero.
  unsigned zeros = a.trailing_zeros;
  for (const Term& t : a.terms)
    for (int64_t lane : t.lanes)
      if (lane != 0) zeros = std::min(zeros, unsigned(std::countr_zero(uint64_t(lane))));
  return zeros >= 63 || (*b.constant >> zeros) == 0;
}

}  // namespace

// A shift, a mask (the only constant that may be negative), a remainder or a quotient by a power of two; nothing where
// it has no pattern.
std::optional<Shape> LaneShapes::visit_constant_operand(BinaryOperator& op, const Shape& a, int64_t c) const {
  const unsigned width = width_of(&op), opcode = op.getOpcode();
  if (opcode == Instruction::Shl && c < width) {
    const auto times = int64_t(uint64_t{1} << c);
    Shape product = scale(a, times, width);
    bound_block_base(product, op.getOperand(0), times, width);
    return product;
  }
  if (!disjoint_bits(a)) return std::nullopt;
  const bool power = c > 0 && (c & (c - 1)) == 0;
  if (opcode == Instruction::And) return masked(a, c, width);
  if (opcode == Instruction::URem && power) return masked(a, c - 1, width);
  if (opcode == Instruction::UDiv && power) return shifted(a, unsigned(std::countr_zero(uint64_t(c))));
  if ((opcode == Instruction::LShr || opcode == Instruction::AShr) && c < width) return shifted(a, unsigned(c));
  return std::nullopt;
}

Shape LaneShapes::visit_binary(BinaryOperator& op) const {
  const unsigned width = width_of(&op), opcode = op.getOpcode();
  const Shape a = shape_or_constant(op.getOperand(0)), b = shape_or_constant(op.getOperand(1));
  if (!a.is_affine() || !b.is_affine()) return Shape::varying();
  if (opcode == Instruction::Add) return add(a, b, width, false);
  if (opcode == Instruction::Sub) return add(a, b, width, true);
  if (opcode == Instruction::Mul) return visit_product(op, a, b);
  if (auto lanes = evaluate_lanes(opcode, a, b, width)) return from_lanes(*lanes, width);
  const bool is_constant = b.constant && b.terms.empty();
  if (is_constant && (*b.constant >= 0 || opcode == Instruction::And))
    if (auto shape = visit_constant_operand(op, a, *b.constant)) return *shape;
  if (opcode == Instruction::Or && is_sum(op, a, b)) return add(a, b, width, false);
  if (!a.is_uniform() || !b.is_uniform()) return Shape::varying();
  Shape result = Shape::uniform();
  if (opcode == Instruction::And && b.constant && *b.constant >= 0) result.low = 0, result.high = *b.constant;
  return result;
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
    case Dialect::TidX:
    case Dialect::TidY:
    case Dialect::TidZ:
      return shape_of_tid(block_, unsigned(d) - unsigned(Dialect::TidX));
    case Dialect::LaneId:
      return from_lanes(lane, 32);
    case Dialect::WarpId:
      return ranged(0, kLanes - 1);
    case Dialect::LocalBase: {
      for (int64_t& v : lane) v *= local_stride_;
      return lanes_of(lane, Shape::uniform());
    }
    case Dialect::CtaidX:
      return ranged(0, (int64_t{1} << 31) - 2);
    case Dialect::CtaidY:
    case Dialect::CtaidZ:
      return ranged(0, 65534);
    case Dialect::NctaidX:
      return ranged(1, (int64_t{1} << 31) - 1);
    case Dialect::NctaidY:
    case Dialect::NctaidZ:
      return ranged(1, 65535);
    default:
      break;
  }
  if (class_of(d) == DialectClass::Block) return Shape::uniform();
  if (class_of(d) == DialectClass::Pure) {
    for (Value* v : call.args())
      if (isa<Instruction>(v) && !shapes_.lookup(v).is_uniform()) return Shape::varying();
    return Shape::uniform();
  }
  auto uniform_if = [](bool uniform) { return uniform ? Shape::uniform() : Shape::varying(); };
  auto same = [&](unsigned n) { return shape_or_constant(call.getArgOperand(n)).is_uniform(); };
  switch (d) {
    // One answer for all whom a member mask names; groups of match.any each have their own.
    case Dialect::Ballot:
    case Dialect::VoteAll:
    case Dialect::VoteAny:
    case Dialect::VoteUni:
      return uniform_if(same(1));
    case Dialect::Redux:
      return uniform_if(same(2));
    // A uniform source lane in one segment of 32: a broadcast to one group. Of several groups at once only one has the
    // lane, and the others get nothing from it.
    case Dialect::ShflIdx: {
      auto* control = dyn_cast<ConstantInt>(call.getArgOperand(2));
      return uniform_if(same(1) && same(3) && isa<ConstantInt>(call.getArgOperand(1)) && control &&
                        control->getZExtValue() == 31);
    }
    // Nothing else runs while the lanes of a warp ask, or all wait for the same answer.
    case Dialect::MbarrierTest:
    case Dialect::MbarrierTry:
      return uniform_if(same(0) && same(1) && same(2));
    case Dialect::ActiveMask:
    case Dialect::BarrierRed:
    case Dialect::Clock:
    case Dialect::GlobalTimer:
      return Shape::uniform();
    default:
      return Shape::varying();
  }
}

}  // namespace warpwise::simt
