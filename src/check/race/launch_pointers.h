// What the parameters of a launch point to. From that, and from what the compiler knows of the kernel's accesses,
// follows where threads of different blocks cannot race: unwritten_memory.h, apart_memory.h, atomic_memory.h.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "exec/engine.h"
#include "exec/memory/arena.h"
#include "simt/compiler.h"
#include "simt/instrument/shadow.h"

namespace warpwise::check {

// By parameter of eight bytes, as in BlockRun::pointer_provenance.
using KnownMemory = std::array<simt::PointedTo, simt::kPointers>;

class LaunchPointers {
 public:
  LaunchPointers(const simt::CompiledKernel& kernel, const exec::KernelLaunch& launch, const exec::Arena& arena);

  const simt::CompiledKernel& kernel() const { return kernel_; }
  const exec::KernelLaunch& launch() const { return launch_; }
  // Parameters of eight bytes, at most simt::kPointers.
  uint64_t count() const { return regions_.size(); }
  // The program's allocation that the n-th one leads to, if it has cells; null: there is none.
  const exec::Region* allocation(uint64_t n) const;
  // Whether one of these parameters (bits) leads there, too.
  bool is_reached(const exec::Region& region, uint64_t parameters) const;

 private:
  const simt::CompiledKernel& kernel_;
  const exec::KernelLaunch& launch_;
  std::vector<std::optional<exec::Region>> regions_;
};

// Whether all that the kernel may access in global memory is known to be free of races between its blocks.
bool is_all_known(const LaunchPointers& pointers, const KnownMemory& known);

}  // namespace warpwise::check
