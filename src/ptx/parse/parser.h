// PTX text to a Module.
//
// The parser reports every mistake it can tell apart (each with a place, the rule and the next step),
// skips to the end of the statement and goes on; what a skipped statement would have declared causes
// no second error. A Module is returned only when there was no error. It is well formed, names are
// resolved and instructions are rows of the table; whether types, spaces and versions agree is the
// verifier's question (verifier.h).
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

// parse() and verify(): what everybody who runs PTX calls.
std::optional<Module> load(std::shared_ptr<const SourceText> source, Diagnostics& diagnostics);

}  // namespace warpwise::ptx
