// The network, once: shapes, and the list of its parameters with their places in one flat array.
//
//     image 28×28 ─ conv 3×3, 32 ─ batch norm ─ ReLU ─ pool 2×2 ─┐ 14×14×32
//            ┌──────────────────────────────────────────────────┘
//            └ conv 3×3, 64 ─ batch norm ─ ReLU ─ pool 2×2 ─ 7×7×64 ─ linear 128 ─ ReLU ─ linear 10 ─ log-softmax
//
// An image enters as byte / 255. Batch norm always uses the statistics of the current batch, in training and in testing
// (PyTorch: track_running_stats=False). Training is plain SGD on the mean cross-entropy of a batch.
//
// Parameters, their gradients and checkpoints all have the same layout: tensors one after the other in the order of
// parameters.inc, each as PyTorch has it. So an update is one loop, and comparing two networks is one loop.
#pragma once

#include <array>
#include <vector>

namespace mnist {

constexpr int kSide1 = 28, kSide2 = 14, kSide3 = 7;  // of the image, after one pooling, after two
constexpr int kPixels1 = kSide1 * kSide1, kPixels2 = kSide2 * kSide2, kPixels3 = kSide3 * kSide3;
constexpr int kChannels1 = 32, kChannels2 = 64;
constexpr int kTaps = 9;
constexpr int kFeatures = kChannels2 * kPixels3, kHidden = 128, kClasses = 10;
constexpr double kEpsilon = 1e-5;  // of batch norm, as in PyTorch

enum Parameter {
#define PARAMETER(id, name, fan_in, ...) id,
#include "parameters.inc"
#undef PARAMETER
  kParameterTensors
};

struct ParameterInfo {
  const char* name;  // as in PyTorch's state_dict
  int fan_in;        // 0: starts at a constant, 1 for a scale and 0 for a shift
  std::array<int, 4> shape;
  int offset;
  constexpr int count() const { return shape[0] * shape[1] * shape[2] * shape[3]; }
  constexpr int rank() const { return shape[2] > 1 ? 4 : shape[1] > 1 ? 2 : 1; }
};

constexpr std::array<int, 4> tensor_shape(int a, int b = 1, int c = 1, int d = 1) { return {a, b, c, d}; }

constexpr std::array<ParameterInfo, kParameterTensors> make_parameter_table() {
  std::array<ParameterInfo, kParameterTensors> table = {{
#define PARAMETER(id, name, fan_in, ...) ParameterInfo{name, fan_in, tensor_shape(__VA_ARGS__), 0},
#include "parameters.inc"
#undef PARAMETER
  }};
  int offset = 0;
  for (ParameterInfo& p : table) {
    p.offset = offset;
    offset += p.count();
  }
  return table;
}
constexpr std::array<ParameterInfo, kParameterTensors> kParameters = make_parameter_table();
constexpr int kParameterCount = kParameters[kParameterTensors - 1].offset + kParameters[kParameterTensors - 1].count();

// The offset of a tensor in the flat array, as a plain number that kernels can use.
template <Parameter P>
constexpr int kAt = kParameters[P].offset;

// PyTorch's default initialisation: uniform in ±1/sqrt(fan in); scales 1, shifts 0. The same floats on every machine.
std::vector<float> initial_parameters(unsigned long long seed);

}  // namespace mnist
