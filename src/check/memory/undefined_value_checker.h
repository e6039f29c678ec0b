// Variables that were never set, in registers: C0307 of base/rules.inc. Compiled code follows which bits of a value
// have none (simt/instrument/undefined_values.h), and reports where such a value decides something. The finding names
// that place and the variable.
//
// A store reports what it writes after its shadow says that nothing is there. Where that is a finding, the memory
// counts as initialised, so that those who read it do not report it again. Where an object was copied, with parts that
// were never set, the shadow goes on.
#pragma once

#include <map>
#include <mutex>
#include <tuple>

#include "base/finding.h"
#include "check/event_threads.h"
#include "exec/memory/arena.h"
#include "exec/observer.h"
#include "ptx/module.h"
#include "simt/instrument/events.h"

namespace warpwise::check {

class UndefinedValueChecker : public exec::ObserverClient, public exec::MemoryObserver, public exec::EventObserver {
 public:
  explicit UndefinedValueChecker(FindingSink& sink) : sink_(sink) {}

  uint32_t watch() const override;
  void begin(exec::Arena& arena) override { arena_ = &arena; }
  void on_event(const exec::ObservedEvent& event) override;

 private:
  void report(const exec::ObservedEvent& event, const simt::event::Undefined& use, const EventThread& by);

  FindingSink& sink_;
  exec::Arena* arena_ = nullptr;
  std::mutex mutex_;
  // By function, instruction, call, and the register.
  std::map<std::tuple<const ptx::Module*, int64_t, int64_t, uint32_t, uint64_t>, FindingSink::Cause> reported_;
};

}  // namespace warpwise::check
