// The functions that a CUDA source offers to the process that loads it, by name: a reading of the text. Their types
// come from the compiler (include/cuda/warpwise/signatures.h); what this reading takes for a function and the compiler
// does not know is left out by library.cpp.
//
//     __global__ void scale(float* x, float by) {...}         a kernel, `scale`, with parameters `x` and `by`
//     extern "C" void solve(const float* a, int n) {...}      a host function
//     namespace steps { __global__ void first(int*) {...} }   a kernel, `steps::first`
//
// Read are definitions at namespace scope. Of an `#if` with branches the first is read, of `#if 0` the second: both
// together may open more braces than they close.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpwise::capi {

struct SourceFunction {
  std::string name;  // with its namespaces
  bool kernel = false;
  bool is_template = false;                  // no function yet, but a pattern of functions
  std::vector<std::string> parameter_names;  // "" where the source gives none
};

// `also`: host functions that count without extern "C". Those of them that the text does not define come last, without
// names of parameters.
std::vector<SourceFunction> functions_in(std::string_view source, const std::vector<std::string>& also = {});

}  // namespace warpwise::capi
