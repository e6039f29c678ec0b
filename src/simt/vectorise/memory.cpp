#include "simt/vectorise/memory.h"

#include <llvm/ADT/ScopeExit.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "simt/abi.h"
#include "simt/block/interleave_warps.h"
#include "simt/codegen/atomic_16_bytes.h"
#include "simt/compiler.h"

namespace warpwise::simt {

using namespace llvm;

// Lanes in order whose addresses have the uniform terms in common.
struct LaneGroup {
  unsigned first, count;
};

// How a group's elements lie, in units of the element: `index[l]` counted from `lowest`.
struct LoadWindow {
  int64_t lowest = 0;  // bytes, relative to the group's first lane
  unsigned elements = 0;
  SmallVector<int, kLanes> index;
  bool contiguous = false;  // index[l] == l
  bool one_lane_each = true;
};

namespace {

// A pattern of more groups than this is gathered instead.
constexpr unsigned kMostGroups = 8;
// A group's window may be this many times as wide as its lanes.
constexpr int64_t kWidestWindow = 4;
// Lanes farther apart than this are in no window.
constexpr int64_t kFarthest = int64_t{1} << 32;
// One gather instruction takes this many 64-bit addresses, one vector register this many bytes.
constexpr unsigned kGatherLanes = 8;
constexpr unsigned kRegisterBytes = 64;

bool all_active(Value* mask) {
  auto* c = dyn_cast<Constant>(mask);
  return c && c->isAllOnesValue();
}

// Bytes from one place to another, modulo 2^64: lanes may be anywhere.
int64_t distance(int64_t from, int64_t to) { return int64_t(uint64_t(to) - uint64_t(from)); }

// Lanes in order, cut where a term with a uniform factor changes.
SmallVector<LaneGroup, 8> groups_of(const Shape& shape) {
  SmallVector<LaneGroup, 8> groups;
  for (unsigned l = 0; l < kLanes; ++l) {
    bool same = l > 0;
    if (l > 0)
      for (const Term& t : shape.terms)
        if (t.coefficient.value && t.lanes[l] != t.lanes[l - 1]) same = false;
    if (same)
      ++groups.back().count;
    else
      groups.push_back({l, 1});
  }
  return groups;
}

int64_t plain_offset(const Shape& shape, unsigned lane) {
  for (const Term& t : shape.terms)
    if (!t.coefficient.value) return t.lanes[lane];
  return 0;
}

std::optional<LoadWindow> window_of(const Shape& shape, LaneGroup g, int64_t bytes) {
  LoadWindow w;
  int64_t first = plain_offset(shape, g.first), highest = 0;
  for (unsigned l = 0; l < g.count; ++l) {
    const int64_t offset = distance(first, plain_offset(shape, g.first + l));
    if (offset % bytes != 0 || offset < -kFarthest || offset > kFarthest) return std::nullopt;
    w.lowest = std::min(w.lowest, offset);
    highest = std::max(highest, offset);
  }
  int64_t elements = (highest - w.lowest) / bytes + 1;
  if (elements > std::max<int64_t>(4, kWidestWindow * g.count)) return std::nullopt;
  w.elements = unsigned(elements);
  SmallVector<bool> used(w.elements, false);
  w.contiguous = w.elements == g.count;
  for (unsigned l = 0; l < g.count; ++l) {
    int index = int((distance(first, plain_offset(shape, g.first + l)) - w.lowest) / bytes);
    w.index.push_back(index);
    if (used[index]) w.one_lane_each = false;
    used[index] = true;
    if (index != int(l)) w.contiguous = false;
  }
  return w;
}

}  // namespace

// While it lives, accesses are the program's own, in one space. The shadow of a checker is in none.
struct MemoryEmitter::InSpace {
  InSpace(MemoryEmitter& memory, unsigned space) : memory(memory) { memory.space_ = space; }
  ~InSpace() { memory.space_ = kGeneric; }
  InSpace(const InSpace&) = delete;
  InSpace& operator=(const InSpace&) = delete;
  MemoryEmitter& memory;
};

// --- vectors of lanes ---------------------------------------------------------------------------------

// Processors gather numbers of 32 and 64 bits. A smaller one, aligned, lies within the aligned word around it, which is
// on the same page; by itself it would become a loop over the lanes (scalarise_masked_memory.h). Where it lies in the
// word is what the target holds before: lanes that have not been gathered keep it, and the report of a fault
// (signal_cause.cpp) finds the requested address from it.
Value* MemoryEmitter::gather(Value* addresses, Type* type, Align align, Value* mask) {
  const unsigned bits = unsigned(type->getPrimitiveSizeInBits().getFixedValue());
  if ((bits != 8 && bits != 16) || align.value() * 8 < bits || all_active(mask))
    return gather_words(addresses, type, align, mask, nullptr);
  Type* word = b_.getInt32Ty();
  Value* place = b_.CreateAnd(b_.CreateTrunc(addresses, wide(word)), splat(b_.getInt32(3)));
  Value* around = gather_words(b_.CreateAnd(addresses, splat(b_.getInt64(~uint64_t{3}))), word, Align(4), mask, place);
  Value* number =
      b_.CreateTrunc(b_.CreateLShr(around, b_.CreateShl(place, splat(b_.getInt32(3)))), wide(b_.getIntNTy(bits)));
  return b_.CreateBitCast(number, wide(type));
}

// Gathers as wide as the processor's. `kept`: what tells more of the addresses than they do, or null.
Value* MemoryEmitter::gather_words(Value* addresses, Type* type, Align align, Value* mask, Value* kept) {
  SmallVector<Value*, 4> parts;
  DebugLoc whole = b_.getCurrentDebugLocation();
  for (unsigned first = 0; first < kLanes; first += kGatherLanes) {
    at_lane(first + (kept ? kRegistersTell : 0));
    auto* part_type = FixedVectorType::get(type, kGatherLanes);
    Value* pointers =
        b_.CreateIntToPtr(part_of(addresses, first, kGatherLanes), FixedVectorType::get(b_.getPtrTy(), kGatherLanes));
    Value* before = kept ? part_of(kept, first, kGatherLanes) : PoisonValue::get(part_type);
    parts.push_back(
        in_space(b_.CreateMaskedGather(part_type, pointers, align, part_of(mask, first, kGatherLanes), before)));
  }
  b_.SetCurrentDebugLocation(whole);
  return concatenateVectors(b_, parts);
}

// Lanes a constant apart in shared memory (columns of a tile): one base and offsets of 32 bits, twice as many lanes to
// an instruction, and no addresses to compute.
Value* MemoryEmitter::gather_near(const Address& a, Type* type, Align align, Value* mask) {
  constexpr unsigned kNearLanes = 16;
  if (a.space != kShared || !a.own.is_affine() || a.corrected || type->getScalarSizeInBits() != 32) return nullptr;
  for (const Term& t : a.own.terms)
    if (t.coefficient.value) return nullptr;
  Value* base = b_.CreateIntToPtr(a.base, b_.getPtrTy());
  SmallVector<Value*, 2> parts;
  DebugLoc whole = b_.getCurrentDebugLocation();
  for (unsigned first = 0; first < kLanes; first += kNearLanes) {
    at_lane(first);
    SmallVector<Constant*, kNearLanes> offsets;
    for (unsigned l = first; l < first + kNearLanes; ++l) {
      const int64_t offset = plain_offset(a.own, l);
      if (offset != int32_t(offset)) {
        b_.SetCurrentDebugLocation(whole);
        return nullptr;
      }
      offsets.push_back(b_.getInt32(uint32_t(offset)));
    }
    Value* pointers = b_.CreateGEP(b_.getInt8Ty(), base, ConstantVector::get(offsets));
    auto* part_type = FixedVectorType::get(type, kNearLanes);
    parts.push_back(in_space(b_.CreateMaskedGather(part_type, pointers, align, part_of(mask, first, kNearLanes),
                                                   PoisonValue::get(part_type))));
  }
  b_.SetCurrentDebugLocation(whole);
  return concatenateVectors(b_, parts);
}

// The varying part of the address, a factor and uniform parts: all of it modulo 2^64, as the processor computes. What
// is multiplied must be a number of 32 bits in each lane, by its bits and not by its form.
std::optional<MemoryEmitter::Indexed> MemoryEmitter::indexed(const Address& a) {
  if (a.space == kLocal) {
    if (options_.local_unit == 0) return std::nullopt;  // each lane has a base of its own
    return Indexed{.base = a.extra, .index = interleaved_offsets(a)};
  }
  using namespace PatternMatch;
  struct Part {
    Value* value;
    uint64_t factor;
  };
  SmallVector<Part, 4> uniform;
  Value* varying = a.source;
  uint64_t factor = 1;
  for (;;) {
    Value *x, *y;
    ConstantInt* c;
    if (match(varying, m_AddLike(m_Value(x), m_Value(y)))) {
      if (!is_uniform(y)) std::swap(x, y);
      if (!is_uniform(y)) return std::nullopt;
      uniform.push_back({y, factor});
      varying = x;
    } else if (match(varying, m_Mul(m_Value(x), m_ConstantInt(c)))) {
      factor *= c->getZExtValue();
      varying = x;
    } else if (match(varying, m_Shl(m_Value(x), m_ConstantInt(c))) && c->getValue().ult(64)) {
      factor <<= c->getZExtValue();
      varying = x;
    } else {
      break;
    }
  }
  if (factor == 0 || is_uniform(varying)) return std::nullopt;
  Indexed at{.base = a.extra, .scale = std::min(uint64_t{8}, factor & -factor)};
  const uint64_t rest = factor / at.scale;  // multiplied in 32 bits
  const unsigned rest_bits = Log2_64_Ceil(rest);
  const DataLayout& layout = warp_function_->getDataLayout();
  const bool is_signed = ComputeNumSignBits(varying, layout) >= 33 + rest_bits;
  if (!is_signed && computeKnownBits(varying, layout).countMinLeadingZeros() < 32 + rest_bits) return std::nullopt;

  Value* narrow = nullptr;
  const bool extended = match(varying, m_ZExtOrSExt(m_Value(narrow))) && narrow->getType()->isIntegerTy(32);
  at.index = extended ? vector(narrow) : b_.CreateTrunc(vector(varying), wide(b_.getInt32Ty()));
  if (rest != 1) at.index = b_.CreateMul(at.index, splat(b_.getInt32(uint32_t(rest))));
  if (!is_signed) {
    // The processor's indices are signed: count from the middle.
    at.index = b_.CreateXor(at.index, splat(b_.getInt32(uint32_t{1} << 31)));
    at.base = b_.CreateAdd(at.base, b_.getInt64(at.scale << 31));
  }
  for (const Part& part : uniform)
    at.base = b_.CreateAdd(at.base, b_.CreateMul(scalar(part.value), b_.getInt64(part.factor)));
  return at;
}

// One base and indices of 32 bits: the processor extends and multiplies them, and takes twice as many of them in one
// instruction as addresses.
Value* MemoryEmitter::gather_indexed(const Address& a, Type* type, Align align, Value* mask) {
  const unsigned bits = type->getScalarSizeInBits();
  if (!options_.indexed_gathers || (bits != 32 && bits != 64)) return nullptr;
  const std::optional<Indexed> at = indexed(a);
  if (!at) return nullptr;
  const unsigned count = kRegisterBytes * 8 / bits;
  Value* base = b_.CreateIntToPtr(at->base, b_.getPtrTy());
  Type* step = b_.getIntNTy(unsigned(at->scale) * 8);
  auto* part_type = FixedVectorType::get(type, count);
  SmallVector<Value*, 4> parts;
  DebugLoc whole = b_.getCurrentDebugLocation();
  for (unsigned first = 0; first < kLanes; first += count) {
    at_lane(first);
    Value* pointers = b_.CreateGEP(step, base, part_of(at->index, first, count));
    parts.push_back(in_space(
        b_.CreateMaskedGather(part_type, pointers, align, part_of(mask, first, count), PoisonValue::get(part_type))));
  }
  b_.SetCurrentDebugLocation(whole);
  return concatenateVectors(b_, parts);
}

void MemoryEmitter::scatter(Value* addresses, Value* value, Align align, Value* mask) {
  DebugLoc whole = b_.getCurrentDebugLocation();
  // No host scatters small numbers: they become one loop over all lanes (scalarise_masked_memory.h).
  const unsigned step = value->getType()->getScalarSizeInBits() < 32 ? kLanes : kGatherLanes;
  for (unsigned first = 0; first < kLanes; first += step) {
    at_lane(first);
    Value* pointers = b_.CreateIntToPtr(part_of(addresses, first, step), FixedVectorType::get(b_.getPtrTy(), step));
    in_space(b_.CreateMaskedScatter(part_of(value, first, step), pointers, align, part_of(mask, first, step)));
  }
  b_.SetCurrentDebugLocation(whole);
}

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

// --- loads --------------------------------------------------------------------------------------------

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

static SmallVector<int, kLanes> slice(LaneGroup g) {
  SmallVector<int, kLanes> lanes;
  for (unsigned l = 0; l < g.count; ++l) lanes.push_back(int(g.first + l));
  return lanes;
}

// For each element of a window, one lane that reads it, or -1.
static SmallVector<int, 128> lanes_of_elements(const LoadWindow& w) {
  SmallVector<int, 128> lanes(w.elements, -1);
  for (unsigned l = 0; l < w.index.size(); ++l) lanes[w.index[l]] = int(l);
  return lanes;
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
// (measured on Zen 5: y = a x + y in half the time). So lanes that are all active load plainly what may come from far.
Value* MemoryEmitter::load_from_afar(const Address& a, Type* type, Align align) {
  constexpr size_t kMostRows = 2;  // contiguous lanes, or two rows of a block
  const bool far = a.space == kGlobal || a.space == kGeneric;
  if (!far || all_active(mask_) || groups_of(a.own).size() > kMostRows) return load_pattern(a, type, align, mask_);
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

// Both halves of 16 bytes, for each lane at once.
void MemoryEmitter::emit_whole_load(LoadInst& first, LoadInst& second) {
  Address a = address_of(first.getPointerOperand());
  const InSpace here(*this, a.space);
  Type* i64 = b_.getInt64Ty();
  if (a.own.is_uniform()) {
    auto [low, high] = load_whole(b_, b_.CreateIntToPtr(a.base, b_.getPtrTy()));
    set_scalar(first, low), set_scalar(second, high);
  } else {
    Value* addresses = spill(vector_of_address(a), "addresses");
    Value *lows = spill(PoisonValue::get(wide(i64)), "lows"), *highs = spill(PoisonValue::get(wide(i64)), "highs");
    for_each_lane(mask_, [&](Value* lane) {
      auto [low, high] = load_whole(b_, b_.CreateIntToPtr(lane_of(addresses, i64, lane), b_.getPtrTy()));
      set_lane(lows, i64, lane, low), set_lane(highs, i64, lane, high);
    });
    set_vector(first, unspill(lows, wide(i64))), set_vector(second, unspill(highs, wide(i64)));
  }
  fence_after(b_, first.getOrdering());
}

void MemoryEmitter::emit_whole_store(StoreInst& first, StoreInst& second) {
  Address a = address_of(first.getPointerOperand());
  const InSpace here(*this, a.space);
  Type* i64 = b_.getInt64Ty();
  fence_before(b_, first.getOrdering());
  Value* addresses = a.own.is_uniform() ? nullptr : spill(vector_of_address(a), "addresses");
  auto values_of = [&](StoreInst& store) {
    return is_uniform(store.getValueOperand()) ? nullptr : spill(vector(store.getValueOperand()), "values");
  };
  Value *lows = values_of(first), *highs = values_of(second);
  for_each_lane(mask_, [&](Value* lane) {
    Value* low = lows ? lane_of(lows, i64, lane) : scalar(first.getValueOperand());
    Value* high = highs ? lane_of(highs, i64, lane) : scalar(second.getValueOperand());
    store_whole(b_, low, high, b_.CreateIntToPtr(addresses ? lane_of(addresses, i64, lane) : a.base, b_.getPtrTy()));
  });
}

void MemoryEmitter::emit_load(LoadInst& load) {
  if (Instruction* second = second_half(load)) return emit_whole_load(load, cast<LoadInst>(*second));
  if (first_half(load)) return;  // came with that
  Address a = address_of(load.getPointerOperand());
  const InSpace here(*this, a.space);
  const auto ordered = make_scope_exit([&] { fence_after(b_, load.getOrdering()); });
  Type* type = load.getType();
  if (a.space == kParam && isa<ConstantInt>(a.source)) {
    // Parameters are always there and never change: read them once, in the prologue.
    IRBuilder<> at(w_.prologue_end);
    auto* copy = at.CreateAlignedLoad(type, at.CreateIntToPtr(at.CreateAdd(a.source, a.extra), b_.getPtrTy()),
                                      load.getAlign(), load.getName());
    copy->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context_, {}));
    set_scalar(load, copy);
    return;
  }
  if (a.own.is_uniform() && a.space != kLocal) {
    auto* copy = in_space(b_.CreateAlignedLoad(type, b_.CreateIntToPtr(a.base, b_.getPtrTy()), load.getAlign(),
                                               load.isVolatile(), load.getName()));
    if (load.isAtomic()) copy->setAtomic(load.getOrdering(), load.getSyncScopeID());
    if (a.space == kParam) copy->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context_, {}));
    set_scalar(load, copy);
    return;
  }
  if (!a.own.is_affine()) {
    Value* v = gather_indexed(a, type, load.getAlign(), mask_);
    return set_vector(load, v ? v : gather(vector_of_address(a), type, load.getAlign(), mask_));
  }
  if (!a.corrected) {
    Value* v = load_from_afar(a, type, load.getAlign());
    if (!v) v = gather_near(a, type, load.getAlign(), mask_);
    return set_vector(load, v ? v : gather(vector_of_address(a), type, load.getAlign(), mask_));
  }
  // The pattern where no lane wrapped, exact addresses where one did.
  Value* guard = guard_of(a.own);
  BasicBlock* before = b_.GetInsertBlock();
  auto* fast = BasicBlock::Create(context_, "pattern", warp_function_);
  auto* cold = BasicBlock::Create(context_, "wrapped", warp_function_);
  auto* done = BasicBlock::Create(context_, "loaded", warp_function_);
  b_.SetInsertPoint(fast);
  Value* quick = load_from_afar(a, type, load.getAlign());
  if (!quick) {
    fast->eraseFromParent(), cold->eraseFromParent(), done->eraseFromParent();
    b_.SetInsertPoint(before);
    return set_vector(load, gather(vector_of_address(a), type, load.getAlign(), mask_));
  }
  b_.CreateBr(done);
  BasicBlock* fast_end = b_.GetInsertBlock();
  b_.SetInsertPoint(cold);
  Value* exact = corrected(a.own, affine_vector(a.own, a.base, b_.getInt64Ty()), b_.getInt64Ty());
  Value* slow = gather(exact, type, load.getAlign(), mask_);
  b_.CreateBr(done);
  cold = b_.GetInsertBlock();
  b_.SetInsertPoint(before);
  b_.CreateCondBr(guard, fast, cold, MDBuilder(context_).createLikelyBranchWeights())
      ->setMetadata(kGuardBranch, MDNode::get(context_, {}));
  b_.SetInsertPoint(done);
  PHINode* phi = b_.CreatePHI(wide(type), 2);
  phi->addIncoming(quick, fast_end);
  phi->addIncoming(slow, cold);
  set_vector(load, phi);
}

// --- stores -------------------------------------------------------------------------------------------

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

void MemoryEmitter::emit_store(StoreInst& store) {
  if (second_half(store)) return;  // goes with that
  if (Instruction* first = first_half(store)) return emit_whole_store(cast<StoreInst>(*first), store);
  Address a = address_of(store.getPointerOperand());
  const InSpace here(*this, a.space);
  fence_before(b_, store.getOrdering());
  Value* value = store.getValueOperand();
  if (a.own.is_uniform() && a.space != kLocal) {
    // All lanes write one place; the last active one wins.
    Value* one;
    if (is_uniform(value))
      one = scalar(value);
    else {
      Value* last =
          b_.CreateSub(b_.getInt32(31), b_.CreateBinaryIntrinsic(Intrinsic::ctlz, mask_bits(mask_), b_.getFalse()));
      one = b_.CreateExtractElement(vector(value), last);
    }
    auto* copy = in_space(
        b_.CreateAlignedStore(one, b_.CreateIntToPtr(a.base, b_.getPtrTy()), store.getAlign(), store.isVolatile()));
    if (store.isAtomic()) copy->setAtomic(store.getOrdering(), store.getSyncScopeID());
    return;
  }
  Value* lanes = vector(value);
  if (!a.own.is_affine()) return scatter(vector_of_address(a), lanes, store.getAlign(), mask_);
  if (!a.corrected) {
    if (!store_pattern(a, lanes, store.getAlign(), mask_))
      scatter(vector_of_address(a), lanes, store.getAlign(), mask_);
    return;
  }
  Value* guard = guard_of(a.own);
  BasicBlock* before = b_.GetInsertBlock();
  auto* fast = BasicBlock::Create(context_, "pattern", warp_function_);
  auto* cold = BasicBlock::Create(context_, "wrapped", warp_function_);
  auto* done = BasicBlock::Create(context_, "stored", warp_function_);
  b_.SetInsertPoint(fast);
  if (!store_pattern(a, lanes, store.getAlign(), mask_))
    scatter(affine_vector(a.own, a.base, b_.getInt64Ty()), lanes, store.getAlign(), mask_);
  b_.CreateBr(done);
  b_.SetInsertPoint(cold);
  scatter(corrected(a.own, affine_vector(a.own, a.base, b_.getInt64Ty()), b_.getInt64Ty()), lanes, store.getAlign(),
          mask_);
  b_.CreateBr(done);
  b_.SetInsertPoint(before);
  b_.CreateCondBr(guard, fast, cold, MDBuilder(context_).createLikelyBranchWeights())
      ->setMetadata(kGuardBranch, MDNode::get(context_, {}));
  b_.SetInsertPoint(done);
}

}  // namespace warpwise::simt
