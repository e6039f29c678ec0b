#include "check/number_checker.h"

#include <fmt/format.h>

#include <bit>

#include "check/places.h"
#include "ptx/signed_overflow.h"
#include "simt/instrument/events.h"

namespace warpwise::check {

namespace {

struct Told {
  const char *code, *role;
  std::string message;
};

// "2147483647 + 1 does not fit `int`". The operands were zero-extended.
std::string describe(const ptx::SignedOverflow& overflow, uint64_t left, uint64_t right) {
  // What cannot be followed in the PTX is as narrow as its operands.
  const bool narrow = overflow.type ? overflow.type->bits <= 32 : (left | right) >> 32 == 0;
  auto number = [&](uint64_t bits) {
    return narrow ? int64_t{static_cast<int32_t>(bits)} : static_cast<int64_t>(bits);
  };
  auto right_number = [&] {
    return number(right) < 0 ? fmt::format("({})", number(right)) : fmt::format("{}", number(right));
  };
  auto binary = [&](const char* sign) { return fmt::format("{} {} {}", number(left), sign, right_number()); };
  auto text = [&]() -> std::string {
    if (overflow.type && overflow.type->bits > 64) return "the result";
    switch (overflow.operation) {
      case ptx::SignedOperation::Add:
        return binary("+");
      case ptx::SignedOperation::Subtract:
        return binary("-");
      case ptx::SignedOperation::Multiply:
        return binary("*");
      case ptx::SignedOperation::Divide:
        return binary("/");
      case ptx::SignedOperation::Negate:
        return fmt::format("-({})", number(left));
    }
    return "";
  };
  return fmt::format("{} does not fit {}", text(),
                     overflow.type ? fmt::format("`{}`", overflow.type->name) : "its signed type");
}

Told told_by(const exec::ObservedEvent& access, const simt::Event& what, const ptx::Module& module,
             const simt::Site* at) {
  switch (what.bytes) {
    case simt::kDivisionByZero:
      return {"C0601", "division", "an integer is divided by zero"};
    case simt::kConversionOverflow:
      return {"C0602", "conversion", "a floating-point value that the integer cannot hold is converted"};
    case simt::kNanProduced:
      return {"C0603", "arithmetic", "the result is no number (NaN), although the operands are numbers"};
    default:
      break;
  }
  const int lane = std::countr_zero(access.mask);
  std::optional<ptx::SignedOverflow> overflow;
  if (at) overflow = ptx::signed_overflow_at(module, module.functions[at->function], at->instruction);
  return {"C0604", "arithmetic",
          overflow ? describe(*overflow, access.addresses[lane], access.values[lane])
                   : "a signed result does not fit its type"};
}

}  // namespace

uint32_t NumberChecker::watch() const { return simt::kWatchNumbers; }

void NumberChecker::on_event(const exec::ObservedEvent& access) {
  const simt::Event what = simt::Event::unpack(access.what);
  if (what.kind != simt::EventKind::Number || access.mask == 0) return;
  const exec::KernelLaunch& launch = access.run.launch.launch;
  const ptx::Module& module = *launch.image->module;
  const simt::Site* at = access.run.launch.kernel.site_at(access.pc);
  const int64_t function = at ? int64_t{at->function} : -1, instruction = at ? int64_t{at->instruction} : -1;
  const uint32_t call = at ? at->call : simt::InlinedCall::kNone;
  const auto lanes = static_cast<uint64_t>(std::popcount(access.mask));
  std::lock_guard lock(mutex_);
  FindingSink::Cause& cause = told_[{&module, function, instruction, call}];
  if (cause != 0) return sink_.again(cause, lanes);
  Told told = told_by(access, what, module, at);
  Finding finding = make_finding(told.code, std::move(told.message));
  const int64_t alone = access.run.running_thread;
  const int64_t thread = alone >= 0 ? alone : int64_t{access.warp} * simt::kLanes + std::countr_zero(access.mask);
  finding.parties.push_back(
      thread_party(launch, told.role, access.run.block, thread,
                   code_place(module, function, instruction, access.run.launch.kernel.calls_around(call))));
  finding.threads = lanes;
  cause = sink_.report(std::move(finding));
}

}  // namespace warpwise::check
