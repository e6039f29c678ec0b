// The results of right and wrong calls of NVRTC, and a run of the compiled code. Messages are the compiler's own, so
// the program shows only whether there are any.
#include <cuda.h>
#include <cuda_runtime.h>
#include <nvrtc.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#define SHOW(call) std::printf("%s -> %s\n", #call, nvrtcGetErrorString(call))
#define VALUE(text) std::printf("%s = %lld\n", #text, (long long)(text))

const char* const kSource = R"(
#include "scale.h"
namespace tools {
template <int N, class T> __global__ void fill(T* out) { out[threadIdx.x] = SCALE * N + threadIdx.x; }
}
__constant__ int factor = 5;
static __constant__ int offset;
extern "C" __global__ void plain(int* out) { out[threadIdx.x] = factor + offset; }
)";

void run(nvrtcProgram program, const char* name, int* host) {
  size_t size = 0;
  nvrtcGetPTXSize(program, &size);
  std::vector<char> ptx(size);
  nvrtcGetPTX(program, ptx.data());
  CUmodule module;
  CUfunction function;
  int* data = nullptr;
  cudaMalloc(&data, 128);
  void* arguments[] = {&data};
  CUdeviceptr offset = 0;
  size_t offset_size = 0;
  const int seven = 7;
  if (cuModuleLoadData(&module, ptx.data()) != CUDA_SUCCESS) return;
  if (cuModuleGetGlobal(&offset, &offset_size, module, "offset") == CUDA_SUCCESS) cuMemcpyHtoD(offset, &seven, offset_size);
  if (cuModuleGetFunction(&function, module, name) == CUDA_SUCCESS)
    cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr);
  cudaMemcpy(host, data, 128, cudaMemcpyDeviceToHost);
  cudaFree(data);
}

int main() {
  int major = 0, minor = 0, count = 0, host[32] = {};
  SHOW(nvrtcVersion(&major, &minor));
  VALUE(major >= 12);
  SHOW(nvrtcVersion(nullptr, &minor));
  SHOW(nvrtcGetNumSupportedArchs(&count));
  std::vector<int> architectures(count);
  SHOW(nvrtcGetSupportedArchs(architectures.data()));
  bool sm_90 = false;
  for (int architecture : architectures) sm_90 |= architecture == 90;
  VALUE(sm_90);

  nvrtcProgram program = nullptr;
  const char* headers[] = {"#define SCALE 100\n"};
  const char* names[] = {"scale.h"};
  SHOW(nvrtcCreateProgram(&program, nullptr, "test.cu", 0, nullptr, nullptr));
  SHOW(nvrtcCreateProgram(&program, kSource, "test.cu", 1, headers, names));
  size_t size = 0;
  const char* lowered = nullptr;
  SHOW(nvrtcAddNameExpression(program, "tools::fill<3, int>"));
  SHOW(nvrtcAddNameExpression(program, "&factor"));
  SHOW(nvrtcGetLoweredName(program, "&factor", &lowered));
  const char* wrong_options[] = {"--no-such-option"};
  SHOW(nvrtcCompileProgram(program, 1, wrong_options));
  SHOW(nvrtcGetProgramLogSize(program, &size));
  VALUE(size > 1);
  const char* options[] = {"--gpu-architecture=compute_80", "--std=c++17", "-DUNUSED=1", "--fmad=false", "-lineinfo"};
  SHOW(nvrtcCompileProgram(program, 5, options));
  SHOW(nvrtcGetProgramLogSize(program, &size));
  VALUE(size);
  SHOW(nvrtcGetCUBINSize(program, &size));
  VALUE(size);
  SHOW(nvrtcAddNameExpression(program, "tools::fill<4, int>"));
  SHOW(nvrtcGetLoweredName(program, "&factor", &lowered));
  std::printf("%s\n", lowered);
  SHOW(nvrtcGetLoweredName(program, "tools::fill<9, int>", &lowered));
  SHOW(nvrtcGetLoweredName(program, "tools::fill<3, int>", &lowered));
  std::printf("%s\n", lowered);
  SHOW(nvrtcGetPTXSize(program, &size));
  std::vector<char> ptx(size);
  SHOW(nvrtcGetPTX(program, ptx.data()));
  VALUE(std::strlen(ptx.data()) + 1 == size);
  VALUE(std::strstr(ptx.data(), ".target sm_80") != nullptr);

  cuInit(0);
  cudaFree(nullptr);
  run(program, lowered, host);
  VALUE(host[31]);
  run(program, "plain", host);
  VALUE(host[31]);
  SHOW(nvrtcDestroyProgram(&program));
  VALUE(program == nullptr);

  SHOW(nvrtcCreateProgram(&program, "int half(int x) { return x / 2; }\n"
                                    "extern \"C\" __global__ void halve(int* p) { *p = half(84); }\n",
                          nullptr, 0, nullptr, nullptr));
  const char* device_options[] = {"-default-device", "-arch=sm_90"};
  SHOW(nvrtcCompileProgram(program, 2, device_options));
  SHOW(nvrtcGetCUBINSize(program, &size));
  VALUE(size > 1);
  run(program, "halve", host);
  VALUE(host[0]);
  SHOW(nvrtcDestroyProgram(&program));

  SHOW(nvrtcCreateProgram(&program, "__global__ void broken() { int x = ; }\n", "broken.cu", 0, nullptr, nullptr));
  SHOW(nvrtcCompileProgram(program, 0, nullptr));
  SHOW(nvrtcGetProgramLogSize(program, &size));
  std::string log(size, '\0');
  SHOW(nvrtcGetProgramLog(program, &log[0]));
  VALUE(log.find("broken.cu") != std::string::npos);
  VALUE(log.find("error") != std::string::npos);
  VALUE(log.find("/tmp") == std::string::npos);
  SHOW(nvrtcDestroyProgram(&program));
  SHOW(nvrtcDestroyProgram(&program));
}
