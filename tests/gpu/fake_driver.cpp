// A libcuda for machines without a GPU: the driver functions of driver.h on the virtual device. With it the judge
// itself is tested, and must agree with every file (dry run).
#include <cstring>
#include <map>
#include <memory>
#include <string>

#include "driver.h"
#include "exec/interpreter/engines.h"

namespace {

using namespace warpwise;
using device::Failure;
using device::Status;

// WARPWISE_FAKE_ENGINE chooses how; "interpreter" when nothing is said.
std::unique_ptr<exec::VirtualDevice>& device_here() {
  static std::unique_ptr<exec::VirtualDevice> device = [] {
    const char* engine = std::getenv("WARPWISE_FAKE_ENGINE");
    auto opened = test::open_device(engine ? engine : "interpreter", [](std::string_view text) { fwrite(text.data(), 1, text.size(), stdout); });
    return opened ? std::move(*opened) : nullptr;
  }();
  return device;
}

struct Kernel {
  device::KernelId id;
};

struct ErrorRow {
  Failure failure;
  int code;  // CUresult
  const char* name;
};
constexpr ErrorRow kErrors[] = {
    {Failure::None, 0, "CUDA_SUCCESS"},
    {Failure::InvalidValue, 1, "CUDA_ERROR_INVALID_VALUE"},
    {Failure::OutOfMemory, 2, "CUDA_ERROR_OUT_OF_MEMORY"},
    {Failure::InvalidPtx, 218, "CUDA_ERROR_INVALID_PTX"},
    {Failure::NotFound, 500, "CUDA_ERROR_NOT_FOUND"},
    {Failure::IllegalAddress, 700, "CUDA_ERROR_ILLEGAL_ADDRESS"},
    {Failure::TooManyResources, 701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"},
    {Failure::LaunchTimeout, 702, "CUDA_ERROR_LAUNCH_TIMEOUT"},
    {Failure::Assert, 710, "CUDA_ERROR_ASSERT"},
    {Failure::HardwareStackError, 714, "CUDA_ERROR_HARDWARE_STACK_ERROR"},
    {Failure::IllegalInstruction, 715, "CUDA_ERROR_ILLEGAL_INSTRUCTION"},
    {Failure::MisalignedAddress, 716, "CUDA_ERROR_MISALIGNED_ADDRESS"},
    {Failure::InvalidPc, 718, "CUDA_ERROR_INVALID_PC"},
    {Failure::LaunchFailure, 719, "CUDA_ERROR_LAUNCH_FAILED"},
    {Failure::NotSupported, 801, "CUDA_ERROR_NOT_SUPPORTED"},
};

int code_of(const Status& status) {
  for (const ErrorRow& row : kErrors) {
    if (row.failure == status.failure) return row.code;
  }
  return 999;
}

int launch(void* function, device::Dim3 grid, device::Dim3 block, unsigned shared, void** parameters, bool cooperative) {
  auto& device = *device_here();
  device::Launch command;
  command.kernel = static_cast<Kernel*>(function)->id;
  command.grid = grid;
  command.block = block;
  command.dynamic_shared_bytes = shared;
  command.cooperative = cooperative;
  const device::KernelInfo& info = device.kernel_info(command.kernel);
  command.parameters.resize(info.parameter_bytes);
  for (size_t k = 0; k < info.parameters.size(); ++k) {
    std::memcpy(command.parameters.data() + info.parameters[k].offset, parameters[k], info.parameters[k].size);
  }
  return code_of(device.submit(0, command));
}

}  // namespace

extern "C" {
int cuInit(unsigned) { return device_here() ? 0 : 999; }
int cuDriverGetVersion(int* version) { return *version = 12050, 0; }
int cuDeviceGet(int* device, int) { return *device = 0, 0; }
int cuDeviceGetName(char* name, int length, int) { return snprintf(name, static_cast<size_t>(length), "virtual GPU"), 0; }
int cuDeviceGetAttribute(int* value, int attribute, int) { return *value = attribute == gpu::kComputeCapabilityMajor ? 9 : 0, 0; }
int cuDevicePrimaryCtxRetain(void** context, int) { return *context = device_here().get(), 0; }
int cuCtxSetCurrent(void*) { return 0; }
int cuCtxSynchronize() { return code_of(device_here()->wait_all()); }
int cuGetErrorName(int error, const char** name) {
  for (const ErrorRow& row : kErrors) {
    if (row.code == error) *name = row.name;
  }
  return 0;
}
int cuModuleLoadDataEx(void** module, const void* image, unsigned count, int* options, void** values) {
  device::ModuleId id;
  Status status = device_here()->load_module(static_cast<const char*>(image), "module", &id);
  for (unsigned k = 0; k < count; ++k) {
    if (options[k] == gpu::kJitErrorLogBuffer) strncpy(static_cast<char*>(values[k]), status.detail.c_str(), 1000);
  }
  *module = reinterpret_cast<void*>(uint64_t{id});
  return code_of(status);
}
int cuModuleGetFunction(void** function, void* module, const char* name) {
  auto* kernel = new Kernel;
  *function = kernel;
  return code_of(device_here()->find_kernel(static_cast<device::ModuleId>(reinterpret_cast<uint64_t>(module)), name, &kernel->id));
}
int cuFuncSetAttribute(void*, int, int) { return 0; }
int cuMemAlloc_v2(uint64_t* address, size_t bytes) {
  return code_of(device_here()->allocate(bytes, device::MemoryKind::Device, address));
}
int cuMemcpyHtoD_v2(uint64_t to, const void* from, size_t bytes) {
  return code_of(device_here()->submit(0, device::CopyToDevice{to, from, {bytes}}));
}
int cuMemcpyDtoH_v2(void* to, uint64_t from, size_t bytes) {
  Status status = device_here()->submit(0, device::CopyFromDevice{to, from, {bytes}});
  return code_of(status.ok() ? device_here()->wait(0) : status);
}
int cuLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, void*, void** parameters, void**) {
  return launch(function, {gx, gy, gz}, {bx, by, bz}, shared, parameters, false);
}
int cuLaunchCooperativeKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                              unsigned bz, unsigned shared, void*, void** parameters) {
  return launch(function, {gx, gy, gz}, {bx, by, bz}, shared, parameters, true);
}
}
