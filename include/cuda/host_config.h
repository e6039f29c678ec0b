// What CUDA says of the host compiler: nothing, any Clang will do.
#pragma once

#include "host_defines.h"
