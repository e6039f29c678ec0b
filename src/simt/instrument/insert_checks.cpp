#include "simt/instrument/insert_checks.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include "simt/analysis/dialect_calls.h"
#include "simt/analysis/pointer_address.h"
#include "simt/analysis/pointer_provenance.h"
#include "simt/compiler.h"
#include "simt/instrument/absent_lanes.h"
#include "simt/instrument/access_checks.h"
#include "simt/instrument/copied_loads.h"
#include "simt/instrument/disjoint_accesses.h"
#include "simt/instrument/events.h"
#include "simt/instrument/find_apart_accesses.h"
#include "simt/instrument/shadow.h"
#include "simt/instrument/undefined_uses.h"
#include "simt/instrument/written_shared_memory.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// A place in memory that a program of one thread accesses.
struct Access {
  Instruction* instruction = nullptr;
  Value* pointer = nullptr;
  Type* type = nullptr;
  Align align;
  AccessKind kind = AccessKind::Load;
  bool reads = false;  // and makes something of what it reads
  bool writes = false;
};

// What the stores and atomics of a kernel leave in shared memory.
enum class SharedWrites : uint8_t {
  Unknown,
  Made,    // what the kernel has computed: all of it counts as written
  Copied,  // or what it has read, which may have been unwritten
};

class CheckInserter {
 public:
  CheckInserter(Function& function, const CheckOptions& options, InsertedChecks& inserted)
      : inserted_(inserted), function_(function), options_(options), b_(function.getContext()) {}

  void run() {
    SmallVector<Access, 64> accesses;
    SmallVector<CallInst*, 8> matrices;
    SmallVector<Instruction*, 32> order;
    for (Instruction& i : instructions(function_)) {
      if (auto* load = dyn_cast<LoadInst>(&i); load && only_copied(*load)) copied_.insert(load);
      if (auto access = access_of(i))
        accesses.push_back(*access);
      else if (rows_of(i) != 0)
        matrices.push_back(cast<CallInst>(&i));
      else if ((watch_ & (kWatchOrder | kWatchBarriers)) && dialect_of(&i) != Dialect::Undefined)
        order.push_back(&i);
    }
    find_undefined_uses();
    if (watch_ & kWatchOrder) find_names(accesses);
    if ((watch_ & kWatchOrder) && vectorised_ && !(watch_ & kWatchEvery)) find_apart(accesses);
    if ((watch_ & kWatchOrder) && vectorised_ && has_regions())
      disjoint_ = disjoint_shared_accesses(function_, options_.block);
    if (watch_ & (kWatchAddresses | kWatchInitialisation)) shared_writes_ = shared_writes(accesses);
    if (shared_writes_ != SharedWrites::Unknown)
      in_order_ = accesses_of_written_shared_memory(function_, options_.block, options_.shared_variables);
    for (const Access& access : accesses) check(access);
    for (CallInst* call : matrices) check_rows(*call);
    for (Instruction* i : order) report_order(*i);
    inserted_.written_pointers |= written_pointers_;
    inserted_.accessed_pointers |= accessed_pointers_;
    inserted_.plain_pointers |= plain_pointers_;
  }

 private:
  void find_undefined_uses() {
    Shuffles shuffles;
    if (watch_ & kWatchBarriers)
      shuffles =
          shuffles_from_absent_lanes(function_, &function_ == options_.kernel, options_.block, options_.local_stride);
    WrittenStates written = report_undefined_uses(function_, shuffles);
    if (watch_ & kWatchInitialisation) written_ = std::move(written);
  }

  static std::optional<Access> access_of(Instruction& i) {
    Access a;
    a.instruction = &i;
    if (auto* load = dyn_cast<LoadInst>(&i)) {
      a.pointer = load->getPointerOperand(), a.type = load->getType(), a.align = load->getAlign();
      a.reads = !only_copied(*load) && !writes_bit_field(*load);
    } else if (auto* store = dyn_cast<StoreInst>(&i)) {
      a.pointer = store->getPointerOperand(), a.type = store->getValueOperand()->getType(), a.align = store->getAlign();
      a.kind = AccessKind::Store, a.writes = true;
    } else if (auto* rmw = dyn_cast<AtomicRMWInst>(&i)) {
      a.pointer = rmw->getPointerOperand(), a.type = rmw->getType(), a.align = rmw->getAlign();
      a.kind = AccessKind::Atomic, a.writes = true;
      a.reads = rmw->getOperation() != AtomicRMWInst::Xchg;  // an exchange may be the first write
    } else if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&i)) {
      a.pointer = exchange->getPointerOperand(), a.type = exchange->getCompareOperand()->getType(),
      a.align = exchange->getAlign();
      a.kind = AccessKind::Atomic, a.reads = a.writes = true;
    } else {
      return std::nullopt;
    }
    // Parameters are the engine's; what is no address is a register of a call.
    if (a.pointer->getType()->getPointerAddressSpace() == kParam || !address_of_pointer(a.pointer)) return std::nullopt;
    return a;
  }

  // ldmatrix and stmatrix: how many lanes name a row of 16 bytes; 0: another instruction.
  static unsigned rows_of(Instruction& i) {
    auto dialect = dialect_of(&i);
    if (!dialect) return 0;
    switch (*dialect) {
      case Dialect::LdMatrix1:
      case Dialect::StMatrix1:
        return 8;
      case Dialect::LdMatrix2:
      case Dialect::StMatrix2:
        return 16;
      case Dialect::LdMatrix4:
      case Dialect::StMatrix4:
        return 32;
      default:
        return 0;
    }
  }

  // The address as the program would print it.
  Value* generic(Value* pointer) {
    Value* address = address_of_pointer(pointer);
    switch (pointer->getType()->getPointerAddressSpace()) {
      case kShared:
        return b_.CreateAdd(call(Dialect::SharedBase, b_.getInt64Ty(), {}), address);
      case kLocal:
        return b_.CreateAdd(call(Dialect::LocalBase, b_.getInt64Ty(), {}), address);
      default:
        return address;
    }
  }

  Value* call(Dialect which, Type* result, ArrayRef<Value*> args) {
    SmallVector<Type*, 4> types;
    for (Value* arg : args) types.push_back(arg->getType());
    FunctionCallee callee =
        function_.getParent()->getOrInsertFunction(name_of(which), FunctionType::get(result, types, false));
    auto* target = cast<Function>(callee.getCallee());
    if (class_of(which) != DialectClass::Effect) {
      target->setDoesNotAccessMemory();
      target->setDoesNotThrow();
      target->setWillReturn();
    }
    return b_.CreateCall(callee, args);
  }

  // The same address in the shadow: one constant further, so that lane patterns stay what they are.
  Value* shadow_pointer(Value* pointer, uint64_t plus = 0) {
    using namespace PatternMatch;
    Value *address = address_of_pointer(pointer), *base = nullptr;
    ConstantInt* constant = nullptr;
    uint64_t offset = plus - kShadowDistance;
    if (match(address, m_Add(m_Value(base), m_ConstantInt(constant))))
      offset += constant->getZExtValue(), address = base;
    auto* sum = BinaryOperator::CreateAdd(address, b_.getInt64(offset));
    b_.Insert(sum);
    return b_.Insert(new IntToPtrInst(sum, pointer->getType()));
  }

  // Reports an event where the condition holds.
  template <class Event>
  void report(Value* condition, const Event& event, Value* address, Value* value = nullptr) {
    call(Dialect::Event, b_.getVoidTy(),
         {condition, b_.getInt32(pack(event)), address, value ? value : b_.getInt64(0)});
  }
  template <class Event>
  void report(const Event& event, Value* address, Value* value = nullptr) {
    report(b_.getTrue(), event, address, value);
  }

  // A fault in the shadow is reported with the address of the access (Site::shadow).
  DebugLoc shadow_place(const DebugLoc& place) {
    if (!place) return place;
    return DILocation::get(function_.getContext(), place.getLine(), kShadowColumn + 1, place.getScope(),
                           place.getInlinedAt());
  }

  // Shadow bits of an access that must be set for it to be in order.
  static APInt wanted(unsigned bits, bool initialised) {
    return initialised ? APInt::getAllOnes(bits) : APInt::getSplat(bits, APInt(8, kUninitialised));
  }

  void check(const Access& a) {
    b_.SetInsertPoint(a.instruction);
    const unsigned bits = unsigned(a.type->getPrimitiveSizeInBits().getFixedValue());
    if (bits < 8 || bits % 8 != 0) return;
    const unsigned space = a.pointer->getType()->getPointerAddressSpace();
    const MemoryAccess access{a.kind, uint8_t(bits / 8), a.instruction->isAtomic(), space == kShared};
    if (watch_ & (kWatchAddresses | kWatchInitialisation)) check_memory(a, access);
    if (!(watch_ & kWatchOrder) || space == kLocal || is_constant(*a.instruction)) return;
    b_.SetInsertPoint(a.instruction);
    check_race(a, access);
  }

  void check_memory(const Access& a, const MemoryAccess& access) {
    const unsigned bits = unsigned(access.bytes) * 8;
    const bool in_order = in_order_.contains(a.instruction);
    if (in_order && shared_writes_ == SharedWrites::Made) return;
    if (vectorised_ && !written_.contains(a.instruction) && !is_constant(*a.instruction) && bits <= 64) {
      const bool follows = watch_ & kWatchInitialisation;
      if (follows && passes_shadow_on(a)) return load_shadow(a, access);
      if (follows && a.writes)
        if (Value* now = state_behind(a, b_.getIntNTy(bits)); !isa<Constant>(now)) return store_shadow(a, access, now);
      return check_shadow(a, access, in_order);
    }
    event::Shadow fault{.access = access};
    auto* number = b_.getIntNTy(bits);
    const bool initialised = a.reads && (watch_ & kWatchInitialisation);
    const DebugLoc place = a.instruction->getDebugLoc();
    const DebugLoc beside = shadow_place(place);
    b_.SetCurrentDebugLocation(beside);
    Value* shadow = b_.CreateAlignedLoad(number, shadow_pointer(a.pointer), a.align, "shadow");
    b_.SetCurrentDebugLocation(place);
    if (a.kind == AccessKind::Load) shadows_[a.instruction] = shadow;
    // Constant memory is written before any kernel runs, and its shadow says that it may not be written (kReadOnly).
    const bool constant = is_constant(*a.instruction);
    Value* good = b_.getInt(constant ? APInt::getSplat(bits, APInt(8, kReadOnly)) : wanted(bits, initialised));
    Value* seen = initialised && !constant ? shadow : b_.CreateAnd(shadow, good);
    Value* wrong = b_.CreateICmpNE(seen, good);
    if (const uint64_t align = alignment_of(a); align > 1) {
      fault.align = uint8_t(Log2_64(align));
      wrong =
          b_.CreateOr(wrong, b_.CreateICmpNE(b_.CreateAnd(address_of_pointer(a.pointer), align - 1), b_.getInt64(0)));
    }
    if (a.kind == AccessKind::Load && !a.reads && !constant && (watch_ & kWatchInitialisation) &&
        is_reported_where_copied(a)) {
      fault.copied = true;
      wrong = b_.CreateOr(wrong, b_.CreateICmpEQ(shadow, b_.getInt(APInt::getSplat(bits, APInt(8, kUninitialised)))));
    }
    report(wrong, fault, generic(a.pointer));
    if (!a.writes || !(watch_ & kWatchInitialisation)) return;
    Value* now = state_behind(a, number);
    if (now != Constant::getAllOnesValue(number) && is_told(a))
      report(b_.CreateICmpNE(now, Constant::getAllOnesValue(number)),
             event::Uninitialised{.shared = a.pointer->getType()->getPointerAddressSpace() == kShared},
             generic(a.pointer));
    if (initialised) return;  // was written before
    b_.SetInsertPoint(a.instruction->getNextNode());
    b_.SetCurrentDebugLocation(beside);
    b_.CreateAlignedStore(now, shadow_pointer(a.pointer), a.align);
  }

  // The shadow of what has been written. A copy is as much written as what it copies, and a value as what it is made
  // of.
  Value* state_behind(const Access& a, IntegerType* number) {
    if (Value* state = written_.lookup(a.instruction)) return state;
    if (auto* store = dyn_cast<StoreInst>(a.instruction))
      if (auto known = shadows_.find(store->getValueOperand());
          known != shadows_.end() && copied_.contains(known->first))
        return b_.CreateOr(known->second, b_.getInt(wanted(number->getBitWidth(), false)));
    return Constant::getAllOnesValue(number);
  }

  // Which parameters lead to what the kernel writes, and whether shared memory may be reached by another name.
  void find_names(ArrayRef<Access> accesses) {
    for (const Access& a : accesses) {
      const unsigned space = a.pointer->getType()->getPointerAddressSpace();
      if (space != kGlobal && space != kGeneric) continue;
      const Sources sources = sources_of(address_of_pointer(a.pointer));
      if (a.writes) written_pointers_ |= sources.pointers;
      accessed_pointers_ |= sources.pointers;
      if (a.kind != AccessKind::Atomic) plain_pointers_ |= sources.pointers;
      renames_shared_ = renames_shared_ || (space == kGeneric && sources.shared);
    }
    for (Instruction& i : instructions(function_)) fences_ = fences_ || isa<FenceInst>(i);
    if (may_write_by_itself(function_)) {
      written_pointers_ = accessed_pointers_ = plain_pointers_ = ~uint64_t{0};
      renames_shared_ = true;
    }
    // A copy of a multicast object has another address.
    if (has_multimem()) plain_pointers_ = ~uint64_t{0};
  }

  bool has_multimem() const {
    return any_of(instructions(function_), [](const Instruction& i) { return dialect_of(&i) == Dialect::Multimem; });
  }

  // Through which of the parameters that lead to what is written threads may be apart.
  void find_apart(ArrayRef<Access> accesses) {
    if (written_pointers_ == 0 || accessed_pointers_ == ~uint64_t{0}) return;
    if (has_multimem()) return;
    SmallVector<std::pair<Instruction*, uint64_t>, 32> global;  // and the parameters that it may come from
    for (const Access& a : accesses) {
      const unsigned space = a.pointer->getType()->getPointerAddressSpace();
      if (space != kGlobal && space != kGeneric) continue;
      const Sources sources = sources_of(address_of_pointer(a.pointer));
      if (sources.shared) return;
      global.push_back({a.instruction, sources.pointers});
    }
    AffineValues values(function_, options_.block, /*ranges=*/true);
    for (unsigned pointer = 0; pointer < kPointers; ++pointer) {
      const uint64_t bit = uint64_t{1} << pointer;
      if (!(written_pointers_ & bit)) continue;
      SmallVector<Instruction*, 16> through;
      bool alone = true;
      for (const auto& [instruction, pointers] : global) {
        if (!(pointers & bit)) continue;
        through.push_back(instruction);
        alone = alone && pointers == bit;
      }
      if (!alone) continue;
      if (auto apart = find_apart_accesses(values, options_.block, pointer, through)) {
        inserted_.apart.push_back(std::move(*apart));
        for (Instruction* i : through) apart_[i] = uint8_t(pointer);
      }
    }
  }

  // Whether the thread writes what it loads, before anything that others could notice: a write says all that is to be
  // said of the word then.
  bool is_rewritten(const Access& a) const {
    auto* load = dyn_cast<LoadInst>(a.instruction);
    if (!load) return false;
    for (const Instruction* i = load->getNextNode(); i && !is_barrier(*i); i = i->getNextNode())
      if (auto* store = dyn_cast<StoreInst>(i); store && apart_.contains(store) && store->isSimple() &&
                                                same_address(store->getPointerOperand(), load->getPointerOperand()) &&
                                                store->getValueOperand()->getType() == load->getType())
        return true;
    return false;
  }

  // Whether an access of shared memory concerns its region between barriers alone.
  bool has_regions() const { return !renames_shared_ && !copies_later_ && !(watch_ & kWatchEvery); }

  // As far as the program of a thread is the whole of what the block does to its shared memory.
  SharedWrites shared_writes(ArrayRef<Access> accesses) {
    if (!vectorised_ || copies_later_ || may_write_by_itself(function_)) return SharedWrites::Unknown;
    auto result = SharedWrites::Made;
    for (const Access& a : accesses) {
      const unsigned space = a.pointer->getType()->getPointerAddressSpace();
      if (!a.writes || (space != kShared && space != kGeneric)) continue;
      if (space == kGeneric && !sources_of(address_of_pointer(a.pointer)).shared) continue;
      if (space == kGeneric) return SharedWrites::Unknown;
      if (copies(a) || written_.contains(a.instruction)) result = SharedWrites::Copied;
    }
    return result;
  }

  // Whether something other than loads, stores and atomics may write to memory.
  static bool may_write_by_itself(Function& function) {
    return any_of(instructions(function), [](const Instruction& i) {
      auto* called = dyn_cast<CallInst>(&i);
      if (!called || isa<IntrinsicInst>(called)) return false;
      const auto dialect = dialect_of(called);
      return !dialect || *dialect == Dialect::BulkCopy || *dialect == Dialect::TensorCopy ||
             *dialect == Dialect::TensorReplace || *dialect == Dialect::Image;
    });
  }

  // What orders nothing, and takes no lock: an access that matters for what it does to its own word alone.
  bool is_simple(const Access& a) const {
    if (auto* rmw = dyn_cast<AtomicRMWInst>(a.instruction))
      return rmw->getOrdering() == AtomicOrdering::Monotonic && rmw->getOperation() != AtomicRMWInst::Xchg && !fences_;
    return !a.instruction->isAtomic() && !a.instruction->isVolatile();
  }

  void check_race(const Access& a, const MemoryAccess& access) {
    RaceCheck check;
    check.at.access = access;
    check.at.space = uint8_t(a.pointer->getType()->getPointerAddressSpace());
    check.observes = a.kind == AccessKind::Atomic && !a.instruction->use_empty();
    const bool every = (watch_ & kWatchEvery) != 0;
    check.regional = access.shared && has_regions();
    check.disjoint = check.regional && disjoint_.contains(a.instruction);
    // Stores of an asynchronous copy must reach the checker.
    check.simple = is_simple(a) && !every && !(copies_later_ && access.shared && a.kind == AccessKind::Store);
    if (a.kind == AccessKind::Load && !access.shared && !every)
      if (auto pointer = pointer_parameter(address_of_pointer(a.pointer));
          pointer && !(written_pointers_ >> *pointer & 1))
        check.at.pointer = uint8_t(*pointer);
    if (a.kind == AccessKind::Atomic && check.simple && !check.observes && !access.shared && access.bytes % 4 == 0)
      if (auto pointer = pointer_parameter(address_of_pointer(a.pointer));
          pointer && !(plain_pointers_ >> *pointer & 1)) {
        check.at.pointer = uint8_t(*pointer);
        check.among_atomics = true;
      }
    if (auto pointer = apart_.find(a.instruction); pointer != apart_.end()) {
      check.at.pointer = pointer->second;
      check.apart = true;
      check.rewritten = is_rewritten(a);
    }
    Value* value = stored_value(a);
    const uint32_t site = site_of(a, check.at);
    call(Dialect::Race, b_.getVoidTy(),
         {b_.getInt64(pack_check(check)), address_of_pointer(a.pointer), value ? value : b_.getInt64(0),
          b_.getInt32(site), b_.getInt32(inserted_.sites[site].number[access.shared])});
  }

  // Lowering has made a place of a PTX instruction: its line counts from 1, its file is named after the function
  // (lower.cpp).
  uint32_t inlined_call(const DILocation* call) {
    if (!call) return InlinedCall::kNone;
    if (auto known = calls_.find(call); known != calls_.end()) return known->second;
    InlinedCall at;
    if (call->getFilename().getAsInteger(10, at.function)) return InlinedCall::kNone;
    at.instruction = call->getLine() - 1;
    at.within = inlined_call(call->getInlinedAt());
    inserted_.calls.push_back(at);
    return calls_[call] = uint32_t(inserted_.calls.size()) - 1;
  }

  // Instructions that were inlined more than once, and parts of a vector access, are one site; atomics and volatile
  // accesses, which are few and mostly stand in functions of headers, are one for each call.
  uint32_t site_of(const Access& a, const AccessCheck& check) {
    RaceSite site;
    if (const DebugLoc& place = a.instruction->getDebugLoc(); place && place.getLine() != 0) {
      place->getFilename().getAsInteger(10, site.function);
      site.instruction = place.getLine() - 1;
      site.call = inlined_call(place->getInlinedAt());
    } else {
      site.instruction = RaceSite::kNone;
    }
    site.access = uint8_t(a.kind);
    site.strong = check.access.strong;
    const bool by_call = site.strong || a.kind == AccessKind::Atomic;
    const bool may[2] = {check.space != kShared, check.space == kShared || check.space == kGeneric};
    uint32_t index = 0;
    for (; index < inserted_.sites.size(); ++index) {
      const RaceSite& known = inserted_.sites[index];
      if (known.function == site.function && known.instruction == site.instruction && known.access == site.access &&
          known.strong == site.strong && (!by_call || known.call == site.call))
        break;
    }
    if (index == inserted_.sites.size())
      inserted_.sites.push_back(site);
    else if (inserted_.sites[index].call != site.call)
      inserted_.sites[index].call = InlinedCall::kNone;
    for (unsigned space = 0; space < 2; ++space)
      if (uint32_t& number = inserted_.sites[index].number[space]; may[space] && number == RaceSite::kNone)
        number = inserted_.numbers[space]++;
    return index;
  }

  // A load whose value is only stored, or such a store: what is known of the bytes goes from one to the other.
  bool copies(const Access& a) const {
    const Value* value = a.instruction;
    if (auto* store = dyn_cast<StoreInst>(a.instruction)) value = store->getValueOperand();
    return copied_.contains(value);
  }

  // A load whose value is stored as it is, which says of the place what is known of its own.
  bool passes_shadow_on(const Access& a) const {
    return a.kind == AccessKind::Load && copied_.contains(a.instruction) &&
           any_of(a.instruction->users(), [](const User* user) { return isa<StoreInst>(user); });
  }

  static AccessCheck access_check(const Access& a, const MemoryAccess& access) {
    AccessCheck check{.access = access, .space = uint8_t(a.pointer->getType()->getPointerAddressSpace())};
    if (const uint64_t align = alignment_of(a); align > 1) check.align = uint8_t(Log2_64(align));
    if (auto pointer = pointer_parameter(address_of_pointer(a.pointer))) check.pointer = uint8_t(*pointer);
    return check;
  }

  void load_shadow(const Access& a, const MemoryAccess& access) {
    const ShadowCheck check{.at = access_check(a, access), .copied = is_reported_where_copied(a)};
    const Dialect which = access.bytes > 4 ? Dialect::ShadowLoad64 : Dialect::ShadowLoad32;
    Value* shadow = call(which, access.bytes > 4 ? b_.getInt64Ty() : b_.getInt32Ty(),
                         {b_.getInt64(pack_check(check)), address_of_pointer(a.pointer)});
    shadows_[a.instruction] = b_.CreateTrunc(shadow, b_.getIntNTy(access.bytes * 8u));
  }

  void store_shadow(const Access& a, const MemoryAccess& access, Value* shadow) {
    check_shadow(a, access, /*written=*/false, /*marks=*/false);
    b_.SetInsertPoint(a.instruction->getNextNode());
    ShadowStore store{.at = access_check(a, access), .tells = is_told(a)};
    call(Dialect::ShadowStore, b_.getVoidTy(),
         {b_.getInt64(pack_check(store)), address_of_pointer(a.pointer), b_.CreateZExt(shadow, b_.getInt64Ty())});
  }

  // A copy of a word of which no byte was written is reported as well. A part of a word may be padding.
  static bool is_reported_where_copied(const Access& a) {
    return a.type->getPrimitiveSizeInBits() >= 32 && is_stored_as_it_is(*a.instruction);
  }

  // Whether more may be known of the memory that is written: global memory (PointedTo), shared memory
  // (ShadowCheck::written).
  bool is_told(const Access& a) const {
    const unsigned space = a.pointer->getType()->getPointerAddressSpace();
    return space != kLocal && (space != kShared || !in_order_.empty());
  }

  void check_shadow(const Access& a, const MemoryAccess& access, bool written, bool marks = true) {
    const bool initialised = a.reads && (watch_ & kWatchInitialisation);
    ShadowCheck check;
    check.at = access_check(a, access);
    check.reads = initialised;
    check.marks = marks && a.writes && !initialised && (watch_ & kWatchInitialisation);
    check.written = written;
    call(Dialect::ShadowCheck, b_.getVoidTy(), {b_.getInt64(pack_check(check)), address_of_pointer(a.pointer)});
  }

  // What the address must be a multiple of; 1 where that has been asked: for the first of a vector's elements.
  static uint64_t alignment_of(const Access& a) {
    const uint64_t bytes = a.type->getPrimitiveSizeInBits().getFixedValue() / 8;
    auto* group = a.instruction->getMetadata("ww.group");
    if (!group) return bytes;
    auto number = [&](unsigned n) { return mdconst::extract<ConstantInt>(group->getOperand(n))->getZExtValue(); };
    return number(0) == 0 ? bytes * number(1) : 1;
  }

  // Constant memory is read-only: there are no races.
  static bool is_constant(Instruction& i) {
    auto* load = dyn_cast<LoadInst>(&i);
    return load && load->getPointerAddressSpace() == kConst;
  }

  // What a store or an exchange writes, and what a compare-and-swap expects.
  Value* stored_value(const Access& a) {
    if (a.type->getPrimitiveSizeInBits() > 64) return nullptr;
    Value* v = nullptr;
    if (auto* store = dyn_cast<StoreInst>(a.instruction))
      v = store->getValueOperand();
    else if (auto* swap = dyn_cast<AtomicCmpXchgInst>(a.instruction))
      v = swap->getCompareOperand();
    else if (auto* rmw = dyn_cast<AtomicRMWInst>(a.instruction); rmw && rmw->getOperation() == AtomicRMWInst::Xchg)
      v = rmw->getValOperand();
    if (!v) return nullptr;
    const unsigned bits = unsigned(a.type->getPrimitiveSizeInBits().getFixedValue());
    if (!a.type->isIntegerTy()) v = b_.CreateBitCast(v, b_.getIntNTy(bits));
    return b_.CreateZExt(v, b_.getInt64Ty());
  }

  // What orders the accesses before it with those behind it.
  void report_order(Instruction& i) {
    b_.SetInsertPoint(&i);
    auto dialect = dialect_of(&i);
    if (!(watch_ & kWatchOrder) && (!dialect || class_of(*dialect) != DialectClass::Barrier)) return;
    if (isa<FenceInst>(i)) return report(event::Fence{}, b_.getInt64(0));
    if (!dialect) return;
    auto& order = cast<CallInst>(i);
    auto number = [&](unsigned n) { return b_.CreateZExt(order.getArgOperand(n), b_.getInt64Ty()); };
    switch (*dialect) {
      case Dialect::BarrierSync:
      case Dialect::BarrierRed:
        return report(event::Barrier{}, number(0));
      case Dialect::BarrierArrive:
        return report(event::BarrierArrive{}, number(0));
      case Dialect::WarpSync:
        return report(event::WarpSync{}, b_.getInt64(0), number(0));
      case Dialect::Mbarrier:
        return report(event::Arrive{}, order.getArgOperand(1));
      case Dialect::ClusterArrive:
        return report(event::Arrive{}, b_.getInt64(0));
      case Dialect::MbarrierTest:
      case Dialect::MbarrierTry:
        b_.SetInsertPoint(i.getNextNode());
        b_.SetCurrentDebugLocation(i.getDebugLoc());
        return report(event::Await{}, order.getArgOperand(0));
      case Dialect::ClusterWait:
        b_.SetInsertPoint(i.getNextNode());
        b_.SetCurrentDebugLocation(i.getDebugLoc());
        return report(event::Await{}, b_.getInt64(0));
      default:
        return;
    }
  }

  void check_rows(CallInst& matrix) {
    b_.SetInsertPoint(&matrix);
    const bool stores = matrix.getType()->isVoidTy();
    Value* lane = call(Dialect::LaneId, b_.getInt32Ty(), {});
    Value* names_row = b_.CreateICmpULT(lane, b_.getInt32(rows_of(matrix)));
    report(names_row, event::Rows{.stores = stores}, matrix.getArgOperand(0));
  }

  InsertedChecks& inserted_;
  DenseMap<const DILocation*, uint32_t> calls_;  // indices into inserted_.calls
  Function& function_;
  const CheckOptions& options_;
  const uint32_t watch_ = options_.watch;
  const bool vectorised_ = options_.vectorised, copies_later_ = options_.copies_later;
  uint64_t written_pointers_ = 0, accessed_pointers_ = 0, plain_pointers_ = 0;
  DenseMap<const Instruction*, uint8_t> apart_;  // index of the parameter (inserted_.apart)
  bool renames_shared_ = false, fences_ = false;
  SharedWrites shared_writes_ = SharedWrites::Unknown;
  // Accesses of shared memory that need no check. `in_order_`: none of their own memory, where what is written to
  // shared memory is made; else none while no unwritten bytes have been copied.
  DenseSet<const Instruction*> disjoint_, in_order_;
  IRBuilder<> b_;
  DenseMap<Value*, Value*> shadows_;  // of what loads read
  // Loads whose values are only copied, as the program was before it was instrumented.
  DenseSet<const Value*> copied_;
  WrittenStates written_;
};

}  // namespace

void insert_checks(Function& function, const CheckOptions& options, InsertedChecks& inserted) {
  CheckInserter(function, options, inserted).run();
}

}  // namespace warpwise::simt
