#include "bench/measure/roof.h"

namespace warpwise::bench {

double peak_of(Unit unit, const device::Properties& device) {
  const device::Machine& m = device.machine;
  const double of_clock[] = {
      2 * m.fp32_lanes, 2 * m.fp64_lanes, 4 * m.fp16_lanes,  // pairs of halves
      m.tensor_f16,     m.tensor_tf32,    m.tensor_f8,      m.tensor_int8, m.tensor_f64,
  };
  return of_clock[size_t(unit)] * device.sm_count * device.core_clock_khz * 1e3;
}

Result<Roof> roof_of(const Ladder& ladder, const Shape& shape, const device::Properties& device) {
  const Numbers sizes = TRY(sizes_of(ladder, shape));
  Roof roof;
  roof.bytes = double(TRY(lab::evaluate(ladder.bytes, sizes)));
  roof.flops = double(TRY(lab::evaluate(ladder.flops, sizes)));
  roof.memory_seconds = roof.bytes / device.dram_bytes_per_second();
  if (const double peak = peak_of(ladder.unit, device); peak > 0) roof.compute_seconds = roof.flops / peak;
  return roof;
}

Result<Roof> roof_of(const Version& version, const Ladder& ladder, const Shape& shape,
                     const device::Properties& device) {
  Roof roof = TRY(roof_of(ladder, shape, device));
  if (version.flops.empty()) return roof;
  roof.flops = double(TRY(lab::evaluate(version.flops, TRY(sizes_of(ladder, shape)))));
  const double peak = peak_of(version.unit, device);
  roof.compute_seconds = peak > 0 ? roof.flops / peak : 0;
  return roof;
}

}  // namespace warpwise::bench
