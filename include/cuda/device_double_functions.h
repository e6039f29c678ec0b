// The device functions of double precision; part of cuda_runtime.h.
#pragma once

#include "cuda_runtime.h"
