// The stack of contexts and the runtime's device follow each other, whichever way a context leaves the top.
#include <cuda.h>

#include <cstdio>

static CUcontext context_of(CUdevice device) {
  CUcontext context = nullptr;
#if CUDA_VERSION >= 13000
  cuCtxCreate(&context, nullptr, 0, device);
#else
  cuCtxCreate(&context, 0, device);
#endif
  return context;
}

static void show(const char* when) {
  CUdevice device = -1;
  CUdeviceptr memory = 0;
  int holder = -1;
  const CUresult known = cuCtxGetDevice(&device);
  cuMemAlloc(&memory, 64);
  cuPointerGetAttribute(&holder, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, memory);
  cuMemFree(memory);
  std::printf("%s: the context's device is %d (%d), new memory is on %d\n", when, device, known, holder);
}

int main() {
  CUdevice first, second;
  cuInit(0);
  cuDeviceGet(&first, 0);
  if (cuDeviceGet(&second, 1) != CUDA_SUCCESS) return std::puts("one device"), 0;
  context_of(first);
  const CUcontext on_second = context_of(second);
  show("two created");
  cuCtxPopCurrent(nullptr);
  show("popped");
  cuCtxPushCurrent(on_second);
  show("pushed");
  cuCtxSetCurrent(nullptr);
  show("set to null");
  const CUcontext another = context_of(second);
  show("created");
  cuCtxDestroy(another);
  show("destroyed");
}
