#include "run.h"

#include <fmt/format.h>

#include <cstring>

#include "engines.h"
#include "generator.h"
#include "gpu.h"

namespace warpwise::random_programs {

namespace {

struct Part {
  size_t bytes;
  std::vector<std::byte> initial;
  device::Address address = 0;
};

}  // namespace

std::vector<size_t> buffer_sizes(const Shape& shape) {
  return {kInputs * 8, output_bytes(shape), kCounters * 4, shape.threads() * size_t{kScratch} * 4};
}

Outcome run(const Shape& shape, const std::string& ptx, std::string_view engine) {
  if (engine == kGpu) return run_on_gpu(shape, ptx);
  Outcome outcome;
  auto opened = test::open_device(engine);
  if (!opened) return {opened.error().message, {}};
  device::Device& device = **opened;
  auto failed = [&](const device::Status& status) {
    if (!status.ok()) outcome.failure = status.detail.empty() ? "failed" : status.detail;
    return !status.ok();
  };

  std::vector<uint64_t> numbers = inputs(shape.seed);
  std::vector<Part> parts;
  for (size_t bytes : buffer_sizes(shape)) parts.push_back({bytes, {}});
  parts[0].initial.resize(parts[0].bytes);
  std::memcpy(parts[0].initial.data(), numbers.data(), parts[0].bytes);

  device::ModuleId module;
  device::Launch launch;
  if (failed(device.load_module(ptx, "random.ptx", &module))) return outcome;
  if (failed(device.find_kernel(module, "kernel", &launch.kernel))) return outcome;
  launch.grid = {shape.grid[0], shape.grid[1], shape.grid[2]};
  launch.block = {shape.block[0], shape.block[1], shape.block[2]};
  for (Part& part : parts) {
    part.initial.resize(part.bytes);
    if (failed(device.allocate(part.bytes, device::MemoryKind::Device, &part.address))) return outcome;
    if (failed(device.submit(0, device::CopyToDevice{part.address, part.initial.data(), {part.bytes}}))) return outcome;
    for (unsigned k = 0; k < 8; ++k) launch.parameters.push_back(static_cast<std::byte>(part.address >> (8 * k)));
  }
  if (failed(device.submit(0, launch)) || failed(device.wait(0))) return outcome;
  for (size_t k = 1; k < parts.size(); ++k) {
    size_t at = outcome.bytes.size();
    outcome.bytes.resize(at + parts[k].bytes);
    if (failed(device.submit(0, device::CopyFromDevice{outcome.bytes.data() + at, parts[k].address, {parts[k].bytes}}))) return outcome;
    if (failed(device.wait(0))) return outcome;
  }
  return outcome;
}

std::string difference(const Shape& shape, const Outcome& a, const Outcome& b) {
  if (a.failure != b.failure) {
    return fmt::format("one says `{}`, the other `{}`", a.failure.empty() ? "fine" : a.failure, b.failure.empty() ? "fine" : b.failure);
  }
  if (a.bytes == b.bytes) return "";
  size_t at = 0;
  while (a.bytes[at] == b.bytes[at]) ++at;
  size_t outputs = output_bytes(shape), counters = outputs + kCounters * 4;
  uint32_t x, y;
  std::memcpy(&x, &a.bytes[at & ~size_t{3}], 4);
  std::memcpy(&y, &b.bytes[at & ~size_t{3}], 4);
  std::string place;
  if (at < outputs) place = output_at(shape, at);
  else if (at < counters) place = fmt::format("counter {}", (at - outputs) / 4);
  else place = fmt::format("cell {} of thread {}", (at - counters) / 4 % kScratch, (at - counters) / 4 / kScratch);
  return fmt::format("{}: {:#010x} and {:#010x}", place, x, y);
}

}  // namespace warpwise::random_programs
