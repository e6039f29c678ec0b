// Part of surface_indirect_functions.h: CUDA 12 removed the functions of surface references.
#pragma once

#include "surface_indirect_functions.h"
