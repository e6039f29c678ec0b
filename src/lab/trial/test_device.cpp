#include "lab/trial/test_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "api/code_on_disk.h"
#include "check/checkers.h"
#include "device/device_file.h"
#include "exec/memory/arena.h"
#include "exec/virtual_device.h"
#include "lab/trial/unwritten_contents.h"
#include "perf/counters/profiler.h"
#include "toolchain/files.h"

namespace warpwise::lab {
namespace {

constexpr size_t kMostPrinted = 16 << 10;
constexpr device::StreamId kStream = 0;

// The bytes of a value parameter.
uint64_t number_argument(const Trial& trial, const Parameter& p) {
  if (p.role == Role::Size)
    return uint64_t(trial.shape.names.find(p.name)->second);  // little-endian: the low bytes come first
  uint64_t bytes = 0;
  problem::Values(&bytes, 1, p.type).set(0, trial.scalars.find(p.name)->second);
  return bytes;
}

}  // namespace

Result<void> device_ok(const device::Status& status) {
  if (status.ok()) return {};
  return Error{"L0009", fmt::format("the device of the judge: {}", status.detail)};
}

TestDevice::TestDevice(const Trial& trial, const TrialMemory& memory, const TestDeviceOptions& options)
    : trial_(trial), memory_(memory), options_(options) {}
TestDevice::~TestDevice() = default;

Result<std::unique_ptr<TestDevice>> TestDevice::open(const Trial& trial, const TrialMemory& memory,
                                                     const TestDeviceOptions& options) {
  std::unique_ptr<TestDevice> test_device(new TestDevice(trial, memory, options));
  TRY(test_device->make_device());
  TRY(test_device->place_arrays());
  std::error_code error;
  if (!options.profile.empty()) test_device->profiled_before_ = std::filesystem::file_size(options.profile, error);
  return test_device;
}

void TestDevice::print(std::string_view text) {
  result_.printed += text.substr(0, kMostPrinted - std::min(kMostPrinted, result_.printed.size()));
}

Result<void> TestDevice::make_device() {
  sink_ = std::make_shared<CollectingSink>();
  exec::DeviceSetup setup;
  setup.options.device = options_.device;
  setup.options.timeout_seconds = options_.seconds * options_.patience;
  using Checks = TestDeviceOptions::Checks;
  const Checks checks = options_.checks;
  if (checks != Checks::None || options_.record) setup.options.only_tier = exec::OnlyTier::Quick;
  setup.options.schedule = {trial_.spec->shuffle || options_.order, options_.order.value_or(trial_.seed)};
  setup.cache = api::code_on_disk();
  setup.print = [this](std::string_view text) { print(text); };
  std::unique_ptr<exec::ObserverClient> counter;
  if (!options_.profile.empty())
    counter = TRY(
        perf::make_profiler({.records = options_.profile.string(), .exact = false, .brief = !options_.whole_profile},
                            *TRY(device::device_named(options_.device))));
  if (checks != Checks::None) {
    for (Checker checker : {Checker::Memory, Checker::Init}) setup.options.check.add(checker);
    if (checks == Checks::All) {
      for (Checker checker : {Checker::Race, Checker::Sync}) setup.options.check.add(checker);
      counter = std::make_unique<AccessCounter>();
      counter_ = static_cast<AccessCounter*>(counter.get());
    }
    setup.findings = sink_;
    setup.observer = check::make_checkers(setup.options.check, *sink_, std::move(counter));
  } else if (counter) {
    setup.observer = exec::Observer::of(std::move(counter));
  }
  if (options_.record) {
    const trace::RecordingObserver recording = trace::make_recorder(*TRY(device::device_named(options_.device)));
    setup.observer = recording.observer, recorder_ = recording.recorder;
    recorder_->arm(*options_.record);
  }
  if (options_.unwritten && setup.observer)
    setup.observer->add(std::make_unique<UnwrittenContents>(*options_.unwritten));
  gpu_ = TRY(exec::VirtualDevice::create(std::move(setup)));
  return {};
}

// Inputs are copied, as a program would copy them. Poison is written without the checkers' knowledge: for them, no
// output has been written.
Result<void> TestDevice::place_arrays() {
  for (size_t i = 0; i < trial_.arrays.size(); ++i) {
    const TrialArray& array = trial_.arrays[i];
    const Parameter& p = *array.parameter;
    device::Address base = 0;
    TRY(device_ok(gpu_->allocate(std::max<size_t>(array.bytes(), 1), device::MemoryKind::Device, &base)));
    bases_.push_back(base);
    if (array.bytes() == 0) continue;
    if (p.is_made() || p.zeroed) {
      const size_t bytes = array.bytes();
      TRY(device_ok(gpu_->submit(
          kStream,
          device::CopyToDevice{base, array.before.data(), {.width = bytes, .dst_pitch = bytes, .src_pitch = bytes}})));
      TRY(device_ok(gpu_->wait_all()));
    } else if (!options_.unwritten) {  // its contents are there already
      std::memcpy(exec::engine_view(base), array.before.data(), array.bytes());
    }
    if (counter_) counter_->count_array({base, array.bytes(), bytes_of(p.type), memory_.writers[i]});
  }
  size_t array = 0;
  for (const Parameter& p : trial_.problem->parameters)
    arguments_.push_back(p.pointer ? bases_[array++] : number_argument(trial_, p));
  return {};
}

// "address 0x2000007a2000 is 4 bytes past the end of a 400-byte allocation at 0x2000007a1e70": the addresses of this
// device mean nothing to a reader, and the allocations of a trial have names.
std::string TestDevice::without_addresses(std::string text) const {
  for (size_t i = 0; i < bases_.size(); ++i)
    if (const std::string anonymous = fmt::format("a {}-byte allocation at {:#x}", trial_.arrays[i].bytes(), bases_[i]);
        text.find(anonymous) != text.npos)
      text.replace(text.find(anonymous), anonymous.size(), fmt::format("`{}`", trial_.arrays[i].parameter->name));
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (const auto& [before, with] :
       {std::pair<std::string_view, std::string_view>("address 0x", "the address"), {" at 0x", ""}})
    for (size_t at = 0; (at = text.find(before, at)) != text.npos; at += with.size()) {
      const size_t end = std::min(text.find_first_not_of(kDigits, at + before.size()), text.size());
      text.replace(at, end - at, with);
    }
  return text;
}

TrialResult TestDevice::finish(device::Status status) {
  result_.failure = status.failure;
  result_.detail = without_addresses(std::move(status.detail));
  for (size_t i = 0; i < bases_.size(); ++i) {
    const TrialArray& array = trial_.arrays[i];
    if (array.bytes() == 0) continue;
    const std::byte* now = exec::engine_view(bases_[i]);
    memory_.unchanged[i] =
        array.parameter->role == Role::Input && std::memcmp(now, array.before.data(), array.bytes()) == 0;
    if (!memory_.unchanged[i]) std::memcpy(memory_.after[i].data(), now, array.bytes());
  }
  // Where there is no such launch there is no file, and that is seen when it is opened.
  if (recorder_) (void)recorder_->disarm();
  result_.ran = true;
  result_.findings = sink_->findings();
  result_.not_checked = sink_->not_checked();
  for (Finding& finding : result_.findings) name_array(finding);
  if (!options_.profile.empty())
    if (auto text = toolchain::read_file(options_.profile))
      result_.profile = text->substr(0, text->find('\n') + 1) + text->substr(std::min(profiled_before_, text->size()));
  if (counter_) {
    result_.measured = counter_->measured();
    result_.sites = counter_->sites();
    result_.double_store = counter_->double_store();
  }
  return std::move(result_);
}

// The allocations of a trial have names: those of the parameters.
void TestDevice::name_array(Finding& finding) const {
  if (!finding.memory || !finding.memory->allocated || !finding.memory->name.empty()) return;
  MemoryPlace& memory = *finding.memory;
  for (size_t i = 0; i < bases_.size(); ++i) {
    if (memory.base != bases_[i]) continue;
    const TrialArray& array = trial_.arrays[i];
    memory.name = array.parameter->name;
    const std::string named = fmt::format("`{}` ({} element{}, {} bytes)", memory.name, array.count,
                                          array.count == 1 ? "" : "s", memory.size);
    for (const std::string& anonymous :
         {fmt::format("an allocation of {} bytes", memory.size), std::string("an allocation")})
      if (size_t at = finding.message.find(anonymous); at != finding.message.npos) {
        finding.message.replace(at, anonymous.size(), named);
        break;
      }
  }
}

}  // namespace warpwise::lab
