// Step 0. The network in double precision on the CPU (layers.h), the reference for the other steps. It is not meant for
// training. It must be obviously right, and its gradients must agree with finite differences (check/gradients.cpp).
#include <algorithm>
#include <cmath>
#include <utility>

#include "layers.h"
#include "step.h"

namespace mnist {
namespace {

using namespace reference;

class Reference : public Step {
 public:
  explicit Reference(int batch) : batch_(batch), weights_(kParameterCount), gradients_(kParameterCount) {}

  void set_parameters(const std::vector<float>& values) override { weights_.assign(values.begin(), values.end()); }
  std::vector<float> parameters() override { return {weights_.begin(), weights_.end()}; }
  std::vector<float> gradients() override { return {gradients_.begin(), gradients_.end()}; }
  void set_images(const Images& images) override { images_ = images; }
  void set_order(const std::vector<int>& order) override { order_ = order; }

  void train(int first, int count, float rate) override {
    for (int s = 0; s < count; ++s) {
      forward(first + s * batch_);
      backward();
      for (int i = 0; i < kParameterCount; ++i) weights_[i] -= double(rate) * gradients_[i];
    }
  }
  std::vector<float> losses() override { return std::exchange(losses_, {}); }
  std::vector<float> scores(int first) override {
    forward(first);
    losses_.pop_back();
    return {logits_.begin(), logits_.end()};
  }
  std::string first_bad_layer() override {
    for (auto [name, values] : {std::pair{"conv1", &conv1_}, {"norm1", &relu1_}, {"conv2", &conv2_}, {"norm2", &relu2_},
                                {"linear1", &hidden_}, {"linear2", &logits_}})
      for (double v : *values)
        if (!std::isfinite(v)) return name;
    return "";
  }

 private:
  template <Parameter P>
  double* weight() { return &weights_[kAt<P>]; }
  template <Parameter P>
  double* gradient() { return &gradients_[kAt<P>]; }

  void forward(int first) {
    input_.resize(shape1_in().count());
    labels_.resize(size_t(batch_));
    for (int n = 0; n < batch_; ++n) {
      int image = order_[size_t(first + n)];
      labels_[n] = images_.labels[image];
      for (int i = 0; i < kPixels1; ++i) input_[size_t(n) * kPixels1 + i] = images_.image(image)[i] / 255.0;
    }
    conv1_ = conv_forward(input_, shape1_in(), weight<Conv1Weight>(), weight<Conv1Bias>(), kChannels1);
    relu1_ = relu_forward(norm_forward(conv1_, shape1(), weight<Norm1Scale>(), weight<Norm1Shift>(), norm1_));
    pool1_ = pool_forward(relu1_, shape1(), where1_);
    conv2_ = conv_forward(pool1_, shape2_in(), weight<Conv2Weight>(), weight<Conv2Bias>(), kChannels2);
    relu2_ = relu_forward(norm_forward(conv2_, shape2(), weight<Norm2Scale>(), weight<Norm2Shift>(), norm2_));
    pool2_ = pool_forward(relu2_, shape2(), where2_);
    hidden_ = relu_forward(linear_forward(pool2_, batch_, kFeatures, weight<Linear1Weight>(), weight<Linear1Bias>(), kHidden));
    logits_ = linear_forward(hidden_, batch_, kHidden, weight<Linear2Weight>(), weight<Linear2Bias>(), kClasses);
    losses_.push_back(float(loss_forward(logits_, batch_, kClasses, labels_.data(), logits_gradient_)));
  }

  void backward() {
    std::fill(gradients_.begin(), gradients_.end(), 0.0);
    Tensor hidden, pool2, pool1;
    linear_backward(hidden_, batch_, kHidden, weight<Linear2Weight>(), kClasses, logits_gradient_, &hidden,
                    gradient<Linear2Weight>(), gradient<Linear2Bias>());
    linear_backward(pool2_, batch_, kFeatures, weight<Linear1Weight>(), kHidden, relu_backward(hidden_, hidden), &pool2,
                    gradient<Linear1Weight>(), gradient<Linear1Bias>());
    Tensor norm2 = relu_backward(relu2_, pool_backward(where2_, shape2(), pool2));
    Tensor conv2 = norm_backward(norm2_, shape2(), weight<Norm2Scale>(), norm2, gradient<Norm2Scale>(), gradient<Norm2Shift>());
    conv_backward(pool1_, shape2_in(), weight<Conv2Weight>(), kChannels2, conv2, &pool1, gradient<Conv2Weight>(), gradient<Conv2Bias>());
    Tensor norm1 = relu_backward(relu1_, pool_backward(where1_, shape1(), pool1));
    Tensor conv1 = norm_backward(norm1_, shape1(), weight<Norm1Scale>(), norm1, gradient<Norm1Scale>(), gradient<Norm1Shift>());
    conv_backward(input_, shape1_in(), weight<Conv1Weight>(), kChannels1, conv1, nullptr, gradient<Conv1Weight>(), gradient<Conv1Bias>());
  }

  Shape shape1_in() const { return {batch_, 1, kSide1}; }
  Shape shape1() const { return {batch_, kChannels1, kSide1}; }
  Shape shape2_in() const { return {batch_, kChannels1, kSide2}; }
  Shape shape2() const { return {batch_, kChannels2, kSide2}; }

  int batch_;
  std::vector<double> weights_, gradients_;
  std::vector<float> losses_;
  Images images_;
  std::vector<int> order_;

  std::vector<uint8_t> labels_, where1_, where2_;
  Tensor input_, conv1_, relu1_, pool1_, conv2_, relu2_, pool2_, hidden_, logits_, logits_gradient_;
  NormState norm1_, norm2_;
};

}  // namespace

std::unique_ptr<Step> make_step0(int batch, Precision) { return std::make_unique<Reference>(batch); }

}  // namespace mnist
