// The linker: several modules become one. The result is the concatenated text of all of them, which the virtual GPU
// accepts as a linked module. A program can only distinguish it from NVIDIA's machine code by reading it.
#include <cstring>

#include "cuda/driver/call.h"
#include "cuda/runtime/texture/images.h"

// A CUlinkState. The program owns the options' arrays and keeps them as long as the linker exists.
struct CUlinkState_st {
  warpwise::cuda::JitOptions options;
  std::string text;  // of the modules added so far
};

using namespace warpwise;
using namespace warpwise::cuda;
using namespace warpwise::cuda::driver;

namespace {

// The linkers that exist; never destroyed, like Process.
HandleTable<std::shared_ptr<CUlinkState_st>>& linkers() {
  static auto* table = new HandleTable<std::shared_ptr<CUlinkState_st>>;
  return *table;
}

CUlinkState handle_of(std::shared_ptr<CUlinkState_st>* entry) { return reinterpret_cast<CUlinkState>(entry); }
const std::shared_ptr<CUlinkState_st>* entry_of(CUlinkState state) {
  return reinterpret_cast<const std::shared_ptr<CUlinkState_st>*>(state);
}

template <class Body>
CUresult with_linker(const char* function, CUlinkState state, Body&& body) {
  return call(
      function, Needs::Context,
      [&](Process& process, device::Device& gpu) -> cudaError_t {
        auto linker = linkers().find(entry_of(state));
        if (!linker)
          return fail(cudaErrorInvalidResourceHandle, "the linker was never created, or it has been destroyed");
        return body(process, gpu, **linker);
      },
      Report::Always);
}

// Whether the text compiles. Nothing of it stays on the device.
cudaError_t check_ptx(Process& process, device::Device& gpu, const std::string& text, const JitOptions& options) {
  Module* module = nullptr;
  CUDA_TRY(load_image(process, gpu, text.c_str(), options, &module));
  process.modules.remove(module);
  return cudaSuccess;
}

cudaError_t add(Process& process, device::Device& gpu, CUlinkState_st& linker, CUjitInputType type, std::string data) {
  switch (type) {
    case CU_JIT_INPUT_PTX:
      break;
    case CU_JIT_INPUT_CUBIN:
    case CU_JIT_INPUT_FATBINARY: {
      const device::Properties& properties = gpu.properties();
      auto ptx = read_image(data.c_str(), properties.major * 10 + properties.minor);
      if (!ptx)
        return fail_with(cudaErrorNoKernelImageForDevice, fmt::format("{}: {}", ptx.error().code, ptx.error().message));
      data = std::move(ptx).value();
      break;
    }
    case CU_JIT_INPUT_OBJECT:
    case CU_JIT_INPUT_LIBRARY:
      // An archive without members, as our libcudadevrt.a is: what programs link it for is in the device.
      if (type == CU_JIT_INPUT_LIBRARY && data == "!<arch>\n") return cudaSuccess;
      return fail(cudaErrorNotSupported,
                  "object files and libraries of host code cannot be linked: add their PTX (nvcc -ptx)");
    default:
      return fail(cudaErrorInvalidValue, "{} is not a type of input", static_cast<int>(type));
  }
  data.resize(std::strlen(data.c_str()));  // the size may include the terminating zero
  // A module that refers to another one can only be checked when all are there.
  if (data.find(".extern") == data.npos) CUDA_TRY(check_ptx(process, gpu, data, linker.options));
  linker.text += data;
  linker.text += '\n';
  return cudaSuccess;
}

}  // namespace

CUresult cuLinkCreate_v2(unsigned count, CUjit_option* options, void** values, CUlinkState* state) {
  return call("cuLinkCreate", Needs::Context, [&]() -> cudaError_t {
    CUDA_TRY(check_out(state));
    JitOptions jit(count, options, values);
    CUDA_TRY(jit.check());
    *state = handle_of(linkers().add(std::make_shared<CUlinkState_st>(CUlinkState_st{jit, {}})));
    return cudaSuccess;
  });
}
CUresult cuLinkCreate(unsigned count, CUjit_option* options, void** values, CUlinkState* state) {
  return cuLinkCreate_v2(count, options, values, state);
}

// The options of an input steer NVIDIA's optimiser alone; the linker has its own logs.
CUresult cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void* data, size_t bytes, const char*, unsigned,
                          CUjit_option*, void**) {
  return with_linker("cuLinkAddData", state,
                     [&](Process& process, device::Device& gpu, CUlinkState_st& linker) -> cudaError_t {
                       if (!data || bytes == 0) return fail(cudaErrorInvalidValue, "no data");
                       return add(process, gpu, linker, type, std::string(static_cast<const char*>(data), bytes));
                     });
}
CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void* data, size_t bytes, const char* name,
                       unsigned count, CUjit_option* options, void** values) {
  return cuLinkAddData_v2(state, type, data, bytes, name, count, options, values);
}

CUresult cuLinkAddFile_v2(CUlinkState state, CUjitInputType type, const char* path, unsigned, CUjit_option*, void**) {
  return with_linker("cuLinkAddFile", state,
                     [&](Process& process, device::Device& gpu, CUlinkState_st& linker) -> cudaError_t {
                       std::string data;
                       CUDA_TRY(read_file(path, &data));
                       return add(process, gpu, linker, type, std::move(data));
                     });
}
CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char* path, unsigned count, CUjit_option* options,
                       void** values) {
  return cuLinkAddFile_v2(state, type, path, count, options, values);
}

// The linker owns the image.
CUresult cuLinkComplete(CUlinkState state, void** image, size_t* bytes) {
  return with_linker("cuLinkComplete", state,
                     [&](Process& process, device::Device& gpu, CUlinkState_st& linker) -> cudaError_t {
                       CUDA_TRY(check_out(image));
                       if (linker.text.empty()) return fail(cudaErrorInvalidValue, "nothing to link");
                       CUDA_TRY(check_ptx(process, gpu, linker.text, linker.options));
                       *image = linker.text.data();
                       if (bytes) *bytes = linker.text.size() + 1;
                       return cudaSuccess;
                     });
}

CUresult cuLinkDestroy(CUlinkState state) {
  return call("cuLinkDestroy", Needs::Context, [&]() -> cudaError_t {
    if (linkers().remove(entry_of(state))) return cudaSuccess;
    return fail(cudaErrorInvalidResourceHandle, "the linker was never created, or it has been destroyed");
  });
}
