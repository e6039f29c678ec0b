// The report of a training run: one HTML file that needs nothing beside it, and the worst mistakes as a PNG.
#pragma once

#include <string>
#include <vector>

#include "evaluate.h"

namespace mnist {

struct RunRecord {
  std::string title, data;           // which step, precision, batch, rate; where the images came from
  bool synthetic = false;
  std::vector<float> losses;         // of every training step
  std::vector<std::pair<int, double>> accuracies;  // after that many steps, on the held-out images
  double seconds = 0, images_per_second = 0;
};

// Writes PATH and, beside it, PATH with `-mistakes.png` and `-loss.png` for its ending.
void write_report(const std::string& path, const RunRecord& run, const Evaluation& evaluation, const Images& test);

}  // namespace mnist
