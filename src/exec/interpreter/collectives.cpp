// Warp collectives: .sync operations (PTX ISA 9.7.9.6, 9.7.13).
//
// Threads take part together when they name the same members and do the same kind of operation; where they stand in the
// program does not matter, so both sides of a branch may hold one `shfl.sync` each. Members that have
// exited are not waited for. Threads that their own mask leaves out take part with those beside whom they stand.
#include <algorithm>
#include <bit>
#include <cmath>

#include "exec/interpreter/block.h"
#include "exec/interpreter/choices.h"
#include "exec/memory/arena.h"
#include "ptx/shapes/wgmma.h"

namespace warpwise::exec::interpreter {

using ptx::Mod;

namespace {

// The collective as one lane sees it: which lanes are there.
using Lanes = std::array<Thread*, 32>;

// shfl (9.7.9.6). c holds the segment mask in bits 8 to 12 and the clamp in bits 0 to 4.
Outcome shuffle(const Lanes& lanes, uint32_t lane) {
  const Collective& own = lanes[lane]->collective;
  int32_t b = own.b & 31;
  int32_t clamp = own.c & 31, segment = own.c >> 8 & 31;
  int32_t self = static_cast<int32_t>(lane);
  int32_t last = (self & segment) | (clamp & ~segment);
  int32_t first = self & segment;
  int32_t source = self;
  bool in_range = false;
  switch (own.mode) {
    case Mod::Up:
      source = self - b;
      in_range = source >= last;
      break;
    case Mod::Down:
      source = self + b;
      in_range = source <= last;
      break;
    case Mod::Bfly:
      source = self ^ b;
      in_range = source <= last;
      break;
    default:
      source = first | (b & ~segment);
      in_range = source <= last;
      break;
  }
  if (!in_range) source = self;
  const Thread* from = lanes[source & 31];
  return {from ? static_cast<uint32_t>(from->collective.value) : kAbsentLane, in_range};
}

Outcome vote(const Lanes& lanes) {
  uint32_t ballot = 0;
  for (uint32_t k = 0; k < 32; ++k) {
    if (lanes[k] && lanes[k]->collective.value) ballot |= 1u << k;
  }
  return {ballot, false};
}

Outcome active(const Lanes& lanes) {
  uint32_t mask = 0;
  for (uint32_t k = 0; k < 32; ++k) {
    if (lanes[k]) mask |= 1u << k;
  }
  return {mask, false};
}

Outcome match(const Lanes& lanes, uint32_t lane) {
  uint32_t same = 0;
  bool all = true;
  for (uint32_t k = 0; k < 32; ++k) {
    if (!lanes[k]) continue;
    if (lanes[k]->collective.value == lanes[lane]->collective.value)
      same |= 1u << k;
    else
      all = false;
  }
  return {same, all};
}

Outcome reduce(const Lanes& lanes, uint32_t lane) {
  const Collective& own = lanes[lane]->collective;
  std::optional<Number> total;
  for (const Thread* thread : lanes) {
    if (!thread) continue;
    Number value = number_of(thread->collective.value, 32, own.is_signed);
    if (!total) {
      total = value;
      continue;
    }
    switch (own.mode) {
      case Mod::Add:
        *total += value;
        break;
      case Mod::Min:
        *total = std::min(*total, value);
        break;
      case Mod::Max:
        *total = std::max(*total, value);
        break;
      case Mod::And:
        *total &= value;
        break;
      case Mod::Or:
        *total |= value;
        break;
      default:
        *total ^= value;
        break;
    }
  }
  return {static_cast<uint32_t>(*total), false};
}

// Of floats: -0 is below +0; NaNs do not count, or decide.
Outcome reduce_floats(const Lanes& lanes, uint32_t lane) {
  const Collective& own = lanes[lane]->collective;
  std::optional<float> total;
  bool any_nan = false;
  for (const Thread* thread : lanes) {
    if (!thread) continue;
    const float value = float_of(thread->collective.value);
    if (std::isnan(value)) {
      any_nan = true;
      continue;
    }
    auto below = [](float a, float b) { return a < b || (a == b && std::signbit(a) && !std::signbit(b)); };
    if (!total || (own.mode == Mod::Max ? below(*total, value) : below(value, *total))) total = value;
  }
  const bool is_nan = !total || (any_nan && own.nan_wins);
  return {is_nan ? kNanF32 : static_cast<uint32_t>(bits_of(*total)), false};
}

Outcome elect(const Lanes& lanes, uint32_t lane) {
  uint32_t leader = 0;
  while (!lanes[leader]) ++leader;
  return {leader, leader == lane};
}

std::shared_ptr<Gathered> gather(const Lanes& lanes) {
  auto table = std::make_shared<Gathered>();
  for (uint32_t k = 0; k < 32; ++k) {
    if (!lanes[k]) continue;
    const std::vector<uint32_t>& words = lanes[k]->collective.words;
    table->words.resize(words.size() * 32);  // lanes that are not here bring zeros
    for (size_t w = 0; w < words.size(); ++w) table->words[w * 32 + k] = words[w];
  }
  return table;
}

Outcome outcome_of(const Lanes& lanes, uint32_t lane) {
  switch (lanes[lane]->collective.kind) {
    case Collective::Kind::Shuffle:
      return shuffle(lanes, lane);
    case Collective::Kind::Vote:
      return vote(lanes);
    case Collective::Kind::Match:
      return match(lanes, lane);
    case Collective::Kind::Redux:
      return reduce(lanes, lane);
    case Collective::Kind::ReduxF32:
      return reduce_floats(lanes, lane);
    case Collective::Kind::Elect:
      return elect(lanes, lane);
    case Collective::Kind::Activemask:
      return active(lanes);
    case Collective::Kind::Sync:
    case Collective::Kind::Wgmma:
    case Collective::Kind::Gather:
    case Collective::Kind::TensorMemory:
      break;
  }
  return {};
}

void answer(Thread& thread, Outcome outcome) {
  thread.outcome = outcome;
  thread.answered = true;
  thread.state = Thread::State::Running;
}

}  // namespace

uint32_t Block::alive_lanes(uint32_t warp) const {
  uint32_t mask = 0;
  for (uint32_t k = 0; k < 32 && warp * 32 + k < threads.size(); ++k) {
    if (threads[warp * 32 + k].state != Thread::State::Done) mask |= 1u << k;
  }
  return mask;
}

bool Block::converge(Thread& thread, const Collective& collective) {
  if (thread.answered) {
    thread.answered = false;
    return true;
  }
  thread.collective = collective;
  thread.state = Thread::State::Collective;
  thread.patience = collective.kind == Collective::Kind::Activemask ? kActivemaskPatience : kReconvergencePatience;
  settle_warp(thread.warp());
  return false;
}

// wgmma: the registers of all threads side by side, and each its own back.
void Block::multiply(const std::array<Thread*, 32>& lanes, uint32_t warp) {
  const auto first = std::find_if(lanes.begin(), lanes.end(), [](const Thread* t) { return t != nullptr; });
  const Frame& frame = (*first)->frame();
  const numerics::WgmmaForm form = ptx::wgmma_form(run.program.module.functions[frame.function].instructions[frame.pc]);
  std::vector<uint32_t> a(form.a_words() * 32), d(form.d_words() * 32);
  for (uint32_t lane = 0; lane < 32; ++lane) {
    for (uint32_t n = 0; lanes[lane] && n < form.a_words(); ++n) a[n * 32 + lane] = lanes[lane]->a_words[n];
    for (uint32_t n = 0; lanes[lane] && n < form.d_words(); ++n) d[n * 32 + lane] = lanes[lane]->d_words[n];
  }
  const device::Properties& properties = *run.machine.properties;
  const numerics::WgmmaOperands operands{shared ? engine_view(shared) : nullptr,
                                         shared_bytes,
                                         warp % 4,
                                         (*first)->collective.value,
                                         (*first)->descriptor_b,
                                         (*first)->collective.b != 0,
                                         a.data(),
                                         d.data()};
  std::string problem = multiply_warpgroup(properties.major * 10 + properties.minor, form, operands);
  if (!problem.empty()) {
    KernelFault fault;
    fault.failure = device::Failure::LaunchFailure;
    fault.what = std::move(problem);
    fault.block = index;
    fault.thread = (*first)->index;
    fault.function = frame.function;
    fault.instruction = frame.pc;
    return fail(std::move(fault));
  }
  for (uint32_t lane = 0; lane < 32; ++lane)
    for (uint32_t n = 0; lanes[lane] && n < form.d_words(); ++n) lanes[lane]->d_words[n] = d[n * 32 + lane];
}

namespace {

bool is_left_out(const Thread& thread) { return !(thread.collective.members >> thread.lane() & 1); }
// Whether it waits for no lane by name.
bool waits_for_active(const Thread& thread) {
  return thread.state == Thread::State::Collective && (thread.collective.of_active || is_left_out(thread));
}
bool same_place(const Thread& a, const Thread& b) {
  return a.frames.size() == b.frames.size() && a.frame().function == b.frame().function && a.frame().pc == b.frame().pc;
}
bool same_collective(const Thread& a, const Thread& b) {
  return a.state == Thread::State::Collective && b.state == Thread::State::Collective &&
         a.collective.of_active == b.collective.of_active && a.collective.kind == b.collective.kind &&
         a.collective.members == b.collective.members;
}

}  // namespace

// Ends every collective of the warp that is complete.
void Block::settle_warp(uint32_t warp) {
  const uint32_t alive = alive_lanes(warp);
  const auto lane = [&](uint32_t k) -> Thread& { return threads[warp * 32 + k]; };
  for (uint32_t first = 0; first < 32; ++first) {
    if (!(alive >> first & 1)) continue;
    const Thread& one = lane(first);
    if (one.state != Thread::State::Collective || one.collective.of_active || is_left_out(one)) continue;
    const uint32_t named = one.collective.members & alive;
    Lanes lanes{};
    uint32_t present = 0;
    for (uint32_t k = 0; k < 32; ++k)
      if ((named >> k & 1) && same_collective(lane(k), one)) lanes[k] = &lane(k), present |= 1u << k;
    if (present != named) continue;
    // Lanes that the mask leaves out, and that are there too or just about to come.
    bool complete = true;
    for (uint32_t k = 0; k < 32; ++k) {
      if (!(alive & ~named & 1u << k)) continue;
      Thread& other = lane(k);
      const bool stands_beside = std::any_of(lanes.begin(), lanes.end(), [&](const Thread* member) {
        return member && !is_left_out(*member) && same_place(*member, other);
      });
      if (!stands_beside) continue;
      if (other.state == Thread::State::Running && !other.answered) complete = false;
      if (same_collective(other, one)) lanes[k] = &other, present |= 1u << k;
    }
    if (!complete) {
      postponed_ |= 1u << warp;
      continue;
    }
    if (one.collective.kind == Collective::Kind::Wgmma) multiply(lanes, warp);
    std::array<Outcome, 32> outcomes;
    for (uint32_t k = 0; k < 32; ++k) {
      if (lanes[k]) outcomes[k] = outcome_of(lanes, k), outcomes[k].present = present;
    }
    if (one.collective.kind == Collective::Kind::Gather) {
      std::shared_ptr<Gathered> table = gather(lanes);
      for (Outcome& outcome : outcomes) outcome.gathered = table;
    }
    for (uint32_t k = 0; k < 32; ++k) {
      if (lanes[k]) answer(*lanes[k], outcomes[k]);
    }
  }
}

void Block::settle_postponed(uint32_t warp) {
  if (!(postponed_ >> warp & 1)) return;
  postponed_ &= ~(1u << warp);
  settle_warp(warp);
}

// Answers activemask, what has no .sync, and lanes that their masks leave out: to all that stand at the same place,
// when no other lane of the warp can still come, or when they have waited long enough.
void Block::settle_activemask(uint32_t warp, bool patient) {
  uint32_t end = std::min<uint32_t>(warp * 32 + 32, threads.size());
  bool moving = false;
  for (uint32_t t = warp * 32; t < end; ++t) moving |= threads[t].state == Thread::State::Running;
  for (uint32_t t = warp * 32; t < end; ++t) {
    Thread& one = threads[t];
    if (!waits_for_active(one)) continue;
    // As on hardware whose warps had one program counter, lanes at earlier places go on first, and may join these.
    const bool has_sync = one.collective.kind == Collective::Kind::Activemask;
    auto is_behind = [&](const Thread& other) {
      return other.state != Thread::State::Done && other.frames.size() == one.frames.size() &&
             other.frame().function == one.frame().function && other.frame().pc < one.frame().pc &&
             (other.state == Thread::State::Running || waits_for_active(other));
    };
    bool wait = patient && moving;
    for (uint32_t k = warp * 32; k < end && !has_sync; ++k) wait |= is_behind(threads[k]);
    if (wait && one.patience-- > 0) continue;
    uint32_t mask = 0;
    Lanes lanes{};
    for (uint32_t k = t; k < end; ++k) {
      if (!waits_for_active(threads[k]) || !same_collective(threads[k], one) || !same_place(threads[k], one)) continue;
      lanes[threads[k].lane()] = &threads[k];
      mask |= 1u << threads[k].lane();
    }
    std::array<Outcome, 32> outcomes;
    for (uint32_t lane = 0; lane < 32; ++lane) {
      if (lanes[lane]) outcomes[lane] = outcome_of(lanes, lane), outcomes[lane].present = mask;
    }
    for (uint32_t lane = 32; lane-- > 0;) {
      if (lanes[lane]) answer(*lanes[lane], outcomes[lane]);
    }
  }
}

}  // namespace warpwise::exec::interpreter
