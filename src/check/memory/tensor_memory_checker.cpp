#include "check/memory/tensor_memory_checker.h"

#include <fmt/format.h>

#include "check/source/places.h"
#include "exec/fault/fault_report.h"

namespace warpwise::check {

void TensorMemoryChecker::tensor_memory_mistaken(const exec::TensorMemoryMistake& mistake) {
  const bool left = mistake.kind == exec::TensorMemoryMistake::Kind::Left;
  if (!(left ? addresses_ : initialisation_)) return;
  const exec::KernelLaunch& launch = mistake.run.launch.launch;
  const simt::Site* site = mistake.run.launch.kernel.site_at(mistake.pc);
  const int64_t function = site ? int64_t{site->function} : -1, instruction = site ? int64_t{site->instruction} : -1;
  std::lock_guard lock(mutex_);
  FindingSink::Cause& cause = reported_[{launch.image->module.get(), function, instruction, mistake.kind}];
  if (cause != 0) return sink_.again(cause);
  Finding finding =
      left ? make_finding("C0116",
                          fmt::format("the block ends with {} columns of tensor memory that it has not given back",
                                      mistake.columns))
           : make_finding("C0306", fmt::format("read of uninitialised tensor memory: lane {}, column {}", mistake.lane,
                                               mistake.column));
  finding.parties.push_back(thread_party(
      launch, left ? "allocation" : "read", mistake.run.block, mistake.thread,
      code_place(*launch.image->module, function, instruction,
                 site ? mistake.run.launch.kernel.calls_around(site->call) : std::vector<simt::InlinedCall>{})));
  cause = sink_.report(std::move(finding));
}

void TensorMemoryChecker::faulted(const exec::KernelLaunch& launch, const exec::KernelFault& fault) {
  if (fault.misuse != exec::Misuse::TensorMemory || !addresses_) return;
  Finding finding = make_finding("C0115", fault.what);
  finding.parties.push_back(
      thread_party(launch, "instruction", fault.block, fault.thread,
                   code_place(*launch.image->module, fault.function, fault.instruction, fault.calls)));
  finding.notes.push_back("the kernel was ended here");
  sink_.report(std::move(finding));
}

}  // namespace warpwise::check
