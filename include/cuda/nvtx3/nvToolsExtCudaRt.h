// NVTX under the name of its version 3.
#pragma once

#include "../nvToolsExt.h"
