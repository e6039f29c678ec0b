// Memory that a library's function asks for beside its arguments. The first call asks how much and allocates it; it is
// not timed. CUB's functions say how much when they are given no memory:
//
//     with_room([&](void* room, size_t& bytes) { return cub::DeviceScan::InclusiveSum(room, bytes, in, out, n); });
#pragma once

#include "launch.h"

template <class Call>
void with_room(Call call) {
  static void* room = nullptr;
  static size_t there = 0;
  size_t bytes = 0;
  must(call(nullptr, bytes), "asking for the memory that is needed");
  if (!room || bytes > there) {
    must(cudaFree(room), "freeing memory");
    must(cudaMalloc(&room, bytes ? bytes : 1), "allocating memory");
    there = bytes;
  }
  bytes = there;
  must(call(room, bytes), "a call of the library");
}
