// The C++ library beside device code: host functions keep their meaning, constexpr ones work on both sides.
// lacks: call.uni
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
__global__ void kernel(float* p, int n) {
  std::complex<float> z(p[0], p[1]);
  p[2] = std::max(p[0], p[1]) + std::min(n, 3) + std::numeric_limits<float>::max();
  p[3] = std::norm(z);
}
int main() {
  std::vector<float> v(100);
  std::mt19937 generator(1);
  std::normal_distribution<float> normal;
  std::uniform_real_distribution<double> uniform;
  std::generate(v.begin(), v.end(), [&] { return normal(generator) + static_cast<float>(uniform(generator)); });
  std::sort(v.begin(), v.end());
  std::thread([] {}).join();
  std::cout << std::setprecision(3) << std::accumulate(v.begin(), v.end(), 0.0) << std::sin(1.0f) << std::abs(-1.5) << std::cyl_bessel_i(1.0, 2.0)
            << std::pow(std::complex<double>(1, 2), 2.0) << std::lgamma(3.5) << std::hypot(1.0, 2.0, 3.0) << '\n';
  return std::isnan(v[0]) + std::chrono::steady_clock::now().time_since_epoch().count() % 2 + abs(-3);
}
