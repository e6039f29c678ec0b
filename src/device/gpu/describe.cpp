#include "device/gpu/describe.h"

#include <fmt/format.h>

#include <array>

namespace warpwise::device::gpu {
namespace {

Result<int> count_of(const Driver& driver) {
  int count = 0;
  if (CUresult result = driver.device_count(&count); result != kSuccess)
    return Error{"R0601",
                 fmt::format("there is no GPU to run on: the driver cannot count them: {}", driver.text_of(result))};
  return count;
}

// The row of devices.inc that the model's figures come from.
const Properties& nearest(std::string_view name, unsigned major, unsigned minor, bool* same) {
  *same = false;
  const Properties* best = nullptr;
  for (const Properties& row : all_devices()) {
    if (row.name == name) return *same = true, row;
    const unsigned row_is = row.major * 10 + row.minor;
    if (row_is > major * 10 + minor) continue;
    if (!best || row_is > best->major * 10 + best->minor) best = &row;
  }
  return best ? *best : default_device();
}

}  // namespace

Result<std::unique_ptr<const Description>> describe(const Driver& driver, unsigned ordinal) {
  const int count = TRY(count_of(driver));
  if (count == 0)
    return Error{"R0601", fmt::format("there is no GPU to run on: the driver `{}` finds none", driver.path().string())};
  if (ordinal >= static_cast<unsigned>(count))
    return Error{"R0601", fmt::format("there is no GPU {}: this machine has {}, the first is gpu:0", ordinal, count)};
  auto failed = [&](CUresult result) {
    return Error{"R0601", fmt::format("GPU {} cannot be used: {}", ordinal, driver.text_of(result))};
  };
  CUdevice device = 0;
  if (CUresult result = driver.device_get(&device, static_cast<int>(ordinal)); result != kSuccess)
    return failed(result);
  auto made = std::make_unique<Description>();
  std::array<char, 256> name{};
  if (CUresult result = driver.device_name(name.data(), name.size() - 1, device); result != kSuccess)
    return failed(result);
  made->ordinal = ordinal;
  made->id = fmt::format("gpu:{}", ordinal);
  made->name = name.data();
  made->source =
      fmt::format("the GPU itself; driver for CUDA {}.{}", driver.version() / 1000, driver.version() % 1000 / 10);
  auto attribute = [&](int number) {
    int value = 0;
    return driver.device_attribute(&value, number, device) == kSuccess ? value : 0;
  };
  made->pci = fmt::format("{:08x}:{:02x}:{:02x}.0", attribute(kPciDomain), attribute(kPciBus), attribute(kPciDevice));
  const auto major = static_cast<unsigned>(attribute(kCapabilityMajor));
  const auto minor = static_cast<unsigned>(attribute(kCapabilityMinor));
  Properties& p = made->properties;
  p = nearest(made->name, major, minor, &made->same_model);
  made->modelled = p.id;
  p.id = made->id;
  p.name = made->name;
  p.source = made->source;
  // A driver that does not know an attribute leaves the row's figure.
#define FIGURE(member, number)                                                  \
  if (int value = attribute(number); value > 0 || (number) == kCapabilityMinor) \
    p.member = static_cast<decltype(p.member)>(value);
#include "device/gpu/figures.inc"
#undef FIGURE
  size_t memory = 0;
  if (CUresult result = driver.device_memory(&memory, device); result != kSuccess) return failed(result);
  p.global_memory_bytes = memory;
  return std::unique_ptr<const Description>(std::move(made));
}

Result<std::vector<std::unique_ptr<const Description>>> describe_all(const Driver& driver) {
  std::vector<std::unique_ptr<const Description>> all;
  const int count = TRY(count_of(driver));
  for (int i = 0; i < count; ++i) all.push_back(TRY(describe(driver, static_cast<unsigned>(i))));
  return all;
}

}  // namespace warpwise::device::gpu
