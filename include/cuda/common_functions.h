// printf, malloc, clock and the like; part of cuda_runtime.h.
#pragma once

#include "cuda_runtime.h"
