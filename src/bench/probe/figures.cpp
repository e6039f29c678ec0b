// Readings of probes as figures of the timing model.
#include <fmt/format.h>

#include <cmath>

#include "bench/probe/probe.h"
#include "device/device_file.h"
#include "perf/report/format.h"
#include "perf/timing/model_constants.h"

namespace warpwise::bench {
namespace {

using device::Properties;

Spread scaled(Spread s, double factor) { return {s.median * factor, s.low * factor, s.high * factor, s.runs}; }

// A figure that cannot be has not been measured.
bool is_possible(const Spread& s) { return std::isfinite(s.median) && s.median > 0; }

// Four digits: more than any of these figures has.
double rounded(double value) {
  if (value == 0) return 0;
  const double power = std::floor(std::log10(std::abs(value))) - 3, scale = std::pow(10, std::abs(power));
  return power < 0 ? std::round(value * scale) / scale : std::round(value / scale) * scale;
}
std::string number_text(double value) { return fmt::format("{:.6g}", rounded(value)); }

class Figures {
 public:
  Figures(const Readings& readings, const Properties& gpu) : readings_(readings), gpu_(gpu) {}

  std::vector<MeasuredFigure> all() {
    lanes("fp32", "fp32_lanes"), lanes("integer", "integer_lanes"), lanes("fp64", "fp64_lanes");
    lanes("fp16", "fp16_lanes"), lanes("special", "special_lanes"), lanes("shared_words", "lsu_lanes");
    lanes("shared_bytes", "l1_bytes_per_clock"), lanes("shared_same_bytes", "shared_register_bytes");
    tensor_cores();
    per_clock("l2_to_sm", "l2_bytes_per_clock_of_sm"), per_clock("l2", "l2_bytes_per_clock");
    atomics();
    const double peak = gpu_.dram_bytes_per_second();
    if (const Reading* r = find("dram_read"); r && r->per_second && peak > 0)
      add("dram_read_fraction", scaled(*r->per_second, 1 / peak));
    std::optional<Spread> copied;  // by the better kernel
    for (const char* name : {"dram_copy", "dram_copy_of_driver"})
      if (const Reading* r = find(name); r && r->per_second && (!copied || r->per_second->median > copied->median))
        copied = r->per_second;
    if (copied && peak > 0) add("dram_fraction", scaled(*copied, 1 / peak));
    for (const char* name : {"fma_latency", "fp64_latency", "special_latency", "shared_latency", "tensor_latency",
                             "barrier_latency", "l2_latency"})
      if (const Reading* r = find(name); r && r->clocks) add(name, *r->clocks);
    distances();
    if (const Reading* r = find("launch"); r && r->seconds) add("launch_ns", scaled(*r->seconds, 1e9));
    if (const Reading* r = find("host_copy"); r && r->per_second) add("host_gb_per_s", scaled(*r->per_second, 1e-9));
    if (const Reading* r = find("small_copy"); r && r->seconds) add("host_latency_ns", scaled(*r->seconds, 1e9));
    sustained_clock();
    return std::move(out_);
  }

 private:
  const Reading* find(std::string_view name) const {
    const auto found = readings_.probes.find(name);
    return found == readings_.probes.end() ? nullptr : &found->second;
  }
  void add(std::string_view name, const Spread& value) {
    if (is_possible(value)) out_.push_back({std::string(name), value});
  }
  std::optional<Spread> a_clock(const char* probe) const {
    const Reading* r = find(probe);
    if (!r || !r->per_second || !r->hertz || !(r->hertz->median > 0)) return std::nullopt;
    return scaled(*r->per_second, 1 / r->hertz->median);
  }
  // Of the whole GPU, and of one multiprocessor.
  void per_clock(const char* probe, const char* figure) {
    if (const auto value = a_clock(probe)) add(figure, *value);
  }
  void lanes(const char* probe, const char* figure) {
    if (const auto value = a_clock(probe)) add(figure, scaled(*value, 1.0 / gpu_.sm_count));
  }

  void tensor_cores() {
    const bool for_warpgroups = gpu_.major == 9 || gpu_.major == 10;
    if (!for_warpgroups) {
      for (const char* name : {"tensor_f16", "tensor_tf32", "tensor_int8"}) lanes(name, name);
      return;
    }
    if (const auto value = a_clock("tensor_f16"); value && gpu_.machine.tensor_f16 > 0)
      add("mma_share", scaled(*value, 1 / (gpu_.machine.tensor_f16 * gpu_.sm_count)));
  }

  // Each sector, all of whose words are changed, occupies its slice of L2 for two turns (perf/counters/atomic_turns.h).
  // Multiprocessors that send about as many as they can have not been held by the slices, and nothing is known of
  // these. An H200's sent 0.91 to 1.01 of it in three measurements. If they send more, they can do more than is known
  // here.
  void atomics() {
    const Reading* r = find("atomic_sectors");
    if (!r || !r->per_second) return;
    const auto a_clock_of_grid = a_clock("atomic_sectors");
    constexpr double kNear = 0.15;
    if (a_clock_of_grid && std::abs(a_clock_of_grid->median / gpu_.sm_count * perf::kPartStore - 1) < kNear) return;
    add("l2_atomics_per_clock", scaled(*r->per_second, 4 * perf::kSliceTurnNs * 1e-9));
  }

  // What a load from L1 takes, and what one from memory takes beyond L2.
  void distances() {
    const Reading* near = find("l1_load");
    constexpr double kStepsOfIteration = 64;
    if (near && near->seconds && near->hertz)
      add("l1_latency", scaled(*near->seconds, near->hertz->median / kStepsOfIteration));
    const Reading *far = find("new_memory"), *l2 = find("l2_latency");
    if (!far || !far->seconds || !far->hertz || !l2 || !l2->clocks) return;
    const double l2_ns = l2->clocks->median / far->hertz->median * 1e9;
    Spread beyond = scaled(*far->seconds, 1e9);
    beyond.median -= l2_ns, beyond.low -= l2_ns, beyond.high -= l2_ns;
    add("dram_latency_ns", beyond);
  }

  // The clock that is left when the tensor cores, or else the fp32 pipe, have been busy for a while.
  void sustained_clock() {
    const Load* hardest = nullptr;
    for (const Load& load : readings_.loads)
      if (load.name == "tensor_f16" || (load.name == "fp32" && !hardest)) hardest = &load;
    if (!hardest) return;
    const double khz = std::min(hardest->hertz / 1e3, double(gpu_.core_clock_khz));
    add("sustained_clock_khz", {khz, khz, khz, 1});
  }

  const Readings& readings_;
  const Properties& gpu_;
  std::vector<MeasuredFigure> out_;
};

std::vector<std::string> power_lines(const Readings& r) {
  std::vector<std::string> lines;
  if (r.idle_watts > 0)
    lines.push_back(fmt::format("power, which the model does not know: {:.0f} W idle", r.idle_watts));
  for (const Load& load : r.loads) {
    if (load.watts <= 0) continue;
    const char* unit = load.name == "fp32" ? "multiply-adds" : load.name == "tensor_f16" ? "operations" : "bytes";
    std::string line = fmt::format("{:.0f} W with {}: {} {} a second at {:.0f} MHz", load.watts, load.name,
                                   perf::count_text(load.per_second), unit, load.hertz / 1e6);
    if (r.idle_watts > 0 && load.per_second > 0)
      line += fmt::format(", {:.3g} pJ each beyond idling", (load.watts - r.idle_watts) / load.per_second * 1e12);
    lines.push_back(line);
  }
  return lines;
}

}  // namespace

std::vector<MeasuredFigure> figures_of(const Readings& readings, const Properties& gpu) {
  return Figures(readings, gpu).all();
}

Result<std::string> device_file_of(const Readings& readings, const device::gpu::Description& gpu,
                                   const std::string& date) {
  const Properties* like = device::find_device(gpu.modelled);
  if (!like) return Error{"U0004", fmt::format("there is no device `{}`", gpu.modelled)};
  Properties changed = gpu.properties;
  const std::string source = fmt::format("measured by `warpwise devices --measure` on {}", date);
  changed.source = source;
  std::map<std::string, std::string, std::less<>> remarks;
  for (const MeasuredFigure& measured : figures_of(readings, gpu.properties))
    for (const device::Figure& figure : device::all_figures()) {
      if (figure.name != measured.name || !figure.set(changed, rounded(measured.value.median))) continue;
      remarks[measured.name] = measured.value.runs > 1
                                   ? fmt::format("{} to {} in {} runs", number_text(measured.value.low),
                                                 number_text(measured.value.high), measured.value.runs)
                                   : "measured";
    }
  std::vector<std::string> preface = {
      fmt::format("{}, {}. Figures with a comment are measured; others the GPU says itself, or they are those of {}.",
                  gpu.name, gpu.source, gpu.modelled)};
  for (std::string& line : power_lines(readings)) preface.push_back(std::move(line));
  for (const std::string& note : readings.notes) preface.push_back(note);
  return device::device_file_text(changed, *like, remarks, preface);
}

}  // namespace warpwise::bench
