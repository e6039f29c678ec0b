// The functions that compilers call implicitly: registration of device code before main, and the launch configuration
// between <<<...>>> and the kernel's stub.
#include <type_traits>

#include "cuda/runtime/api.h"
#include "cuda/runtime/call.h"
#include "cuda/runtime/module/launch.h"

using namespace warpwise;
using namespace warpwise::cuda;

namespace {

// Compilers treat the handle as an array of pointers and never read it; here it is a Module.
Module* module_of(void** handle) { return Process::instance().modules.find_module(handle); }

struct CallConfiguration {
  dim3 grid, block;
  size_t shared_bytes;
  cudaStream_t stream;
};

// f<<<g, b>>>(x) pushes the configuration, evaluates x (which may launch kernels itself), then pops it in f's stub.
// Nothing destroys a stack, because destructors of static objects launch kernels after the thread's own objects are
// gone.
struct CallConfigurations {
  static constexpr size_t kMost = 64;
  CallConfiguration entries[kMost];
  size_t count = 0;
};
static_assert(std::is_trivially_destructible_v<CallConfigurations>);
thread_local CallConfigurations call_configurations;

}  // namespace

void** __cudaRegisterFatBinary(void* wrapper) {
  return reinterpret_cast<void**>(Process::instance().modules.add(static_cast<const FatBinaryWrapper*>(wrapper)));
}

// Host code compiled by Clang uses its managed variables without a call (managed_shadows.h), so they get their values
// now. A failure is reported here and kept for the module's launches.
void __cudaRegisterFatBinaryEnd(void** handle) {
  Module* module = module_of(handle);
  if (!module) return;
  // (A library that is opened while there is a device already.)
  Process& process = Process::instance();
  if (device::Device* gpu = process.opened_device()) process.modules.load_ahead(*gpu);
  if (!module->has_managed_shadows()) return;
  (void)call(
      "__cudaRegisterFatBinaryEnd", [&](Process&, device::Device& gpu) { return module->load(gpu); }, CallKind::Launch);
}

// Runs from atexit, and from dlclose of a library with kernels.
void __cudaUnregisterFatBinary(void** handle) {
  Module* module = module_of(handle);
  if (!module) return;
  Process::instance().checks.unregistered(module);
  Process::instance().modules.remove(module);
}

void __cudaRegisterFunction(void** handle, const char* host_function, char*, const char* name, int, uint3*, uint3*,
                            dim3*, dim3*, int*) {
  if (Module* module = module_of(handle)) Process::instance().modules.add_kernel(module, host_function, name);
}

void __cudaRegisterVar(void** handle, char* host_variable, char*, const char* name, int, size_t size, int, int) {
  bool shadow = ManagedShadows::is_shadow(host_variable);
  Module* module = module_of(handle);
  if (!module) return;
  Process& process = Process::instance();
  if (!shadow) process.checks.registered(module, name, host_variable, size);
  process.modules.add_variable(
      module, {.name = name, .host = host_variable, .size = size, .managed_shadow = shadow ? host_variable : nullptr});
}

void __cudaRegisterManagedVar(void** handle, void** host_pointer, char*, const char* name, int, size_t size, int, int) {
  if (Module* module = module_of(handle))
    Process::instance().modules.add_variable(
        module, {.name = name, .host = host_pointer, .size = size, .managed_pointer = host_pointer});
}

// Host code is about to access a managed variable. The result is kept as a "done" flag, so one failure is final. The
// null pointer that is left then faults, as it would in a real program.
char __cudaInitModule(void** handle) {
  Module* module = module_of(handle);
  if (!module) return 0;
  cudaError_t error =
      call("__cudaInitModule", [&](Process&, device::Device& gpu) { return module->load(gpu); }, CallKind::Launch);
  return error == cudaSuccess;
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream) {
  auto& stack = call_configurations;
  if (stack.count == CallConfigurations::kMost)
    return call_without_device("__cudaPushCallConfiguration", [] {
      return fail(cudaErrorLaunchOutOfResources, "too many launches are nested in one another's arguments");
    });
  stack.entries[stack.count++] = {grid, block, shared_bytes, stream};
  Process::instance().checks.launching_with_brackets();
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream) {
  auto& stack = call_configurations;
  if (stack.count == 0)
    return call_without_device("__cudaPopCallConfiguration", [] {
      return fail(cudaErrorMissingConfiguration, "a kernel's stub was called without <<<...>>>");
    });
  const CallConfiguration& top = stack.entries[--stack.count];
  *grid = top.grid;
  *block = top.block;
  *shared_bytes = top.shared_bytes;
  *static_cast<cudaStream_t*>(stream) = top.stream;
  return cudaSuccess;
}

// nvcc 13 asks once per kernel and launches by handle. Nothing is loaded yet: launches report errors.
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) { return cudaGetKernel(kernel, function); }

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                               cudaStream_t stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
}
