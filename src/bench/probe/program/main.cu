// The program of `warpwise devices --measure`: what the GPU that runs it is capable of.
//
//     probe DESCRIPTOR MICROSECONDS REPEATS LOAD_SECONDS
//
// DESCRIPTOR: where lines of JSON go (harness.h). MICROSECONDS: that a difference of two times should last.
// LOAD_SECONDS: how long the GPU is kept busy for each figure of power; 0: not at all.
#include <cstdarg>

#include "host.h"
#include "memory.h"
#include "pipes.h"
#include "tensor.h"

void probe::Harness::say(const char* format, ...) const {
  va_list words;
  va_start(words, format);
  if (vdprintf(plan_.out, format, words) < 0) std::exit(1);
  va_end(words);
}

int main(int count, char** words) {
  if (count != 5) return 2;
  probe::Harness harness(
      {std::atoi(words[1]), std::atof(words[2]) * 1e-6, unsigned(std::atoi(words[3])), std::atof(words[4])});
  probe::measure_pipes(harness);
  probe::measure_tensor_cores(harness);
  probe::measure_shared(harness);
  probe::measure_caches(harness);
  probe::measure_host(harness);
  probe::load_fp32(harness);
  probe::load_tensor_cores(harness);
  probe::measure_dram(harness);
  harness.say("{\"done\":true}\n");
}
