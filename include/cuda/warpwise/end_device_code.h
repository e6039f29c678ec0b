// See begin_device_code.h.
#if defined(__clang__) && defined(__CUDA_ARCH__)
#pragma clang attribute pop
#pragma clang attribute pop
#endif
