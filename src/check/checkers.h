// The checkers of a program as one observer of its device.
#pragma once

#include <memory>

#include "base/finding.h"
#include "exec/observer.h"

namespace warpwise::check {

// What reports to `sink`, which outlives it; null when none of `checkers` watches a device. `also`: an observer of the
// caller's that is to be told of everything, too.
std::shared_ptr<exec::Observer> make_checkers(CheckerSet checkers, FindingSink& sink,
                                              std::unique_ptr<exec::Observer> also = nullptr);

}  // namespace warpwise::check
