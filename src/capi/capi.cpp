// The functions of include/warpwise/capi.h: each takes plain C apart, calls what does the work, and turns its Result
// into an error object. What throws in between (memory that runs out) becomes an error as well.
#include "warpwise/capi.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>

#include "capi/call.h"
#include "capi/gpu.h"
#include "capi/ir_request.h"
#include "capi/library.h"
#include "capi/runtime_error.h"
#include "cuda/runtime/api.h"

using namespace warpwise;

struct ww_error {
  std::string code, message;
};
struct ww_gpu {
  std::unique_ptr<capi::Gpu> gpu;
};
struct ww_library {
  std::unique_ptr<capi::Library> library;
};

namespace {

ww_error* error_of(Error error) { return new ww_error{std::move(error.code), std::move(error.message)}; }

// The frame of every function that can fail.
template <class Body>
ww_error* guarded(Body&& body) {
  try {
    Result<void> done = body();
    return done ? nullptr : error_of(std::move(done).error());
  } catch (const std::bad_alloc&) {
    return new (std::nothrow) ww_error{"U0016", "not enough memory"};
  } catch (const std::exception& exception) {
    return error_of({"X0001", exception.what()});
  }
}

char* text_of(const std::string& text) { return strdup(text.c_str()); }
std::string_view view_of(const char* text) { return text ? text : ""; }

size_t whole_pages(size_t bytes) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

Result<void> allocate_pages(capi::Gpu& gpu, size_t bytes, void** pages) {
  std::lock_guard lock(gpu.in_use());
  if (bytes == 0) return Error{"U0030", "memory of no bytes"};
  void* memory = mmap(nullptr, whole_pages(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return Error{"U0016", std::strerror(errno)};
  if (auto done = capi::runtime_result(cudaHostRegister(memory, bytes, 0)); !done) {
    munmap(memory, whole_pages(bytes));
    return done;
  }
  *pages = memory;
  return {};
}

Result<void> free_pages(capi::Gpu& gpu, void* pages) {
  std::lock_guard lock(gpu.in_use());
  const auto range = cuda::Process::instance().host_ranges.find(pages);
  if (!range || range->base != reinterpret_cast<uintptr_t>(pages))
    return Error{"U0030", "this is no memory of ww_pages_allocate"};
  const size_t bytes = range->size;
  TRY(capi::runtime_result(cudaHostUnregister(pages)));
  munmap(pages, whole_pages(bytes));
  return {};
}

}  // namespace

int ww_capi_version(void) { return WW_CAPI_VERSION; }
const char* ww_version(void) { return WARPWISE_VERSION; }
void ww_text_free(char* text) { std::free(text); }

const char* ww_error_code(const ww_error* error) { return error->code.c_str(); }
const char* ww_error_message(const ww_error* error) { return error->message.c_str(); }
void ww_error_free(ww_error* error) { delete error; }

ww_error* ww_gpu_open(const char* options, ww_gpu** gpu) {
  return guarded([&]() -> Result<void> {
    *gpu = new ww_gpu{TRY(capi::Gpu::open(view_of(options)))};
    return {};
  });
}

void ww_gpu_close(ww_gpu* gpu) { delete gpu; }

const char* ww_gpu_properties(const ww_gpu* gpu) { return gpu->gpu->properties().c_str(); }

ww_error* ww_gpu_watch(ww_gpu* gpu, const char* watch) {
  return guarded([&]() -> Result<void> {
    std::lock_guard lock(gpu->gpu->in_use());
    return gpu->gpu->watch(view_of(watch));
  });
}

ww_error* ww_gpu_report(ww_gpu* gpu, char** text, char** json) {
  return guarded([&]() -> Result<void> {
    std::lock_guard lock(gpu->gpu->in_use());
    const capi::WatchReport report = TRY(gpu->gpu->report());
    *text = text_of(report.text);
    *json = text_of(report.json);
    return {};
  });
}

char* ww_gpu_printed(ww_gpu* gpu) { return text_of(gpu->gpu->take_printed()); }

uint64_t ww_gpu_generation(const ww_gpu* gpu) { return gpu->gpu->generation(); }
ww_error* ww_gpu_recover(ww_gpu* gpu) {
  return guarded([&] { return capi::recover(*gpu->gpu); });
}

void ww_gpu_name_memory(ww_gpu* gpu, uint64_t address, const char* name) {
  device::Device& device = gpu->gpu->device();
  if (device.findings()) device.annotate({.kind = device::MemoryAnnotation::Kind::Name, .base = address, .name = name});
}

ww_error* ww_pages_allocate(ww_gpu* gpu, size_t bytes, void** pages) {
  return guarded([&] { return allocate_pages(*gpu->gpu, bytes, pages); });
}

ww_error* ww_pages_free(ww_gpu* gpu, void* pages) {
  return guarded([&] { return free_pages(*gpu->gpu, pages); });
}

ww_error* ww_library_load(ww_gpu* gpu, const ww_source* source, ww_library** library) {
  return guarded([&]() -> Result<void> {
    capi::SourceRequest request{.path = source->path,
                                .flags = {source->flags, source->flags + source->flag_count},
                                .checked = source->checked != 0,
                                .functions = {source->functions, source->functions + source->function_count},
                                .architecture = gpu->gpu->architecture()};
    *library = new ww_library{TRY(capi::Library::load(request))};
    return {};
  });
}

ww_error* ww_library_load_ptx(ww_gpu* gpu, const char* ptx, const char* name, const char* const* parameter_names,
                              size_t parameter_name_count, ww_library** library) {
  return guarded([&]() -> Result<void> {
    std::lock_guard lock(gpu->gpu->in_use());
    *library = new ww_library{TRY(capi::Library::load_ptx(
        {.name = name, .text = ptx, .parameter_names = {parameter_names, parameter_names + parameter_name_count}}))};
    return {};
  });
}

void ww_library_close(ww_library* library) { delete library; }

const char* ww_library_functions(const ww_library* library) { return library->library->json().c_str(); }

ww_error* ww_compile_ir(const void* bitcode, size_t bytes, const char* options, char** ptx) {
  return guarded([&]() -> Result<void> {
    const auto request = TRY(capi::read_ir_request(view_of(options)));
    *ptx = text_of(TRY(toolchain::ptx_of_ir({static_cast<const char*>(bitcode), bytes}, request)));
    return {};
  });
}

namespace {

Result<const capi::LibraryFunction*> function_of(const ww_library& library, size_t number) {
  const auto& functions = library.library->functions();
  if (number < functions.size()) return &functions[number];
  return Error{"U0030", fmt::format("there is no function {} in a library of {}", number, functions.size())};
}

}  // namespace

ww_error* ww_call(ww_gpu* gpu, ww_library* library, size_t function, const ww_launch* launch,
                  const ww_argument* arguments, size_t argument_count, void* result, int* printed) {
  return guarded([&]() -> Result<void> {
    const auto* called = TRY(function_of(*library, function));
    Result<void> done = capi::call(*gpu->gpu, *called, launch, {arguments, argument_count}, result);
    if (printed) *printed = gpu->gpu->has_printed();
    return done;
  });
}

ww_error* ww_call_on_gpu(ww_gpu* gpu, ww_library* library, size_t function, const ww_launch* launch,
                         const ww_argument* arguments, size_t argument_count, void* result, unsigned ordinal,
                         void* stream) {
  return guarded([&]() -> Result<void> {
    const auto* called = TRY(function_of(*library, function));
    return capi::call_on_gpu(*gpu->gpu, *called, launch, {arguments, argument_count}, result, {ordinal, stream});
  });
}
