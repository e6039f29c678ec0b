// The profiler's switches of the driver API: cuProfilerStart and cuProfilerStop, which cuda.h declares.
#pragma once

#include "cuda.h"
