// malloc and free of a kernel, which are system calls of a device (PTX Writer's Guide to Interoperability, "System
// Calls"). They are declared before the C++ library's <new>, because Clang implements its operators in device code with
// them; C++20's headers include <new> themselves.
#pragma once

extern "C" {
__device__ void* malloc(__SIZE_TYPE__) __attribute__((malloc, nothrow));
__device__ void free(void*) __attribute__((nothrow));
}
