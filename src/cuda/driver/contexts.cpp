#include "cuda/driver/contexts.h"

namespace warpwise::cuda::driver {

namespace {

thread_local std::vector<CUcontext> stack;

// The device that the runtime has chosen for this thread.
int runtime_device() {
  int device = 0;
  (void)cudaGetDevice(&device);
  return device;
}

// The runtime follows the driver: its calls go to the device of the current context.
void follow(CUcontext context) {
  if (context) (void)cudaSetDevice(context->device);
}

void drop_top() {
  if (!stack.empty()) stack.pop_back();
  if (!stack.empty()) follow(stack.back());
}

}  // namespace

// Never destroyed, like Process.
Contexts& Contexts::instance() {
  static auto* contexts = new Contexts;
  return *contexts;
}

CUcontext Contexts::create(int device, unsigned flags, unsigned api_version) {
  std::lock_guard lock(mutex_);
  auto owned = std::make_unique<CUctx_st>(CUctx_st{device, flags, false, 0, next_id_++, api_version});
  CUcontext context = owned.get();
  contexts_.emplace(context, std::move(owned));
  return context;
}

CUcontext Contexts::primary(int device) {
  auto [entry, fresh] = primaries_.emplace(device, nullptr);
  if (fresh) {
    auto owned = std::make_unique<CUctx_st>(CUctx_st{.device = device, .primary = true, .id = next_id_++});
    entry->second = owned.get();
    contexts_.emplace(entry->second, std::move(owned));
  }
  return entry->second;
}

bool Contexts::any_left(int device) const {
  if (runtime_used()) return true;
  for (const auto& [context, owned] : contexts_)
    if (context->device == device && (!context->primary || context->retained)) return true;
  return false;
}

cudaError_t Contexts::destroy(device::Device& gpu, CUcontext context) {
  CUDA_TRY(check(context));
  if (context->primary)
    return fail(as_error(CUDA_ERROR_INVALID_CONTEXT), "a primary context is released, not destroyed");
  (void)gpu.wait_all();
  if (!stack.empty() && stack.back() == context) drop_top();
  bool last = false;
  {
    std::lock_guard lock(mutex_);
    int device = context->device;
    contexts_.erase(context);
    last = !any_left(device);
  }
  if (last) Process::instance().reset(gpu);
  return cudaSuccess;
}

CUcontext Contexts::retain_primary(int device) {
  std::lock_guard lock(mutex_);
  CUcontext context = primary(device);
  ++context->retained;
  return context;
}

cudaError_t Contexts::release_primary(device::Device& gpu, int device) {
  bool last = false;
  {
    std::lock_guard lock(mutex_);
    CUcontext context = primary(device);
    if (context->retained == 0)
      return fail(as_error(CUDA_ERROR_INVALID_CONTEXT), "the primary context has not been retained");
    --context->retained;
    last = !any_left(device);
  }
  if (last) Process::instance().reset(gpu);
  return cudaSuccess;
}

cudaError_t Contexts::set_primary_flags(int device, unsigned flags) {
  std::lock_guard lock(mutex_);
  primary(device)->flags = flags;
  return cudaSuccess;
}

void Contexts::primary_state(int device, unsigned* flags, bool* active) {
  std::lock_guard lock(mutex_);
  CUcontext context = primary(device);
  *flags = context->flags;
  *active = context->retained != 0 || runtime_used();
}

void Contexts::push(CUcontext context) {
  stack.push_back(context);
  follow(context);
}

cudaError_t Contexts::pop(CUcontext* context) {
  CUcontext top = current();
  if (!top) return fail(as_error(CUDA_ERROR_INVALID_CONTEXT), "no context is current");
  if (context) *context = top;
  drop_top();
  return cudaSuccess;
}

void Contexts::set_current(CUcontext context) {
  drop_top();
  if (context) push(context);
}

// cudaSetDevice after a push replaces the current context with a primary context.
CUcontext Contexts::current() {
  CUcontext top = stack.empty() ? nullptr : stack.back();
  if (!runtime_used_by_this_thread() || (top && !exists(top))) return top;
  int device = runtime_device();
  if (top && top->device == device) return top;
  std::lock_guard lock(mutex_);
  CUcontext replacement = primary(device);
  if (top) stack.back() = replacement;
  return replacement;
}

bool Contexts::exists(CUcontext context) const {
  std::lock_guard lock(mutex_);
  return contexts_.contains(context);
}

cudaError_t Contexts::check_current() {
  CUcontext context = current();
  if (!context)
    return fail(as_error(CUDA_ERROR_INVALID_CONTEXT),
                "no context is current: call cuCtxCreate or cuCtxSetCurrent first");
  if (!exists(context))
    return fail(as_error(CUDA_ERROR_CONTEXT_IS_DESTROYED), "the current context has been destroyed");
  return cudaSuccess;
}

cudaError_t Contexts::check(CUcontext context) const {
  if (!context) return fail(as_error(CUDA_ERROR_INVALID_VALUE), "the context is null");
  if (exists(context)) return cudaSuccess;
  return fail(as_error(CUDA_ERROR_INVALID_CONTEXT), "the context was never created, or it has been destroyed");
}

}  // namespace warpwise::cuda::driver
