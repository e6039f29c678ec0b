// Around the device functions of our headers, with end_device_code.h: they have no lines of their own, so whatever they do is
// done at the line of the program that called them, for debuggers, faults and checkers alike. For that they must be inlined, also
// where nothing else is optimised.
//
// No `#pragma once`: each header opens its own.
#if defined(__clang__) && defined(__CUDA_ARCH__)
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
#pragma clang attribute push(__attribute__((always_inline)), apply_to = function)
#endif
