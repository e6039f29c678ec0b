// What `mnist check` does: the network's derivatives against finite differences, the steps against the reference.
#pragma once

#include <vector>

#include "../steps/step.h"

namespace mnist {

// Each layer of steps/layers.h, on small random shapes: the gradient of a random linear form of its output against central
// differences, in double precision. Prints a line per layer; true when all agree to 1e-6.
bool check_gradients();

// 20 training steps of `number` beside the reference, from the same weights and batches: every loss, and the first step's
// gradients, tensor by tensor. Prints what it finds; true when all is within the tolerance of the precision.
bool check_step(int number, int batch, Precision precision, int steps);

}  // namespace mnist
