// What surrounds kernels: launching, compiling, starting. Each function measures one thing once its
// surroundings are warm, and gives the median.
#pragma once

#include <string>
#include <vector>

namespace warpwise::bench {

struct Programs {
  std::string warpwise;  // the command
  std::string folder;    // for caches and what is built; ours alone
};

// overheads/launch_time.cpp
double empty_launch_us();

// overheads/compile_time.cpp: PTX text of the tiled matrix product to machine code, without LLVM's start.
double compile_ms(const Programs& programs);

// overheads/processes.cpp
double help_ms(const Programs& programs);
double cold_run_ms(const Programs& programs);   // warpwise run examples/vecadd.cu, with an empty cache
double cold_run_headers_ms(const Programs& programs);  // the same of containers.cu, which includes <iostream> and <vector>
double warm_run_ms(const Programs& programs);
double memory_cold_mb(const Programs& programs);  // largest resident set of a program with next to no data
double memory_warm_mb(const Programs& programs);

// Runs a command to its end, its output thrown away; gives up when it fails.
struct Finished {
  double wall_ms = 0;
  double resident_mb = 0;
};
Finished run_process(const std::vector<std::string>& command);

double median_of(std::vector<double> values);
[[noreturn]] void give_up(const std::string& why);

}  // namespace warpwise::bench
