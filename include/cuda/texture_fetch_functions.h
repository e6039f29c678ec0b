// Part of texture_indirect_functions.h: CUDA 12 removed the functions of texture references.
#pragma once

#include "texture_indirect_functions.h"
