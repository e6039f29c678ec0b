// CUDA's requirements for the host compiler: none, any Clang works.
#pragma once

#include "host_defines.h"
