#include "layered_step.h"

namespace mnist {

LayeredStep::Block::Block(int images, int in_channels, int out_channels, int side)
    : in{images, in_channels, side},
      out{images, out_channels, side},
      conv(out.count()),
      normal(out.count()),
      relu(out.count()),
      pool(out.count() / 4),
      where(out.count() / 4),
      mean(out_channels),
      inverse(out_channels),
      conv_gradient(out.count()),
      relu_gradient(out.count()),
      norm_sums(2 * out_channels) {}

LayeredStep::LayeredStep(int batch)
    : GpuStep(batch),
      input_(size_t(batch) * kPixels1),
      targets_(batch),
      first_(batch, 1, kChannels1, kSide1),
      second_(batch, kChannels1, kChannels2, kSide2),
      linear1_(size_t(batch) * kHidden),
      hidden_(size_t(batch) * kHidden),
      image_loss_(batch),
      logits_gradient_(size_t(batch) * kClasses),
      hidden_gradient_(size_t(batch) * kHidden),
      pool2_gradient_(second_.pool.count()),
      pool1_gradient_(first_.pool.count()) {}

void LayeredStep::block_forward(const float* in, const Block& block, const float* weight, const float* bias, const float* scale,
                                const float* shift) {
  conv_forward(in, block.in, weight, bias, block.conv, block.out.channels);
  norm_statistics(block);
  norm_apply(block, scale, shift);
  relu_forward(block.normal, block.relu, block.out.count());
  pool_forward(block);
}

void LayeredStep::forward(const Batch& batch) {
  gather(batch);
  block_forward(input_, first_, weight<Conv1Weight>(), weight<Conv1Bias>(), weight<Norm1Scale>(), weight<Norm1Shift>());
  block_forward(first_.pool, second_, weight<Conv2Weight>(), weight<Conv2Bias>(), weight<Norm2Scale>(), weight<Norm2Shift>());
  linear_forward(second_.pool, kFeatures, weight<Linear1Weight>(), weight<Linear1Bias>(), linear1_, kHidden);
  relu_forward(linear1_, hidden_, linear1_.count());
  linear_forward(hidden_, kHidden, weight<Linear2Weight>(), weight<Linear2Bias>(), logits_, kClasses);
  loss(batch);
}

void LayeredStep::backward(const Batch&) {
  linear_backward(hidden_, kHidden, weight<Linear2Weight>(), logits_gradient_, kClasses, hidden_gradient_, gradient<Linear2Weight>(),
                  gradient<Linear2Bias>());
  relu_backward(hidden_, hidden_gradient_, hidden_.count());
  linear_backward(second_.pool, kFeatures, weight<Linear1Weight>(), hidden_gradient_, kHidden, pool2_gradient_, gradient<Linear1Weight>(),
                  gradient<Linear1Bias>());

  pool_backward(pool2_gradient_, second_);
  relu_backward(second_.relu, second_.relu_gradient, second_.out.count());
  norm_backward(second_, weight<Norm2Scale>(), gradient<Norm2Scale>(), gradient<Norm2Shift>());
  conv_backward_weight(first_.pool, second_.in, second_.conv_gradient, kChannels2, gradient<Conv2Weight>(), gradient<Conv2Bias>());
  conv_backward_input(second_.conv_gradient, second_.in, weight<Conv2Weight>(), kChannels2, pool1_gradient_);

  pool_backward(pool1_gradient_, first_);
  relu_backward(first_.relu, first_.relu_gradient, first_.out.count());
  norm_backward(first_, weight<Norm1Scale>(), gradient<Norm1Scale>(), gradient<Norm1Shift>());
  conv_backward_weight(input_, first_.in, first_.conv_gradient, kChannels1, gradient<Conv1Weight>(), gradient<Conv1Bias>());
}

std::vector<GpuStep::Layer> LayeredStep::layers() {
  return {{"conv1", &first_.conv}, {"norm1", &first_.normal},  {"conv2", &second_.conv},
          {"norm2", &second_.normal}, {"linear1", &linear1_}, {"linear2", &logits_}};
}

}  // namespace mnist
