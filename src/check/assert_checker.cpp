#include "check/assert_checker.h"

#include <fmt/format.h>

#include "check/source/places.h"
#include "exec/fault/fault_report.h"

namespace warpwise::check {

void AssertChecker::faulted(const exec::KernelLaunch& launch, const exec::KernelFault& fault) {
  const bool assertion = fault.failure == device::Failure::Assert;
  // A call through a wild pointer ends in a trap as well, and is the memory checker's.
  const bool trap =
      fault.misuse == exec::Misuse::Trap && !is_call(*launch.image->module, fault.function, fault.instruction);
  if (!assertion && !trap) return;
  Finding finding = assertion ? make_finding("C0701", fmt::format("the assertion `{}` fails", fault.asserted))
                              : make_finding("C0702", "a thread ends the kernel with a trap");
  finding.parties.push_back(
      thread_party(launch, assertion ? "assertion" : "trap", fault.block, fault.thread,
                   code_place(*launch.image->module, fault.function, fault.instruction, fault.calls)));
  if (const std::string reason = exec::reason_of_trap(launch, fault); !reason.empty()) {
    finding.message = reason;
    finding.help = "launch the kernel with cudaLaunchCooperativeKernel, which has all blocks on the GPU at once";
  }
  finding.notes.push_back("the kernel was ended here");
  sink_.report(std::move(finding));
}

}  // namespace warpwise::check
