// The whole C++ API of Warpwise. With CMake:
//
//     find_package(warpwise REQUIRED)
//     target_link_libraries(program PRIVATE warpwise::warpwise)
//
// examples/embed is a complete program. Before version 1.0 names may still change.
#pragma once

#include "warpwise/compile.h"
#include "warpwise/device.h"
#include "warpwise/options.h"
#include "warpwise/result.h"
