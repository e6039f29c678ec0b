#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

#include "../random.h"
#include "../steps/layers.h"
#include "checks.h"

namespace mnist {
namespace {

using namespace reference;

Tensor random_tensor(size_t count, Random& random) {
  Tensor t(count);
  for (double& v : t) v = random.normal();
  return t;
}

double dot(const Tensor& a, const Tensor& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// The largest difference between `gradient` and the slopes of `value` along each of `variables`, relative to the largest
// gradient. h: the error of a central difference is h² times the third derivative plus the rounding of `value` over h.
double error_against_slopes(Tensor& variables, const Tensor& gradient, const std::function<double()>& value) {
  constexpr double h = 1e-5;
  double worst = 0, largest = 1e-3;
  for (double g : gradient) largest = std::max(largest, std::abs(g));
  for (size_t i = 0; i < variables.size(); ++i) {
    double before = variables[i];
    variables[i] = before + h;
    double above = value();
    variables[i] = before - h;
    double below = value();
    variables[i] = before;
    worst = std::max(worst, std::abs((above - below) / (2 * h) - gradient[i]) / largest);
  }
  return worst;
}

bool verdict(const char* what, double error) {
  bool good = error <= 1e-6;  // false for NaN, too
  std::printf("  %-28s %s (largest relative error %.1e)\n", what, good ? "ok" : "WRONG", error);
  return good;
}

bool check_conv(Random& random) {
  Shape shape{2, 3, 6};
  int channels = 4;
  Tensor in = random_tensor(shape.count(), random), weight = random_tensor(size_t(channels) * shape.channels * kTaps, random),
         bias = random_tensor(channels, random), form = random_tensor(size_t(shape.images) * channels * shape.plane(), random);
  Tensor in_gradient, weight_gradient(weight.size()), bias_gradient(bias.size());
  conv_backward(in, shape, weight.data(), channels, form, &in_gradient, weight_gradient.data(), bias_gradient.data());
  auto value = [&] { return dot(conv_forward(in, shape, weight.data(), bias.data(), channels), form); };
  bool good = verdict("convolution, input", error_against_slopes(in, in_gradient, value));
  good &= verdict("convolution, weight", error_against_slopes(weight, weight_gradient, value));
  return good & verdict("convolution, bias", error_against_slopes(bias, bias_gradient, value));
}

bool check_norm(Random& random) {
  Shape shape{3, 2, 4};
  Tensor in = random_tensor(shape.count(), random), scale = random_tensor(2, random), shift = random_tensor(2, random),
         form = random_tensor(shape.count(), random), scale_gradient(2), shift_gradient(2);
  NormState state;
  norm_forward(in, shape, scale.data(), shift.data(), state);
  Tensor in_gradient = norm_backward(state, shape, scale.data(), form, scale_gradient.data(), shift_gradient.data());
  auto value = [&] { return dot(norm_forward(in, shape, scale.data(), shift.data(), state), form); };
  bool good = verdict("batch norm, input", error_against_slopes(in, in_gradient, value));
  good &= verdict("batch norm, scale", error_against_slopes(scale, scale_gradient, value));
  return good & verdict("batch norm, shift", error_against_slopes(shift, shift_gradient, value));
}

// ReLU and the maximum have corners. The values keep such a distance from them and from each other that h crosses no
// corner.
bool check_relu_and_pool(Random& random) {
  Shape shape{2, 3, 6};
  Tensor in(shape.count()), form = random_tensor(shape.count() / 4, random);
  for (size_t i = 0; i < in.size(); ++i) in[i] = (double(i * 37 % in.size()) - double(in.size()) / 2 + 0.25) * 0.05;
  std::vector<uint8_t> where;
  auto value = [&] { return dot(pool_forward(relu_forward(in), shape, where), form); };
  value();
  Tensor out = relu_forward(in), gradient = relu_backward(out, pool_backward(where, shape, form));
  return verdict("ReLU and pooling, input", error_against_slopes(in, gradient, value));
}

bool check_linear(Random& random) {
  int images = 3, in_count = 7, out_count = 5;
  Tensor in = random_tensor(size_t(images * in_count), random), weight = random_tensor(size_t(out_count * in_count), random),
         bias = random_tensor(out_count, random), form = random_tensor(size_t(images * out_count), random);
  Tensor in_gradient, weight_gradient(weight.size()), bias_gradient(bias.size());
  linear_backward(in, images, in_count, weight.data(), out_count, form, &in_gradient, weight_gradient.data(), bias_gradient.data());
  auto value = [&] { return dot(linear_forward(in, images, in_count, weight.data(), bias.data(), out_count), form); };
  bool good = verdict("linear, input", error_against_slopes(in, in_gradient, value));
  good &= verdict("linear, weight", error_against_slopes(weight, weight_gradient, value));
  return good & verdict("linear, bias", error_against_slopes(bias, bias_gradient, value));
}

bool check_loss(Random& random) {
  Tensor logits = random_tensor(4 * kClasses, random), gradient, other;
  const uint8_t labels[4] = {3, 0, 9, 5};
  loss_forward(logits, 4, kClasses, labels, gradient);
  auto value = [&] { return loss_forward(logits, 4, kClasses, labels, other); };
  return verdict("softmax and loss, scores", error_against_slopes(logits, gradient, value));
}

}  // namespace

bool check_gradients() {
  Random random(20);
  std::printf("derivatives against finite differences, double precision\n");
  bool good = check_conv(random);
  good &= check_norm(random);
  good &= check_relu_and_pool(random);
  good &= check_linear(random);
  return good & check_loss(random);
}

}  // namespace mnist
