// Recognises a finding in another run, when lines above it have been added or removed: what counts are the rule, and of
// each party the file's name, the function and the text of the line.
#pragma once

#include <string>

#include "check/report/excerpt.h"

namespace warpwise::check::report {

std::string fingerprint_of(const Finding& finding, SourceFiles& sources);  // 16 hexadecimal digits

}  // namespace warpwise::check::report
