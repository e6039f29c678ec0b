// A finding as one line of JSON: in records, in reports and in the results of trials.
//
//     {"code":"C0201","severity":"error","message":"...","threads":4096,"parties":[{"role":"write",...},...],"memory":{...}}
//
// Fields that say nothing are left out. Reading takes whatever comes: a member of another kind is as if it were not
// there.
#pragma once

#include <string>
#include <string_view>

#include "base/finding.h"
#include "base/result.h"

namespace warpwise::check {

// Text that is no UTF-8 is made so; texts beyond 16 KiB, and parties and frames beyond the first dozens, are cut off.
std::string finding_to_json(const Finding& finding);
// Error U0010: it is no finding.
Result<Finding> finding_from_json(std::string_view json);

}  // namespace warpwise::check
