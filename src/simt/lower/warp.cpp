// Convergent operations of a warp (PTX ISA 9.7.9.6 shfl, 9.7.13.8 to 9.7.13.14): calls of the dialect, which the passes
// turn into permutes and mask operations.
#include "simt/lower/dispatch.h"

namespace warpwise::simt {

using ptx::Mod;
using ptx::Operand;
using ptx::Type;

namespace {

// Writes `d` or `d|p` from a {value, predicate}.
void out_pair(Emit& e, Value result) {
  const Operand& d = e.operand(0);
  Value value = e.field(result, 0), predicate = e.field(result, 1);
  if (!d.is(Operand::Kind::Pair)) return e.out(d, value);
  e.out(d.elements[0], value);
  e.out(d.elements[1], predicate);
}

Dialect shuffle(const Emit& e) {
  if (e.has(Mod::Up)) return Dialect::ShflUp;
  if (e.has(Mod::Down)) return Dialect::ShflDown;
  if (e.has(Mod::Bfly)) return Dialect::ShflBfly;
  return Dialect::ShflIdx;
}

Dialect vote(const Emit& e) {
  return e.has(Mod::All) ? Dialect::VoteAll : e.has(Mod::Any) ? Dialect::VoteAny : Dialect::VoteUni;
}

}  // namespace

// Without .sync, for targets before sm_70: the operation of the lanes that are active together. (Hardware of that time
// had no other form.)
void lower_shfl_legacy(Emit& e) {
  Value a = e.in(1, Type::B32), b = e.in(2, Type::B32), c = e.in(3, Type::B32);
  out_pair(e, e.call(shuffle(e), a, b, c, e.call(Dialect::ActiveMask)));
}
void lower_vote_legacy(Emit& e) { e.d(e.call(vote(e), e.in(1, Type::Pred), e.call(Dialect::ActiveMask))); }
void lower_vote_ballot_legacy(Emit& e) {
  e.d(e.call(Dialect::Ballot, e.in(1, Type::Pred), e.call(Dialect::ActiveMask)));
}

void lower_shfl_sync(Emit& e) {
  Value a = e.in(1, Type::B32), b = e.in(2, Type::B32), c = e.in(3, Type::B32), mask = e.in(4, Type::B32);
  out_pair(e, e.call(shuffle(e), a, b, c, mask));
}

void lower_vote_sync(Emit& e) { e.d(e.call(vote(e), e.in(1, Type::Pred), e.in(2, Type::B32))); }
void lower_vote_ballot(Emit& e) { e.d(e.call(Dialect::Ballot, e.in(1, Type::Pred), e.in(2, Type::B32))); }

void lower_match_any(Emit& e) { e.d(e.call(Dialect::MatchAny, zext(e.a(), 64), e.b(Type::B32))); }
void lower_match_all(Emit& e) { out_pair(e, e.call(Dialect::MatchAll, zext(e.a(), 64), e.b(Type::B32))); }

void lower_activemask(Emit& e) { e.d(e.call(Dialect::ActiveMask)); }

namespace {

// As Services::redux numbers operations.
uint32_t reduction(const Emit& e) {
  bool is_signed = ptx::is_signed(e.type());
  if (e.has(Mod::Add)) return 0;
  if (e.has(Mod::Min)) return is_signed ? 3 : 1;
  if (e.has(Mod::Max)) return is_signed ? 4 : 2;
  return e.has(Mod::And) ? 5 : e.has(Mod::Or) ? 6 : 7;
}

void redux(Emit& e) { e.d(e.call(Dialect::Redux, e.i32(reduction(e)), e.a(Type::B32), e.b(Type::B32))); }

}  // namespace

// Floats as signed integers of the same order, -0 below +0; the mapping is its own inverse.
Value in_order(Value bits) { return bits ^ (ashr(bits, 31) & 0x7fffffff); }

// A NaN counts as the neutral element, so only a set of NaNs gives a NaN. With .NaN it wins over every number.
void lower_redux_f32(Emit& e) {
  const bool is_max = e.has(Mod::Max), nan_is_lowest = is_max != e.has(Mod::NaN);
  Value a = e.a(Type::F32), bits = bits_of(a);
  if (e.has(Mod::Abs)) bits = bits & 0x7fffffff;
  Value key = select(is_nan(a), nan_is_lowest ? 0x80000000u : 0x7fffffffu, in_order(bits));
  Value best = e.call(Dialect::Redux, e.i32(is_max ? 4 : 3), key, e.b(Type::B32));
  Value result = float_of(in_order(best));
  e.d(select(is_nan(result), nan_like(result), result));
}

void lower_redux_int(Emit& e) { redux(e); }
void lower_redux_logic(Emit& e) { redux(e); }
void lower_elect_sync(Emit& e) { out_pair(e, e.call(Dialect::Elect, e.a(Type::B32))); }

}  // namespace warpwise::simt
