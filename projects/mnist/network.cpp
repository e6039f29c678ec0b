#include "network.h"

#include <cmath>

#include "random.h"

namespace mnist {

std::vector<float> initial_parameters(unsigned long long seed) {
  std::vector<float> values(kParameterCount);
  for (int t = 0; t < kParameterTensors; ++t) {
    const ParameterInfo& p = kParameters[t];
    Random random(seed, t);
    double bound = p.fan_in ? 1 / std::sqrt(double(p.fan_in)) : 0;
    bool scale = t == Norm1Scale || t == Norm2Scale;
    for (int i = 0; i < p.count(); ++i) values[p.offset + i] = scale ? 1.0f : float(random.between(-bound, bound));
  }
  return values;
}

}  // namespace mnist
