// Handwritten-looking digits for machines without the MNIST files. Each digit is a few strokes (strokes.inc) whose
// control points are jittered; the whole is bent by a smooth random field (the elastic part), then turned, slanted, scaled and
// moved (the affine part), drawn with a pen of random width, and given a little noise. Digit i of a seed depends on nothing
// but the seed and i: any number of threads draws the same pictures, bit for bit.
#pragma once

#include "images.h"

namespace mnist {

Images make_digits(int count, Part part, uint64_t seed);

}  // namespace mnist
