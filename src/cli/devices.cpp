// warpwise devices: the GPUs that can be modelled and those of this machine, with their main figures; with --compare,
// all figures side by side; with --measure, what a GPU of this machine is capable of.
#include <fmt/format.h>

#include <cmath>

#include "base/json.h"
#include "bench/probe/probe.h"
#include "cli/command.h"
#include "cli/support/device_option.h"
#include "cli/support/terminal.h"
#include "device/device_file.h"
#include "device/gpu/gpu.h"
#include "perf/report/provenance.h"
#include "toolchain/files.h"

namespace warpwise::cli {
namespace {

double bandwidth_of(const device::Properties& p) { return p.dram_bytes_per_second() / 1e9; }
double tflops_of(const device::Properties& p, double operations) {
  return operations * p.sm_count * p.core_clock_khz * 1e3 / 1e12;
}

std::string text_of(double value) {
  return value == std::floor(value) ? fmt::format("{}", static_cast<int64_t>(value)) : fmt::format("{}", value);
}

using Gpu = std::unique_ptr<const device::gpu::Description>;

nlohmann::json as_json(const device::Properties& p) {
  nlohmann::json out = {{"id", p.id},
                        {"name", p.name},
                        {"compute_capability", fmt::format("{}.{}", p.major, p.minor)},
                        {"default", p.id == device::default_device().id},
                        {"source", p.source},
                        {"model_source", p.machine.source}};
  for (const device::Figure& figure : device::all_figures()) {
    double value = figure.get(p);
    if (value == std::floor(value))
      out[figure.name] = static_cast<int64_t>(value);
    else
      out[figure.name] = value;
  }
  return out;
}

class Devices : public Command {
 public:
  void declare(CLI::App& app) override {
    auto* json = app.add_flag("--json", json_, "as JSON, with every figure and its source");
    auto* compare = app.add_flag("--compare", compare_,
                                 "every figure of the named devices side by side; of all devices if none is named")
                        ->excludes(json);
    auto* measure = app.add_flag("--measure", measure_,
                                 "measure what a GPU of this machine is capable of (gpu:0, or the one that is named)")
                        ->excludes(json)
                        ->excludes(compare);
    app.add_option("-o,--output", output_,
                   "with --measure: write the figures as a device file, for --device= (-: to standard output)")
        ->needs(measure)
        ->type_name("FILE");
    app.add_flag("--quick", quick_, "with --measure: a few seconds, and figures that are less sure")->needs(measure);
    app.add_option("device", names_, "only these: device names, device files of your own, or gpu:N of this machine")
        ->type_name("NAME");
    app.footer(
        "\nExamples:\n"
        "  warpwise devices\n"
        "  warpwise devices --compare a6000 h100\n"
        "  warpwise devices --compare gpu:0 h200\n"
        "  warpwise devices --measure -o mine.toml; warpwise profile --device=mine.toml kernel.cu\n"
        "  warpwise devices --json | jq '.[] | select(.default)'\n"
        "  warpwise run --device=a100 kernel.cu");
  }

  Result<int> run() override {
    if (measure_) return measure();
    std::vector<const device::Properties*> devices;
    for (const std::string& name : names_) devices.push_back(TRY(named(name)));
    std::string why_no_gpu;
    if (devices.empty()) {
      for (const device::Properties& p : device::all_devices()) devices.push_back(&p);
      // Comparing all is comparing models.
      if (auto there = compare_ ? Result<std::vector<Gpu>>(std::vector<Gpu>()) : device::gpu::find_all())
        gpus_ = std::move(there).value();
      else
        why_no_gpu = there.error().message;
      for (const Gpu& gpu : gpus_) devices.push_back(&gpu->properties);
    }
    if (json_) {
      nlohmann::json list = nlohmann::json::array();
      for (const device::Properties* p : devices) list.push_back(as_json(*p));
      for (nlohmann::json& entry : list) add_what_is_real(entry);
      fmt::print("{}\n", dump_json(list, 2));
    } else if (compare_) {
      compare(devices);
    } else {
      list(devices);
      if (!gpus_.empty()) fmt::print("gpu:N: a GPU of this machine, which --on=gpu:N runs programs on\n");
      if (!why_no_gpu.empty()) fmt::print("--on=gpu: {}\n", why_no_gpu);
    }
    return kSuccess;
  }

 private:
  Result<int> measure();
  Result<const device::Properties*> named(const std::string& name) {
    if (name != "gpu" && !name.starts_with("gpu:")) return chosen_device(name);
    gpus_.push_back(TRY(device::gpu::find(TRY(device::gpu::read_place(name)).value_or(0))));
    return &gpus_.back()->properties;
  }

  // A GPU of this machine, and the model that the figures come from which it does not say itself.
  void add_what_is_real(nlohmann::json& entry) const {
    for (const Gpu& gpu : gpus_)
      if (entry["id"] == gpu->id) {
        entry["real"] = true;
        entry["modelled_as"] = gpu->modelled;
      }
  }

  static void list(const std::vector<const device::Properties*>& devices) {
    Table table({"device", "name", "sm", "SMs", "clock", "memory", "bandwidth", "L2", "shared/block"});
    for (const device::Properties* p : devices) {
      bool standard = p->id == device::default_device().id;
      table.add({fmt::format("{}{}", p->id, standard ? " *" : ""), std::string(p->name),
                 fmt::format("{}.{}", p->major, p->minor), fmt::format("{}", p->sm_count),
                 fmt::format("{:.2f} GHz", p->core_clock_khz / 1e6),
                 fmt::format("{:.0f} GiB", p->global_memory_bytes / 1073741824.0),
                 fmt::format("{:.0f} GB/s", bandwidth_of(*p)), fmt::format("{:.0f} MiB", p->l2_bytes / 1048576.0),
                 fmt::format("{} KiB", p->shared_per_block_optin_bytes / 1024)});
    }
    table.print();
    fmt::print("* the default of --device\n");
  }

  static void compare(const std::vector<const device::Properties*>& devices) {
    std::vector<std::string> head = {"figure", "unit"};
    for (const device::Properties* p : devices) head.emplace_back(p->id);
    Table table(head);
    auto row = [&](std::string_view name, std::string_view unit, auto value_of) {
      std::vector<std::string> cells = {std::string(name), std::string(unit)};
      for (const device::Properties* p : devices) cells.push_back(text_of(value_of(*p)));
      table.add(std::move(cells));
    };
    // Rates that follow from the figures, at the boost clock.
    auto rounded = [](double value) { return std::round(value * 10) / 10; };
    row("memory bandwidth", "GB/s", [&](const auto& p) { return std::round(bandwidth_of(p)); });
    row("fp32", "TFLOP/s", [&](const auto& p) { return rounded(tflops_of(p, 2 * p.machine.fp32_lanes)); });
    row("fp64", "TFLOP/s", [&](const auto& p) { return rounded(tflops_of(p, 2 * p.machine.fp64_lanes)); });
    row("f16 tensor cores", "TFLOP/s", [&](const auto& p) { return rounded(tflops_of(p, p.machine.tensor_f16)); });
    row("FLOP per byte of DRAM", "",
        [&](const auto& p) { return rounded(tflops_of(p, 2 * p.machine.fp32_lanes) * 1e3 / bandwidth_of(p)); });
    for (const device::Figure& figure : device::all_figures()) row(figure.meaning, figure.unit, figure.get);
    table.print();
    for (const device::Properties* p : devices) fmt::print("{}: {}; {}\n", p->id, p->source, p->machine.source);
  }

  bool json_ = false, compare_ = false, measure_ = false, quick_ = false;
  std::string output_;
  std::vector<std::string> names_;
  std::vector<Gpu> gpus_;
};

Result<int> Devices::measure() {
  if (names_.size() > 1) return Error{"U0005", "--measure takes one GPU"};
  const std::string name = names_.empty() ? "gpu" : names_[0];
  const auto place = TRY(device::gpu::read_place(name));
  if (!place) return Error{"U0005", fmt::format("--measure takes `gpu` or `gpu:N`, not `{}`", name)};
  const Gpu gpu = TRY(device::gpu::find(*place));
  Progress progress;
  bench::ProbeOptions options;
  options.engine = dump_json(nlohmann::json{{"on", gpu->id}});
  options.progress = [&](const std::string& what) { progress.show(what); };
  if (quick_) options.microseconds = 10, options.repeats = 3, options.load_seconds = 0.1;
  auto measured = bench::run_probes(*gpu, options);
  progress.clear();
  const bench::Readings readings = TRY(std::move(measured));
  const std::string file = TRY(bench::device_file_of(readings, *gpu, perf::date_now()));
  if (output_ == "-") {
    fmt::print("{}", file);
    return kSuccess;
  }
  Table table({"figure", "unit", "measured", "from", "to", std::string("of ") + gpu->modelled});
  for (const bench::MeasuredFigure& m : bench::figures_of(readings, gpu->properties))
    for (const device::Figure& figure : device::all_figures())
      if (figure.name == m.name)
        table.add({std::string(figure.meaning), std::string(figure.unit), fmt::format("{:.4g}", m.value.median),
                   fmt::format("{:.4g}", m.value.low), fmt::format("{:.4g}", m.value.high),
                   fmt::format("{:.4g}", figure.get(gpu->properties))});
  table.print();
  for (const std::string& note : readings.notes) fmt::print("{}\n", note);
  if (!output_.empty()) TRY(toolchain::write_file(output_, file));
  return kSuccess;
}

}  // namespace

std::unique_ptr<Command> make_devices() { return std::make_unique<Devices>(); }

}  // namespace warpwise::cli
