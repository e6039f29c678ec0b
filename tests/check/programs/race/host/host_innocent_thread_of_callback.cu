// clean
// A host function starts the thread that looks at what the copy before it has brought.
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>
__global__ void fill(int* x) { x[threadIdx.x] = threadIdx.x; }
std::mutex mutex;
std::condition_variable changed;
bool seen = false;
void look(void* x) {
  std::thread([x] {
    std::printf("%d\n", static_cast<int*>(x)[31]);
    std::lock_guard lock(mutex);
    seen = true;
    changed.notify_one();
  }).detach();
}
int main() {
  int *x, *y;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&x, 128);
  cudaMallocHost(&y, 128);
  fill<<<1, 32, 0, stream>>>(x);
  cudaMemcpyAsync(y, x, 128, cudaMemcpyDeviceToHost, stream);
  cudaLaunchHostFunc(stream, look, y);
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [] { return seen; });
  }
  cudaStreamSynchronize(stream);
  cudaFree(x);
  cudaFreeHost(y);
  cudaStreamDestroy(stream);
}
