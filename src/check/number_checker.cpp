#include "check/number_checker.h"

#include <fmt/format.h>

#include <bit>

#include "check/source/places.h"
#include "ptx/signed_overflow.h"
#include "simt/instrument/events.h"

namespace warpwise::check {

namespace {

using Fault = simt::event::Arithmetic::Fault;

struct Description {
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

Description describe(const exec::ObservedEvent& event, Fault fault, const ptx::Module& module, const simt::Site* at) {
  switch (fault) {
    case Fault::DivisionByZero:
      return {"C0601", "division", "an integer is divided by zero"};
    case Fault::ConversionOverflow:
      return {"C0602", "conversion", "a floating-point value that the integer cannot hold is converted"};
    case Fault::NanProduced:
      return {"C0603", "arithmetic", "the result is no number (NaN), although the operands are numbers"};
    case Fault::SignedOverflow:
      break;
  }
  const int lane = std::countr_zero(event.mask);
  std::optional<ptx::SignedOverflow> overflow;
  if (at) overflow = ptx::signed_overflow_at(module, module.functions[at->function], at->instruction);
  return {"C0604", "arithmetic",
          overflow ? describe(*overflow, event.addresses[lane], event.values[lane])
                   : "a signed result does not fit its type"};
}

}  // namespace

uint32_t NumberChecker::watch() const { return simt::kWatchNumbers; }

void NumberChecker::on_event(const exec::ObservedEvent& event) {
  if (simt::kind_of(event.what) != simt::EventKind::Arithmetic || event.mask == 0) return;
  const Fault fault = simt::unpack<simt::event::Arithmetic>(event.what).fault;
  const exec::KernelLaunch& launch = event.run.launch.launch;
  const ptx::Module& module = *launch.image->module;
  const simt::Site* at = event.run.launch.kernel.site_at(event.pc);
  const int64_t function = at ? int64_t{at->function} : -1, instruction = at ? int64_t{at->instruction} : -1;
  const uint32_t call = at ? at->call : simt::InlinedCall::kNone;
  const auto lanes = static_cast<uint64_t>(std::popcount(event.mask));
  std::lock_guard lock(mutex_);
  FindingSink::Cause& cause = reported_[{&module, function, instruction, call}];
  if (cause != 0) return sink_.again(cause, lanes);
  Description description = describe(event, fault, module, at);
  Finding finding = make_finding(description.code, std::move(description.message));
  const int64_t alone = event.run.running_thread;
  const int64_t thread = alone >= 0 ? alone : int64_t{event.warp} * simt::kLanes + std::countr_zero(event.mask);
  finding.parties.push_back(
      thread_party(launch, description.role, event.run.block, thread,
                   code_place(module, function, instruction, event.run.launch.kernel.calls_around(call))));
  finding.threads = lanes;
  cause = sink_.report(std::move(finding));
}

}  // namespace warpwise::check
