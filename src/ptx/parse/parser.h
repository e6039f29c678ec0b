// PTX text to a Module.
//
// The parser reports every mistake that it can tell apart (each with a place, the rule and the next step), skips to the
// end of the statement and goes on. The missing declarations of a skipped statement cause no second error. A Module is
// returned only when there was no error. It is well formed, names are resolved and instructions are rows of the table;
// the verifier (verifier.h) checks whether types, spaces and versions agree.
//
// Any text is safe: sizes, nesting and counts are limited (diagnostic P0005).
#pragma once

#include <memory>
#include <optional>

#include "base/diagnostics.h"
#include "base/source.h"
#include "ptx/module.h"

namespace warpwise::ptx {

std::optional<Module> parse(std::shared_ptr<const SourceText> source, Diagnostics& diagnostics);

// parse() and verify(): the entry point for all code that runs PTX.
std::optional<Module> load(std::shared_ptr<const SourceText> source, Diagnostics& diagnostics);

}  // namespace warpwise::ptx
