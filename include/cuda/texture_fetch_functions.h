// Part of texture_indirect_functions.h: the functions of texture references went with CUDA 12.
#pragma once

#include "texture_indirect_functions.h"
