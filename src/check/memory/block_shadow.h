// The shadow of what belongs to a block: its shared memory, and the local memory of its threads.
//
//     shared    margin │ the system's │ variable │ gap │ variable │ dynamic │ margin
//     shadow    none   │ initialised  │ uninit.  │none │ uninit.  │ uninit. │ none
//
// Local memory is uninitialised when a block begins, and so is the frame of a function that returns: a thread that has
// kept a pointer to a local variable of it reads uninitialised memory.
#pragma once

#include <vector>

#include "check/memory/shadow_memory.h"
#include "check/source/places.h"
#include "exec/engine.h"
#include "exec/launch/block_run.h"
#include "exec/memory/arena.h"
#include "exec/observer_events.h"

namespace warpwise::check {

class BlockShadow {
 public:
  explicit BlockShadow(ShadowMemory& shadow) : shadow_(shadow) {}

  void begin_launch(const exec::KernelImage& image);
  // A host thread has memory for the blocks of a launch. False: local memory is so large that it is taken for
  // initialised.
  bool reserve(const exec::BlockRun& run, const exec::Arena& arena);
  // A block is about to run in that memory.
  void begin(const exec::BlockRun& run);
  // Threads return from a function (event::FrameEnd).
  void end_frames(const exec::ObservedEvent& event);

 private:
  void paint_local_ends(const exec::BlockRun& run);

  ShadowMemory& shadow_;
  const exec::KernelImage* image_ = nullptr;      // of the kernel that runs
  std::vector<SharedVariable> shared_variables_;  // its own
};

}  // namespace warpwise::check
