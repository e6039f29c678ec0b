// Runs passes: each one with its switch, its timer, its dump and LLVM's verifier behind it.
//
//     PassRunner passes(options);
//     TRY(passes.run("tidy_control_flow", module, [&] { tidy_control_flow(kernel); }));
//
// A pass is a function that changes a module and knows nothing of the runner. What runs, and when, is in compile.cpp
// and codegen/codegen.cpp; passes.inc lists the names.
#pragma once

#include <llvm/IR/Module.h>

#include <string_view>
#include <type_traits>

#include "base/result.h"
#include "simt/compiler.h"
#include "simt/pass_names.h"

namespace warpwise::simt {

// Where LLVM's verifier looks at the code: it takes a sixth of the quick tier's time when it looks behind each pass.
enum class Verified { EachPass, EachStage };

class PassRunner {
 public:
  // Reads `tier`, `all_passes`, `off`, `dump_after`, `time_passes` and `on_dump` of `options`, which must live as long
  // as the runner. Names in `off` have been checked (check_off).
  explicit PassRunner(const CompileOptions& options, Verified verified = Verified::EachPass)
      : options_(options), verified_(verified) {}

  // Whether it runs: --off leaves it alone, and so does the tier.
  bool is_on(Pass pass) const;

  // Runs `body` as the pass, unless it is off. `body` returns whether it has changed the module; one that returns
  // nothing may have. The result is the same answer, or the error X0001 where the code is broken now, which is an error
  // of ours, and each pass is verified.
  template <class Body>
  Result<bool> run(Pass pass, llvm::Module& module, Body&& body) {
    if (!is_on(pass)) return false;
    begin();
    bool changed = true;
    if constexpr (std::is_void_v<std::invoke_result_t<Body>>)
      body();
    else
      changed = body();
    TRY(end(pass, module, changed));
    return changed;
  }

  // The same in two steps, for a pass that makes the module.
  void begin();
  Result<void> end(Pass pass, const llvm::Module& module, bool changed = true);

  // A stage, or a part of one, is over. X0001, where not each pass is verified: one of its passes has broken the code.
  Result<void> end_stage(PassStage stage, const llvm::Module& module) const;

 private:
  bool is_dumped(Pass pass) const;

  const CompileOptions& options_;
  const Verified verified_;
  double begun_ = 0;  // milliseconds of processor time
};

}  // namespace warpwise::simt
