#include "simt/analysis/lockstep_waits.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include "simt/abi.h"
#include "simt/analysis/dialect_calls.h"

namespace warpwise::simt {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

// Conditions are not looked through further than this.
constexpr unsigned kMostDepth = 16;

bool waits(Dialect d) { return d == Dialect::MbarrierTest || d == Dialect::MbarrierTry; }

// What may end the phase of an mbarrier.
bool may_end_phase(const Instruction& i) {
  switch (*dialect_of(&i)) {
    case Dialect::Mbarrier: {
      auto* op = dyn_cast<ConstantInt>(cast<CallInst>(i).getArgOperand(0));
      if (!op) return true;
      const auto kind = MbarrierOp(op->getZExtValue());
      return kind != MbarrierOp::Init && kind != MbarrierOp::Inval;
    }
    case Dialect::BulkCopy:
    case Dialect::TensorCopy:
    case Dialect::ClusterTryCancel:
      return true;
    default:
      return false;
  }
}

// Lane l holds a multiple of 32 plus l.
bool counts_lanes(const Shape& shape) {
  if (!shape.is_affine() || shape.terms.size() != 1 || !shape.corrections.empty() || shape.terms[0].coefficient.value)
    return false;
  const bool aligned = shape.trailing_zeros >= 5 || (shape.constant && *shape.constant % kLanes == 0);
  for (unsigned l = 0; l < kLanes; ++l)
    if (shape.terms[0].lanes[l] != int64_t(l)) return false;
  return aligned;
}

}  // namespace

std::optional<unsigned> LockstepWaits::lane_where_equal(Value* a, Value* b) const {
  auto* constant = dyn_cast<ConstantInt>(b);
  if (!constant || !counts_lanes(shapes_.of(a))) return std::nullopt;
  return unsigned(constant->getZExtValue() % kLanes);
}

std::optional<unsigned> LockstepWaits::lane_for_which(Value* condition, bool holds, unsigned depth) const {
  if (depth == kMostDepth) return std::nullopt;
  Value *a, *b;
  auto either = [&](bool truth) {
    auto lane = lane_for_which(a, truth, depth + 1);
    return lane ? lane : lane_for_which(b, truth, depth + 1);
  };
  if (match(condition, m_Not(m_Value(a)))) return lane_for_which(a, !holds, depth + 1);
  if (holds && match(condition, m_LogicalAnd(m_Value(a), m_Value(b)))) return either(true);
  if (!holds && match(condition, m_LogicalOr(m_Value(a), m_Value(b)))) return either(false);
  if (auto* extract = dyn_cast<ExtractValueInst>(condition)) {
    // elect.sync names the lowest of its lanes: lane 0 where all take part.
    const bool elected = dialect_of(extract->getAggregateOperand()) == Dialect::Elect && extract->getIndices()[0] == 1;
    const auto* call = dyn_cast<Instruction>(extract->getAggregateOperand());
    if (holds && elected && !plan_.partial(call->getParent())) return 0;
    return std::nullopt;
  }
  ICmpInst::Predicate predicate;
  if (!match(condition, m_ICmp(predicate, m_Value(a), m_Value(b)))) return std::nullopt;
  const bool equal = predicate == ICmpInst::ICMP_EQ ? holds : predicate == ICmpInst::ICMP_NE ? !holds : false;
  if (predicate == ICmpInst::ICMP_EQ || predicate == ICmpInst::ICMP_NE) {
    // A predicate that went through a register of 32 bits.
    Value* predicate_as_bit;
    if (match(b, m_Zero()) && match(a, m_ZExtOrSExt(m_Value(predicate_as_bit))) &&
        predicate_as_bit->getType()->isIntegerTy(1))
      return lane_for_which(predicate_as_bit, !equal, depth + 1);
    if (match(b, m_Zero()) && match(a, m_Select(m_Value(predicate_as_bit), m_One(), m_Zero())))
      return lane_for_which(predicate_as_bit, !equal, depth + 1);
    return equal ? lane_where_equal(a, b) : std::nullopt;
  }
  // tid < 1
  const bool below = predicate == ICmpInst::ICMP_ULT ? holds : predicate == ICmpInst::ICMP_UGT ? !holds : false;
  if (!below || !counts_lanes(shapes_.of(a))) return std::nullopt;
  const bool is_first = predicate == ICmpInst::ICMP_ULT ? match(b, m_One()) : match(b, m_Zero());
  return is_first ? std::optional<unsigned>(0) : std::nullopt;
}

// From the block up: some branch on the way to it lets one lane through.
std::optional<unsigned> LockstepWaits::only_lane(const BasicBlock* block) const {
  for (auto* node = dominators_.getNode(const_cast<BasicBlock*>(block)); node && node->getIDom();
       node = node->getIDom()) {
    const BasicBlock* above = node->getIDom()->getBlock();
    auto* branch = dyn_cast<BranchInst>(above->getTerminator());
    if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) continue;
    for (unsigned side = 0; side < 2; ++side)
      if (dominators_.dominates(BasicBlockEdge(above, branch->getSuccessor(side)), block))
        if (auto lane = lane_for_which(branch->getCondition(), side == 0)) return lane;
  }
  return std::nullopt;
}

std::optional<LockstepWaits::Problem> LockstepWaits::problem() const {
  std::optional<unsigned> waiting;
  for (const Instruction& i : instructions(function_)) {
    const auto d = dialect_of(&i);
    if (!d || !waits(*d)) continue;
    if (!plan_.partial(i.getParent())) {
      if (!shapes_.of(&i).is_uniform())
        return Problem{&i, "lanes of one warp may wait for different phases of mbarriers"};
      continue;
    }
    const auto lane = only_lane(i.getParent());
    if (!lane) return Problem{&i, "some lanes of a warp wait alone at an mbarrier"};
    if (waiting && *waiting != *lane) return Problem{&i, "different lanes of a warp wait alone at mbarriers"};
    waiting = lane;
  }
  if (!waiting) return std::nullopt;
  for (const Instruction& i : instructions(function_))
    if (dialect_of(&i) && may_end_phase(i) && plan_.partial(i.getParent()) && only_lane(i.getParent()) != waiting)
      return Problem{&i, "a lane of a warp waits alone at an mbarrier where another may arrive"};
  return std::nullopt;
}

}  // namespace warpwise::simt
