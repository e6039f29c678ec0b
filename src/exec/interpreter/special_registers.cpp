// Special registers (PTX ISA 10).
#include "exec/interpreter/special_registers.h"

#include <chrono>

#include "ptx/layout.h"

namespace warpwise::exec::interpreter {

using ptx::SpecialRegister;

namespace {

// A component of a %tid-like register; the fourth reads as 0. Without a selector: .x.
uint32_t component_of(const ptx::Operand& operand, const device::Dim3& value) {
  switch (operand.component) {
    case 1:
      return value.y;
    case 2:
      return value.z;
    case 3:
      return 0;
    default:
      return value.x;
  }
}

uint64_t nanoseconds() {
  auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

}  // namespace

Bits special_register(Step& s, const ptx::Operand& operand) {
  const KernelLaunch& launch = s.block.run.launch;
  const device::Properties& properties = *s.block.run.machine.properties;
  const device::Dim3 cluster = launch.cluster;
  const device::Dim3 ctaid = s.block.ctaid;
  const uint32_t lane = s.thread.lane();
  const uint32_t equal = 1u << lane;
  const device::Dim3 in_cluster{ctaid.x % cluster.x, ctaid.y % cluster.y, ctaid.z % cluster.z};
  switch (operand.special) {
    case SpecialRegister::Tid:
      return component_of(operand, s.thread.tid);
    case SpecialRegister::Ntid:
      return component_of(operand, launch.block);
    case SpecialRegister::Ctaid:
      return component_of(operand, ctaid);
    case SpecialRegister::Nctaid:
      return component_of(operand, launch.grid);
    case SpecialRegister::LaneId:
      return lane;
    case SpecialRegister::WarpId:
      return s.thread.warp();
    case SpecialRegister::NwarpId:
      return properties.warps_per_sm();  // of the SM, not of the block (10.4)
    case SpecialRegister::SmId:
      return s.block.index % properties.sm_count;
    case SpecialRegister::NsmId:
      return properties.sm_count;
    case SpecialRegister::GridId:
      return launch.grid_id;
    case SpecialRegister::LanemaskEq:
      return equal;
    case SpecialRegister::LanemaskLe:
      return equal | (equal - 1);
    case SpecialRegister::LanemaskLt:
      return equal - 1;
    case SpecialRegister::LanemaskGe:
      return ~(equal - 1);
    case SpecialRegister::LanemaskGt:
      return ~(equal | (equal - 1));
    case SpecialRegister::Clock:
      return static_cast<uint32_t>(s.block.run.executed);
    case SpecialRegister::ClockHi:
      return s.block.run.executed >> 32;
    case SpecialRegister::Clock64:
      return s.block.run.executed;
    case SpecialRegister::GlobalTimer:
      return nanoseconds();
    case SpecialRegister::GlobalTimerLo:
      return static_cast<uint32_t>(nanoseconds());
    case SpecialRegister::GlobalTimerHi:
      return nanoseconds() >> 32;
    case SpecialRegister::DynamicSmemSize:
      return launch.dynamic_shared_bytes;
    case SpecialRegister::TotalSmemSize:
    case SpecialRegister::AggrSmemSize:
      return s.block.run.program.image.layout.static_shared_bytes + launch.dynamic_shared_bytes;
    case SpecialRegister::IsExplicitCluster:
      return s.function().explicit_cluster;
    case SpecialRegister::ClusterId:
      return component_of(operand, {ctaid.x / cluster.x, ctaid.y / cluster.y, ctaid.z / cluster.z});
    case SpecialRegister::NclusterId:
      return component_of(operand, {launch.grid.x / cluster.x, launch.grid.y / cluster.y, launch.grid.z / cluster.z});
    case SpecialRegister::ClusterCtaid:
      return component_of(operand, in_cluster);
    case SpecialRegister::ClusterNctaid:
      return component_of(operand, cluster);
    case SpecialRegister::ClusterCtarank:
      return in_cluster.x + cluster.x * (in_cluster.y + cluster.y * in_cluster.z);
    case SpecialRegister::ClusterNctarank:
      return cluster.count();
    case SpecialRegister::ReservedSmemOffsetBegin:
    case SpecialRegister::ReservedSmemOffset0:
    case SpecialRegister::ReservedSmemOffset1:
      return 0;
    case SpecialRegister::ReservedSmemOffsetEnd:
      return ptx::kReservedSharedEnd;
    case SpecialRegister::ReservedSmemOffsetCap:
      return ptx::kReservedSharedBytes;
    case SpecialRegister::Envreg1:
      return launch.grid_workspace >> 32;
    case SpecialRegister::Envreg2:
      return static_cast<uint32_t>(launch.grid_workspace);
    // Performance monitors, the driver's other scratch registers and graph handles: what a machine without them
    // shows.
    default:
      return 0;
  }
}

}  // namespace warpwise::exec::interpreter
