// The wiring of steps 1 and 2: one function for each layer and direction, every layer's values in a buffer of its own. The
// steps supply the functions; the order of the calls, and so the network, is written here.
#pragma once

#include "gpu_step.h"

namespace mnist {

class LayeredStep : public GpuStep {
 public:
  explicit LayeredStep(int batch);

 protected:
  void forward(const Batch& batch) override;
  void backward(const Batch& batch) override;
  std::vector<Layer> layers() override;

  // The values that a block of convolution, norm, ReLU and pooling keeps.
  struct Block {
    Pictures in, out;  // before and after the convolution
    Buffer<float> conv, normal, relu, pool;
    Buffer<uint8_t> where;                      // 0 … 3 for each pooled value
    Buffer<float> mean, inverse;                // of a channel: its mean, 1 / its standard deviation
    Buffer<float> conv_gradient, relu_gradient, norm_sums;
    Block(int images, int in_channels, int out_channels, int side);
  };

  virtual void gather(const Batch& batch) = 0;  // input_ and targets_, from the data set
  virtual void conv_forward(const float* in, Pictures in_shape, const float* weight, const float* bias, float* out, int channels) = 0;
  virtual void conv_backward_weight(const float* in, Pictures in_shape, const float* out_gradient, int channels, float* weight_gradient,
                                    float* bias_gradient) = 0;
  virtual void conv_backward_input(const float* out_gradient, Pictures in_shape, const float* weight, int channels, float* in_gradient) = 0;
  virtual void norm_statistics(const Block& block) = 0;
  virtual void norm_apply(const Block& block, const float* scale, const float* shift) = 0;
  virtual void norm_backward(const Block& block, const float* scale, float* scale_gradient, float* shift_gradient) = 0;
  virtual void relu_forward(const float* in, float* out, size_t count) = 0;
  virtual void relu_backward(const float* out, float* gradient, size_t count) = 0;  // in place
  virtual void pool_forward(const Block& block) = 0;
  virtual void pool_backward(const float* pool_gradient, const Block& block) = 0;
  virtual void linear_forward(const float* in, int in_count, const float* weight, const float* bias, float* out, int out_count) = 0;
  virtual void linear_backward(const float* in, int in_count, const float* weight, const float* out_gradient, int out_count, float* in_gradient,
                               float* weight_gradient, float* bias_gradient) = 0;
  virtual void loss(const Batch& batch) = 0;  // of logits_: its mean, and logits_gradient_

  Buffer<float> input_;
  Buffer<uint8_t> targets_;
  Block first_, second_;
  Buffer<float> linear1_, hidden_;
  Buffer<float> image_loss_, logits_gradient_, hidden_gradient_, pool2_gradient_, pool1_gradient_;

 private:
  void block_forward(const float* in, const Block& block, const float* weight, const float* bias, const float* scale, const float* shift);
};

}  // namespace mnist
