// Resolves the addresses of host code in findings to functions and lines, with addr2line; and finds out whether the
// program checks what a call returned, read from the machine code after the call.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/finding.h"

namespace warpwise::cli {

// Fills in host_lines, allocated_lines and freed_lines of all findings: frames of the user's own files, innermost
// first; where there are none, what is known of the first. Frames of device code in headers that are not the user's go,
// too. `not_the_users`: folders whose lines users cannot change.
void resolve_host_lines(std::vector<Finding>& findings, const std::vector<std::filesystem::path>& not_the_users);

// Compilers copy code, and functions are called from several places. Findings with the same lines are merged: for
// device code the innermost line counts, for host code all lines.
void merge_same_lines(std::vector<Finding>& findings);

// Whether the code after a call may use its result. Follows straight-line code, through returns to outer frames; a
// value that it cannot follow counts as used.
bool may_use_result(const HostPlace& call);

}  // namespace warpwise::cli
