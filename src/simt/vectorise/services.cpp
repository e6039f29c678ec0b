#include "simt/vectorise/services.h"

#include "ptx/shapes/image_access.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// A call of a service for each active lane, in order. Arguments that differ between lanes and the results lie in memory
// meanwhile.
class LaneCalls : WarpEmitter {
 public:
  LaneCalls(WarpBuilder& w, CallInst& call) : WarpEmitter(w), call_(call) {}

  // `one` emits the call for a lane and gives its result.
  void emit(const std::function<Value*(Value* lane)>& one) {
    Type* type = call_.getType();
    for (Value* v : call_.args())
      arguments_.push_back(is_uniform(v) ? Argument{scalar(v), nullptr, v->getType()}
                                         : Argument{nullptr, spill(vector(v), "args"), v->getType()});
    Value* results = type->isVoidTy() ? nullptr : spill(Constant::getNullValue(wide(type)), "results");
    for_each_lane(mask_, [&](Value* lane) {
      Value* result = one(lane);
      if (results) set_lane(results, type, lane, result);
    });
    if (results) set_vector(call_, unspill(results, wide(type)));
  }

  // The n-th argument of the call in a lane; within `emit` only.
  Value* argument(unsigned n, Value* lane) {
    const Argument& a = arguments_[n];
    return a.scalar ? a.scalar : lane_of(a.spilled, a.type, lane);
  }
  void append_arguments(SmallVectorImpl<Value*>& values, Value* lane) {
    for (unsigned n = 0; n < arguments_.size(); ++n) values.push_back(argument(n, lane));
  }

 private:
  struct Argument {
    Value *scalar, *spilled;
    Type* type;
  };
  CallInst& call_;
  SmallVector<Argument, 4> arguments_;
};

}  // namespace

Value* ServiceEmitter::value_of(Role role, CallInst& call, Value* lane) {
  switch (role) {
    case Role::Block:
      return block_arg_;
    case Role::Warp:
      return warp_arg_;
    case Role::Lane:
      return lane;
    case Role::Lanes:
      return mask_bits(mask_);
    case Role::Site:
      return site_of(call);
    default:
      llvm_unreachable("a service that SIMT mode cannot call");  // services.inc is checked at compile time
  }
}

void ServiceEmitter::emit_served(CallInst& call, const ServedBy& served) {
  switch (served.how) {
    case ServedBy::How::OncePerWarp: {
      SmallVector<Value*, 4> arguments;
      for (Value* v : call.args()) {
        if (!is_uniform(v)) return fail(call);
        arguments.push_back(scalar(v));
      }
      const auto values = service_arguments(b_, served, arguments, [&](Role role) { return value_of(role, call); });
      Value* result = call_service(served.service, values);
      if (!call.getType()->isVoidTy()) set_scalar(call, result);
      return;
    }
    case ServedBy::How::ForEachLane:
      return emit_lane_service(call, served);
    case ServedBy::How::ForFirstLane:
      return emit_first_lane_service(call, served);
    case ServedBy::How::Pure:
      return emit_pure_service(call, served);
    default:
      return fail(call);
  }
}

void ServiceEmitter::emit_lane_service(CallInst& call, const ServedBy& served) {
  LaneCalls lanes(w_, call);
  lanes.emit([&](Value* lane) {
    SmallVector<Value*, 16> arguments;
    lanes.append_arguments(arguments, lane);
    return call_service(served.service, service_arguments(b_, served, arguments,
                                                          [&](Role role) { return value_of(role, call, lane); }));
  });
}

void ServiceEmitter::emit_first_lane_service(CallInst& call, const ServedBy& served) {
  if (!is_uniform(&call)) return emit_lane_service(call, served);
  SmallVector<Value*, 4> arguments;
  for (Value* v : call.args()) arguments.push_back(scalar(v));
  Value* first = b_.CreateBinaryIntrinsic(Intrinsic::cttz, mask_bits(mask_), b_.getTrue());
  set_scalar(call, call_service(served.service, service_arguments(b_, served, arguments, [&](Role role) {
                                  return value_of(role, call, first);
                                })));
}

// Called once where the arguments are uniform.
void ServiceEmitter::emit_pure_service(CallInst& call, const ServedBy& served) {
  if (!shapes_.of(&call).is_uniform()) return emit_lane_service(call, served);
  SmallVector<Value*, 4> arguments;
  for (Value* v : call.args()) arguments.push_back(scalar(v));
  set_scalar(call, call_service(served.service, service_arguments(b_, served, arguments,
                                                                  [&](Role role) { return value_of(role, call); })));
}

// For the lanes whose stack would reach beyond their local memory.
void ServiceEmitter::emit_stack_check(CallInst& call) {
  Value* end = call.getArgOperand(0);
  if (auto* constant = dyn_cast<ConstantInt>(end); constant && constant->getZExtValue() <= options_.local_stride)
    return;
  Value* full = b_.CreateAnd(mask_, b_.CreateICmpUGT(vector(end), splat(b_.getInt64(options_.local_stride))));
  for_each_lane(
      full, [&](Value* lane) { call_service(Service::stack_overflow, {block_arg_, warp_arg_, lane, site_of(call)}); });
}

// One call for the whole warp: arguments and results lie in memory, a vector of 32 lanes each.
void ServiceEmitter::emit_image(CallInst& call) {
  Type* i32 = b_.getInt32Ty();
  Type* i64 = b_.getInt64Ty();
  const uint64_t code = cast<ConstantInt>(call.getArgOperand(0))->getZExtValue();
  const ptx::ImageAccess access = ptx::ImageAccess::unpack(code);
  if (!image_handles_) {
    image_handles_ = slot(ArrayType::get(i64, kLanes), "image.handles");
    image_words_ = slot(ArrayType::get(i32, kLanes * ptx::kMostImageWords), "image.words");
    image_results_ = slot(ArrayType::get(i32, kLanes * ptx::kMostImageResults), "image.results");
    for (AllocaInst* memory : {image_handles_, image_words_, image_results_}) memory->setAlignment(Align(64));
  }
  auto lanes_at = [&](Value* memory, unsigned k) {
    return b_.CreateConstInBoundsGEP1_64(i32, memory, uint64_t{k} * kLanes);
  };
  b_.CreateAlignedStore(vector(call.getArgOperand(1)), image_handles_, Align(64));
  for (unsigned k = 0; k < access.words; ++k)
    b_.CreateAlignedStore(vector(call.getArgOperand(2 + k)), lanes_at(image_words_, k), Align(64));
  call_service(Service::image, {block_arg_, warp_arg_, mask_bits(mask_), b_.getInt64(code), image_handles_,
                                image_words_, image_results_, site_of(call)});
  SmallVector<Value*, 4> fields;
  for (unsigned k = 0; k < ptx::kMostImageResults; ++k)
    fields.push_back(k < access.results
                         ? static_cast<Value*>(b_.CreateAlignedLoad(wide(i32), lanes_at(image_results_, k), Align(64)))
                         : Constant::getNullValue(wide(i32)));
  set_fields(call, fields);
}

}  // namespace warpwise::simt
