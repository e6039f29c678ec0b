// Surface descriptions; part of driver_types.h.
#pragma once

#include "driver_types.h"
