// A step of the ladder: one way to train the network. All have this interface and give the same results; they differ
// in how they compute. steps.inc lists them.
//
// The images of a step's data set are visited in an order (order.size() may be any number); a training step takes `batch`
// images of it. Work may be asynchronous: losses() and everything that returns values waits.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "../data/images.h"
#include "../network.h"

namespace mnist {

// How products are computed: plain single precision; both factors rounded to tf32 (10 bits of fraction) or bfloat16 (7 bits).
// Sums are in single precision everywhere, and so are the parameters.
enum class Precision { Fp32, Tf32, Bf16 };
const char* name_of(Precision precision);

class Step {
 public:
  virtual ~Step() = default;

  virtual void set_parameters(const std::vector<float>& values) = 0;
  virtual std::vector<float> parameters() = 0;
  virtual std::vector<float> gradients() = 0;  // of the last training step

  virtual void set_images(const Images& images) = 0;
  virtual void set_order(const std::vector<int>& order) = 0;

  // `count` training steps, the first on order[first …], with learning rate `rate`.
  virtual void train(int first, int count, float rate) = 0;
  // The losses of the training steps since the last call.
  virtual std::vector<float> losses() = 0;
  // The scores of the 10 classes for the images order[first …], `batch` × 10. Changes no parameter.
  virtual std::vector<float> scores(int first) = 0;
  // After a loss that is NaN or infinite: the first layer whose values are not finite, or "" when all are.
  virtual std::string first_bad_layer() = 0;
};

struct StepInfo {
  int number;
  const char* name;
  const char* idea;
  bool tensor_cores;  // has Tf32 and Bf16
  std::unique_ptr<Step> (*make)(int batch, Precision precision);
};
const std::vector<StepInfo>& all_steps();

// Throws for numbers and precisions that do not exist.
std::unique_ptr<Step> make_step(int number, int batch, Precision precision);

}  // namespace mnist
