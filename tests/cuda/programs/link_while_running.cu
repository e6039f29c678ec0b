// Modules that a program compiles and links at run time: NVRTC makes link-time code or PTX of two sources, nvJitLink
// makes one
// module of them, and its kernel runs. Also the messages for code that cannot be linked.
#include <cuda.h>
#include <nvJitLink.h>
#include <nvrtc.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

const char* const kKernel =
    "extern __device__ int step(int x);\n"
    "extern __device__ int first;\n"
    "extern \"C\" __global__ void count(int* out) { out[threadIdx.x] = step(first + threadIdx.x); }\n";
const char* const kStep = "__device__ int first = 100;\n__device__ int step(int x) { return 2 * x; }\n";

std::vector<char> compiled(const char* source, bool link_time) {
  nvrtcProgram program;
  const char* options[] = {"-arch=sm_90", "-rdc=true", "-dlto"};
  nvrtcCreateProgram(&program, source, "part.cu", 0, nullptr, nullptr);
  nvrtcResult result = nvrtcCompileProgram(program, link_time ? 3 : 2, options);
  size_t size = 0;
  link_time ? nvrtcGetLTOIRSize(program, &size) : nvrtcGetPTXSize(program, &size);
  std::vector<char> code(size);
  link_time ? nvrtcGetLTOIR(program, code.data()) : nvrtcGetPTX(program, code.data());
  nvrtcDestroyProgram(&program);
  std::printf("compiled: %s\n", nvrtcGetErrorString(result));
  return code;
}

void run(const std::vector<char>& image) {
  CUmodule module;
  CUfunction kernel;
  CUdeviceptr data = 0;
  int host[32] = {};
  std::printf("load %d\n", cuModuleLoadData(&module, image.data()));
  cuModuleGetFunction(&kernel, module, "count");
  cuMemAlloc(&data, sizeof host);
  void* arguments[] = {&data};
  cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr);
  std::printf("run %d\n", cuMemcpyDtoH(host, data, sizeof host));
  std::printf("%d %d\n", host[0], host[31]);
  cuMemFree(data);
  cuModuleUnload(module);
}

std::string log_of(nvJitLinkHandle linker) {
  size_t size = 0;
  nvJitLinkGetErrorLogSize(linker, &size);
  std::string log(size, '\0');
  if (size) nvJitLinkGetErrorLog(linker, &log[0]);
  return log.c_str();
}

void link(bool link_time) {
  const char* options[] = {"-arch=sm_90", "-lto"};
  const nvJitLinkInputType type = link_time ? NVJITLINK_INPUT_LTOIR : NVJITLINK_INPUT_PTX;
  nvJitLinkHandle linker;
  nvJitLinkCreate(&linker, link_time ? 2 : 1, options);
  for (const char* source : {kKernel, kStep}) {
    std::vector<char> code = compiled(source, link_time);
    std::printf("add %d\n", nvJitLinkAddData(linker, type, code.data(), code.size(), "part"));
  }
  std::printf("complete %d %s\n", nvJitLinkComplete(linker), log_of(linker).c_str());
  size_t size = 0;
  nvJitLinkGetLinkedCubinSize(linker, &size);
  std::vector<char> image(size);
  nvJitLinkGetLinkedCubin(linker, image.data());
  nvJitLinkDestroy(&linker);
  run(image);
}

// The message's code.
void refused(nvJitLinkInputType type, const char* data, size_t size, const char* what) {
  const char* options[] = {"-arch=sm_90", "-lto"};
  nvJitLinkHandle linker;
  nvJitLinkCreate(&linker, 2, options);
  nvJitLinkResult result = nvJitLinkAddData(linker, type, data, size, "part");
  std::printf("%s: %d %.11s\n", what, result, log_of(linker).c_str());
  nvJitLinkDestroy(&linker);
}

int main() {
  cuInit(0);
  CUdevice device;
  CUcontext context;
  cuDeviceGet(&device, 0);
  cuDevicePrimaryCtxRetain(&context, device);
  cuCtxSetCurrent(context);
  link(/*link_time=*/false);
  link(/*link_time=*/true);
  refused(NVJITLINK_INPUT_LTOIR, "\xed\x43\x4e\x7f\x01\x41\x02\x62", 8, "NVIDIA's link-time code");
  refused(NVJITLINK_INPUT_CUBIN, "\x7f" "ELF\x02\x01\x01\x00", 8, "machine code");
  refused(NVJITLINK_INPUT_LIBRARY, "!<arch>\n", 8, "a library");
}
