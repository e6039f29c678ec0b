// How many processors this process may use at the same time. std::thread::hardware_concurrency() counts those of the
// machine: in a container with a quota, or under taskset, threads for all of these wait for each other.
#pragma once

#include <optional>
#include <string_view>

namespace warpwise {

// The smallest of the processors that the thread may run on and the quotas of its control groups, rounded up; at least
// 1. Read once.
unsigned usable_processors();

// Processors' worth of time in a quota, as cgroup v2 writes it to cpu.max ("150000 100000": 1.5), or v1 to
// cpu.cfs_quota_us with the period behind it. Nothing: there is no limit, or the text is no quota.
std::optional<double> processors_of_quota(std::string_view text);

}  // namespace warpwise
