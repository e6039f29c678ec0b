// The whole C++ API of Warpwise. With CMake:
//
//     find_package(warpwise REQUIRED)
//     target_link_libraries(program PRIVATE warpwise::warpwise)
//
// The library's folder also holds Warpwise's CUDA runtime, under the names that NVIDIA's has: a program that links
// NVIDIA's as well names its folder first in the run path.
//
// examples/embed is a complete program. Before version 1.0 names may still change.
#pragma once

#include "warpwise/compile.h"
#include "warpwise/device.h"
#include "warpwise/options.h"
#include "warpwise/result.h"
#include "warpwise/trace.h"
