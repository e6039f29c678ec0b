// The device library as one translation unit: every `__nv_…` function that Clang's CUDA headers and those of
// include/cuda call, mathematics and the built-in atomic functions.
//
// The build compiles it to bitcode (devicelib.bc), which programs link with -mlink-builtin-bitcode. Only what a program
// uses enters its module, with internal linkage, before optimisation, so that it is inlined like the program's own
// functions.
#include "ieee.h"
#include "integer.h"
#include "instructions.h"
#include "exponential.h"
#include "logarithm.h"
#include "trigonometric.h"
#include "inverse_trigonometric.h"
#include "hyperbolic.h"
#include "roots.h"
#include "error_function.h"
#include "gamma.h"
#include "bessel.h"
#include "atomics.h"
