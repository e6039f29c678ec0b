// User objects: objects of the program that live as long as graphs refer to them, with a reference count.
#pragma once

#include <mutex>
#include <unordered_map>

#include "cuda/runtime/error.h"

namespace warpwise::cuda {

class UserObjects {
 public:
  cudaUserObject_t create(void* pointer, cudaHostFn_t destroy, unsigned references);
  cudaError_t check(cudaUserObject_t object) const;
  cudaError_t retain(cudaUserObject_t object, unsigned count);
  // Dropping the last reference calls the program's function.
  cudaError_t release(cudaUserObject_t object, unsigned count);

 private:
  struct Object {
    void* pointer;
    cudaHostFn_t destroy;
    unsigned references;
  };
  mutable std::mutex mutex_;
  std::unordered_map<cudaUserObject_t, Object> objects_;
  uintptr_t next_ = 1;
};

}  // namespace warpwise::cuda
