#include "perf/timing/energy.h"

namespace warpwise::perf {

Energy energy_of(const Counts& c, double seconds, const device::EnergyFigures& figures) {
  using enum Counter;
  constexpr double kPico = 1e-12, kSector = 32, kWavefront = 128;
  const auto sum = [&](auto... counters) { return (double(c[counters]) + ...); };
  Energy energy;
  energy.dram = sum(DramReadBytes, DramWriteBytes) * figures.dram * kPico;
  energy.l2 = kSector * sum(L2ReadSectors, L2WriteSectors, L2AtomicSectors, L2ReductionSectors) * figures.l2 * kPico;
  energy.l1 = kSector *
              sum(GlobalLoadSectors, GlobalStoreSectors, GlobalAtomicSectors, GlobalReductionSectors, LocalLoadSectors,
                  LocalStoreSectors, AsyncCopySectors) *
              figures.l1 * kPico;
  energy.shared = (kWavefront * sum(SharedLoadWavefronts, SharedStoreWavefronts, SharedAtomicWavefronts) +
                   sum(BulkLoadBytes, BulkStoreBytes)) *
                  figures.l1 * kPico;
  const double fp32 = sum(Fadd, Fmul, Hadd, Hmul, IntegerOps, SpecialFunctions) + 2 * sum(Ffma, Hfma);
  const double fp64 = sum(Dadd, Dmul, TensorF64Ops) + 2 * sum(Dfma);
  const double tensor = sum(TensorF16Ops, TensorTf32Ops, TensorF8Ops, TensorIntOps);
  energy.arithmetic = (fp32 * figures.fp32 + fp64 * figures.fp64 + tensor * figures.tensor) * kPico;
  energy.idle = figures.idle_watts * seconds;
  return energy;
}

}  // namespace warpwise::perf
