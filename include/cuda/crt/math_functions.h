// math_functions.h, under the name it has inside the toolkit.
#pragma once

#include "../math_functions.h"
