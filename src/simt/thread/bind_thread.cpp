#include "simt/thread/bind_thread.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>
#include <cstddef>

#include "ptx/shapes/image_access.h"
#include "simt/abi.h"
#include "simt/analysis/dialect_calls.h"
#include "simt/block/block_values.h"
#include "simt/codegen/atomic_16_bytes.h"
#include "simt/codegen/min_max.h"
#include "simt/instrument/access_checks.h"
#include "simt/service_calls.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

class ThreadBinder {
 public:
  ThreadBinder(Function& function, Value* thread, const BlockShape& shape, const ThreadOptions& options, bool is_kernel)
      : function_(function),
        thread_(thread),
        shape_(shape),
        options_(options),
        is_kernel_(is_kernel),
        context_(function.getContext()),
        b_(context_) {}

  Result<void> run() {
    b_.SetInsertPoint(&*function_.getEntryBlock().getFirstInsertionPt());
    entry_ = field(offsetof(ThreadContext, block), b_.getPtrTy(), "block");
    block_ = entry_;
    if (options_.spins) yield_at_back_edges();
    SmallVector<Instruction*> all;
    SmallVector<std::pair<Instruction*, Instruction*>> halves;
    for (Instruction& i : instructions(function_)) {
      all.push_back(&i);
      if (Instruction* second = second_half(i)) halves.push_back({&i, second});
    }
    for (Instruction* i : all) {
      b_.SetInsertPoint(i);
      b_.SetCurrentDebugLocation(i->getDebugLoc());
      for (Use& use : i->operands())
        if (use->getType()->isPointerTy() && use->getType()->getPointerAddressSpace() != 0) {
          Value* address = resolve(use.get());
          if (!address) return Error{"X0002", "an access through something that is no address"};
          use.set(address);
        } else if (auto* pointer = dyn_cast<IntToPtrInst>(use.get()); pointer && is_access_operand(*i, use)) {
          use.set(resolve(pointer));
        } else if (auto* constant = dyn_cast<ConstantExpr>(use.get());
                   constant && constant->getOpcode() == Instruction::IntToPtr && is_access_operand(*i, use)) {
          use.set(resolve(constant));
        }
      if (auto which = dialect_of(i)) {
        Value* v = replace(cast<CallInst>(*i), *which);
        if (failed_) return Error{"X0002", std::string("no form in independent-thread mode of ") + name_of(*which)};
        if (!i->getType()->isVoidTy()) i->replaceAllUsesWith(v);
        i->eraseFromParent();
      }
    }
    for (auto [first, second] : halves) move_whole(*first, *second);
    // Pointers of other address spaces that are not used any more.
    for (Instruction& i : make_early_inc_range(instructions(function_)))
      if (isa<IntToPtrInst>(i) && i.use_empty()) i.eraseFromParent();
    return {};
  }

 private:
  static bool is_access_operand(const Instruction& i, const Use& use) {
    unsigned n = use.getOperandNo();
    return (isa<LoadInst>(i) && n == 0) || (isa<StoreInst>(i) && n == 1) || (isa<AtomicRMWInst>(i) && n == 0) ||
           (isa<AtomicCmpXchgInst>(i) && n == 0);
  }

  LoadInst* field(unsigned offset, Type* type, const char* name) {
    auto* load = b_.CreateAlignedLoad(type, b_.CreateConstGEP1_64(b_.getInt8Ty(), thread_, offset),
                                      Align(type->isIntegerTy(32) ? 4 : 8), name);
    load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context_, {}));
    return load;
  }

  // The host address behind a dialect pointer.
  Value* resolve(Value* pointer) {
    Value* address = nullptr;
    if (auto* cast = dyn_cast<IntToPtrInst>(pointer))
      address = cast->getOperand(0);
    else if (auto* c = dyn_cast<ConstantExpr>(pointer); c && c->getOpcode() == Instruction::IntToPtr)
      address = c->getOperand(0);
    else if (isa<ConstantPointerNull>(pointer))
      address = b_.getInt64(0);
    if (!address) return nullptr;
    Value* base;
    switch (pointer->getType()->getPointerAddressSpace()) {
      case kShared:
        base = load_block_field(b_, block_, offsetof(BlockContext, shared), b_.getInt64Ty(), "shared");
        break;
      case kParam:
        base = load_block_field(b_, block_, offsetof(BlockContext, parameters), b_.getInt64Ty(), "parameters");
        break;
      case kLocal:
        base = field(offsetof(ThreadContext, local), b_.getInt64Ty(), "local");
        break;
      default:
        base = b_.getInt64(kAliasOffset);
        break;
    }
    return b_.CreateIntToPtr(b_.CreateAdd(address, base), b_.getPtrTy());
  }

  // Both halves at once, a load in the first one's place, a store in the second one's.
  void move_whole(Instruction& first, Instruction& second) {
    if (auto* load = dyn_cast<LoadInst>(&first)) {
      b_.SetInsertPoint(load);
      b_.SetCurrentDebugLocation(load->getDebugLoc());
      auto [low, high] = load_whole(b_, load->getPointerOperand());
      fence_after(b_, load->getOrdering());
      first.replaceAllUsesWith(low), second.replaceAllUsesWith(high);
    } else {
      auto& store = cast<StoreInst>(first);
      b_.SetInsertPoint(&second);
      b_.SetCurrentDebugLocation(store.getDebugLoc());
      fence_before(b_, store.getOrdering());
      store_whole(b_, store.getValueOperand(), cast<StoreInst>(second).getValueOperand(), store.getPointerOperand());
    }
    first.eraseFromParent(), second.eraseFromParent();
  }

  // A loop that ends by counting waits for no thread; one whose exit depends on memory, or on a call, may.
  static bool may_wait(const Loop& loop) {
    SmallVector<BasicBlock*, 4> exiting;
    loop.getExitingBlocks(exiting);
    SmallVector<const Value*, 16> work;
    SmallPtrSet<const Value*, 32> seen;
    for (BasicBlock* bb : exiting) work.push_back(bb->getTerminator());
    if (exiting.empty()) return true;
    while (!work.empty()) {
      auto* i = dyn_cast<Instruction>(work.pop_back_val());
      if (!i || !loop.contains(i) || !seen.insert(i).second) continue;
      if (i->mayReadOrWriteMemory() && !(dialect_of(i) && class_of(*dialect_of(i)) == DialectClass::Thread))
        return true;
      if (auto* phi = dyn_cast<PHINode>(i))
        for (BasicBlock* from : phi->blocks())
          if (loop.contains(from)) work.push_back(from->getTerminator());
      work.append(i->op_begin(), i->op_end());
    }
    return false;
  }

  // Only on the way back: a thread that has what it waited for goes on, perhaps with a lock that others wait for.
  void yield_at_back_edges() {
    DominatorTree dominators(function_);
    LoopInfo loops(dominators);
    SmallVector<std::pair<BasicBlock*, BasicBlock*>> edges;
    for (Loop* loop : loops.getLoopsInPreorder()) {
      if (!may_wait(*loop)) continue;
      SmallVector<BasicBlock*, 4> latches;
      loop->getLoopLatches(latches);
      for (BasicBlock* latch : latches) edges.push_back({latch, loop->getHeader()});
    }
    for (auto [latch, header] : edges) {
      Instruction* jump = latch->getTerminator();
      const DebugLoc place = jump->getDebugLoc();
      if (jump->getNumSuccessors() > 1) {
        BasicBlock* again = SplitEdge(latch, header);
        jump = again->getTerminator();
        jump->setDebugLoc(place);
      }
      b_.SetInsertPoint(jump);
      invoke(Service::yield, {thread_, site(*jump)});
    }
  }

  Value* site(const Instruction& i) { return b_.getInt32(i.getDebugLoc() ? i.getDebugLoc().getLine() - 1 : 0); }

  CallInst* invoke(Service service, ArrayRef<Value*> arguments) {
    Value* table = load_block_field(b_, block_, offsetof(BlockContext, services), b_.getPtrTy(), "services");
    return call_service(b_, table, service, arguments);
  }

  Value* linear() { return field(offsetof(ThreadContext, thread), b_.getInt32Ty(), "thread"); }
  Value* lane() { return b_.CreateAnd(linear(), b_.getInt32(31)); }
  Value* warp() { return b_.CreateLShr(linear(), b_.getInt32(5)); }
  Value* own_bit() { return b_.CreateShl(b_.getInt32(1), lane()); }

  // The value of a service's parameter that the compiler fills in.
  Value* value_of(Role role, const CallInst& call) {
    switch (role) {
      case Role::Block:
        return block_;
      case Role::Thread:
        return thread_;
      case Role::Warp:
        return warp();
      case Role::Lane:
        return lane();
      case Role::Lanes:
        return own_bit();
      case Role::Second:
        return second_result();
      case Role::Site:
        return site(call);
      case Role::Argument:
        break;
    }
    llvm_unreachable("an argument is not a role");
  }

  // A plain call of a service. Of a service with two results, the dialect's call may take both: {i32, i1}.
  Value* serve(CallInst& call, const ServedBy& served) {
    SmallVector<Value*, 16> arguments(call.args());
    Value* result = invoke(served.service,
                           service_arguments(b_, served, arguments, [&](Role role) { return value_of(role, call); }));
    auto* pair = dyn_cast<StructType>(call.getType());
    return pair ? with_second_result(pair, result) : result;
  }

  Value* with_second_result(StructType* type, Value* first) {
    Value* pair = b_.CreateInsertValue(PoisonValue::get(type), first, 0);
    return b_.CreateInsertValue(pair, b_.CreateICmpNE(b_.CreateLoad(b_.getInt32Ty(), second_result()), b_.getInt32(0)),
                                1);
  }

  // Where a service leaves it; read at once, so one place does for all.
  Value* second_result() {
    if (!second_result_) second_result_ = IRBuilder<>(entry_).CreateAlloca(b_.getInt32Ty());
    return second_result_;
  }

  // Before a frame or an alloca that ends at `end`: is there room? A function that stays a call has a frame on the
  // fiber's stack as well.
  void check_stack(CallInst& call, Value* end) {
    Value* full = b_.CreateICmpUGT(end, b_.getInt64(options_.local_bytes));
    if (!is_kernel_) {
      Value* native = b_.CreatePtrToInt(b_.CreateStackSave(), b_.getInt64Ty());
      full = b_.CreateOr(
          full, b_.CreateICmpULT(native, field(offsetof(ThreadContext, stack_end), b_.getInt64Ty(), "stack_end")));
    }
    if (auto* constant = dyn_cast<ConstantInt>(full); constant && constant->isZero()) return;
    Instruction* overflow =
        SplitBlockAndInsertIfThen(full, &call, false, MDBuilder(context_).createUnlikelyBranchWeights());
    b_.SetInsertPoint(overflow);
    b_.SetCurrentDebugLocation(call.getDebugLoc());
    invoke(Service::stack_overflow, {block_, warp(), lane(), site(call)});
    b_.SetInsertPoint(&call);
  }

  void event(CallInst& call, Value* warp) {
    Instruction* on_event = SplitBlockAndInsertIfThen(call.getArgOperand(0), &call, false,
                                                      MDBuilder(context_).createUnlikelyBranchWeights());
    b_.SetInsertPoint(on_event);
    b_.SetCurrentDebugLocation(call.getDebugLoc());
    call_event(call, warp, uint32_t(cast<ConstantInt>(call.getArgOperand(1))->getZExtValue()), call.getArgOperand(2),
               call.getArgOperand(3));
    b_.SetInsertPoint(&call);
  }

  void call_event(CallInst& call, Value* warp, uint32_t what, Value* address, Value* value, Value* of = nullptr) {
    if (!event_address_) {
      IRBuilder<> at(entry_);
      event_address_ = at.CreateAlloca(b_.getInt64Ty());
      event_value_ = at.CreateAlloca(b_.getInt64Ty());
    }
    b_.CreateStore(address, event_address_);
    b_.CreateStore(value, event_value_);
    CallInst* report = invoke(Service::event, {block_, warp, b_.getInt32(1), b_.getInt32(what), event_address_,
                                               event_value_, of ? of : site(call)});
    report->addFnAttr(Attribute::NoMerge);  // the call's own address says which access it was
  }

  // A check of a kernel that could not be vectorised is left to the service, and so are all race checks in this mode.
  void leave_check_to_service(CallInst& call, Value* warp) {
    const uint64_t code = cast<ConstantInt>(call.getArgOperand(0))->getZExtValue();
    const auto check = unpack_check<ShadowCheck>(code);
    call_event(call, warp, pack(check.unchecked()), generic(call.getArgOperand(1), check.at.space), b_.getInt64(0));
  }

  void leave_race_to_service(CallInst& call, Value* warp) {
    const auto check = unpack_check<RaceCheck>(cast<ConstantInt>(call.getArgOperand(0))->getZExtValue());
    call_event(call, warp, pack(check.event()), generic(call.getArgOperand(1), check.at.space), call.getArgOperand(2),
               call.getArgOperand(3));
  }

  Value* generic(Value* address, unsigned space) {
    Value* base = space == kShared
                      ? load_block_field(b_, block_, offsetof(BlockContext, shared), b_.getInt64Ty(), "shared")
                  : space == kLocal ? field(offsetof(ThreadContext, local), b_.getInt64Ty(), "local")
                                    : nullptr;
    return base ? b_.CreateAdd(address, b_.CreateSub(base, b_.getInt64(kAliasOffset))) : address;
  }

  Value* count(uint32_t mark, Value* cell, Value* what, Value* value) {
    return invoke(Service::count_thread, {thread_, b_.getInt32(mark), cell, what, value});
  }

  // The registers in memory: those of a, then those of d, which come back.
  Value* wgmma(CallInst& call) {
    Type* i32 = b_.getInt32Ty();
    auto* result = cast<StructType>(call.getType());
    const unsigned words = call.arg_size() - kWgmmaScalars, outputs = result->getNumElements(), first = words - outputs;
    IRBuilder<> at(entry_);
    Value* memory = at.CreateAlloca(ArrayType::get(i32, words));
    for (unsigned n = 0; n < words; ++n)
      b_.CreateStore(call.getArgOperand(kWgmmaScalars + n), b_.CreateConstGEP1_64(i32, memory, n));
    Value* d = b_.CreateConstGEP1_64(i32, memory, first);
    invoke(Service::wgmma_sync, {thread_, call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2),
                                 call.getArgOperand(3), memory, d, site(call)});
    Value* fields = PoisonValue::get(result);
    for (unsigned n = 0; n < outputs; ++n)
      fields = b_.CreateInsertValue(fields, b_.CreateLoad(i32, b_.CreateConstGEP1_64(i32, d, n)), n);
    return fields;
  }

  // The registers in memory, of a load or of a store.
  Value* tensor_move(CallInst& call) {
    Type* i32 = b_.getInt32Ty();
    auto* result = cast<StructType>(call.getType());
    const unsigned inputs = call.arg_size() - kTensorMoveScalars, outputs = result->getNumElements();
    IRBuilder<> at(entry_);
    Value* memory = at.CreateAlloca(ArrayType::get(i32, std::max(1u, std::max(inputs, outputs))));
    for (unsigned n = 0; n < inputs; ++n)
      b_.CreateStore(call.getArgOperand(kTensorMoveScalars + n), b_.CreateConstGEP1_64(i32, memory, n));
    Value* words = inputs + outputs == 0 ? static_cast<Value*>(ConstantPointerNull::get(b_.getPtrTy())) : memory;
    invoke(Service::tensor_move,
           {thread_, call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2), words, site(call)});
    Value* fields = PoisonValue::get(result);
    for (unsigned n = 0; n < outputs; ++n)
      fields = b_.CreateInsertValue(fields, b_.CreateLoad(i32, b_.CreateConstGEP1_64(i32, memory, n)), n);
    return fields;
  }

  // What a thread asks of the tensor cores: its words in memory.
  Value* tensor_op(CallInst& call, TensorOp what) {
    if (!tensor_words_) {
      IRBuilder<> at(entry_);
      tensor_words_ = at.CreateAlloca(ArrayType::get(b_.getInt64Ty(), kMostTensorWords));
    }
    for (unsigned n = 0; n < call.arg_size(); ++n)
      b_.CreateStore(call.getArgOperand(n), b_.CreateConstGEP1_64(b_.getInt64Ty(), tensor_words_, n));
    return invoke(Service::tensor_op, {thread_, b_.getInt32(static_cast<uint32_t>(what)), tensor_words_, site(call)});
  }

  // As lane 0 of a warp of one: word k stands at k * kLanes.
  Value* image(CallInst& call, Value* warp) {
    Type* i32 = b_.getInt32Ty();
    const uint64_t code = cast<ConstantInt>(call.getArgOperand(0))->getZExtValue();
    const ptx::ImageAccess access = ptx::ImageAccess::unpack(code);
    if (!image_words_) {
      IRBuilder<> at(entry_);
      image_handle_ = at.CreateAlloca(b_.getInt64Ty());
      image_words_ = at.CreateAlloca(ArrayType::get(i32, kLanes * ptx::kMostImageWords));
      image_results_ = at.CreateAlloca(ArrayType::get(i32, kLanes * ptx::kMostImageResults));
    }
    auto word = [&](Value* memory, unsigned k) {
      return b_.CreateConstInBoundsGEP1_64(i32, memory, uint64_t{k} * kLanes);
    };
    b_.CreateStore(call.getArgOperand(1), image_handle_);
    for (unsigned k = 0; k < access.words; ++k) b_.CreateStore(call.getArgOperand(2 + k), word(image_words_, k));
    invoke(Service::image,
           {block_, warp, b_.getInt32(1), b_.getInt64(code), image_handle_, image_words_, image_results_, site(call)});
    Value* result = PoisonValue::get(call.getType());
    for (unsigned k = 0; k < access.results; ++k)
      result = b_.CreateInsertValue(result, b_.CreateLoad(i32, word(image_results_, k)), k);
    return result;
  }

  // --- matrices ---

  Value* words_in_memory(ArrayRef<Value*> words) {
    IRBuilder<> at(entry_);
    Value* memory = at.CreateAlloca(ArrayType::get(b_.getInt32Ty(), words.size()));
    for (unsigned n = 0; n < words.size(); ++n)
      b_.CreateStore(words[n], b_.CreateConstGEP1_64(b_.getInt32Ty(), memory, n));
    return memory;
  }

  Value* product(CallInst& call) {
    Type* i32 = b_.getInt32Ty();
    auto* result = cast<StructType>(call.getType());
    SmallVector<Value*, 32> inputs(call.arg_begin() + 1, call.arg_end());
    IRBuilder<> at(entry_);
    Value* outputs = at.CreateAlloca(ArrayType::get(i32, result->getNumElements()));
    invoke(Service::multiply_sync, {thread_, call.getArgOperand(0), words_in_memory(inputs), outputs, site(call)});
    Value* fields = PoisonValue::get(result);
    for (unsigned n = 0; n < result->getNumElements(); ++n)
      fields = b_.CreateInsertValue(fields, b_.CreateLoad(i32, b_.CreateConstGEP1_64(i32, outputs, n)), n);
    return fields;
  }

  // The words of all lanes: word w of lane l at [w * 32 + l].
  Value* gather(ArrayRef<Value*> words, CallInst& call) {
    IRBuilder<> at(entry_);
    Value* table = at.CreateAlloca(ArrayType::get(b_.getInt32Ty(), words.size() * kLanes));
    invoke(Service::gather, {thread_, words_in_memory(words), b_.getInt32(words.size()), table, site(call)});
    return table;
  }
  Value* gathered(Value* table, Value* index) {
    return b_.CreateLoad(b_.getInt32Ty(), b_.CreateGEP(b_.getInt32Ty(), table, index));
  }

  // Where this lane's half `half` of matrix j lies: its row's address is lane 8j + row's. Without .trans the row is
  // lane / 4 and both halves lie together.
  Value* matrix_element(Value* table, unsigned j, unsigned half, bool transposed, Value* lane) {
    Value* group = b_.CreateLShr(lane, b_.getInt32(2));
    Value* pair = b_.CreateAdd(b_.CreateShl(b_.CreateAnd(lane, b_.getInt32(3)), b_.getInt32(1)), b_.getInt32(half));
    Value* row = b_.CreateAdd(transposed ? pair : group, b_.getInt32(8 * j));
    Type* i64 = b_.getInt64Ty();
    Value* low = b_.CreateZExt(gathered(table, row), i64);
    Value* high = b_.CreateZExt(gathered(table, b_.CreateAdd(row, b_.getInt32(kLanes))), i64);
    Value* address = b_.CreateOr(low, b_.CreateShl(high, b_.getInt64(32)));
    Value* bytes = b_.CreateShl(b_.CreateZExt(transposed ? group : pair, i64), b_.getInt64(1));
    return b_.CreateIntToPtr(b_.CreateAdd(b_.CreateAdd(address, bytes), b_.getInt64(kAliasOffset)), b_.getPtrTy());
  }

  Value* address_table(CallInst& call) {
    Value* address = call.getArgOperand(0);
    return gather({b_.CreateTrunc(address, b_.getInt32Ty()),
                   b_.CreateTrunc(b_.CreateLShr(address, b_.getInt64(32)), b_.getInt32Ty())},
                  call);
  }

  Value* load_matrix(CallInst& call, Value* lane) {
    auto* type = dyn_cast<StructType>(call.getType());
    const bool transposed = cast<ConstantInt>(call.getArgOperand(1))->isOne();
    Value* table = address_table(call);
    Value* fields = type ? PoisonValue::get(type) : nullptr;
    for (unsigned j = 0; j < (type ? type->getNumElements() : 1); ++j) {
      auto half = [&](unsigned n) {
        return b_.CreateZExt(
            b_.CreateAlignedLoad(b_.getInt16Ty(), matrix_element(table, j, n, transposed, lane), Align(2)),
            b_.getInt32Ty());
      };
      Value* word = b_.CreateOr(half(0), b_.CreateShl(half(1), b_.getInt32(16)));
      if (!type) return word;
      fields = b_.CreateInsertValue(fields, word, j);
    }
    return fields;
  }

  void store_matrix(CallInst& call, Value* lane) {
    const bool transposed = cast<ConstantInt>(call.getArgOperand(1))->isOne();
    Value* table = address_table(call);
    for (unsigned j = 0; j + 2 < call.arg_size(); ++j)
      for (unsigned half = 0; half < 2; ++half) {
        Value* bits = b_.CreateTrunc(b_.CreateLShr(call.getArgOperand(j + 2), b_.getInt32(16 * half)), b_.getInt16Ty());
        b_.CreateAlignedStore(bits, matrix_element(table, j, half, transposed, lane), Align(2));
      }
  }

  Value* move_matrix(CallInst& call, Value* lane) {
    Value* table = gather({call.getArgOperand(0)}, call);
    Value* column = b_.CreateLShr(lane, b_.getInt32(2));
    Value* row = b_.CreateShl(b_.CreateAnd(lane, b_.getInt32(3)), b_.getInt32(1));
    auto half = [&](unsigned n) {
      Value* from = b_.CreateAdd(b_.CreateShl(b_.CreateAdd(row, b_.getInt32(n)), b_.getInt32(2)),
                                 b_.CreateLShr(column, b_.getInt32(1)));
      Value* shift = b_.CreateShl(b_.CreateAnd(column, b_.getInt32(1)), b_.getInt32(4));
      return b_.CreateAnd(b_.CreateLShr(gathered(table, from), shift), b_.getInt32(0xffff));
    };
    return b_.CreateOr(half(0), b_.CreateShl(half(1), b_.getInt32(16)));
  }

  // The ballot of the threads in the call's member mask.
  Value* ballot(Value* predicate, CallInst& call) {
    return invoke(Service::ballot,
                  {thread_, b_.CreateZExt(predicate, b_.getInt32Ty()), call.getArgOperand(1), site(call)});
  }
  Value* is_set(Value* bits) { return b_.CreateICmpNE(bits, Constant::getNullValue(bits->getType())); }

  Value* vote(CallInst& call, Dialect which) {
    Value* predicate = call.getArgOperand(0);
    if (which == Dialect::VoteAny) return is_set(ballot(predicate, call));
    if (which == Dialect::VoteAll) return b_.CreateNot(is_set(ballot(b_.CreateNot(predicate), call)));
    // Uni: no other lane differs from this thread.
    Value *holds = ballot(predicate, call), *fails = ballot(b_.CreateNot(predicate), call);
    return b_.CreateOr(b_.CreateNot(is_set(holds)), b_.CreateNot(is_set(fails)));
  }

  Value* match_all(CallInst& call) {
    Value* same =
        invoke(Service::match, {thread_, call.getArgOperand(0), call.getArgOperand(1), second_result(), site(call)});
    Value* pair = with_second_result(cast<StructType>(call.getType()), same);
    Value* all = b_.CreateExtractValue(pair, 1);
    return b_.CreateInsertValue(pair, b_.CreateSelect(all, b_.CreateExtractValue(pair, 0), b_.getInt32(0)), 0);
  }

  // A dialect function of class Thread.
  Value* thread_value(Dialect which) {
    Value* one = b_.getInt32(1);
    switch (which) {
      case Dialect::TidX:
      case Dialect::TidY:
      case Dialect::TidZ:
        return field(offsetof(ThreadContext, tid) + 4 * (unsigned(which) - unsigned(Dialect::TidX)), b_.getInt32Ty(),
                     "tid");
      case Dialect::LaneId:
        return lane();
      case Dialect::WarpId:
        return warp();
      case Dialect::LanemaskEq:
        return own_bit();
      case Dialect::LanemaskLt:
        return b_.CreateSub(own_bit(), one);
      case Dialect::LanemaskLe:
        return b_.CreateOr(own_bit(), b_.CreateSub(own_bit(), one));
      case Dialect::LanemaskGe:
        return b_.CreateNot(b_.CreateSub(own_bit(), one));
      case Dialect::LanemaskGt:
        return b_.CreateNot(b_.CreateOr(own_bit(), b_.CreateSub(own_bit(), one)));
      case Dialect::LocalBase:
        return b_.CreateSub(field(offsetof(ThreadContext, local), b_.getInt64Ty(), "local"), b_.getInt64(kAliasOffset));
      default:
        failed_ = true;
        return nullptr;
    }
  }

  Value* replace(CallInst& call, Dialect which) {
    if (const ServedBy& served = served_by_thread(which); served.is_call()) return serve(call, served);
    if (class_of(which) == DialectClass::Block) return load_block_value(b_, block_, which, shape_);
    if (class_of(which) == DialectClass::Thread) return thread_value(which);
    auto arg = [&](unsigned n) { return call.getArgOperand(n); };
    switch (which) {
      case Dialect::IsShared:
      case Dialect::IsLocal:
      case Dialect::IsParam:
        return b_.CreateICmpULT(b_.CreateSub(arg(0), load_window_base(b_, block_, which)),
                                load_window_size(b_, block_, which));
      case Dialect::VoteAny:
      case Dialect::VoteAll:
      case Dialect::VoteUni:
        return vote(call, which);
      case Dialect::MatchAll:
        return match_all(call);
      case Dialect::Wgmma:
        return wgmma(call);
      case Dialect::TensorMove:
        return tensor_move(call);
      case Dialect::TensorMultiply:
        return tensor_op(call, TensorOp::Multiply);
      case Dialect::TensorCopyIn:
        return tensor_op(call, TensorOp::Copy);
      case Dialect::TensorShift:
        return tensor_op(call, TensorOp::Shift);
      case Dialect::TensorCommit:
        return tensor_op(call, TensorOp::Commit);
      case Dialect::MatrixProduct:
        return product(call);
      case Dialect::LdMatrix1:
      case Dialect::LdMatrix2:
      case Dialect::LdMatrix4:
        return load_matrix(call, lane());
      case Dialect::StMatrix1:
      case Dialect::StMatrix2:
      case Dialect::StMatrix4:
        store_matrix(call, lane());
        return nullptr;
      case Dialect::MovMatrix:
        return move_matrix(call, lane());
      case Dialect::StackCheck:
        check_stack(call, arg(0));
        return nullptr;
      case Dialect::Image:
        return image(call, warp());
      case Dialect::Event:
        event(call, warp());
        return nullptr;
      case Dialect::ShadowCheck:
        leave_check_to_service(call, warp());
        return nullptr;
      case Dialect::Race:
        leave_race_to_service(call, warp());
        return nullptr;
      case Dialect::CountBlock:
        return count(kMarkBlock, arg(0), b_.getInt32(0), b_.getInt64(0));
      case Dialect::CountGuard:
        return count(kMarkGuard, arg(0), arg(1), b_.CreateZExt(b_.CreateFreeze(arg(2)), b_.getInt64Ty()));
      case Dialect::CountAccess:
        return count(kMarkAccess, arg(0), arg(1), arg(2));
      case Dialect::MinF32:
      case Dialect::MinF64:
        return build_min_max(b_, arg(0), arg(1), false, false, false, false);
      case Dialect::MaxF32:
      case Dialect::MaxF64:
        return build_min_max(b_, arg(0), arg(1), true, false, false, false);
      default:
        failed_ = true;
        return nullptr;
    }
  }

  Function& function_;
  Value* thread_;
  BlockShape shape_;
  ThreadOptions options_;
  bool is_kernel_;
  LLVMContext& context_;
  IRBuilder<> b_;
  Value* block_ = nullptr;
  Instruction* entry_ = nullptr;  // of the function: allocas go before it
  Value *event_address_ = nullptr, *event_value_ = nullptr;
  Value *image_handle_ = nullptr, *image_words_ = nullptr, *image_results_ = nullptr;
  Value *tensor_words_ = nullptr, *second_result_ = nullptr;
  bool failed_ = false;
};

// A copy of `function` that takes the thread context first.
Function* with_context(Function& function, const Twine& name, GlobalValue::LinkageTypes linkage) {
  SmallVector<Type*> types{PointerType::get(function.getContext(), 0)};
  for (Type* t : function.getFunctionType()->params()) types.push_back(t);
  auto* type = FunctionType::get(function.getReturnType(), types, false);
  Function* copy = Function::Create(type, linkage, name, function.getParent());
  copy->getArg(0)->setName("thread");
  ValueToValueMapTy map;
  for (unsigned n = 0; n < function.arg_size(); ++n) map[function.getArg(n)] = copy->getArg(n + 1);
  SmallVector<ReturnInst*, 4> returns;
  CloneFunctionInto(copy, &function, map, CloneFunctionChangeType::LocalChangesOnly, returns);
  copy->addFnAttr(Attribute::NoUnwind);
  return copy;
}

}  // namespace

Result<Function*> bind_thread(Module& module, Function& kernel, const BlockShape& block, const ThreadOptions& options) {
  SmallVector<Function*> originals;
  for (Function& f : module)
    if (!f.isDeclaration()) originals.push_back(&f);
  DenseMap<Function*, Function*> bound;
  for (Function* f : originals)
    bound[f] = with_context(*f, f->getName() + ".thread",
                            f == &kernel ? GlobalValue::ExternalLinkage : GlobalValue::InternalLinkage);
  for (Function* f : originals) {
    Function* own = bound[f];
    SmallVector<CallInst*> calls;
    for (Instruction& i : instructions(*own))
      if (auto* call = dyn_cast<CallInst>(&i);
          call && call->getCalledFunction() && bound.contains(call->getCalledFunction()))
        calls.push_back(call);
    for (CallInst* call : calls) {
      SmallVector<Value*> args{own->getArg(0)};
      args.append(call->arg_begin(), call->arg_end());
      auto* with = CallInst::Create(bound[call->getCalledFunction()], args, "", call->getIterator());
      with->setDebugLoc(call->getDebugLoc());
      call->replaceAllUsesWith(with);
      call->eraseFromParent();
    }
    TRY(ThreadBinder(*own, own->getArg(0), block, options, f == &kernel).run());
  }
  Function* result = bound[&kernel];
  for (Function* f : originals) {
    f->replaceAllUsesWith(PoisonValue::get(f->getType()));
    f->eraseFromParent();
  }
  return result;
}

}  // namespace warpwise::simt
