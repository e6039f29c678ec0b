// What a test sees and sets of the fake driver (fake_driver.cpp): a library with the functions of NVIDIA's driver over
// host memory. The library exports fake_driver(); the test finds it there by name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace warpwise::device::gpu::testing {

struct FakeLaunch {
  std::string kernel;
  unsigned grid[3], block[3], cluster[3];
  unsigned shared_bytes;
  bool cooperative;
  void* stream;
  std::vector<std::vector<std::byte>> parameters;
};

struct FakeDriver {
  // What was called: the symbols in their order, but for those that only ask for texts of errors.
  std::vector<std::string> calls;
  // What has been made and not given back, by kind: "memory", "stream", ...
  std::map<std::string, int> live;

  // The call of this number (from 0, counted in `calls`) fails with `failure`, and where it is a kernel's failure all
  // calls after it do.
  int fail_at = -1;
  int failure = 1;
  std::string failed;  // the symbol that did

  std::map<int, int> attributes;  // of the GPU
  std::string name = "NVIDIA H200";
  int gpus = 1, version = 13000;
  size_t free_bytes = size_t{100} << 30, total_bytes = size_t{140} << 30;
  std::map<int, int> function_attributes;  // of every kernel; those that are set end here
  std::string compile_error;               // what the compiler says of the next module: it refuses it
  std::string module_text;                 // of the last module
  std::map<int, size_t> limits;
  float milliseconds = 1.5f;  // between any two events
  std::vector<FakeLaunch> launches;
  std::function<void(const FakeLaunch&)> on_launch;
  std::vector<uint64_t> waited_values, written_values;
  int not_ready = 0;                // that many queries of streams and events say that work is under way
  std::vector<int> tensor_numbers;  // the numbers that the last tensor map was encoded from

  // Back to the beginning; what is live stays known.
  void restart() {
    calls.clear(), launches.clear(), waited_values.clear(), written_values.clear();
    fail_at = -1;
    failure = 1;
    failed.clear();
    poisoned = 0;
  }
  int live_in_all() const {
    int sum = 0;
    for (const auto& [kind, count] : live) sum += count;
    return sum;
  }

  int poisoned = 0;  // the kernel's failure that all calls return
};

using GetFakeDriver = FakeDriver* (*)();

}  // namespace warpwise::device::gpu::testing
