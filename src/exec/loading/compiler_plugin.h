// The compiler, behind dlopen: LLVM is loaded when the first kernel must be compiled, and not at all when
// everything needed is in the cache.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "simt/compiler.h"

namespace warpwise::exec {

// Where a compiler comes from. Tests put their own here.
struct CompilerSource {
  std::function<Result<simt::Compiler*>()> open;
  // Part of every cache key, known without opening the compiler: which plug-in file, which processor.
  std::string identity;
};

// libwarpwise-simt.so at `path`, or beside this library when `path` is empty. Error R0406.
CompilerSource compiler_plugin(const std::string& path);

}  // namespace warpwise::exec
