// Accesses in the pattern of an affine address: a broadcast, a contiguous vector, or a window of a few vectors and a
// permute for each group of lanes (lane_windows.h).
#include <llvm/ADT/ScopeExit.h>
#include <llvm/Analysis/VectorUtils.h>

#include "simt/block/interleave_warps.h"
#include "simt/vectorise/lane_windows.h"
#include "simt/vectorise/memory.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// A pattern of more groups than this is gathered instead.
constexpr unsigned kMostGroups = 8;

}  // namespace

// --- vectors of neighbouring elements, a register at a time

Value* MemoryEmitter::load_lanes(FixedVectorType* type, Value* pointer, Align align, Value* mask) {
  if (all_active(mask)) return in_space(b_.CreateAlignedLoad(type, pointer, align));
  return in_space(b_.CreateMaskedLoad(type, pointer, align, mask));
}

Value* MemoryEmitter::load_vector(FixedVectorType* type, Value* pointer, Align align, Value* mask,
                                  unsigned first_lane) {
  const unsigned count = type->getNumElements(), bytes = unsigned(type->getScalarSizeInBits() / 8);
  const unsigned step = std::max(1u, kRegisterBytes / bytes);
  if (count <= step || count % step != 0 || !isPowerOf2_32(count / step)) {
    at_lane(first_lane);
    return load_lanes(type, pointer, align, mask);
  }
  SmallVector<Value*, 8> parts;
  for (unsigned first = 0; first < count; first += step) {
    at_lane(first_lane + first);
    auto* part_type = FixedVectorType::get(type->getElementType(), step);
    Value* from = b_.CreateConstGEP1_64(b_.getInt8Ty(), pointer, uint64_t{first} * bytes);
    parts.push_back(load_lanes(part_type, from, align, part_of(mask, first, step)));
  }
  return concatenateVectors(b_, parts);
}

void MemoryEmitter::store_vector(Value* value, Value* pointer, Align align, Value* mask, unsigned first_lane) {
  auto* type = cast<FixedVectorType>(value->getType());
  const unsigned count = type->getNumElements(), bytes = unsigned(type->getScalarSizeInBits() / 8);
  unsigned step = std::max(1u, kRegisterBytes / bytes);
  if (count <= step || count % step != 0) step = count;
  for (unsigned first = 0; first < count; first += step) {
    at_lane(first_lane + first);
    Value* to = b_.CreateConstGEP1_64(b_.getInt8Ty(), pointer, uint64_t{first} * bytes);
    if (all_active(mask))
      in_space(b_.CreateAlignedStore(part_of(value, first, step), to, align));
    else
      in_space(b_.CreateMaskedStore(part_of(value, first, step), to, align, part_of(mask, first, step)));
  }
}

// --- patterns

// Where a lane of an affine address points, plus some bytes.
Value* MemoryEmitter::pointer_of_lane(const Address& a, unsigned lane, int64_t plus) {
  Value* address = a.base;
  for (const Term& t : a.own.terms)
    if (t.coefficient.value && t.lanes[lane] != 0)
      address = b_.CreateAdd(
          address, b_.CreateMul(coefficient(t.coefficient, b_.getInt64Ty()), b_.getInt64(uint64_t(t.lanes[lane]))));
  address = b_.CreateAdd(address, b_.getInt64(uint64_t(plain_offset(a.own, lane)) + uint64_t(plus)));
  return b_.CreateIntToPtr(address, b_.getPtrTy());
}

// A group of lanes that read a window of elements of one type.
struct MemoryEmitter::GroupLoad {
  LaneGroup group;
  const LoadWindow& window;
  Type* type;
  Align align;
  Value* mask;  // of the group's lanes
  unsigned bytes() const { return unsigned(type->getPrimitiveSizeInBits().getFixedValue() / 8); }
};

// Of elements that lanes share, under a mask that is not constant: which of them some active lane reads. `elements`
// says which are read at all.
static Value* elements_of_lanes(IRBuilder<>& b, Value* elements, const LoadWindow& w, unsigned lanes, Value* mask) {
  Value* bits = b.CreateBitCast(mask, b.getIntNTy(lanes));
  for (unsigned e = 0; e < w.elements; ++e) {
    APInt takers(lanes, 0);
    for (unsigned l = 0; l < lanes; ++l)
      if (w.index[l] == int(e)) takers.setBit(l);
    Value* some = b.CreateICmpNE(b.CreateAnd(bits, ConstantInt::get(bits->getType(), takers)),
                                 ConstantInt::get(bits->getType(), 0));
    elements = b.CreateInsertElement(elements, some, uint64_t{e});
  }
  return elements;
}

// The mask of a window's elements. `step`: elements in a register, which a mask of single lanes is filled up to.
static Value* mask_of_elements(IRBuilder<>& b, const LoadWindow& w, unsigned lanes_of_group, Value* mask,
                               unsigned step) {
  auto lanes = lanes_of_elements(w);
  if (all_active(mask) || !w.one_lane_each) {
    SmallVector<Constant*, 128> wanted;
    for (int lane : lanes) wanted.push_back(b.getInt1(lane >= 0));
    if (!llvm::all_of(wanted, [](Constant* c) { return c->isOneValue(); }))
      wanted.resize(alignTo(wanted.size(), step), b.getFalse());
    Value* elements = ConstantVector::get(wanted);
    return all_active(mask) ? elements : elements_of_lanes(b, elements, w, lanes_of_group, mask);
  }
  lanes.resize(alignTo(lanes.size(), step), -1);
  for (int& lane : lanes) lane = lane < 0 ? int(lanes_of_group) : lane;  // from the vector of zeros
  return b.CreateShuffleVector(mask, Constant::getNullValue(mask->getType()), lanes);
}

// One vector of all lanes out of one for each group.
static Value* join_groups(IRBuilder<>& b, ArrayRef<Value*> parts, ArrayRef<LaneGroup> groups, Type* type) {
  if (parts.size() == 1) return parts[0];
  const bool even = llvm::all_of(groups, [&](LaneGroup g) { return g.count == groups[0].count; });
  if (even && isPowerOf2_32(unsigned(groups.size()))) return concatenateVectors(b, parts);
  Value* whole = PoisonValue::get(type);
  for (unsigned n = 0; n < groups.size(); ++n) {
    SmallVector<int, kLanes> spread(kLanes, -1), pick;
    for (unsigned l = 0; l < groups[n].count; ++l) spread[groups[n].first + l] = int(l);
    Value* placed = b.CreateShuffleVector(parts[n], spread);
    for (unsigned l = 0; l < kLanes; ++l)
      pick.push_back(l >= groups[n].first && l < groups[n].first + groups[n].count ? int(kLanes + l) : int(l));
    whole = b.CreateShuffleVector(whole, placed, pick);
  }
  return whole;
}

// All lanes of the group read one element.
Value* MemoryEmitter::load_broadcast(const GroupLoad& load, Value* pointer) {
  if (!all_active(load.mask)) {
    // It may be that no lane reads it: then read something that is always there.
    Value* bits = b_.CreateBitCast(load.mask, b_.getIntNTy(load.group.count));
    pointer = b_.CreateSelect(b_.CreateICmpNE(bits, ConstantInt::get(bits->getType(), 0)), pointer, block_arg_);
  }
  Value* one = in_space(b_.CreateAlignedLoad(load.type, pointer, load.align));
  return b_.CreateVectorSplat(load.group.count, one);
}

// The elements of the window, a register at a time, as store_pattern says; then each lane takes its own.
Value* MemoryEmitter::load_window(const GroupLoad& load, Value* pointer) {
  const unsigned step =
      unsigned(std::min<size_t>(std::max(1u, kRegisterBytes / load.bytes()), PowerOf2Ceil(load.window.elements)));
  Value* mask = mask_of_elements(b_, load.window, load.group.count, load.mask, step);
  const unsigned count = cast<FixedVectorType>(mask->getType())->getNumElements();
  SmallVector<Value*, 16> registers;
  for (unsigned first = 0; first < count; first += step) {
    const unsigned own_count = std::min<unsigned>(step, count - first);
    auto* own_type = FixedVectorType::get(load.type, own_count);
    Value* from = b_.CreateConstGEP1_64(b_.getInt8Ty(), pointer, uint64_t{first} * load.bytes());
    registers.push_back(load_lanes(own_type, from, load.align, part_of(mask, first, own_count)));
  }
  Value* elements = concatenateVectors(b_, registers);
  return b_.CreateShuffleVector(elements, load.window.index);
}

Value* MemoryEmitter::load_pattern(const Address& a, Type* type, Align align, Value* mask) {
  const int64_t bytes = int64_t(type->getPrimitiveSizeInBits().getFixedValue() / 8);
  auto groups = groups_of(a.own);
  if (groups.size() > kMostGroups || bytes == 0) return nullptr;
  SmallVector<LoadWindow, 8> windows;
  for (LaneGroup g : groups) {
    auto w = window_of(a.own, g, bytes);
    if (!w) return nullptr;
    // Which elements of a window with shared elements are wanted is cheap to say for few of them.
    if (!all_active(mask) && !w->one_lane_each && w->elements > 8) return nullptr;
    windows.push_back(std::move(*w));
  }
  const DebugLoc whole_place = b_.getCurrentDebugLocation();
  auto restore = make_scope_exit([&] { b_.SetCurrentDebugLocation(whole_place); });
  SmallVector<Value*, 8> parts;
  for (unsigned n = 0; n < groups.size(); ++n) {
    const LaneGroup g = groups[n];
    const LoadWindow& w = windows[n];
    Value* pointer = pointer_of_lane(a, g.first, w.lowest);
    const GroupLoad load{g, w, type, align, groups.size() == 1 ? mask : b_.CreateShuffleVector(mask, slice(g))};
    at_lane(g.first);
    if (w.elements == 1)
      parts.push_back(load_broadcast(load, pointer));
    else if (w.contiguous)
      parts.push_back(load_vector(FixedVectorType::get(type, w.elements), pointer, align, load.mask, g.first));
    else
      parts.push_back(load_window(load, pointer));
  }
  return join_groups(b_, parts, groups, wide(type));
}

// A masked load costs no more than a plain one, except that the processor does not learn from it what to fetch next
// (measured on Zen 5: y = a x + y in half the time). So lanes that are all active load plainly what may come from far,
// except in the quick tier: two loads and what joins them are a third of its code.
Value* MemoryEmitter::load_from_afar(const Address& a, Type* type, Align align) {
  constexpr size_t kMostRows = 2;  // contiguous lanes, or two rows of a block
  const bool far = a.space == kGlobal || a.space == kGeneric;
  if (!far || all_active(mask_) || (options_.compact && options_.masked_loads) || groups_of(a.own).size() > kMostRows)
    return load_pattern(a, type, align, mask_);
  BasicBlock* before = b_.GetInsertBlock();
  auto* all = BasicBlock::Create(context_, "all_lanes", warp_function_);
  auto* some = BasicBlock::Create(context_, "some_lanes", warp_function_);
  auto* done = BasicBlock::Create(context_, "loaded", warp_function_);
  b_.SetInsertPoint(some);
  Value* masked = load_pattern(a, type, align, mask_);
  if (!masked) {
    all->eraseFromParent(), some->eraseFromParent(), done->eraseFromParent();
    b_.SetInsertPoint(before);
    return nullptr;
  }
  b_.CreateBr(done);
  b_.SetInsertPoint(all);
  Value* plain = load_pattern(a, type, align, Constant::getAllOnesValue(mask_->getType()));
  b_.CreateBr(done);
  b_.SetInsertPoint(before);
  // All interleaved warps may go to the masked side as soon as one of them must.
  b_.CreateCondBr(b_.CreateICmpEQ(mask_bits(mask_), b_.getInt32(~0u)), all, some)
      ->setMetadata(kGuardBranch, MDNode::get(context_, {}));
  b_.SetInsertPoint(done);
  PHINode* phi = b_.CreatePHI(wide(type), 2);
  phi->addIncoming(plain, all);
  phi->addIncoming(masked, some);
  return phi;
}

bool MemoryEmitter::store_pattern(const Address& a, Value* value, Align align, Value* mask) {
  Type* type = cast<VectorType>(value->getType())->getElementType();
  const int64_t bytes = int64_t(type->getPrimitiveSizeInBits().getFixedValue() / 8);
  auto groups = groups_of(a.own);
  if (groups.size() > kMostGroups || bytes == 0) return false;
  SmallVector<LoadWindow, 8> windows;
  for (LaneGroup g : groups) {
    auto w = window_of(a.own, g, bytes);
    if (!w || !w->one_lane_each) return false;
    windows.push_back(std::move(*w));
  }
  const DebugLoc whole_place = b_.getCurrentDebugLocation();
  auto restore = make_scope_exit([&] { b_.SetCurrentDebugLocation(whole_place); });
  for (unsigned n = 0; n < groups.size(); ++n) {
    const LaneGroup g = groups[n];
    const LoadWindow& w = windows[n];
    Value* pointer = pointer_of_lane(a, g.first, w.lowest);
    Value* own_mask = groups.size() == 1 ? mask : b_.CreateShuffleVector(mask, slice(g));
    Value* own_value = groups.size() == 1 ? value : b_.CreateShuffleVector(value, slice(g));
    if (w.contiguous) {
      store_vector(own_value, pointer, align, own_mask, g.first);
      continue;
    }
    // A register at a time: vectors of odd sizes, such as the 125 elements that a stride of four makes of 32 lanes,
    // cost LLVM more time than the rest of a kernel.
    auto lanes = lanes_of_elements(w);
    const size_t step = size_t(std::max<int64_t>(1, kRegisterBytes / bytes));
    lanes.resize(alignTo(lanes.size(), step), -1);
    for (size_t first = 0; first < lanes.size(); first += step) {
      SmallVector<int, 64> from_value(lanes.begin() + first, lanes.begin() + first + step), from_mask(from_value);
      if (llvm::all_of(from_value, [](int lane) { return lane < 0; })) continue;
      for (int& lane : from_mask) lane = lane < 0 ? int(g.count) : lane;
      Value* part_mask = b_.CreateShuffleVector(own_mask, Constant::getNullValue(own_mask->getType()), from_mask);
      Value* to = b_.CreateConstGEP1_64(b_.getInt8Ty(), pointer, uint64_t(first) * uint64_t(bytes));
      in_space(b_.CreateMaskedStore(b_.CreateShuffleVector(own_value, from_value), to, align, part_mask));
    }
  }
  return true;
}

}  // namespace warpwise::simt
