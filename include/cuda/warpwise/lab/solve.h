// Stands in for the "solve.h" that solution files include, which declares solve. Nothing needs to be declared here: the
// judge finds solve by its name, extern "C" or not.
#pragma once

#include <cuda_runtime.h>
