// Part of surface_indirect_functions.h: the functions of surface references went with CUDA 12.
#pragma once

#include "surface_indirect_functions.h"
