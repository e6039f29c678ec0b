// Special registers (PTX ISA 10). The block's shape is a constant of the compiled code; the rest are
// calls that the passes bind to the lane, the warp or the block.
#include "simt/lower/special_registers.h"

#include "ptx/layout.h"
#include "simt/abi.h"
#include "simt/dialect.h"
#include "simt/lower/support/function_lowering.h"

namespace warpwise::simt {

using ptx::SpecialRegister;

namespace {

// One component of a %tid-like register; the fourth reads as 0.
Value component_of(Emit& e, const ptx::Operand& operand, Dialect x, Dialect y, Dialect z) {
  switch (operand.component) {
    case 1:
      return e.call(y);
    case 2:
      return e.call(z);
    case 3:
      return e.i32(0);
    default:
      return e.call(x);
  }
}

Value linear(Value x, Value y, Value z, Value nx, Value ny) { return x + nx * (y + ny * z); }

Value grid_workspace(Emit& e) {
  auto* at = llvm::ConstantExpr::getIntToPtr(e.ir.getInt64(kGridWorkspaceParameter),
                                             llvm::PointerType::get(e.ir.getContext(), kParam));
  return Value(e.ir, e.ir.CreateAlignedLoad(e.ir.getInt64Ty(), at, llvm::Align(8)));
}

// The engine's answer, plus the clocks that have passed on this thread since.
Value clock(Emit& e) {
  Value now = e.call(Dialect::Clock);
  llvm::AllocaInst* passed = e.function().passed;
  return passed ? now + Value(e.ir, e.ir.CreateLoad(e.ir.getInt64Ty(), passed)) : now;
}
Value global_timer(Emit& e) {
  Value now = e.call(Dialect::GlobalTimer);
  llvm::AllocaInst* passed = e.function().passed;
  if (!passed) return now;
  Value clocks(e.ir, e.ir.CreateLoad(e.ir.getInt64Ty(), passed));
  return now + clocks * uint64_t{1'000'000} / e.i64(e.function().module.clocks.khz);
}

}  // namespace

Value special_register(Emit& e, const ptx::Operand& operand) {
#define COMPONENTS(name) component_of(e, operand, Dialect::name##X, Dialect::name##Y, Dialect::name##Z)
  switch (operand.special) {
    case SpecialRegister::Tid:
      return COMPONENTS(Tid);
    case SpecialRegister::Ctaid:
      return COMPONENTS(Ctaid);
    case SpecialRegister::Nctaid:
      return COMPONENTS(Nctaid);
    case SpecialRegister::ClusterId:
      return COMPONENTS(ClusterId);
    case SpecialRegister::NclusterId:
      return COMPONENTS(NclusterId);
    case SpecialRegister::ClusterCtaid:
      return COMPONENTS(ClusterCtaid);
    case SpecialRegister::ClusterNctaid:
      return COMPONENTS(ClusterNctaid);
    case SpecialRegister::Ntid:
      return e.i32(operand.component < 3 ? e.function().module.block[operand.component] : 0);
    case SpecialRegister::LaneId:
      return e.call(Dialect::LaneId);
    case SpecialRegister::WarpId:
      return e.call(Dialect::WarpId);
    case SpecialRegister::NwarpId:
      return e.call(Dialect::NwarpId);
    case SpecialRegister::SmId:
      return e.call(Dialect::SmId);
    case SpecialRegister::NsmId:
      return e.call(Dialect::NsmId);
    case SpecialRegister::GridId:
      return e.call(Dialect::GridId);
    case SpecialRegister::LanemaskEq:
      return e.call(Dialect::LanemaskEq);
    case SpecialRegister::LanemaskLe:
      return e.call(Dialect::LanemaskLe);
    case SpecialRegister::LanemaskLt:
      return e.call(Dialect::LanemaskLt);
    case SpecialRegister::LanemaskGe:
      return e.call(Dialect::LanemaskGe);
    case SpecialRegister::LanemaskGt:
      return e.call(Dialect::LanemaskGt);
    case SpecialRegister::Clock:
      return trunc(clock(e), 32);
    case SpecialRegister::ClockHi:
      return trunc(clock(e) >> 32, 32);
    case SpecialRegister::Clock64:
      return clock(e);
    case SpecialRegister::GlobalTimer:
      return global_timer(e);
    case SpecialRegister::GlobalTimerLo:
      return trunc(global_timer(e), 32);
    case SpecialRegister::GlobalTimerHi:
      return trunc(global_timer(e) >> 32, 32);
    case SpecialRegister::DynamicSmemSize:
      return e.call(Dialect::DynamicSharedBytes);
    case SpecialRegister::TotalSmemSize:
    case SpecialRegister::AggrSmemSize:
      return e.call(Dialect::TotalSharedBytes);
    case SpecialRegister::IsExplicitCluster:
      return e.i1(e.function().ptx.explicit_cluster);
    case SpecialRegister::ClusterCtarank:
      return linear(e.call(Dialect::ClusterCtaidX), e.call(Dialect::ClusterCtaidY), e.call(Dialect::ClusterCtaidZ),
                    e.call(Dialect::ClusterNctaidX), e.call(Dialect::ClusterNctaidY));
    case SpecialRegister::ClusterNctarank:
      return e.call(Dialect::ClusterNctaidX) * e.call(Dialect::ClusterNctaidY) * e.call(Dialect::ClusterNctaidZ);
    case SpecialRegister::ReservedSmemOffsetBegin:
    case SpecialRegister::ReservedSmemOffset0:
    case SpecialRegister::ReservedSmemOffset1:
      return e.i32(0);
    case SpecialRegister::ReservedSmemOffsetEnd:
      return e.i32(ptx::kReservedSharedEnd);
    case SpecialRegister::ReservedSmemOffsetCap:
      return e.i32(ptx::kReservedSharedBytes);
    case SpecialRegister::Envreg1:
      return trunc(grid_workspace(e) >> 32, 32);
    case SpecialRegister::Envreg2:
      return trunc(grid_workspace(e), 32);
    // Performance monitors, the driver's other scratch registers and graph handles: the values of a machine without
    // them.
    default:
      return e.i64(0);
  }
#undef COMPONENTS
}

}  // namespace warpwise::simt
