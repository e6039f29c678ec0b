// Barriers that are arrived at and waited for in two steps; the primitives, so far.
#pragma once

#include "cuda_awbarrier_primitives.h"
