// Stands before the device functions of these headers, with end_device_code.h after them. The functions have no lines
// of their own: all that they do is attributed to the line of the program that called them, in debuggers, faults and
// checkers. This requires inlining, even where nothing else is optimised.
//
// There is no `#pragma once`, because each header includes it anew.
#if defined(__clang__) && defined(__CUDA_ARCH__)
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
#pragma clang attribute push(__attribute__((always_inline)), apply_to = function)
#endif
