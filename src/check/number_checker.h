// Arithmetic without a result: C06.. of base/rules.inc, only where it is asked for (--with=numbers). Compiled code
// tests operands and results by itself (simt/instrument/lower_checks.h) and reports the lanes that have none.
#pragma once

#include <map>
#include <mutex>
#include <tuple>

#include "base/finding.h"
#include "exec/observer.h"
#include "ptx/module.h"

namespace warpwise::check {

class NumberChecker : public exec::ObserverClient, public exec::EventObserver {
 public:
  explicit NumberChecker(FindingSink& sink) : sink_(sink) {}

  uint32_t watch() const override;
  void on_event(const exec::ObservedEvent& event) override;

 private:
  FindingSink& sink_;
  std::mutex mutex_;
  // By function, instruction and call.
  std::map<std::tuple<const ptx::Module*, int64_t, int64_t, uint32_t>, FindingSink::Cause> reported_;
};

}  // namespace warpwise::check
