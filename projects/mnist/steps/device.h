// What every step on the GPU needs from CUDA: checked calls, memory that frees itself, a stream, launch sizes.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "../error.h"

namespace mnist {

inline void check(cudaError_t status, const char* call, const char* file, int line) {
  if (status != cudaSuccess) fail("%s:%d: %s: %s", file, line, call, cudaGetErrorString(status));
}
#define MNIST_CHECK(call) ::mnist::check((call), #call, __FILE__, __LINE__)

// Device memory that frees itself.
template <class T>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(size_t count) : count_(count) { MNIST_CHECK(cudaMalloc(reinterpret_cast<void**>(&data_), bytes())); }
  explicit Buffer(const std::vector<T>& host) : Buffer(host.size()) { upload(host); }
  Buffer(Buffer&& other) noexcept : data_(other.data_), count_(other.count_) { other.data_ = nullptr; }
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
    return *this;
  }
  ~Buffer() { cudaFree(data_); }

  void upload(const std::vector<T>& host) { MNIST_CHECK(cudaMemcpy(data_, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice)); }
  std::vector<T> download() const { return download(count_); }
  std::vector<T> download(size_t count) const {
    std::vector<T> host(count);
    MNIST_CHECK(cudaMemcpy(host.data(), data_, count * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
  }
  operator T*() const { return data_; }
  T* data() const { return data_; }
  size_t count() const { return count_; }
  size_t bytes() const { return count_ * sizeof(T); }

 private:
  T* data_ = nullptr;
  size_t count_ = 0;
};

// Blocks of `threads` that cover `count` threads.
inline unsigned blocks_for(size_t count, unsigned threads) { return unsigned((count + threads - 1) / threads); }

}  // namespace mnist
