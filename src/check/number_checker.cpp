#include "check/number_checker.h"

#include <bit>

#include "check/places.h"
#include "simt/shadow.h"

namespace warpwise::check {

uint32_t NumberChecker::watch() const { return simt::kWatchNumbers; }

void NumberChecker::noticed(const exec::NoticedAccess& access) {
  const simt::Notice what = simt::Notice::unpack(access.what);
  if (what.kind != simt::NoticeKind::Number || access.mask == 0) return;
  const exec::KernelLaunch& launch = access.run.launch.launch;
  const simt::Site* at = access.run.launch.kernel.site_at(access.pc);
  const int64_t function = at ? int64_t{at->function} : -1, instruction = at ? int64_t{at->instruction} : -1;
  const auto lanes = static_cast<uint64_t>(std::popcount(access.mask));
  std::lock_guard lock(mutex_);
  FindingSink::Cause& cause = told_[{launch.image->module.get(), function, instruction}];
  if (cause != 0) return sink_.again(cause, lanes);
  struct Text {
    const char *code, *role, *message;
  };
  const Text text = what.bytes == simt::kDivisionByZero       ? Text{"C0601", "division", "an integer is divided by zero"}
                    : what.bytes == simt::kConversionOverflow ? Text{"C0602", "conversion", "a floating-point value that the integer cannot hold is converted"}
                                                              : Text{"C0603", "arithmetic", "the result is no number (NaN), although the operands are numbers"};
  Finding finding = make_finding(text.code, text.message);
  const int64_t alone = access.run.running_thread;
  const int64_t thread = alone >= 0 ? alone : int64_t{access.warp} * simt::kLanes + std::countr_zero(access.mask);
  finding.parties.push_back(thread_party(launch, text.role, access.run.block, thread, code_place(*launch.image->module, function, instruction)));
  finding.threads = lanes;
  cause = sink_.report(std::move(finding));
}

}  // namespace warpwise::check
