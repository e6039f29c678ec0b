// Memory on the device that a step needs beside its arguments, and keeps from one call to the next. The first call
// allocates it, and so does one that needs more.
//
//     static KeptMemory memory;
//     float* room = static_cast<float*>(memory.of(bytes));
#pragma once

#include "launch.h"

class KeptMemory {
 public:
  void* of(size_t bytes) {
    if (bytes > there_) {
      must(cudaFree(room_), "freeing memory");
      must(cudaMalloc(&room_, bytes), "allocating memory");
      there_ = bytes;
    }
    return room_;
  }
  ~KeptMemory() { cudaFree(room_); }  // the device may be gone when the program ends; its error is not looked at

 private:
  void* room_ = nullptr;
  size_t there_ = 0;
};
