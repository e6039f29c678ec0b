// From marks to steps. Counting code reports, for each warp and in the order of its program, that a basic block begins,
// what a guard lets through, and what an access names (simt/instrument/counts.h). Between these marks the instructions
// of the block follow one another, so each step is known:
//
//     marks                              steps
//     block 7, lanes 0xffffffff          7 mov, 8 add, 9 setp
//     guard 10, on 0x0000ffff            10 @%p1 ld.global, on 0x0000ffff ...
//     access 10, 0x0000ffff, addresses   ... and its addresses
//     block 14                           11, 12, 13; then from 14 on
//
// A called function has basic blocks of its own; the rest of the caller's block follows when its lanes have returned.
#pragma once

#include <functional>
#include <vector>

#include "trace/sites.h"
#include "trace/step.h"

namespace warpwise::trace {

class WarpSteps {
 public:
  using Sink = std::function<void(const Step&)>;
  WarpSteps(const Sites& sites, Sink sink) : sites_(&sites), sink_(std::move(sink)) {}

  // No lanes: the marks that follow are another warp's.
  void block(uint32_t cell, uint32_t lanes);
  void guard(uint32_t cell, uint32_t lanes, uint32_t on);
  void access(uint32_t cell, Access access);
  void value(uint32_t cell, unsigned element, const LaneValues& values);
  // The warp has ended, or nothing more is known of it.
  void finish();

  // What is left of a basic block.
  struct Rest {
    uint32_t next = 0, end = 0;
    uint32_t lanes = 0;
    uint32_t returned = 0;  // of a caller's: lanes that are back
  };
  // Of the calls that the steps are in, the outermost first.
  const std::vector<Rest>& callers() const { return callers_; }

 private:
  bool reach(uint32_t cell);  // goes on until the step is the one at `cell`
  void emit_to(uint32_t cell);
  void end_step();
  bool run_to_call(uint32_t callee);
  bool return_to_caller();

  const Sites* sites_;
  Sink sink_;
  Rest now_;
  std::vector<Rest> callers_;
  Step step_;
  bool open_ = false;  // a step that further marks may belong to
};

}  // namespace warpwise::trace
