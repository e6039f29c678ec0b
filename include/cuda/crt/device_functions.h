// device_functions.h, under the name it has inside the toolkit.
#pragma once

#include "../device_functions.h"
