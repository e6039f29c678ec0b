// The former name of virtual_device.h; goes away with its last user, cuda/runtime/open_device.cpp.
#pragma once

#include "exec/virtual_device.h"
