// A host that does not wait for the device, but polls for an effect of its work: a flag in mapped memory, an event
// that it queries, a callback. Also a kernel that waits for the host.
#include <cuda_runtime.h>

#include <condition_variable>
#include <cstdio>
#include <mutex>

__global__ void raise(volatile int* flag, int value) { *flag = value; }

__global__ void answer(volatile int* question, volatile int* reply) {
  while (*question == 0) {
  }
  *reply = *question + 1;
}

__global__ void say() { printf("from the kernel\n"); }

struct Callback {
  std::mutex mutex;
  std::condition_variable changed;
  bool called = false;
};

void call(void* data) {
  auto* callback = static_cast<Callback*>(data);
  std::lock_guard<std::mutex> lock(callback->mutex);
  callback->called = true;
  callback->changed.notify_one();
}

int main() {
  int* shared = nullptr;
  cudaHostAlloc(&shared, 2 * sizeof(int), cudaHostAllocMapped);
  volatile int* flags = shared;
  flags[0] = flags[1] = 0;
  int* on_device = nullptr;
  cudaHostGetDevicePointer(&on_device, shared, 0);

  raise<<<1, 1>>>(on_device, 7);
  while (flags[0] != 7) {
  }
  printf("the flag is up\n");

  flags[0] = 0;
  answer<<<1, 1>>>(on_device, on_device + 1);
  cudaEvent_t event;
  cudaEventCreate(&event);
  cudaEventRecord(event);
  int early = cudaEventQuery(event) == cudaErrorNotReady;
  flags[0] = 41;
  while (flags[1] == 0) {
  }
  while (cudaEventQuery(event) == cudaErrorNotReady) {
  }
  printf("not ready before: %d; the kernel answered %d\n", early, flags[1]);

  Callback callback;
  cudaLaunchHostFunc(0, call, &callback);
  {
    std::unique_lock<std::mutex> lock(callback.mutex);
    callback.changed.wait(lock, [&] { return callback.called; });
  }
  printf("the host function has run\n");

  // What a kernel prints appears when the program waits, not before.
  say<<<1, 1>>>();
  raise<<<1, 1>>>(on_device, 3);
  while (flags[0] != 3) {
  }
  printf("before the kernel's line\n");
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
