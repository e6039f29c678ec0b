// The driver API's profiler switches, cuProfilerStart and cuProfilerStop, which cuda.h declares.
#pragma once

#include "cuda.h"
