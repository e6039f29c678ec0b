#include "trace/warp_steps.h"

namespace warpwise::trace {

void WarpSteps::end_step() {
  if (!open_) return;
  open_ = false;
  sink_(step_);
  const Site& site = sites_->all[step_.site];
  if (site.kind == SiteKind::Return && !callers_.empty()) callers_.back().returned |= step_.on;
}

// The steps up to `cell`, which is not one of them.
void WarpSteps::emit_to(uint32_t cell) {
  end_step();
  for (; now_.next < cell; ++now_.next) {
    step_.begin(now_.next, now_.lanes);
    open_ = true;
    end_step();
  }
}

bool WarpSteps::return_to_caller() {
  if (callers_.empty() || (callers_.back().lanes & ~callers_.back().returned) != 0) return false;
  now_ = callers_.back();
  callers_.pop_back();
  return true;
}

// Goes on to a call of the function at `callee`, the call included. False: there is none, and the block has ended.
bool WarpSteps::run_to_call(uint32_t callee) {
  end_step();
  for (uint32_t at = now_.next; at < now_.end; ++at) {
    if (sites_->callees[at] != int64_t{callee} && sites_->callees[at] != kAnyCallee) continue;
    emit_to(at + 1);
    return true;
  }
  emit_to(now_.end);
  return false;
}

void WarpSteps::block(uint32_t cell, uint32_t lanes) {
  const bool may_be_called = lanes != 0 && sites_->is_entry(cell);
  bool called = false;
  do called = may_be_called ? run_to_call(cell) : (emit_to(now_.end), false);
  while (!called && return_to_caller());
  if (called) {
    // Lanes that the call does not concern are back already.
    callers_.push_back(now_);
    callers_.back().returned = now_.lanes & ~lanes;
  }
  if (lanes == 0)
    now_ = {};
  else
    now_ = {cell, sites_->ends[cell], lanes, 0};
}

bool WarpSteps::reach(uint32_t cell) {
  if (open_ && step_.site == cell) return true;
  for (;;) {
    if (now_.next <= cell && cell < now_.end) break;
    emit_to(now_.end);
    if (!return_to_caller()) return false;
  }
  emit_to(cell);
  step_.begin(cell, now_.lanes);
  open_ = true;
  now_.next = cell + 1;
  return true;
}

void WarpSteps::guard(uint32_t cell, uint32_t lanes, uint32_t on) {
  if (lanes != 0 && reach(cell)) step_.on = on & step_.active;
}

void WarpSteps::access(uint32_t cell, Access access) {
  if (access.mask == 0 || !reach(cell)) return;
  access.mask &= step_.on;
  step_.accesses.push_back(access);
}

void WarpSteps::value(uint32_t cell, unsigned element, const LaneValues& values) {
  if (values.mask == 0 || !reach(cell) || element >= simt::kMostValues) return;
  if (step_.values.size() <= element) step_.values.resize(element + 1);
  step_.values[element] = values;
  step_.values[element].mask &= step_.on;
}

void WarpSteps::finish() {
  do emit_to(now_.end);
  while (return_to_caller());
  now_ = {};
}

}  // namespace warpwise::trace
