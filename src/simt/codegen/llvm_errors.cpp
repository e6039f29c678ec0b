#include "simt/codegen/llvm_errors.h"

#include <fmt/format.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/PrettyStackTrace.h>

#include <csetjmp>
#include <cstdio>

namespace warpwise::simt {

using namespace llvm;

namespace {

// Where a fatal error of this thread goes.
struct Awaited {
  std::jmp_buf place;
  std::string reason;
};
thread_local Awaited* awaited = nullptr;

void on_fatal_error(void*, const char* reason, bool) {
  if (awaited) {
    awaited->reason = reason;
    std::longjmp(awaited->place, 1);
  }
  fmt::print(stderr, "warpwise: error[X0001]: LLVM: {}\n", reason);
}

// The only frame that is left by a jump, besides LLVM's and `body`'s. It has nothing to destroy, and no variable that
// changes between setjmp and longjmp. Whether `body` has come to its end.
[[gnu::noinline]] bool run_awaited(Awaited& here, function_ref<void()> body) {
  if (setjmp(here.place) != 0) return false;
  body();
  return true;
}

}  // namespace

void handle_fatal_errors() { install_fatal_error_handler(on_fatal_error); }

std::optional<std::string> run_until_fatal(function_ref<void()> body) {
  Awaited here;
  awaited = &here;
  const void* frames = SavePrettyStackState();  // LLVM's list of what it works on; its entries are in its frames
  const bool is_done = run_awaited(here, body);
  awaited = nullptr;
  if (is_done) return std::nullopt;
  RestorePrettyStackState(frames);
  return std::move(here.reason);
}

}  // namespace warpwise::simt
