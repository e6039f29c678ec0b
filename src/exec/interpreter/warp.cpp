// Instructions in which a warp's lanes meet (PTX ISA 9.7.9.6 shfl, 9.7.13.8 to 9.7.13.14). What comes of a
// meeting is in collectives.cpp.
#include <fmt/format.h>

#include <cmath>

#include "exec/interpreter/dispatch.h"

namespace warpwise::exec::interpreter {

using ptx::Mod;
using ptx::Operand;
using ptx::Type;

namespace {

// Whether the outcome is there.
bool meet(Step& s, const Meeting& meeting) {
  if (!meeting.of_active && !(meeting.members >> s.thread.lane() & 1)) {
    s.fail(device::Failure::LaunchFailure,
           fmt::format("lane {} takes part in an operation of the lanes {:#010x}", s.thread.lane(), meeting.members));
    return false;
  }
  if (s.block.meet(s.thread, meeting)) return true;
  s.stay();
  return false;
}

// Writes `d` or `d|p`.
void out_pair(Step& s) {
  const Operand& to = s.operand(0);
  if (!to.is(Operand::Kind::Pair)) return s.d(Bits{s.thread.outcome.value}, Type::B32);
  s.out(to.elements[0], s.thread.outcome.value, Type::B32);
  s.out(to.elements[1], s.thread.outcome.flag, Type::Pred);
}

}  // namespace

void run_bar_warp_sync(Step& s) { meet(s, {.kind = Meeting::Kind::Sync, .members = s.u32(0)}); }

namespace {

void shuffle(Step& s, Meeting meeting) {
  meeting.kind = Meeting::Kind::Shuffle;
  meeting.value = s.u32(1), meeting.b = s.u32(2), meeting.c = s.u32(3);
  for (Mod mode : {Mod::Up, Mod::Down, Mod::Bfly, Mod::Idx}) {
    if (s.has(mode)) meeting.mode = mode;
  }
  if (meet(s, meeting)) out_pair(s);
}

bool vote(Step& s) { return meet(s, {.kind = Meeting::Kind::Vote, .members = s.u32(2), .value = s.predicate(1)}); }
bool vote_of_active(Step& s) { return meet(s, {.kind = Meeting::Kind::Vote, .of_active = true, .value = s.predicate(1)}); }

// The ballot has a bit for each member whose predicate is true; what it is compared with are the members
// that are still there.
void out_vote(Step& s) {
  uint32_t yes = s.thread.outcome.value, members = s.thread.outcome.present;
  bool result = s.has(Mod::Any) ? yes != 0 : s.has(Mod::All) ? yes == members : yes == members || yes == 0;
  s.d(Bits{result}, Type::Pred);
}

}  // namespace

void run_shfl_sync(Step& s) { shuffle(s, {.members = s.u32(4)}); }
void run_shfl_legacy(Step& s) { shuffle(s, {.of_active = true}); }
void run_vote_legacy(Step& s) {
  if (vote_of_active(s)) out_vote(s);
}
void run_vote_ballot_legacy(Step& s) {
  if (vote_of_active(s)) s.d(Bits{s.thread.outcome.value}, Type::B32);
}

void run_vote_sync(Step& s) {
  if (vote(s)) out_vote(s);
}
void run_vote_ballot(Step& s) {
  if (vote(s)) s.d(Bits{s.thread.outcome.value}, Type::B32);
}

void run_match_any(Step& s) {
  uint64_t value = static_cast<uint64_t>(s.bits_in(1, s.type()));
  if (meet(s, {.kind = Meeting::Kind::Match, .members = s.u32(2), .value = value})) s.d(Bits{s.thread.outcome.value}, Type::B32);
}
// All members and true when they agree, else 0 and false.
void run_match_all(Step& s) {
  uint64_t value = static_cast<uint64_t>(s.bits_in(1, s.type()));
  if (!meet(s, {.kind = Meeting::Kind::Match, .members = s.u32(2), .value = value})) return;
  if (!s.thread.outcome.flag) s.thread.outcome.value = 0;
  out_pair(s);
}

void run_activemask(Step& s) {
  if (meet(s, {.kind = Meeting::Kind::Activemask, .of_active = true})) s.d(Bits{s.thread.outcome.value}, Type::B32);
}

namespace {

void redux(Step& s) {
  Meeting meeting{.kind = Meeting::Kind::Redux, .is_signed = ptx::is_signed(s.type()), .members = s.u32(2), .value = s.u32(1)};
  for (Mod mode : {Mod::Add, Mod::Min, Mod::Max, Mod::And, Mod::Or, Mod::Xor}) {
    if (s.has(mode)) meeting.mode = mode;
  }
  if (meet(s, meeting)) s.d(Bits{s.thread.outcome.value}, Type::B32);
}

}  // namespace

void run_redux_f32(Step& s) {
  Meeting meeting{.kind = Meeting::Kind::ReduxF32, .mode = s.has(Mod::Max) ? Mod::Max : Mod::Min, .members = s.u32(2)};
  float value = s.f32(1);
  meeting.value = static_cast<uint32_t>(bits_of(s.has(Mod::Abs) ? std::fabs(value) : value));
  meeting.nan_wins = s.has(Mod::NaN);
  if (meet(s, meeting)) s.d(float_of(s.thread.outcome.value));
}

void run_redux_int(Step& s) { redux(s); }
void run_redux_logic(Step& s) { redux(s); }
void run_elect_sync(Step& s) {
  if (meet(s, {.kind = Meeting::Kind::Elect, .members = s.u32(1)})) out_pair(s);
}

}  // namespace warpwise::exec::interpreter
