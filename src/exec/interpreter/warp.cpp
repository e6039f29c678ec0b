// Warp collectives (PTX ISA 9.7.9.6 shfl, 9.7.13.8 to 9.7.13.14). Their results are computed in collectives.cpp.
#include <cmath>

#include "exec/interpreter/dispatch.h"

namespace warpwise::exec::interpreter {

using ptx::Mod;
using ptx::Operand;
using ptx::Type;

namespace {

// Whether the outcome is there.
bool converge(Step& s, const Collective& collective) {
  if (s.block.converge(s.thread, collective)) return true;
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

void run_bar_warp_sync(Step& s) { converge(s, {.kind = Collective::Kind::Sync, .members = s.u32(0)}); }

namespace {

void shuffle(Step& s, Collective collective) {
  collective.kind = Collective::Kind::Shuffle;
  collective.value = s.u32(1), collective.b = s.u32(2), collective.c = s.u32(3);
  for (Mod mode : {Mod::Up, Mod::Down, Mod::Bfly, Mod::Idx}) {
    if (s.has(mode)) collective.mode = mode;
  }
  if (converge(s, collective)) out_pair(s);
}

bool vote(Step& s) {
  return converge(s, {.kind = Collective::Kind::Vote, .members = s.u32(2), .value = s.predicate(1)});
}
bool vote_of_active(Step& s) {
  return converge(s, {.kind = Collective::Kind::Vote, .of_active = true, .value = s.predicate(1)});
}

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
  if (converge(s, {.kind = Collective::Kind::Match, .members = s.u32(2), .value = value}))
    s.d(Bits{s.thread.outcome.value}, Type::B32);
}
// All members and true when they agree, else 0 and false.
void run_match_all(Step& s) {
  uint64_t value = static_cast<uint64_t>(s.bits_in(1, s.type()));
  if (!converge(s, {.kind = Collective::Kind::Match, .members = s.u32(2), .value = value})) return;
  if (!s.thread.outcome.flag) s.thread.outcome.value = 0;
  out_pair(s);
}

void run_activemask(Step& s) {
  if (converge(s, {.kind = Collective::Kind::Activemask, .of_active = true}))
    s.d(Bits{s.thread.outcome.value}, Type::B32);
}

namespace {

void redux(Step& s) {
  Collective collective{
      .kind = Collective::Kind::Redux, .is_signed = ptx::is_signed(s.type()), .members = s.u32(2), .value = s.u32(1)};
  for (Mod mode : {Mod::Add, Mod::Min, Mod::Max, Mod::And, Mod::Or, Mod::Xor}) {
    if (s.has(mode)) collective.mode = mode;
  }
  if (converge(s, collective)) s.d(Bits{s.thread.outcome.value}, Type::B32);
}

}  // namespace

void run_redux_f32(Step& s) {
  Collective collective{
      .kind = Collective::Kind::ReduxF32, .mode = s.has(Mod::Max) ? Mod::Max : Mod::Min, .members = s.u32(2)};
  float value = s.f32(1);
  collective.value = static_cast<uint32_t>(bits_of(s.has(Mod::Abs) ? std::fabs(value) : value));
  collective.nan_wins = s.has(Mod::NaN);
  if (converge(s, collective)) s.d(float_of(s.thread.outcome.value));
}

void run_redux_int(Step& s) { redux(s); }
void run_redux_logic(Step& s) { redux(s); }
void run_elect_sync(Step& s) {
  if (converge(s, {.kind = Collective::Kind::Elect, .members = s.u32(1)})) out_pair(s);
}

}  // namespace warpwise::exec::interpreter
