// Libraries: PTX that the program supplies, its kernels and variables by name, and the errors for wrong handles and
// names.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

static const char code[] = R"(
.version 8.0
.target sm_80
.address_size 64
.global .align 4 .u32 total;
.visible .entry add(.param .u32 n) {
  .reg .b32 %a, %old;
  ld.param.u32 %a, [n];
  atom.global.add.u32 %old, [total], %a;
  ret;
}
.visible .entry clear() {
  .reg .b32 %z;
  mov.u32 %z, 0;
  st.global.u32 [total], %z;
  ret;
}
)";

static void say(const char* what, cudaError_t error) { printf("%s: %s\n", what, cudaGetErrorName(error)); }

int main() {
  cudaLibrary_t library, other = nullptr;
  say("load", cudaLibraryLoadData(&library, code, nullptr, nullptr, 0, nullptr, nullptr, 0));
  unsigned count = 0;
  say("count", cudaLibraryGetKernelCount(&count, library));
  cudaKernel_t kernels[4] = {}, add, clear;
  say("enumerate", cudaLibraryEnumerateKernels(kernels, 4, library));
  say("add", cudaLibraryGetKernel(&add, library, "add"));
  say("clear", cudaLibraryGetKernel(&clear, library, "clear"));
  printf("%u kernels, both listed: %d\n", count, (kernels[0] == add && kernels[1] == clear) || (kernels[0] == clear && kernels[1] == add));
  void* total;
  size_t bytes;
  say("total", cudaLibraryGetGlobal(&total, &bytes, library, "total"));
  unsigned n = 7, sum = 0;
  void* arguments[] = {&n};
  say("launch", cudaLaunchKernel(reinterpret_cast<const void*>(add), dim3(3), dim3(5), arguments, 0, nullptr));
  cudaMemcpy(&sum, total, sizeof sum, cudaMemcpyDeviceToHost);
  printf("%zu bytes, sum %u\n", bytes, sum);
  say("launch", cudaLaunchKernel(reinterpret_cast<const void*>(clear), dim3(1), dim3(1), nullptr, 0, nullptr));
  cudaMemcpy(&sum, total, sizeof sum, cudaMemcpyDeviceToHost);
  printf("sum %u\n", sum);

  char log[200] = {};
  cudaJitOption options[] = {cudaJitErrorLogBuffer, cudaJitErrorLogBufferSizeBytes};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  const char* broken = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() { adds; }\n";
  const cudaError_t refused = cudaLibraryLoadData(&other, broken, options, values, 2, nullptr, nullptr, 0);
  say("broken code", refused);
  printf("the log says something: %d\n", log[0] != '\0');
  say("no code", cudaLibraryLoadData(&other, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0));
  say("no place", cudaLibraryLoadData(nullptr, code, nullptr, nullptr, 0, nullptr, nullptr, 0));
  say("no file", cudaLibraryLoadFromFile(&other, "/nowhere/at/all.ptx", nullptr, nullptr, 0, nullptr, nullptr, 0));
  say("no such kernel", cudaLibraryGetKernel(&add, library, "subtract"));
  say("no such variable", cudaLibraryGetGlobal(&total, &bytes, library, "subtotal"));
  void* function = nullptr;
  say("no unified function", cudaLibraryGetUnifiedFunction(&function, library, "total"));
  say("unload", cudaLibraryUnload(library));
  say("after that", cudaLibraryGetKernel(&add, library, "add"));
}
