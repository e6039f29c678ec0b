#pragma once
#include "../../tensor.h"
