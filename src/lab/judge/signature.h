// The parameters of the entry as the source writes them, compared with the problem's.
//
// A kernel that is `extern "C"` carries no types, so two swapped pointers, `float n` for `int n` and `double* out` for
// `float* out` link and launch. Their results are puzzling unless a message says what differs. This is a reading of the
// text, without macros and typedefs, so it only explains refusals and never causes one.
//
//     __global__ void map(const float* a, float* out, int n)          the problem: (float* out, const float* a, int n)
//     ─► "your `a` is the problem's `out`: parameters are passed by position"
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/problem/problem.h"

namespace warpwise::lab {

struct OwnParameter {
  std::string type;  // "const float*", without __restrict__ and blanks
  std::string name;  // "" where the source gives none
};

// How the source defines a function of the problem's entry name.
struct OwnSignature {
  bool found = false;   // there is a definition
  bool kernel = false;  // with __global__ before it
  std::vector<OwnParameter> parameters;
  std::string text;       // as it is written, up to the parameters' end, on one line
  size_t line = 0;        // of the definition, from 1
  std::string condition;  // the innermost #if, #ifdef or #else that it stands under; "": none
  size_t line_of_condition = 0;
};

OwnSignature signature_in(std::string_view source, std::string_view entry);

// A function of another name, a kernel where the problem asks for one, whose parameters have the problem's types: the
// entry under a wrong name, most likely. "": there is none.
struct OtherName {
  std::string name;
  size_t line = 0;
};
OtherName entry_by_another_name(const Problem& problem, std::string_view source);

// How a source's parameters differ from the problem's; nothing does where the text cannot be compared.
struct Differences {
  std::vector<std::string> sentences;
  // Another number of parameters, an input in the place of an output, elements of another width, a number of another
  // kind: nothing that such code does means anything. An `unsigned int N`, or other names in the same places, may be a
  // matter of taste.
  bool decisive = false;
};
Differences differences(const Problem& problem, const OwnSignature& own);

}  // namespace warpwise::lab
