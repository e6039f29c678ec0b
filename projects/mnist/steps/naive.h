// Step 1 as a class, so that step 2 can replace some of its layers and keep the others.
#pragma once

#include "layered_step.h"

namespace mnist {

class Naive : public LayeredStep {
 public:
  using LayeredStep::LayeredStep;

 protected:
  void gather(const Batch& batch) override;
  void conv_forward(const float* in, Pictures in_shape, const float* weight, const float* bias, float* out, int channels) override;
  void conv_backward_weight(const float* in, Pictures in_shape, const float* out_gradient, int channels, float* weight_gradient,
                            float* bias_gradient) override;
  void conv_backward_input(const float* out_gradient, Pictures in_shape, const float* weight, int channels, float* in_gradient) override;
  void norm_statistics(const Block& block) override;
  void norm_apply(const Block& block, const float* scale, const float* shift) override;
  void norm_backward(const Block& block, const float* scale, float* scale_gradient, float* shift_gradient) override;
  void relu_forward(const float* in, float* out, size_t count) override;
  void relu_backward(const float* out, float* gradient, size_t count) override;
  void pool_forward(const Block& block) override;
  void pool_backward(const float* pool_gradient, const Block& block) override;
  void linear_forward(const float* in, int in_count, const float* weight, const float* bias, float* out, int out_count) override;
  void linear_backward(const float* in, int in_count, const float* weight, const float* out_gradient, int out_count, float* in_gradient,
                       float* weight_gradient, float* bias_gradient) override;
  void loss(const Batch& batch) override;
  void update(float rate) override;
};

}  // namespace mnist
