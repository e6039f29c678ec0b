#include "simt/thread/bind_thread.h"

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
#include "simt/instrument/bind_thread.h"
#include "simt/service_calls.h"
#include "simt/thread/thread_matrices.h"
#include "simt/thread/thread_tensors.h"
#include "simt/thread/yield_at_back_edges.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

class ThreadBinder {
 public:
  ThreadBinder(Function& function, Value* thread, const BlockShape& shape, const ThreadOptions& options, bool is_kernel)
      : function_(function),
        t_(function, thread),
        shape_(shape),
        options_(options),
        is_kernel_(is_kernel),
        b_(t_.b),
        matrices_(t_),
        tensors_(t_),
        instrument_(t_) {}

  Result<void> run() {
    if (options_.spins) yield_at_back_edges(t_);
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
        base = load_block_field(b_, t_.block, offsetof(BlockContext, shared), b_.getInt64Ty(), "shared");
        break;
      case kParam:
        base = load_block_field(b_, t_.block, offsetof(BlockContext, parameters), b_.getInt64Ty(), "parameters");
        break;
      case kLocal:
        base = t_.field(offsetof(ThreadContext, local), b_.getInt64Ty(), "local");
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

  // The value of a service's parameter that the compiler fills in.
  Value* value_of(Role role, const CallInst& call) {
    switch (role) {
      case Role::Block:
        return t_.block;
      case Role::Thread:
        return t_.thread;
      case Role::Warp:
        return t_.warp();
      case Role::Lane:
        return t_.lane();
      case Role::Lanes:
        return t_.own_bit();
      case Role::Second:
        return t_.second_result();
      case Role::Site:
        return t_.site(call);
      case Role::Argument:
        break;
    }
    llvm_unreachable("an argument is not a role");
  }

  // A plain call of a service. Of a service with two results, the dialect's call may take both: {i32, i1}.
  Value* serve(CallInst& call, const ServedBy& served) {
    SmallVector<Value*, 16> arguments(call.args());
    Value* result = t_.invoke(
        served.service, service_arguments(b_, served, arguments, [&](Role role) { return value_of(role, call); }));
    auto* pair = dyn_cast<StructType>(call.getType());
    return pair ? t_.with_second_result(pair, result) : result;
  }

  // Before a frame or an alloca that ends at `end`: is there room? A function that stays a call has a frame on the
  // fiber's stack as well.
  void check_stack(CallInst& call, Value* end) {
    Value* full = b_.CreateICmpUGT(end, b_.getInt64(options_.local_bytes));
    if (!is_kernel_) {
      Value* native = b_.CreatePtrToInt(b_.CreateStackSave(), b_.getInt64Ty());
      full = b_.CreateOr(
          full, b_.CreateICmpULT(native, t_.field(offsetof(ThreadContext, stack_end), b_.getInt64Ty(), "stack_end")));
    }
    if (auto* constant = dyn_cast<ConstantInt>(full); constant && constant->isZero()) return;
    Instruction* overflow =
        SplitBlockAndInsertIfThen(full, &call, false, MDBuilder(t_.context).createUnlikelyBranchWeights());
    b_.SetInsertPoint(overflow);
    b_.SetCurrentDebugLocation(call.getDebugLoc());
    t_.invoke(Service::stack_overflow, {t_.block, t_.warp(), t_.lane(), t_.site(call)});
    b_.SetInsertPoint(&call);
  }

  // As lane 0 of a warp of one: word k stands at k * kLanes.
  Value* image(CallInst& call, Value* warp) {
    Type* i32 = b_.getInt32Ty();
    const uint64_t code = cast<ConstantInt>(call.getArgOperand(0))->getZExtValue();
    const ptx::ImageAccess access = ptx::ImageAccess::unpack(code);
    if (!image_words_) {
      IRBuilder<> at(t_.entry);
      image_handle_ = at.CreateAlloca(b_.getInt64Ty());
      image_words_ = at.CreateAlloca(ArrayType::get(i32, kLanes * ptx::kMostImageWords));
      image_results_ = at.CreateAlloca(ArrayType::get(i32, kLanes * ptx::kMostImageResults));
    }
    auto word = [&](Value* memory, unsigned k) {
      return b_.CreateConstInBoundsGEP1_64(i32, memory, uint64_t{k} * kLanes);
    };
    b_.CreateStore(call.getArgOperand(1), image_handle_);
    for (unsigned k = 0; k < access.words; ++k) b_.CreateStore(call.getArgOperand(2 + k), word(image_words_, k));
    t_.invoke(Service::image, {t_.block, warp, b_.getInt32(1), b_.getInt64(code), image_handle_, image_words_,
                               image_results_, t_.site(call)});
    Value* result = PoisonValue::get(call.getType());
    for (unsigned k = 0; k < access.results; ++k)
      result = b_.CreateInsertValue(result, b_.CreateLoad(i32, word(image_results_, k)), k);
    return result;
  }

  // The ballot of the threads in the call's member mask.
  Value* ballot(Value* predicate, CallInst& call) {
    return t_.invoke(Service::ballot,
                     {t_.thread, b_.CreateZExt(predicate, b_.getInt32Ty()), call.getArgOperand(1), t_.site(call)});
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
    Value* same = t_.invoke(
        Service::match, {t_.thread, call.getArgOperand(0), call.getArgOperand(1), t_.second_result(), t_.site(call)});
    Value* pair = t_.with_second_result(cast<StructType>(call.getType()), same);
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
        return t_.field(offsetof(ThreadContext, tid) + 4 * (unsigned(which) - unsigned(Dialect::TidX)), b_.getInt32Ty(),
                        "tid");
      case Dialect::LaneId:
        return t_.lane();
      case Dialect::WarpId:
        return t_.warp();
      case Dialect::LanemaskEq:
        return t_.own_bit();
      case Dialect::LanemaskLt:
        return b_.CreateSub(t_.own_bit(), one);
      case Dialect::LanemaskLe:
        return b_.CreateOr(t_.own_bit(), b_.CreateSub(t_.own_bit(), one));
      case Dialect::LanemaskGe:
        return b_.CreateNot(b_.CreateSub(t_.own_bit(), one));
      case Dialect::LanemaskGt:
        return b_.CreateNot(b_.CreateOr(t_.own_bit(), b_.CreateSub(t_.own_bit(), one)));
      case Dialect::LocalBase:
        return b_.CreateSub(t_.field(offsetof(ThreadContext, local), b_.getInt64Ty(), "local"),
                            b_.getInt64(kAliasOffset));
      default:
        failed_ = true;
        return nullptr;
    }
  }

  Value* replace(CallInst& call, Dialect which) {
    if (const ServedBy& served = served_by_thread(which); served.is_call()) return serve(call, served);
    if (class_of(which) == DialectClass::Block) return load_block_value(b_, t_.block, which, shape_);
    if (class_of(which) == DialectClass::Thread) return thread_value(which);
    if (instrument_.emit(call, which)) return nullptr;
    auto arg = [&](unsigned n) { return call.getArgOperand(n); };
    switch (which) {
      case Dialect::IsShared:
      case Dialect::IsLocal:
      case Dialect::IsParam:
        return b_.CreateICmpULT(b_.CreateSub(arg(0), load_window_base(b_, t_.block, which)),
                                load_window_size(b_, t_.block, which));
      case Dialect::VoteAny:
      case Dialect::VoteAll:
      case Dialect::VoteUni:
        return vote(call, which);
      case Dialect::MatchAll:
        return match_all(call);
      case Dialect::Wgmma:
        return tensors_.wgmma(call);
      case Dialect::TensorMove:
        return tensors_.tensor_move(call);
      case Dialect::TensorMultiply:
        return tensors_.tensor_op(call, TensorOp::Multiply);
      case Dialect::TensorCopyIn:
        return tensors_.tensor_op(call, TensorOp::Copy);
      case Dialect::TensorShift:
        return tensors_.tensor_op(call, TensorOp::Shift);
      case Dialect::TensorCommit:
        return tensors_.tensor_op(call, TensorOp::Commit);
      case Dialect::MatrixProduct:
        return matrices_.product(call);
      case Dialect::LdMatrix1:
      case Dialect::LdMatrix2:
      case Dialect::LdMatrix4:
        return matrices_.load_matrix(call, t_.lane());
      case Dialect::StMatrix1:
      case Dialect::StMatrix2:
      case Dialect::StMatrix4:
        matrices_.store_matrix(call, t_.lane());
        return nullptr;
      case Dialect::MovMatrix:
        return matrices_.move_matrix(call, t_.lane());
      case Dialect::StackCheck:
        check_stack(call, arg(0));
        return nullptr;
      case Dialect::Image:
        return image(call, t_.warp());
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
  ThreadBuilder t_;
  BlockShape shape_;
  ThreadOptions options_;
  bool is_kernel_;
  IRBuilder<>& b_;
  ThreadMatrices matrices_;
  ThreadTensors tensors_;
  ThreadInstrument instrument_;
  Value *image_handle_ = nullptr, *image_words_ = nullptr, *image_results_ = nullptr;
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
