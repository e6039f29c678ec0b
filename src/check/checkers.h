// The checkers of a program as one observer of its device.
#pragma once

#include <memory>

#include "base/finding.h"
#include "exec/observer.h"

namespace warpwise::check {

// What reports to `sink`, which outlives it; null when none of `checkers` observes a device. `also`: a client of the
// caller that observes the device, too.
std::shared_ptr<exec::Observer> make_checkers(CheckerSet checkers, FindingSink& sink,
                                              std::unique_ptr<exec::ObserverClient> also = nullptr);

}  // namespace warpwise::check
