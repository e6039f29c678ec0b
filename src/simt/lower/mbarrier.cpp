// mbarriers (PTX ISA 9.7.13.15). The engine defines their contents (exec/async/mbarrier.h). Here every instruction
// becomes a call with the object's generic address.
#include "simt/abi.h"
#include "simt/lower/dispatch.h"

namespace warpwise::simt {

using ptx::Mod;
using ptx::Operand;
using ptx::Space;
using ptx::Type;

namespace {

bool given(Emit& e, unsigned index) { return index < e.operand_count() && !e.operand(index).is(Operand::Kind::None); }

Value apply(Emit& e, MbarrierOp op, unsigned address, Value count) {
  return e.call(Dialect::Mbarrier, e.i32(static_cast<uint32_t>(op)), e.generic_address(address, e.inst->space()),
                count);
}

// state, [address] {, count}
void arrive(Emit& e, MbarrierOp op) {
  Value count = given(e, 2) ? e.in(2, Type::U32) : e.i32(1);
  e.d(apply(e, op, 1, count));
}

void wait(Emit& e, Dialect which) {
  const bool parity = e.has(Mod::Parity);
  Value phase = parity ? zext(e.in(2, Type::U32), 64) : e.in(2, Type::B64);
  e.d(e.call(which, e.generic_address(1, e.inst->space()), phase, e.i32(parity)) != 0);
}

}  // namespace

void lower_mbarrier_init(Emit& e) { apply(e, MbarrierOp::Init, 0, e.in(1, Type::U32)); }
void lower_mbarrier_inval(Emit& e) { apply(e, MbarrierOp::Inval, 0, e.i32(0)); }
void lower_mbarrier_expect_tx(Emit& e) { apply(e, MbarrierOp::ExpectTx, 0, e.in(1, Type::U32)); }
void lower_mbarrier_complete_tx(Emit& e) { apply(e, MbarrierOp::CompleteTx, 0, e.in(1, Type::U32)); }
void lower_mbarrier_arrive(Emit& e) {
  arrive(e, e.has(Mod::ExpectTx) ? MbarrierOp::ArriveExpectTx : MbarrierOp::Arrive);
}
void lower_mbarrier_arrive_no_complete(Emit& e) { arrive(e, MbarrierOp::ArriveNoComplete); }
void lower_mbarrier_arrive_drop(Emit& e) {
  arrive(e, e.has(Mod::ExpectTx) ? MbarrierOp::ArriveDropExpectTx : MbarrierOp::ArriveDrop);
}
void lower_mbarrier_arrive_drop_no_complete(Emit& e) { arrive(e, MbarrierOp::ArriveDropNoComplete); }
void lower_mbarrier_test_wait(Emit& e) { wait(e, Dialect::MbarrierTest); }
void lower_mbarrier_try_wait(Emit& e) { wait(e, Dialect::MbarrierTry); }
// The lowest bits of a state (exec/async/mbarrier.h).
void lower_mbarrier_pending_count(Emit& e) { e.d(trunc(e.in(1, Type::B64), 32) & kMbarrierPendingMask); }

void Emit::complete_bytes(unsigned mbarrier, uint64_t bytes) {
  call(Dialect::Mbarrier, i32(static_cast<uint32_t>(MbarrierOp::CompleteTx)), generic_address(mbarrier, inst->space()),
       i32(static_cast<uint32_t>(bytes)));
}

// All copies of the thread have happened, so the arrival that they trigger happens now. Without .noinc one more arrival
// is expected, so nothing changes.
void lower_cp_async_mbarrier_arrive(Emit& e) {
  if (e.has(Mod::NoInc)) apply(e, MbarrierOp::Arrive, 0, e.i32(1));
}

}  // namespace warpwise::simt
