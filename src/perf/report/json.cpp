#include "perf/report/json.h"

#include <fmt/format.h>

#include "perf/report/ranges.h"

namespace warpwise::perf {
namespace {

using nlohmann::json;

json advice_json(const std::vector<Advice>& list) {
  json out = json::array();
  for (const Advice& a : list) {
    json item = {{"rule", a.info->key},
                 {"title", a.info->title},
                 {"evidence", a.evidence},
                 {"remedy", a.remedy},
                 {"saved_seconds", a.saved_seconds},
                 {"gain", a.gain},
                 {"page", fmt::format("docs/advice/{}.md", a.info->key)}};
    if (a.place) item["place"] = {{"file", a.place->file}, {"line", a.place->line}};
    out.push_back(std::move(item));
  }
  return out;
}

// Bytes a second that each way can carry at the clock of the prediction.
json peaks_json(const device::Properties& device, double khz) {
  const device::Machine& m = device.machine;
  const double clocks = khz * 1e3, multiprocessors = double(device.sm_count);
  return {{"dram", device.dram_bytes_per_second()},
          {"l2", m.l2_bytes_per_clock * clocks},
          {"l1", m.l1_bytes * multiprocessors * clocks},
          {"shared", m.l1_bytes * multiprocessors * clocks}};
}

json measured_json(const KernelMeasurement& m) {
  json counters = json::object();
  for (const CounterPair& pair : m.counters)
    counters[std::string(info_of(pair.counter).name) + ".sum"] = {{"gpu", pair.gpu}, {"here", pair.here}};
  return {{"launches", m.launches},   {"seconds", m.seconds},
          {"median", m.median},       {"least", m.least},
          {"most", m.most},           {"modelled_seconds", m.modelled},
          {"modelled_low", m.low},    {"modelled_high", m.high},
          {"in_range", m.in_range()}, {"counted_launches", m.counted_launches},
          {"counters", counters},     {"difference", m.difference}};
}

json kernel_json(const KernelReport& k, const device::Properties& device) {
  const LaunchCounts& l = k.launch;
  json out = {{"kernel", l.kernel},
              {"launches", k.launches},
              {"grid", {l.grid.x, l.grid.y, l.grid.z}},
              {"block", {l.block.x, l.block.y, l.block.z}},
              {"flops", k.flops()},
              {"dram_bytes", k.dram_bytes()},
              {"predicted", k.predicted}};
  if (!k.predicted) return out;
  const Prediction& p = k.prediction;
  json utilization;
  for (unsigned i = 0; i < kResources; ++i)
    utilization[std::string(info_of(static_cast<Resource>(i)).key)] = p.utilization[i];
  out["seconds"] = k.seconds;
  out["seconds_low"] = k.low;
  out["seconds_high"] = k.high;
  out["limiter"] = key_of(p.limiter);
  out["next_limiter"] = key_of(p.next);
  out["seconds_without_limiter"] = p.seconds_without_limiter * double(k.launches);
  out["clock_khz"] = p.clock_khz;
  out["occupancy"] = p.occupancy.fraction;
  out["blocks_per_sm"] = p.occupancy.blocks;
  out["waves"] = p.waves;
  out["tail_share"] = p.tail_share;
  out["compute_of_peak"] = p.compute_of_peak;
  out["memory_of_peak"] = p.memory_of_peak;
  out["utilization"] = utilization;
  out["peaks"] = peaks_json(device, p.clock_khz);
  out["advice"] = advice_json(k.advice);
  if (k.measured) out["measured"] = measured_json(*k.measured);
  return out;
}

}  // namespace

json to_json(const Analysis& analysis) {
  json kernels = json::array();
  for (const KernelReport& k : analysis.kernels) kernels.push_back(kernel_json(k, *analysis.device));
  json launches = json::array();
  for (const LaunchCounts& launch : analysis.profile->launches)
    if (std::optional<Prediction> p = predict(launch, *analysis.device))
      // gpu_time_duration: as ncu has it, without what passes between kernels
      launches.push_back({{"index", launch.index},
                          {"seconds", p->seconds},
                          {"gpu_time_duration", p->seconds - p->gap_seconds},
                          {"limiter", key_of(p->limiter)}});
  json ranges = json::array();
  for (const RangeSum& s : sums_of(ranges_of(*analysis.profile)))
    ranges.push_back({{"name", s.name},
                      {"times", s.times},
                      {"kernels", s.kernels},
                      {"commands", s.commands},
                      {"device_seconds", s.device_seconds},
                      {"host_seconds", s.host_seconds}});
  json out = {{"device", analysis.device->id},         {"launches", launches}, {"kernel_seconds", analysis.seconds},
              {"copy_seconds", analysis.copy_seconds}, {"kernels", kernels},   {"ranges", ranges},
              {"advice", advice_json(analysis.advice)}};
  if (const Profile& profile = *analysis.profile; !profile.measured_on.empty())
    out["measured"] = {{"device", profile.measured_on},
                       {"not_compared", analysis.not_matched},
                       {"why_no_hardware_counters", profile.why_no_hardware}};
  return out;
}

}  // namespace warpwise::perf
