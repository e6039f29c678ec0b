#include "lab/judge/programs.h"

#include <sys/resource.h>
#include <unistd.h>

#include <thread>
#include <utility>

#include "exec/loading/compiler_plugin.h"
#include "toolchain/cache.h"

namespace warpwise::lab {
namespace {

// This thread, and the processes that it starts, get less where there are few processors. (Linux counts that by
// thread.)
void let_others_go_first() {
  constexpr int kLater = 5;
  const auto self = static_cast<id_t>(gettid());
  (void)setpriority(PRIO_PROCESS, self, getpriority(PRIO_PROCESS, self) + kLater);
}

}  // namespace

Result<void> Programs::compile(bool checked, bool timed, const std::function<Result<void>()>& beside) {
  Result<void> for_checkers, optimised, done_beside;
  if (checked && timed) share_compiler();
  std::optional<Place> place, place_of_timed;
  if (shared_) place.emplace(*shared_, /*begins=*/true), place_of_timed.emplace(*shared_, /*begins=*/false);
  const auto taken = [](std::optional<Place>& p) { return p ? &*p : nullptr; };
  std::thread compile_checked([&] {
    if (checked) for_checkers = compile_one(toolchain::BuildPurpose::Check, checked_, taken(place));
    place.reset();
  });
  std::thread compile_timed([&] {
    let_others_go_first();
    if (timed) optimised = compile_for_time(taken(place_of_timed));
    place_of_timed.reset();
  });
  std::thread load([] {
    let_others_go_first();
    // What LLVM does once in a process is done before the children, which would do it each.
    if (auto compiler = exec::compiler_plugin("").open()) (void)(*compiler)->fingerprint({});
  });
  std::thread run_beside([&] {
    let_others_go_first();
    done_beside = beside();
  });
  compile_checked.join();
  compile_timed.join();
  load.join();
  run_beside.join();
  TRY(std::move(done_beside));
  TRY(std::move(for_checkers));
  TRY(std::move(optimised));
  return take_host_half();
}

Result<void> Programs::compile_timed() {
  TRY(compile_for_time());
  return take_host_half();
}

// Where there is no room for its folder, each build loads a compiler of its own.
void Programs::share_compiler() {
  if (file_.options.compiler != toolchain::CompilerChoice::Clang) return;
  if (auto folder = toolchain::Cache::from_environment().scratch()) shared_.emplace(std::move(folder).value());
}

CompileOptions Programs::options_for(toolchain::BuildPurpose purpose, Place* place) const {
  return {purpose, architecture(), file_.options.compiler, file_.headers, file_.options.sandbox, file_.patience, place};
}

Result<void> Programs::compile_one(toolchain::BuildPurpose purpose, Compiled& out, Place* place) const {
  if (file_.problem.kind == Kind::Kernel) {
    CompiledSubmission made = TRY(compile_device_half(file_.source, options_for(purpose, place)));
    out = {made.compiled,        std::move(made.messages), std::move(made.forbidden),
           std::move(made.next), std::move(made.ptx),      {}};
    return {};
  }
  out.program = TRY(build_solve_program(file_.problem, file_.source, options_for(purpose, place)));
  out.compiled = out.program.compiled;
  out.messages = out.program.messages;
  out.forbidden = out.program.forbidden;
  out.next = out.program.next;
  return {};
}

// The host half of the checked program serves the timed run as well, so that Clang compiles the device half alone.
// nvcc's programs hold their device code.
bool Programs::shares_host_half() const {
  return file_.problem.kind == Kind::Solve && file_.options.compiler == toolchain::CompilerChoice::Clang &&
         !file_.options.only_timed;
}

Result<void> Programs::compile_for_time(Place* place) {
  if (!shares_host_half()) return compile_one(toolchain::BuildPurpose::Run, timed_, place);
  CompiledSubmission made = TRY(compile_device_half(file_.source, options_for(toolchain::BuildPurpose::Run, place),
                                                    TRY(words_for_solve(file_.source))));
  timed_ = {made.compiled,        std::move(made.messages), std::move(made.forbidden),
            std::move(made.next), std::move(made.ptx),      {}};
  return {};
}

Result<void> Programs::take_host_half() {
  if (!shares_host_half() || !checked_.compiled || !timed_.compiled) return {};
  timed_.program = TRY(with_device_code(checked_.program, timed_.ptx));
  // A program that holds its device code.
  if (!timed_.program.compiled) TRY(compile_one(toolchain::BuildPurpose::Run, timed_));
  return {};
}

}  // namespace warpwise::lab
