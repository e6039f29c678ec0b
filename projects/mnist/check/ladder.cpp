#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "../error.h"
#include "../random.h"
#include "checks.h"

namespace mnist {
namespace {

// The gradients of a step may differ from the reference's by this much of a tensor's length (the root of the sum of squares).
// With rounded operands that is mostly the few places where another value of a pooling window has become the largest.
double gradient_tolerance(Precision precision) {
  switch (precision) {
    case Precision::Fp32: return 1e-4;
    case Precision::Tf32: return 5e-2;
    case Precision::Bf16: return 3e-1;
  }
  return 0;
}

// The gradient of a convolution's bias is zero, because batch norm removes what the bias adds; only the rounding of a
// long sum is left. Its scale is the gradient of the norm's own shift, a sum that is as long and does not vanish. The
// tolerance is ten times as large, because the norm divides by a standard deviation of about a tenth.
bool vanishes(int tensor) { return tensor == Conv1Bias || tensor == Conv2Bias; }
Parameter scale_of(int tensor) {
  return tensor == Conv1Bias ? Norm1Shift : tensor == Conv2Bias ? Norm2Shift : Parameter(tensor);
}

// The root mean square of a tensor's entries.
template <class Entry>
double size_of(const ParameterInfo& p, Entry entry) {
  double squares = 0;
  for (int i = p.offset; i < p.offset + p.count(); ++i) squares += entry(i) * entry(i);
  return std::sqrt(squares / p.count());
}

// Where two values of a pooling window are nearly equal, rounding decides which one the gradient goes to: a jump that
// is not an error. The rate is small, so that only this gradient jumps and not everything that follows.
constexpr float kRate = 0.01f;

// The allowed difference of losses from the reference's, or from PyTorch's in the same precision.
double loss_tolerance(Precision precision) { return precision == Precision::Fp32 ? 1e-4 : 2e-2; }

struct Run {
  std::vector<float> losses, gradients;
};

Run run(int number, int batch, Precision precision, int steps, const Images& images) {
  std::unique_ptr<Step> step = make_step(number, batch, precision);
  std::vector<float> start = initial_parameters(7);
  Random random(11);  // scales and shifts that are not all alike, some scales negative: pooling must not take the maximum there
  for (Parameter p : {Norm1Scale, Norm1Shift, Norm2Scale, Norm2Shift})
    for (int i = 0; i < kParameters[p].count(); ++i) {
      bool scale = p == Norm1Scale || p == Norm2Scale;
      start[kParameters[p].offset + i] = float(scale ? (i % 5 == 3 ? -1 : 1) * random.between(0.5, 1.5) : random.between(-0.2, 0.2));
    }
  step->set_parameters(start);
  step->set_images(images);
  step->set_order(shuffled(images.count(), 3, 0));
  Run result;
  step->train(0, 1, kRate);
  result.gradients = step->gradients();
  step->train(batch, steps - 1, kRate);
  result.losses = step->losses();
  return result;
}

}  // namespace

bool check_step(int number, int batch, Precision precision, int steps) {
  Images images = load_images("synthetic", Part::Train, batch * steps, 2);
  std::printf("step %d, %s, batches of %d, %d training steps beside the reference\n", number, name_of(precision), batch, steps);
  Run want = run(0, batch, Precision::Fp32, steps, images), got = run(number, batch, precision, steps, images);

  bool good = true;
  for (int t = 0; t < kParameterTensors; ++t) {
    const ParameterInfo& p = kParameters[t];
    double size = size_of(kParameters[scale_of(t)], [&](int i) { return double(want.gradients[i]); });
    double error = size_of(p, [&](int i) { return double(got.gradients[i]) - want.gradients[i]; }) / size;
    bool fine = error <= gradient_tolerance(precision) * (vanishes(t) ? 10 : 1);
    std::printf("  gradient of %-16s %s (relative error %.1e)\n", p.name, fine ? "ok" : "WRONG", error);
    good &= fine;
  }
  double worst = 0;
  for (int s = 0; s < steps; ++s) {
    double error = std::abs(double(got.losses[s]) - want.losses[s]);
    worst = error <= worst ? worst : error;
  }
  bool fine = worst <= loss_tolerance(precision);
  std::printf("  losses of %d steps            %s (largest difference %.1e; from %.4f to %.4f)\n", steps, fine ? "ok" : "WRONG", worst,
              want.losses.front(), want.losses.back());
  return good & fine;
}

bool check_recorded(const std::string& path, int number, Precision precision, int steps) {
  std::FILE* in = std::fopen(path.c_str(), "r");
  if (!in) fail("%s: %s", path.c_str(), std::strerror(errno));
  std::vector<float> want;
  char line[256];
  while (std::fgets(line, sizeof line, in)) {
    float columns[4];  // fp64 fp32 tf32 bf16
    if (line[0] == '#') continue;
    if (std::sscanf(line, "%f %f %f %f", columns, columns + 1, columns + 2, columns + 3) == 4) want.push_back(columns[1 + int(precision)]);
  }
  std::fclose(in);
  if (want.size() != SharedRun::kSteps) fail("%s: holds %zu losses; %d are expected", path.c_str(), want.size(), SharedRun::kSteps);

  Images images = load_images("synthetic", Part::Train, SharedRun::kBatch * SharedRun::kSteps, 1);
  std::unique_ptr<Step> step = make_step(number, SharedRun::kBatch, precision);
  step->set_parameters(initial_parameters(SharedRun::kSeed));
  step->set_images(images);
  step->set_order(shuffled(images.count(), 3, 0));
  steps = std::min(steps, SharedRun::kSteps);
  step->train(0, steps, float(SharedRun::kRate));
  std::vector<float> got = step->losses();
  double worst = 0;
  for (int s = 0; s < steps; ++s) {
    double error = std::abs(double(got[s]) - want[s]);
    worst = error <= worst ? worst : error;
  }
  bool fine = worst <= loss_tolerance(precision);
  std::printf("step %d, %s: losses of %d training steps beside PyTorch's: %s (largest difference %.1e)\n", number, name_of(precision), steps, fine ? "ok" : "WRONG", worst);
  return fine;
}

}  // namespace mnist
