// host_defines.h, under the name it has inside the toolkit.
#pragma once

#include "../host_defines.h"
