#include "check/checkers.h"

#include "check/assert_checker.h"
#include "check/host_pointer_checker.h"
#include "check/memory/memory_checker.h"
#include "check/memory/tensor_memory_checker.h"
#include "check/memory/undefined_value_checker.h"
#include "check/number_checker.h"
#include "check/race/race_checker.h"
#include "check/still_running.h"
#include "check/sync/sync_checker.h"

namespace warpwise::check {

std::shared_ptr<exec::Observer> make_checkers(CheckerSet checkers, FindingSink& sink,
                                              std::unique_ptr<exec::ObserverClient> also) {
  auto observer = std::make_shared<exec::Observer>();
  const MemoryChecker::Families memory{checkers.has(Checker::Memory), checkers.has(Checker::Init),
                                       checkers.has(Checker::Outputs)};
  if (memory.any()) observer->add(std::make_unique<MemoryChecker>(sink, memory));
  if (memory.addresses || memory.initialisation)
    observer->add(std::make_unique<TensorMemoryChecker>(sink, memory.addresses, memory.initialisation));
  if (memory.initialisation) observer->add(std::make_unique<UndefinedValueChecker>(sink));
  if (checkers.has(Checker::Race)) observer->add(std::make_unique<RaceChecker>(sink));
  if (checkers.has(Checker::Sync)) observer->add(std::make_unique<SyncChecker>(sink));
  if (checkers.has(Checker::Assert)) observer->add(std::make_unique<AssertChecker>(sink));
  if (checkers.has(Checker::Api)) observer->add(std::make_unique<HostPointerChecker>(sink));
  if (checkers.has(Checker::Numbers)) observer->add(std::make_unique<NumberChecker>(sink));
  if (!observer->empty() && StillRunning::is_of_use()) observer->add(std::make_unique<StillRunning>());
  if (also) observer->add(std::move(also));
  return observer->empty() ? nullptr : observer;
}

}  // namespace warpwise::check
