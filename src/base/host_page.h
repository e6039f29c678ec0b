// The host's page: 4 KiB on x86-64, the one architecture that Warpwise runs on.
#pragma once

#include <cstddef>

namespace warpwise {

constexpr size_t kHostPage = 4096;

}  // namespace warpwise
