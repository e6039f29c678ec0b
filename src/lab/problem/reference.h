// reference.cpp of a problem: compiled once with the host's compiler, kept in the cache, and called in this process. It
// is trusted as much as the problem's author: adding a problem means running its code.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "lab/problem/problem.h"

namespace warpwise::lab {

class Reference {
 public:
  // L0006 when it does not compile or is not a library of this format; T0002 without a host compiler.
  static Result<Reference> open(const Problem& problem);

  // L0007 with the library's own words.
  Result<void> make_inputs(problem::RawCase& c) const { return step(entry_->make_inputs, c); }
  Result<void> expect(problem::RawCase& c) const { return step(entry_->expect, c); }
  bool has_checker() const { return entry_->check != nullptr; }
  Result<void> check(problem::RawCase& c) const { return step(entry_->check, c); }

 private:
  Result<void> step(const char* (*function)(problem::RawCase*), problem::RawCase& c) const;

  std::shared_ptr<void> library_;
  const problem::Entry* entry_ = nullptr;
  std::string file_;
};

}  // namespace warpwise::lab
