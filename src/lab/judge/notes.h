// Notes that explain a refusal from the text of the submission: what no checker sees, and the reader may not think of.
//
//     a parameter differs from the problem's      often why a launch goes wrong
//     an output is read before it is written      elsewhere it may have held zeros
//     a printf reads memory                       and that counts in the budget
#pragma once

#include <string>

#include "lab/judge/judge.h"

namespace warpwise::lab {

// `text`: the submission. Nothing to do where it was accepted.
void add_notes(const Problem& problem, const std::string& text, Judgement& judgement);

}  // namespace warpwise::lab
