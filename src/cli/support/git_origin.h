// Where a source stands in git: what a history keeps beside its times.
#pragma once

#include <string>

#include "perf/history/history.h"

namespace warpwise::cli {

// Of the checkout that the file lies in; empty outside of one, and without git.
perf::Origin origin_of(const std::string& source);

}  // namespace warpwise::cli
