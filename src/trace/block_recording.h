// What is recorded of one block while it runs: its overview, its arrivals at barriers, and the steps of the chosen
// window, which go to the file as soon as a chunk of them is full. Memory: at most about 300 KB a warp.
//
// The window is the same for all warps: of each, so many steps from `first` on. Not the first steps of the block in the
// order of the engine, which runs a warp as far as it goes before it starts the next: those would be one warp's.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "exec/launch/block_run.h"
#include "trace/file_writer.h"
#include "trace/overview.h"
#include "trace/recording.h"
#include "trace/sites.h"
#include "trace/step_columns.h"

namespace warpwise::trace {

class BlockRecording {
 public:
  struct Window {
    uint64_t first = 0, limit = 0;  // steps: of each warp from, of all warps at most
  };
  // `file` and `sites` outlive it.
  BlockRecording(const Sites& sites, uint32_t threads, const Window& window, FileWriter& file);

  void add(uint32_t warp, const Step& step);
  // Called for each recorded access to global memory.
  std::function<void(const Access&)> on_global;

  // Writes what is left, and fills in the warps.
  void finish(Recording& recording);

 private:
  struct Warp {
    WarpInfo info;
    StepEncoder steps;
    ChunkEntry chunk;  // of the steps in the encoder
    WarpOverview overview;
    std::vector<Arrival> arrivals;
    uint64_t phase = 0;
    bool arrivals_cut = false;
  };
  void end_chunk(Warp& warp);

  const Sites& sites_;
  FileWriter& file_;
  uint64_t first_, per_warp_;
  std::vector<Warp> warps_;
};

}  // namespace warpwise::trace
