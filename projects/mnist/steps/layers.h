// The network's layers on the CPU in double precision, forward and backward, for any shape: the reference for every
// step of the ladder, written for readability. Tensors are dense, images outermost, then channels, rows, columns.
//
// A backward function takes the gradient of the loss with respect to what its forward function gave, and *adds* to the
// gradients of its parameters (they are sums over the batch), but *sets* the gradient of its input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mnist::reference {

using Tensor = std::vector<double>;

// A batch of pictures.
struct Shape {
  int images, channels, side;
  int plane() const { return side * side; }
  size_t count() const { return size_t(images) * channels * plane(); }
};

// 3×3, padded with zeros to keep the size. weight: out × in × 3 × 3.
Tensor conv_forward(const Tensor& in, Shape shape, const double* weight, const double* bias, int out_channels);
void conv_backward(const Tensor& in, Shape shape, const double* weight, int out_channels, const Tensor& out_gradient,
                   Tensor* in_gradient, double* weight_gradient, double* bias_gradient);

// Each channel is brought to mean 0 and variance 1 over batch, rows and columns (divided by the count, not the count − 1),
// then scaled and shifted.
struct NormState {
  Tensor normal;             // before scale and shift
  std::vector<double> inverse;  // of the standard deviation, per channel
};
Tensor norm_forward(const Tensor& in, Shape shape, const double* scale, const double* shift, NormState& state);
Tensor norm_backward(const NormState& state, Shape shape, const double* scale, const Tensor& out_gradient, double* scale_gradient,
                     double* shift_gradient);

Tensor relu_forward(const Tensor& in);
Tensor relu_backward(const Tensor& out, const Tensor& out_gradient);

// The largest of each 2×2 square, and where it was (of equals, the first in reading order, as in PyTorch).
Tensor pool_forward(const Tensor& in, Shape shape, std::vector<uint8_t>& where);
Tensor pool_backward(const std::vector<uint8_t>& where, Shape shape, const Tensor& out_gradient);

// weight: out × in.
Tensor linear_forward(const Tensor& in, int images, int in_count, const double* weight, const double* bias, int out_count);
void linear_backward(const Tensor& in, int images, int in_count, const double* weight, int out_count, const Tensor& out_gradient,
                     Tensor* in_gradient, double* weight_gradient, double* bias_gradient);

// The mean over the batch of −log softmax(logits)[label], and its gradient.
double loss_forward(const Tensor& logits, int images, int classes, const uint8_t* labels, Tensor& gradient);

}  // namespace mnist::reference
