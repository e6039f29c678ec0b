// System functions of a kernel: printf, assert, memory from the heap, clocks, traps.
#pragma once

#include "device_heap.h"

#pragma push_macro("DEVICE")
#define DEVICE static inline __attribute__((device, always_inline))

extern "C" {
// Clang turns a call of printf in device code into one of vprintf(format, packed arguments), which is a system call of a device,
// as __assertfail is (PTX Writer's Guide to Interoperability, "System Calls").
__device__ int vprintf(const char*, const char*);
__device__ int printf(const char*, ...);
__device__ void __assertfail(const char* message, const char* file, unsigned int line, const char* function,
                             size_t char_size);
// The C library's assert() calls this.
__device__ inline __attribute__((always_inline)) void __assert_fail(const char* message, const char* file,
                                                                    unsigned int line, const char* function) {
  __assertfail(message, file, line, function, 1);
}
}

DEVICE void __nanosleep(unsigned int nanoseconds) { __nvvm_nanosleep(nanoseconds); }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
// Programmatic dependent launch: waits for the kernels on which this one depends, and lets dependent kernels begin.
DEVICE void cudaGridDependencySynchronize() { asm volatile("griddepcontrol.wait;" ::: "memory"); }
DEVICE void cudaTriggerProgrammaticLaunchCompletion() { asm volatile("griddepcontrol.launch_dependents;" ::: "memory"); }
#endif
DEVICE void __exit_thread() { asm volatile("exit;"); }
#pragma pop_macro("DEVICE")
