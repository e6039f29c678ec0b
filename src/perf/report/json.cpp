#include "perf/report/json.h"

#include <fmt/format.h>

#include "base/json.h"
#include "perf/counters/json.h"
#include "perf/report/ranges.h"
#include "perf/timing/energy.h"

namespace warpwise::perf {
namespace {

using nlohmann::json;

json utilization_json(const Prediction& prediction) {
  json utilization;
  for (unsigned i = 0; i < kResources; ++i)
    utilization[std::string(info_of(static_cast<Resource>(i)).key)] = prediction.utilization[i];
  return utilization;
}

json energy_json(const Energy& e) {
  return {{"joules", e.joules()},       {"dram", e.dram}, {"l2", e.l2}, {"l1", e.l1}, {"shared", e.shared},
          {"arithmetic", e.arithmetic}, {"idle", e.idle}};
}

// The launch as it would be: of the counters that change, the share that is left.
json then_json(const ChangedLaunch& then, const device::Properties& device) {
  const Prediction& p = then.prediction;
  json shares = json::object();
  for (size_t n = 0; n < kCounters; ++n)
    if (const auto counter = static_cast<Counter>(n);
        then.totals[counter] != then.before[counter] && then.before[counter] != 0)
      shares[std::string(info_of(counter).name) + ".sum"] = double(then.totals[counter]) / double(then.before[counter]);
  json out = {
      {"seconds", p.seconds}, {"limiter", key_of(p.limiter)}, {"utilization", utilization_json(p)}, {"shares", shares}};
  if (const device::EnergyFigures* figures = device::energy_figures(device.id))
    out["energy"] = energy_json(energy_of(then.totals, p.seconds - p.gap_seconds, *figures));
  return out;
}

json advice_json(const std::vector<Advice>& list, const device::Properties& device) {
  json out = json::array();
  for (const Advice& a : list) {
    json item = {{"rule", a.info->key},
                 {"title", a.info->title},
                 {"evidence", a.evidence},
                 {"remedy", a.remedy},
                 {"saved_seconds", a.saved_seconds},
                 {"gain", a.gain},
                 {"page", fmt::format("docs/advice/{}.md", a.info->key)}};
    if (a.then) item["then"] = then_json(*a.then, device);
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

// gpu_time_duration: as ncu has it, without what passes between kernels
json launch_json(const LaunchCounts& launch, const Prediction& p, const device::Properties& device) {
  const double duration = p.seconds - p.gap_seconds;
  json out = {{"index", launch.index},
              {"seconds", p.seconds},
              {"gpu_time_duration", duration},
              {"limiter", key_of(p.limiter)},
              {"flops", flops_of(launch.totals)}};
  if (const device::EnergyFigures* figures = device::energy_figures(device.id))
    out["energy"] = energy_json(energy_of(launch.totals, duration, *figures));
  return out;
}

// Picojoules a byte and an operation, watts: for who shows energies.
json energy_figures_json(const device::EnergyFigures& f) {
  return {{"dram", f.dram},
          {"l2", f.l2},
          {"l1", f.l1},
          {"fp32", f.fp32},
          {"fp64", f.fp64},
          {"tensor", f.tensor},
          {"idle", f.idle_watts},
          {"measured_on", f.measured_on},
          {"source", device::kEnergySource},
          {"range", device::kEnergyRange}};
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
  out["utilization"] = utilization_json(p);
  out["peaks"] = peaks_json(device, p.clock_khz);
  out["advice"] = advice_json(k.advice, device);
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
      launches.push_back(launch_json(launch, *p, *analysis.device));
  json ranges = json::array();
  for (const RangeSum& s : sums_of(ranges_of(*analysis.profile)))
    ranges.push_back({{"name", s.name},
                      {"times", s.times},
                      {"kernels", s.kernels},
                      {"commands", s.commands},
                      {"device_seconds", s.device_seconds},
                      {"host_seconds", s.host_seconds}});
  json out = {{"device", analysis.device->id},
              {"launches", launches},
              {"kernel_seconds", analysis.seconds},
              {"copy_seconds", analysis.copy_seconds},
              {"kernels", kernels},
              {"ranges", ranges},
              {"advice", advice_json(analysis.advice, *analysis.device)}};
  if (const device::EnergyFigures* figures = device::energy_figures(analysis.device->id))
    out["energy_figures"] = energy_figures_json(*figures);
  if (const Profile& profile = *analysis.profile; !profile.measured_on.empty())
    out["measured"] = {{"device", profile.measured_on},
                       {"not_compared", analysis.not_matched},
                       {"why_no_hardware_counters", profile.why_no_hardware}};
  return out;
}

std::string profile_to_json(const Profile& profile, const Analysis& analysis) {
  auto json = parse_json<nlohmann::ordered_json>(counters_to_json(profile));
  json["model"] = to_json(analysis);
  return dump_json(json);
}

}  // namespace warpwise::perf
