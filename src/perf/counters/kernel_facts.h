// Facts about a kernel that are known before it runs: for each reachable instruction what it counts as, where it is in
// the source, and which cell has its counts (simt/instrument/counts.h).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "exec/engine.h"
#include "perf/counters/atomic_turns.h"
#include "perf/counters/block_waits.h"
#include "perf/counters/chains.h"
#include "perf/counters/instruction_class.h"
#include "perf/counters/launch_counts.h"
#include "perf/counters/phases.h"
#include "simt/instrument/counts.h"

namespace warpwise::perf {

constexpr uint32_t kNoAccess = ~0u;

struct InstructionFacts {
  InstructionClass cls;
  uint32_t start = 0;         // cell of the first instruction of its basic block
  uint32_t started_with = 0;  // cell of the first instruction of the block whose warps start it (sass_forms.h)
  simt::WarpWork block;       // of the first instruction of a basic block: what the block has
  uint32_t line = 0;          // index into KernelFacts::lines
  uint32_t phase = 0;         // index into KernelFacts::phases; their number: in another function
  bool guarded = false;
  bool branches = false;
  bool waits_at_barrier = false;
  uint8_t words = 1;  // of a load of shared memory, with those fused into it; 0: fused into another (shared_runs.h)
  simt::CountedAccess access;
  AtomicTurns atomic;
  bool by_register = false;           // the address of a load of constants
  bool plain_load = false;            // a load of global memory that is not marked read-only (ld, not ld.global.nc)
  uint32_t access_index = kNoAccess;  // among the instructions that access memory

  // What the instrumentation of the kernel reports, corrected here: an atomic may turn out to be a reduction.
  simt::CountedAccess as_counted(simt::CountedAccess reported) const {
    if (access.kind == simt::CountedKind::Reduction) reported.kind = access.kind;
    return reported;
  }
};

// A loop of one block, with the cells that tell how many turns it makes each time.
struct Loop {
  unsigned turns = 1;              // that become one
  std::optional<uint32_t> before;  // cell of the block that falls into it ...
  std::optional<uint32_t> after;   // ... and of the one that it falls into
};

class KernelFacts {
 public:
  explicit KernelFacts(const exec::KernelImage& image);

  const std::vector<InstructionFacts>& cells() const { return cells_; }
  uint32_t accesses() const { return accesses_; }
  // By cell, of the blocks that ran. `times`: by cell, how often the block that begins there ran. Launches in which the
  // same blocks come before each other share them.
  std::shared_ptr<const Chains> chains(const std::vector<double>& times) const;
  // By cell of the loop's first instruction.
  const std::map<uint32_t, Loop>& loops() const { return loops_; }
  // Cells of loads and of the compare-and-swaps that follow them (atomic_turns.h).
  const std::vector<LookedAt>& swaps_after_looks() const { return swaps_; }
  // Frames of source, innermost first; lines()[0] is "nowhere".
  const std::vector<std::vector<SourceFrame>>& lines() const { return lines_; }
  // Basic blocks: the cell of their first instruction, and how many that count they have.
  const std::vector<std::pair<uint32_t, uint32_t>>& lengths() const { return lengths_; }
  uint32_t barriers_used() const { return barriers_; }
  // By cells.
  const std::vector<WaitLoop>& wait_loops() const { return wait_loops_; }  // block_waits.h
  const std::vector<Phase>& phases() const { return phases_; }             // phases.h, of the kernel's own function
  bool work_depends_on_order() const { return by_order_; }                 // order_of_work.h
  const std::string& name() const { return name_; }                        // demangled
  unsigned registers() const { return registers_; }                        // estimated

 private:
  // A function that the kernel reaches.
  struct Part {
    const ptx::Function* function;
    uint32_t first;  // cell of its first instruction
    std::vector<uint32_t> starts;
    std::vector<InstructionClass> classes;
  };

  uint32_t line_of(const ptx::Module& module, const ptx::Function& function, const ptx::Instruction& instruction);

  struct KnownChains {
    std::mutex guard;
    using Blocks = std::pair<std::vector<uint32_t>, std::vector<uint32_t>>;  // joined_starts, preceding_blocks
    std::map<Blocks, std::shared_ptr<const Chains>> by_blocks;
  };

  std::shared_ptr<const ptx::Module> module_;
  std::vector<Part> parts_;
  std::vector<InstructionFacts> cells_;
  std::map<uint32_t, Loop> loops_;
  std::vector<LookedAt> swaps_;
  std::vector<WaitLoop> wait_loops_;
  std::vector<Phase> phases_;
  std::vector<std::pair<uint32_t, uint32_t>> lengths_;
  std::vector<std::vector<SourceFrame>> lines_{{}};
  std::vector<std::pair<std::string, uint32_t>> known_lines_;  // sorted by key
  uint32_t accesses_ = 0, barriers_ = 0;
  bool by_order_ = false;
  std::string name_;
  unsigned registers_ = 0;
  std::unique_ptr<KnownChains> known_chains_ = std::make_unique<KnownChains>();
};

}  // namespace warpwise::perf
