// A network judged on labelled images.
#pragma once

#include <array>
#include <vector>

#include "../steps/step.h"

namespace mnist {

struct Mistake {
  int image, said;
  float confidence;  // the probability that the network gave to what it said
};

struct Evaluation {
  int count = 0, right = 0;
  std::array<std::array<int, kClasses>, kClasses> confusion{};  // [what it is][what the network said]
  std::vector<Mistake> mistakes;                                 // the most confident ones first
  double accuracy() const { return count ? double(right) / count : 0; }
};

// Batch norm takes the statistics of the batch at hand, so images are judged `batch` at a time, the last ones together with
// some that were judged before. Replaces the step's images and order.
Evaluation evaluate(Step& step, const Images& images, int batch);

// Softmax of one image's 10 scores.
std::array<float, kClasses> probabilities(const float* scores);

}  // namespace mnist
