#include "exec/fibers/collective_answers.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "exec/fault/fault_report.h"
#include "exec/services/async_services.h"
#include "exec/services/matrix.h"
#include "exec/services/tensor_services.h"
#include "numerics/tensor_move.h"

namespace warpwise::exec {

using device::Failure;
using simt::kLanes;

namespace {

// PTX ISA 9.7.9.6 (shfl.sync): the lane that `lane` reads from, and whether it is in range.
std::pair<int, bool> shuffle_source(uint32_t mode, int lane, uint32_t b, uint32_t c) {
  int bval = b & 31, cval = c & 31, segment = c >> 8 & 31;
  int max_lane = (lane & segment) | (cval & ~segment), min_lane = lane & segment;
  int source = lane;
  bool in_range = false;
  switch (mode) {
    case 0:
      source = lane - bval, in_range = source >= max_lane;
      break;
    case 1:
      source = lane + bval, in_range = source <= max_lane;
      break;
    case 2:
      source = lane ^ bval, in_range = source <= max_lane;
      break;
    default:
      source = min_lane | (bval & ~segment), in_range = source <= max_lane;
      break;
  }
  return {in_range ? source : lane, in_range};
}

uint32_t combine(uint32_t op, uint32_t a, uint32_t b) {
  switch (op) {
    case 0:
      return a + b;
    case 1:
      return std::min(a, b);
    case 2:
      return std::max(a, b);
    case 3:
      return static_cast<uint32_t>(std::min(static_cast<int32_t>(a), static_cast<int32_t>(b)));
    case 4:
      return static_cast<uint32_t>(std::max(static_cast<int32_t>(a), static_cast<int32_t>(b)));
    case 5:
      return a & b;
    case 6:
      return a | b;
    default:
      return a ^ b;
  }
}

template <class F>
void for_each_lane(uint32_t lanes, F body) {
  for (; lanes; lanes &= lanes - 1) body(static_cast<uint32_t>(std::countr_zero(lanes)));
}

// Word w of lane l at [w * 32 + l]; lanes that are not here bring zeros.
std::vector<uint32_t> gather(std::span<FiberThread> warp, uint32_t lanes) {
  const uint32_t count = warp[std::countr_zero(lanes)].op;
  std::vector<uint32_t> table(count * kLanes);
  for_each_lane(lanes, [&](uint32_t lane) {
    for (uint32_t word = 0; word < count; ++word) table[word * kLanes + lane] = warp[lane].words[word];
  });
  return table;
}

// wgmma: the registers of all threads side by side, and each its own back.
void multiply_wgmma(BlockRun& run, std::span<FiberThread> warp, uint32_t lanes) {
  const FiberThread& first = warp[std::countr_zero(lanes)];
  const numerics::WgmmaForm form = numerics::WgmmaForm::unpack(first.form);
  std::vector<uint32_t> a(form.a_words() * kLanes), d(form.d_words() * kLanes);
  for_each_lane(lanes, [&](uint32_t lane) {
    for (unsigned n = 0; n < form.a_words(); ++n) a[n * kLanes + lane] = warp[lane].a_words[n];
    for (unsigned n = 0; n < form.d_words(); ++n) d[n * kLanes + lane] = warp[lane].d_words[n];
  });
  const WgmmaCall call{first.warp(), first.form, first.value, first.descriptor_b, first.op != 0, a.data(), d.data()};
  if (std::string problem = run_wgmma(run, call); !problem.empty()) {
    KernelFault fault;
    fault.failure = Failure::LaunchFailure;
    fault.what = std::move(problem);
    fault.instruction = first.site;
    run.fail(std::move(fault), first.pc);
  }
  for_each_lane(lanes, [&](uint32_t lane) {
    for (unsigned n = 0; n < form.d_words(); ++n) warp[lane].d_words[n] = d[n * kLanes + lane];
  });
}

// tcgen05.ld, .st and .wait, and the beginning and the end of an allocation.
void move_tensor(BlockRun& run, std::span<FiberThread> warp, uint32_t lanes) {
  const uint32_t first = std::countr_zero(lanes);
  for_each_lane(lanes, [&](uint32_t lane) {
    FiberThread& thread = warp[lane];
    thread.flag = lane == first;
    if (!thread.d_words) return;
    std::string problem;
    if (thread.value != warp[first].value)
      problem = "the threads of a warp name different addresses in tensor memory";
    else
      problem = numerics::move_tensor(numerics::TensorMove::unpack(thread.form), tensor_block(run).get().memory,
                                      warp[first].warp(), lane, static_cast<uint32_t>(thread.value), thread.b,
                                      thread.d_words);
    if (problem.empty()) return;
    KernelFault fault;
    fault.failure = Failure::LaunchFailure;
    fault.what = std::move(problem);
    fault.misuse = Misuse::TensorMemory;
    fault.thread = thread.context.thread;
    fault.instruction = thread.site;
    run.fail(std::move(fault), thread.pc);
  });
  // A load may take along lanes and columns that are not needed: it is reported where it brings nothing else.
  const FiberThread& leader = warp[first];
  if (run.launch.machine.observer && leader.d_words)
    report_uninitialised_reads(run, leader.context.thread, leader.pc, true);
}

}  // namespace

void answer_collective(BlockRun& run, std::span<FiberThread> warp, uint32_t lanes) {
  switch (warp[std::countr_zero(lanes)].collective) {
    case Collective::Shuffle:
      for_each_lane(lanes, [&](uint32_t lane) {
        FiberThread& thread = warp[lane];
        auto [source, in_range] = shuffle_source(thread.op, static_cast<int>(lane), thread.b, thread.c);
        // A lane that is not here gives 0 (interpreter/choices.h).
        bool here = source < static_cast<int>(kLanes) && (lanes >> source & 1);
        thread.result = here ? static_cast<uint32_t>(warp[source].value) : 0;
        thread.flag = in_range;
      });
      break;
    case Collective::Vote: {
      uint32_t ballot = 0;
      for_each_lane(lanes, [&](uint32_t lane) { ballot |= uint32_t{warp[lane].value != 0} << lane; });
      for_each_lane(lanes, [&](uint32_t lane) { warp[lane].result = ballot; });
      break;
    }
    case Collective::Match:
      for_each_lane(lanes, [&](uint32_t lane) {
        FiberThread& thread = warp[lane];
        thread.result = 0;
        for_each_lane(lanes,
                      [&](uint32_t other) { thread.result |= uint32_t{warp[other].value == thread.value} << other; });
        thread.flag = thread.result == lanes;
      });
      break;
    case Collective::Reduce: {
      uint32_t first = std::countr_zero(lanes);
      uint32_t total = static_cast<uint32_t>(warp[first].value);
      for_each_lane(lanes & ~(1u << first), [&](uint32_t lane) {
        total = combine(warp[first].op, total, static_cast<uint32_t>(warp[lane].value));
      });
      for_each_lane(lanes, [&](uint32_t lane) { warp[lane].result = total; });
      break;
    }
    case Collective::Elect: {
      uint32_t leader = std::countr_zero(lanes);
      for_each_lane(lanes, [&](uint32_t lane) {
        warp[lane].result = leader;
        warp[lane].flag = lane == leader;
      });
      break;
    }
    case Collective::Wgmma:
      multiply_wgmma(run, warp, lanes);
      break;
    case Collective::Gather: {
      const std::vector<uint32_t> table = gather(warp, lanes);
      for_each_lane(lanes, [&](uint32_t lane) { std::copy(table.begin(), table.end(), warp[lane].table); });
      break;
    }
    case Collective::Multiply: {
      const numerics::Product product = numerics::Product::unpack(warp[std::countr_zero(lanes)].product);
      std::vector<uint32_t> result(product.d_words() * kLanes);
      exec::multiply(run.launch.machine, product, gather(warp, lanes).data(), result.data());
      for_each_lane(lanes, [&](uint32_t lane) {
        for (unsigned word = 0; word < product.d_words(); ++word) warp[lane].table[word] = result[word * kLanes + lane];
      });
      break;
    }
    case Collective::TensorMemory:
      move_tensor(run, warp, lanes);
      break;
    case Collective::Sync:
    case Collective::ActiveMask:
    case Collective::None:
      break;
  }
}

}  // namespace warpwise::exec
