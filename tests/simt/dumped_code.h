// A kernel's code after one pass, as the compiler dumps it; inline, for the tests of this folder.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "exec/loading/compiler_plugin.h"
#include "ptx/parse/parser.h"

namespace warpwise::simt {

struct DumpedKernel {
  std::string code;
  CompiledKernel kernel;
};

// The first kernel, and its code after a pass of the quick tier, for blocks of `rows` of `threads`; "" when the pass
// did not run. `watch`: bits of simt::Watch (events.h).
inline DumpedKernel dump_after(const char* pass, const std::string& ptx, uint32_t threads, uint32_t watch = 0,
                               uint32_t rows = 1, const MayAssume& may_assume = {}) {
  Diagnostics diagnostics;
  auto module = ptx::load(std::make_shared<SourceText>("test.ptx", ptx), diagnostics);
  auto compiler = exec::compiler_plugin("").open();
  if (!module || !compiler.ok()) {
    ADD_FAILURE() << (module ? compiler.error().message : render_text(diagnostics, false));
    return {};
  }
  DumpedKernel result;
  CompileOptions options;
  options.may_assume = may_assume;
  options.block = {threads, rows, 1};
  options.tier = Tier::Quick;
  options.all_passes = true;
  options.watch = watch;
  options.dump_after = {pass};
  options.on_dump = [&](std::string_view, std::string_view text) { result.code = text; };
  auto kernel = (*compiler)->compile(*module, 0, options);
  EXPECT_TRUE(kernel.ok()) << (kernel.ok() ? "" : kernel.error().message);
  if (kernel.ok()) result.kernel = std::move(*kernel);
  return result;
}

inline std::string code_after(const char* pass, const std::string& ptx, uint32_t threads, uint32_t watch = 0,
                              uint32_t rows = 1) {
  return dump_after(pass, ptx, threads, watch, rows).code;
}

inline size_t count(const std::string& code, const std::string& what) {
  size_t n = 0;
  for (size_t at = 0; (at = code.find(what, at)) != code.npos; at += what.size()) ++n;
  return n;
}

}  // namespace warpwise::simt
