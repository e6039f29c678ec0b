// Findings of one statement: what one of them says, the others say again.
//
//     *s += a[i];      by all threads: a race of blocks (C0203), one of the block (C0201), one of equal values (C0209)
//
// Each is true, and one change mends all. A report for people tells the first and counts the others; files have all.
#pragma once

#include <string>
#include <vector>

#include "base/finding.h"

namespace warpwise::check::report {

// Indices of findings that have one cause, the one to tell first. Races and uninitialised reads belong together where
// all that took part stood at one line of a kernel, at the same array; other findings are groups of their own. In the
// order of their first findings.
//
// A race of blocks is told before one in a block, and that before one in a warp: what mends the former mends the
// latter, and no barrier mends a race of blocks.
std::vector<std::vector<size_t>> by_statement(const std::vector<const Finding*>& findings);

// "2 more at this line: C0201, C0209"; "" for a group of one.
std::string describe_others(const std::vector<size_t>& group, const std::vector<const Finding*>& findings);

}  // namespace warpwise::check::report
