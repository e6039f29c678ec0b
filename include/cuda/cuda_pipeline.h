// Pipelines; the primitives, so far.
#pragma once

#include "cuda_pipeline_primitives.h"
