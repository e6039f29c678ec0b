// printf, malloc, clock and similar functions; part of cuda_runtime.h.
#pragma once

#include "cuda_runtime.h"
