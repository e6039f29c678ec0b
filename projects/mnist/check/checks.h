// What `mnist check` does: the network's derivatives against finite differences, the steps against the reference.
#pragma once

#include <string>
#include <vector>

#include "../steps/step.h"

namespace mnist {

// Each layer of steps/layers.h, on small random shapes: the gradient of a random linear form of its output against central
// differences, in double precision. Prints a line per layer; true when all agree to 1e-6.
bool check_gradients();

// 20 training steps of step `number` and of the reference, from the same weights and batches: compares every loss, and
// the first step's gradients, tensor by tensor. Prints the differences; true when all are within the tolerance of the
// precision.
bool check_step(int number, int batch, Precision precision, int steps);

// Compares the losses of a step with those that PyTorch had for the same weights and batches, in a precision
// (compare/pytorch_losses.txt): at most `steps` of them.
bool check_recorded(const std::string& path, int number, Precision precision, int steps);

// The training run that `mnist export` records and PyTorch repeats.
struct SharedRun {
  static constexpr int kBatch = 32, kSteps = 20;
  static constexpr double kRate = 0.01;
  static constexpr unsigned kSeed = 7;
};

}  // namespace mnist
