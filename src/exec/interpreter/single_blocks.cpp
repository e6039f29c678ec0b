#include "exec/interpreter/single_blocks.h"

#include <cstring>

#include "exec/interpreter/cluster.h"
#include "exec/memory/arena.h"

namespace warpwise::exec {
namespace interpreter {
namespace {

class Runner final : public SingleBlocks {
 public:
  Runner(const Machine& machine, const KernelLaunch& launch)
      : machine_(machine),
        program_(launch),
        output_(*machine.output, true),
        run_{machine, launch, program_, output_, ClusterSlots(launch, /*cancels_clusters=*/false)} {}
  ~Runner() override {
    if (run_.parameters) machine_.arena->free(run_.parameters);
  }

  Result<void> place_parameters() {
    const auto bytes = run_.launch.parameters;
    if (bytes.empty()) return {};
    run_.parameters = TRY(machine_.arena->allocate(bytes.size(), device::MemoryKind::Device, Owner::Engine,
                                                   "the parameters of a kernel"));
    std::memcpy(engine_view(run_.parameters), bytes.data(), bytes.size());
    return {};
  }

  End run(uint64_t place, const std::function<bool()>& must_leave) override {
    Trial trial{must_leave};
    run_.trial = &trial;
    const End end = run_to_end(place, trial);
    run_.trial = nullptr;
    return end;
  }

 private:
  End run_to_end(uint64_t place, Trial& trial) {
    auto cluster = Cluster::start(run_, place);
    if (!cluster) return End::Failed;
    while (!(*cluster)->done()) {
      const bool moved = (*cluster)->round();
      const bool failed = (*cluster)->fault() || (!moved && !(*cluster)->done());
      if (!failed && !(trial.left = trial.left || trial.must_leave())) continue;
      trial.undo.undo();
      return failed ? End::Failed : End::Left;
    }
    return End::Done;
  }

  const Machine& machine_;
  Program program_;
  LaunchOutput output_;
  Run run_;
};

}  // namespace
}  // namespace interpreter

Result<std::unique_ptr<SingleBlocks>> SingleBlocks::begin(const Machine& machine, const KernelLaunch& launch) {
  auto runner = std::make_unique<interpreter::Runner>(machine, launch);
  TRY(runner->place_parameters());
  return std::unique_ptr<SingleBlocks>(std::move(runner));
}

}  // namespace warpwise::exec
