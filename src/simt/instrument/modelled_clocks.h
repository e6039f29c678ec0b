// %clock in the time of a model: code that reads it carries the clocks that have passed on its thread, as a variable of
// the program.
//
//     mov.u64 %rd1, %clock64;      the launch's begin + passed
//     LOOP: …                      passed += what the model says a turn takes
//     mov.u64 %rd2, %clock64;
//
// The variable belongs to the scalar program, so vectorisation, barriers and both modes handle it like any other, and a
// kernel that counts nothing reads the same time. %globaltimer is the same in nanoseconds.
#pragma once

#include <cstdint>
#include <vector>

namespace warpwise::simt {

struct ModelledClocks {
  // By function (index into Module::functions) and instruction: clocks that pass before it. Empty: kernels ask the
  // engine for the time.
  std::vector<std::vector<uint32_t>> before;
  uint64_t khz = 0;

  bool empty() const { return before.empty(); }
  // For keys of caches (FNV-1a, by words).
  uint64_t hash() const {
    uint64_t h = 0xcbf29ce484222325u;
    const auto add = [&](uint64_t word) { h = (h ^ word) * 0x100000001b3u; };
    add(khz);
    for (const auto& function : before) {
      add(function.size());
      for (uint32_t clocks : function) add(clocks);
    }
    return h;
  }
};

}  // namespace warpwise::simt
