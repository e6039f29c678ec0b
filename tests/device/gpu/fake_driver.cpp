// A library with the functions of NVIDIA's driver that src/device/gpu calls. Memory is the host's, work runs when it is
// submitted, kernels do what the test says. It counts what is made and given back, and fails where it is told to.
//
// -DFAKE_OF_CUDA_12_2: without the functions that came later, as a driver of that version.
#include "fake_driver.h"

#include <cstdlib>
#include <cstring>
#include <new>

#include "device/gpu/driver_types.h"

namespace warpwise::device::gpu::testing {
namespace {

FakeDriver& state() {
  static FakeDriver fake;
  return fake;
}

// Notes the call; what it is to return instead of doing anything, or kSuccess.
CUresult enter(const char* symbol) {
  FakeDriver& fake = state();
  const int number = static_cast<int>(fake.calls.size());
  fake.calls.emplace_back(symbol);
  if (fake.poisoned) return fake.poisoned;
  if (number != fake.fail_at) return kSuccess;
  fake.failed = symbol;
  if (fake.failure >= 700) fake.poisoned = fake.failure;
  return fake.failure;
}
#define ENTER(symbol) \
  if (CUresult failed = enter(symbol); failed != kSuccess) return failed
// Of calls that give something back.
#define LEAVE(symbol, kind) \
  ENTER(symbol);            \
  --state().live[kind]

struct Function;
struct Module {
  std::string text;
  std::vector<Function*> functions;
  std::map<std::string, std::vector<std::byte>> variables;
};
struct Function {
  std::string name;
  std::vector<size_t> parameters;  // sizes
};

size_t size_of(std::string_view type) {
  return type.ends_with("64") ? 8 : type.ends_with("32") ? 4 : type.ends_with("16") ? 2 : 1;
}

// ".visible .entry name(.param .u64 a, .param .u32 b)"
std::vector<size_t> parameters_of(const std::string& text, size_t name_ends) {
  std::vector<size_t> sizes;
  const size_t open = text.find('(', name_ends), close = text.find(')', open);
  for (size_t at = text.find(".param .", open); at < close; at = text.find(".param .", at + 1)) {
    const size_t type = at + std::strlen(".param .");
    sizes.push_back(size_of(std::string_view(text).substr(type, text.find(' ', type) - type)));
  }
  return sizes;
}

void* make(const char* kind) {
  ++state().live[kind];
  return std::malloc(16);
}

std::map<CUdeviceptr, bool>& managed() {  // of variables
  static std::map<CUdeviceptr, bool> table;
  return table;
}

void copy_rows(const Memcpy3D::Side& dst, const Memcpy3D::Side& src, size_t width, size_t height, size_t depth) {
  auto at = [](const Memcpy3D::Side& side, size_t y, size_t z) {
    auto* base = side.type == kHostMemory     ? static_cast<std::byte*>(const_cast<void*>(side.host))
                 : side.type == kDeviceMemory ? reinterpret_cast<std::byte*>(side.device)
                                              : reinterpret_cast<std::byte*>(side.array);
    return base + (side.z + z) * side.pitch * side.height + (side.y + y) * side.pitch + side.x_bytes;
  };
  for (size_t z = 0; z < depth; ++z)
    for (size_t y = 0; y < height; ++y) std::memmove(at(dst, y, z), at(src, y, z), width);
}

template <class T>
void fill(CUdeviceptr to, size_t pitch, T value, size_t width, size_t height) {
  for (size_t y = 0; y < height; ++y)
    for (size_t x = 0; x < width; ++x)
      std::memcpy(reinterpret_cast<std::byte*>(to + y * pitch) + x * sizeof value, &value, sizeof value);
}

}  // namespace
}  // namespace warpwise::device::gpu::testing

using namespace warpwise::device::gpu;
using namespace warpwise::device::gpu::testing;

extern "C" {

FakeDriver* fake_driver() { return &state(); }

CUresult cuInit(unsigned) {
  ENTER("cuInit");
  return kSuccess;
}
CUresult cuDriverGetVersion(int* version) {
  ENTER("cuDriverGetVersion");
  *version = state().version;
  return kSuccess;
}
CUresult cuGetErrorName(CUresult error, const char** name) {
  static std::map<CUresult, std::string> names;
  *name = names.try_emplace(error, "CUDA_ERROR_" + std::to_string(error)).first->second.c_str();
  return kSuccess;
}
CUresult cuGetErrorString(CUresult, const char** text) {
  *text = "as the test wants";
  return kSuccess;
}

// --- devices and contexts
CUresult cuDeviceGetCount(int* count) {
  ENTER("cuDeviceGetCount");
  *count = state().gpus;
  return kSuccess;
}
CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  ENTER("cuDeviceGet");
  *device = ordinal;
  return kSuccess;
}
CUresult cuDeviceGetName(char* name, int length, CUdevice) {
  ENTER("cuDeviceGetName");
  std::strncpy(name, state().name.c_str(), static_cast<size_t>(length));
  return kSuccess;
}
CUresult cuDeviceTotalMem_v2(size_t* bytes, CUdevice) {
  ENTER("cuDeviceTotalMem_v2");
  *bytes = state().total_bytes;
  return kSuccess;
}
CUresult cuDeviceGetAttribute(int* value, int attribute, CUdevice) {
  auto found = state().attributes.find(attribute);
  if (found == state().attributes.end()) return kInvalidValue;
  *value = found->second;
  return kSuccess;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice) {
  ENTER("cuDevicePrimaryCtxRetain");
  ++state().live["context"];
  *context = reinterpret_cast<CUcontext>(&state());
  return kSuccess;
}
// What is left of a context that has failed goes with it.
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice) {
  if (state().poisoned) state().live.clear(), ++state().live["context"];
  state().poisoned = 0;
  LEAVE("cuDevicePrimaryCtxRelease_v2", "context");
  return kSuccess;
}
// As hardware does: of the failure nothing stays.
CUresult cuDevicePrimaryCtxReset_v2(CUdevice) {
  state().poisoned = 0;
  ENTER("cuDevicePrimaryCtxReset_v2");
  return kSuccess;
}
CUresult cuCtxSetCurrent(CUcontext) { return kSuccess; }
CUresult cuCtxSynchronize() {
  ENTER("cuCtxSynchronize");
  return kSuccess;
}
CUresult cuCtxSetLimit(int limit, size_t value) {
  ENTER("cuCtxSetLimit");
  state().limits[limit] = value;
  return kSuccess;
}

// --- memory
CUresult cuMemGetInfo_v2(size_t* free_bytes, size_t* total_bytes) {
  ENTER("cuMemGetInfo_v2");
  *free_bytes = state().free_bytes;
  *total_bytes = state().total_bytes;
  return kSuccess;
}
static CUresult allocate(const char* kind, size_t bytes, void** out) {
  *out = std::aligned_alloc(512, (bytes + 511) / 512 * 512);
  if (!*out) return 2;
  ++state().live[kind];
  return kSuccess;
}
CUresult cuMemAlloc_v2(CUdeviceptr* address, size_t bytes) {
  ENTER("cuMemAlloc_v2");
  return allocate("memory", bytes, reinterpret_cast<void**>(address));
}
CUresult cuMemAllocManaged(CUdeviceptr* address, size_t bytes, unsigned flags) {
  ENTER("cuMemAllocManaged");
  return flags == 1 ? allocate("memory", bytes, reinterpret_cast<void**>(address)) : kInvalidValue;
}
CUresult cuMemFree_v2(CUdeviceptr address) {
  LEAVE("cuMemFree_v2", "memory");
  std::free(reinterpret_cast<void*>(address));
  return kSuccess;
}
CUresult cuMemHostAlloc(void** memory, size_t bytes, unsigned flags) {
  ENTER("cuMemHostAlloc");
  return flags == 3 ? allocate("pinned memory", bytes, memory) : kInvalidValue;
}
CUresult cuMemFreeHost(void* memory) {
  LEAVE("cuMemFreeHost", "pinned memory");
  std::free(memory);
  return kSuccess;
}
CUresult cuMemHostRegister_v2(void*, size_t, unsigned) {
  ENTER("cuMemHostRegister_v2");
  ++state().live["registered memory"];
  return kSuccess;
}
CUresult cuMemHostUnregister(void*) {
  LEAVE("cuMemHostUnregister", "registered memory");
  return kSuccess;
}
CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr* address, void* memory, unsigned) {
  ENTER("cuMemHostGetDevicePointer_v2");
  *address = reinterpret_cast<CUdeviceptr>(memory);
  return kSuccess;
}
CUresult cuPointerGetAttribute(void* value, int attribute, CUdeviceptr address) {
  ENTER("cuPointerGetAttribute");
  if (attribute != 8) return kInvalidValue;
  *static_cast<unsigned*>(value) = managed()[address];
  return kSuccess;
}
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, size_t bytes, CUstream) {
  ENTER("cuMemcpyHtoDAsync_v2");
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return kSuccess;
}
CUresult cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, size_t bytes, CUstream) {
  ENTER("cuMemcpyDtoHAsync_v2");
  std::memcpy(to, reinterpret_cast<void*>(from), bytes);
  return kSuccess;
}
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream) {
  ENTER("cuMemcpyDtoDAsync_v2");
  std::memmove(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), bytes);
  return kSuccess;
}
CUresult cuMemcpy2DAsync_v2(const Memcpy2D* c, CUstream) {
  ENTER("cuMemcpy2DAsync_v2");
  auto side = [](const Memcpy2D::Side& s) {
    Memcpy3D::Side out;
    out.x_bytes = s.x_bytes, out.y = s.y, out.type = s.type, out.host = s.host, out.device = s.device;
    out.pitch = s.pitch;
    return out;
  };
  copy_rows(side(c->dst), side(c->src), c->width_bytes, c->height, 1);
  return kSuccess;
}
// Arrays are rows without gaps here.
CUresult cuMemcpy3DAsync_v2(const Memcpy3D* c, CUstream) {
  ENTER("cuMemcpy3DAsync_v2");
  auto side = [&](Memcpy3D::Side s) {
    if (s.type == kArrayMemory) s.pitch = c->width_bytes, s.height = c->height;
    return s;
  };
  copy_rows(side(c->dst), side(c->src), c->width_bytes, c->height, c->depth);
  return kSuccess;
}
#define FILL(symbol, rows_symbol, type)                                                                   \
  CUresult symbol(CUdeviceptr to, type value, size_t count, CUstream) {                                   \
    ENTER(#symbol);                                                                                       \
    fill(to, 0, value, count, 1);                                                                         \
    return kSuccess;                                                                                      \
  }                                                                                                       \
  CUresult rows_symbol(CUdeviceptr to, size_t pitch, type value, size_t width, size_t height, CUstream) { \
    ENTER(#rows_symbol);                                                                                  \
    fill(to, pitch, value, width, height);                                                                \
    return kSuccess;                                                                                      \
  }
FILL(cuMemsetD8Async, cuMemsetD2D8Async, unsigned char)
FILL(cuMemsetD16Async, cuMemsetD2D16Async, unsigned short)
FILL(cuMemsetD32Async, cuMemsetD2D32Async, unsigned)

// --- modules
CUresult cuModuleLoadDataEx(CUmodule* out, const void* image, unsigned count, int* options, void** values) {
  ENTER("cuModuleLoadDataEx");
  FakeDriver& fake = state();
  fake.module_text = static_cast<const char*>(image);
  if (!fake.compile_error.empty()) {
    for (unsigned i = 0; i < count; ++i)
      if (options[i] == 5) std::strcpy(static_cast<char*>(values[i]), fake.compile_error.c_str());
    return 218;
  }
  ++fake.live["module"];
  auto* module = new Module{fake.module_text, {}, {}};
  *out = reinterpret_cast<CUmodule>(module);
  return kSuccess;
}
// A link is the text of its modules, and so is what it makes.
CUresult cuLinkCreate_v2(unsigned, int*, void**, CUlinkState* out) {
  ENTER("cuLinkCreate_v2");
  ++state().live["link"];
  *out = reinterpret_cast<CUlinkState>(new std::string);
  return kSuccess;
}
CUresult cuLinkAddData_v2(CUlinkState link, int type, void* data, size_t bytes, const char*, unsigned, int*, void**) {
  ENTER("cuLinkAddData_v2");
  const char* text = static_cast<const char*>(data);
  if (type != 1 || text[bytes - 1] != '\0' || std::strlen(text) != bytes - 1) return kInvalidValue;
  *reinterpret_cast<std::string*>(link) += std::string(text) + "// linked\n";
  return kSuccess;
}
CUresult cuLinkComplete(CUlinkState link, void** image, size_t* bytes) {
  ENTER("cuLinkComplete");
  auto* text = reinterpret_cast<std::string*>(link);
  *image = text->data(), *bytes = text->size();
  return kSuccess;
}
CUresult cuLinkDestroy(CUlinkState link) {
  LEAVE("cuLinkDestroy", "link");
  delete reinterpret_cast<std::string*>(link);
  return kSuccess;
}
CUresult cuModuleUnload(CUmodule handle) {
  LEAVE("cuModuleUnload", "module");
  auto* module = reinterpret_cast<Module*>(handle);
  for (Function* function : module->functions) delete function;
  delete module;
  return kSuccess;
}
CUresult cuModuleGetFunction(CUfunction* out, CUmodule handle, const char* name) {
  ENTER("cuModuleGetFunction");
  auto* module = reinterpret_cast<Module*>(handle);
  const size_t at = module->text.find(".entry " + std::string(name) + "(");
  if (at == std::string::npos || module->text.compare(at - 3, 3, "// ") == 0) return kNotFound;
  module->functions.push_back(new Function{name, parameters_of(module->text, at)});
  *out = reinterpret_cast<CUfunction>(module->functions.back());
  return kSuccess;
}
CUresult cuFuncLoad(CUfunction function) {
  ENTER("cuFuncLoad");
  return function ? kSuccess : kInvalidValue;
}
CUresult cuModuleGetGlobal_v2(CUdeviceptr* address, size_t* bytes, CUmodule handle, const char* name) {
  ENTER("cuModuleGetGlobal_v2");
  auto* module = reinterpret_cast<Module*>(handle);
  const size_t at = module->text.find(std::string(" ") + name + ";");
  if (at == std::string::npos) return kNotFound;
  std::vector<std::byte>& memory = module->variables[name];
  memory.resize(4);
  const size_t line = module->text.rfind('\n', at) + 1;
  *address = reinterpret_cast<CUdeviceptr>(memory.data());
  *bytes = memory.size();
  managed()[*address] = module->text.substr(line, at - line).find(".managed") != std::string::npos;
  return kSuccess;
}
CUresult cuFuncGetAttribute(int* value, int attribute, CUfunction) {
  ENTER("cuFuncGetAttribute");
  *value = state().function_attributes[attribute];
  return kSuccess;
}
CUresult cuFuncSetAttribute(CUfunction, int attribute, int value) {
  ENTER("cuFuncSetAttribute");
  state().function_attributes[attribute] = value;
  return kSuccess;
}
#ifndef FAKE_OF_CUDA_12_2
CUresult cuFuncGetParamInfo(CUfunction handle, size_t index, size_t* offset, size_t* bytes) {
  auto* function = reinterpret_cast<Function*>(handle);
  if (index >= function->parameters.size()) return kInvalidValue;  // which is no failure here: there are no more
  if (CUresult failed = enter("cuFuncGetParamInfo"); failed != kSuccess) return failed == kInvalidValue ? 2 : failed;
  size_t at = 0;
  for (size_t i = 0; i <= index; ++i) {
    *bytes = function->parameters[i];
    at = (at + *bytes - 1) / *bytes * *bytes;
    *offset = at;
    at += *bytes;
  }
  return kSuccess;
}
#endif
CUresult cuLaunchKernelEx(const LaunchConfig* config, CUfunction handle, void** parameters, void**) {
  ENTER("cuLaunchKernelEx");
  auto* function = reinterpret_cast<Function*>(handle);
  FakeLaunch launch{.kernel = function->name,
                    .grid = {config->grid_x, config->grid_y, config->grid_z},
                    .block = {config->block_x, config->block_y, config->block_z},
                    .cluster = {1, 1, 1},
                    .shared_bytes = config->dynamic_shared_bytes,
                    .cooperative = false,
                    .stream = config->stream,
                    .parameters = {}};
  for (unsigned i = 0; i < config->attribute_count; ++i) {
    const LaunchAttribute& attribute = config->attributes[i];
    if (attribute.id == LaunchAttribute::Cooperative) launch.cooperative = attribute.cooperative;
    if (attribute.id == LaunchAttribute::ClusterDimension)
      std::memcpy(launch.cluster, attribute.cluster, sizeof launch.cluster);
  }
  for (size_t i = 0; i < function->parameters.size(); ++i) {
    auto* bytes = static_cast<const std::byte*>(parameters[i]);
    launch.parameters.emplace_back(bytes, bytes + function->parameters[i]);
  }
  state().launches.push_back(launch);
  if (state().on_launch) state().on_launch(launch);
  return kSuccess;
}
CUresult cuOccupancyMaxActiveClusters(int* clusters, CUfunction, const LaunchConfig* config) {
  ENTER("cuOccupancyMaxActiveClusters");
  const LaunchAttribute& attribute = config->attributes[0];
  *clusters = attribute.id == LaunchAttribute::ClusterDimension && attribute.cluster[0] == 16 ? 7 : 66;
  return kSuccess;
}
CUresult cuLaunchHostFunc(CUstream, void (*function)(void*), void* data) {
  ENTER("cuLaunchHostFunc");
  function(data);
  return kSuccess;
}

// --- streams and events
CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned, int) {
  ENTER("cuStreamCreateWithPriority");
  *stream = static_cast<CUstream>(make("stream"));
  return kSuccess;
}
CUresult cuStreamDestroy_v2(CUstream stream) {
  LEAVE("cuStreamDestroy_v2", "stream");
  std::free(stream);
  return kSuccess;
}
CUresult cuStreamSynchronize(CUstream) {
  ENTER("cuStreamSynchronize");
  return kSuccess;
}
static CUresult query() {
  return state().not_ready > 0 ? (--state().not_ready, CUresult(kNotReady)) : CUresult(kSuccess);
}
CUresult cuStreamQuery(CUstream) {
  ENTER("cuStreamQuery");
  return query();
}
CUresult cuStreamWaitEvent(CUstream, CUevent, unsigned) {
  ENTER("cuStreamWaitEvent");
  return kSuccess;
}
CUresult cuStreamWaitValue32_v2(CUstream, CUdeviceptr, uint32_t value, unsigned flags) {
  ENTER("cuStreamWaitValue32_v2");
  state().waited_values.push_back(value + (uint64_t{flags} << 32));
  return kSuccess;
}
CUresult cuStreamWaitValue64_v2(CUstream, CUdeviceptr, uint64_t value, unsigned) {
  ENTER("cuStreamWaitValue64_v2");
  state().waited_values.push_back(value);
  return kSuccess;
}
CUresult cuStreamWriteValue32_v2(CUstream, CUdeviceptr, uint32_t value, unsigned) {
  ENTER("cuStreamWriteValue32_v2");
  state().written_values.push_back(value);
  return kSuccess;
}
CUresult cuStreamWriteValue64_v2(CUstream, CUdeviceptr, uint64_t value, unsigned) {
  ENTER("cuStreamWriteValue64_v2");
  state().written_values.push_back(value);
  return kSuccess;
}
CUresult cuEventCreate(CUevent* event, unsigned) {
  ENTER("cuEventCreate");
  *event = static_cast<CUevent>(make("event"));
  return kSuccess;
}
CUresult cuEventDestroy_v2(CUevent event) {
  LEAVE("cuEventDestroy_v2", "event");
  std::free(event);
  return kSuccess;
}
CUresult cuEventRecord(CUevent, CUstream) {
  ENTER("cuEventRecord");
  return kSuccess;
}
CUresult cuEventSynchronize(CUevent) {
  ENTER("cuEventSynchronize");
  return kSuccess;
}
CUresult cuEventQuery(CUevent) {
  ENTER("cuEventQuery");
  return query();
}
CUresult cuEventElapsedTime(float* milliseconds, CUevent, CUevent) {
  ENTER("cuEventElapsedTime");
  *milliseconds = state().milliseconds;
  return kSuccess;
}

// --- images
static size_t bytes_of(const ArrayDescriptor& d) {
  return 16 * d.width * (d.height ? d.height : 1) * (d.depth ? d.depth : 1);
}
CUresult cuArray3DCreate_v2(CUarray* array, const ArrayDescriptor* d) {
  ENTER("cuArray3DCreate_v2");
  ++state().live["array"];
  *array = static_cast<CUarray>(std::calloc(1, bytes_of(*d)));
  return kSuccess;
}
CUresult cuArrayDestroy(CUarray array) {
  LEAVE("cuArrayDestroy", "array");
  std::free(array);
  return kSuccess;
}
// The levels one after the other, each with the room of the first.
CUresult cuMipmappedArrayCreate(CUmipmappedArray* array, const ArrayDescriptor* d, unsigned levels) {
  ENTER("cuMipmappedArrayCreate");
  ++state().live["mipmapped array"];
  auto* memory = static_cast<std::byte*>(std::calloc(1, sizeof(size_t) + levels * bytes_of(*d)));
  const size_t one = bytes_of(*d);
  std::memcpy(memory, &one, sizeof one);
  *array = reinterpret_cast<CUmipmappedArray>(memory);
  return kSuccess;
}
CUresult cuMipmappedArrayGetLevel(CUarray* level, CUmipmappedArray array, unsigned number) {
  ENTER("cuMipmappedArrayGetLevel");
  size_t one = 0;
  std::memcpy(&one, array, sizeof one);
  *level = reinterpret_cast<CUarray>(reinterpret_cast<std::byte*>(array) + sizeof one + number * one);
  return kSuccess;
}
CUresult cuMipmappedArrayDestroy(CUmipmappedArray array) {
  LEAVE("cuMipmappedArrayDestroy", "mipmapped array");
  std::free(array);
  return kSuccess;
}
// A handle is the address of what is sampled.
CUresult cuTexObjectCreate(unsigned long long* texture, const ResourceDescriptor* resource, const SamplerDescriptor*,
                           const void*) {
  ENTER("cuTexObjectCreate");
  ++state().live["texture"];
  *texture = resource->type == ResourceDescriptor::Linear    ? resource->linear.address
             : resource->type == ResourceDescriptor::Pitch2D ? resource->pitched.address
                                                             : reinterpret_cast<unsigned long long>(resource->array);
  return kSuccess;
}
CUresult cuTexObjectDestroy(unsigned long long) {
  LEAVE("cuTexObjectDestroy", "texture");
  return kSuccess;
}
CUresult cuSurfObjectCreate(unsigned long long* surface, const ResourceDescriptor* resource) {
  ENTER("cuSurfObjectCreate");
  ++state().live["surface"];
  *surface = reinterpret_cast<unsigned long long>(resource->array) + 1;  // not the number of a texture
  return kSuccess;
}
CUresult cuSurfObjectDestroy(unsigned long long) {
  LEAVE("cuSurfObjectDestroy", "surface");
  return kSuccess;
}
CUresult cuTensorMapEncodeTiled(void* map, int type, unsigned rank, CUdeviceptr, const uint64_t* sizes,
                                const uint64_t* strides, const uint32_t* box, const uint32_t* steps, int interleave,
                                int swizzle, int promotion, int fill) {
  ENTER("cuTensorMapEncodeTiled");
  state().tensor_numbers = {type,        int(rank),     int(sizes[0]), int(sizes[1]), int(strides[0]), int(box[0]),
                            int(box[1]), int(steps[0]), interleave,    swizzle,       promotion,       fill};
  std::memset(map, 0x5a, 128);
  return kSuccess;
}
CUresult cuTensorMapEncodeIm2col(void* map, int type, unsigned rank, CUdeviceptr, const uint64_t*, const uint64_t*,
                                 const int* lower, const int* upper, unsigned channels, unsigned pixels,
                                 const uint32_t*, int, int, int, int) {
  ENTER("cuTensorMapEncodeIm2col");
  state().tensor_numbers = {type, int(rank), lower[0], lower[1], upper[0], upper[1], int(channels), int(pixels)};
  std::memset(map, 0x5b, 128);
  return kSuccess;
}
CUresult cuTensorMapReplaceAddress(void* map, void*) {
  ENTER("cuTensorMapReplaceAddress");
  std::memset(map, 0x5c, 128);
  return kSuccess;
}

// --- addresses and memory apart
CUresult cuMemGetAllocationGranularity(size_t* bytes, const MemoryRequest*, int) {
  ENTER("cuMemGetAllocationGranularity");
  *bytes = 4096;
  return kSuccess;
}
CUresult cuMemAddressReserve(CUdeviceptr* address, size_t bytes, size_t, CUdeviceptr, unsigned long long) {
  ENTER("cuMemAddressReserve");
  return allocate("addresses", bytes, reinterpret_cast<void**>(address));
}
CUresult cuMemAddressFree(CUdeviceptr address, size_t) {
  LEAVE("cuMemAddressFree", "addresses");
  std::free(reinterpret_cast<void*>(address));
  return kSuccess;
}
CUresult cuMemCreate(CUmemHandle* memory, size_t, const MemoryRequest* request, unsigned long long) {
  ENTER("cuMemCreate");
  if (request->type != 1 || request->location.type != 1) return kInvalidValue;
  ++state().live["apart memory"];
  *memory = 7;
  return kSuccess;
}
CUresult cuMemRetainAllocationHandle(CUmemHandle* memory, void*) {
  ENTER("cuMemRetainAllocationHandle");
  ++state().live["apart memory"];
  *memory = 7;
  return kSuccess;
}
CUresult cuMemRelease(CUmemHandle) {
  LEAVE("cuMemRelease", "apart memory");
  return kSuccess;
}
CUresult cuMemMap(CUdeviceptr, size_t, size_t, CUmemHandle, unsigned long long) {
  ENTER("cuMemMap");
  ++state().live["mapping"];
  return kSuccess;
}
CUresult cuMemUnmap(CUdeviceptr, size_t) {
  LEAVE("cuMemUnmap", "mapping");
  return kSuccess;
}
CUresult cuMemSetAccess(CUdeviceptr, size_t, const MemoryAccess* access, size_t) {
  ENTER("cuMemSetAccess");
  state().limits[-1] = static_cast<size_t>(access->flags);
  return kSuccess;
}
CUresult cuMemGetAccess(unsigned long long* flags, const MemoryLocation*, CUdeviceptr) {
  ENTER("cuMemGetAccess");
  *flags = state().limits[-1];
  return kSuccess;
}

}  // extern "C"
