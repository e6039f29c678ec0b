// What LLVM calls fatal ("Cannot select" above all) as an answer, so that it is an error of one kernel.
//
// LLVM's report_fatal_error calls a handler and then ends the process. The handler may not return, and it may not
// throw: LLVM is built without exceptions. So it jumps (longjmp) back to the frame that called run_until_fatal, as
// LLVM's own CrashRecoveryContext does. No frame between is unwound and no destructor runs there: what LLVM held is
// abandoned. That is why `body` must keep everything that it works on outside of its own frame, and why the caller must
// never delete that afterwards. LLVM holds none of its locks while it calls the handler.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>

#include <optional>
#include <string>

namespace warpwise::simt {

// Installs the handler, for the whole process. Outside of run_until_fatal it prints LLVM's message as an error X0001,
// and LLVM ends the process.
void handle_fatal_errors();

// Runs `body`, which has no variables with destructors of its own. Returns LLVM's reason where it gave up, else
// nothing. Each thread may be in one call at a time.
std::optional<std::string> run_until_fatal(llvm::function_ref<void()> body);

}  // namespace warpwise::simt
