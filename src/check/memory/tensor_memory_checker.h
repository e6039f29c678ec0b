// Tensor memory (tcgen05, PTX ISA 9.7.16): columns that a block does not give back, operands that were never written,
// and instructions that are ended for what they reach. What happens there is asked of the engine, not of compiled code.
// A product takes all that it names, so each cell of it counts; a load may bring lanes and columns along that are not
// used, and counts where nothing that it brings was written.
#pragma once

#include <map>
#include <mutex>
#include <tuple>

#include "base/finding.h"
#include "exec/observer.h"
#include "ptx/module.h"

namespace warpwise::check {

class TensorMemoryChecker : public exec::ObserverClient, public exec::FaultObserver {
 public:
  TensorMemoryChecker(FindingSink& sink, bool addresses, bool initialisation)
      : sink_(sink), addresses_(addresses), initialisation_(initialisation) {}

  void tensor_memory_mistaken(const exec::TensorMemoryMistake& mistake) override;
  void faulted(const exec::KernelLaunch& launch, const exec::KernelFault& fault) override;

 private:
  FindingSink& sink_;
  const bool addresses_, initialisation_;
  std::mutex mutex_;
  std::map<std::tuple<const ptx::Module*, int64_t, int64_t, exec::TensorMemoryMistake::Kind>, FindingSink::Cause>
      reported_;  // function, instruction
};

}  // namespace warpwise::check
