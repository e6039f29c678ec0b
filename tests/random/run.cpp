#include "run.h"

#include <fmt/format.h>

#include <cstring>

#include "engines.h"
#include "generator.h"

namespace warpwise::random_programs {

namespace {

struct Part {
  size_t bytes;
  std::vector<std::byte> initial;
  device::Address address = 0;
};

}  // namespace

Outcome run(const Program& program, std::string_view engine) {
  Outcome outcome;
  auto opened = test::open_device(engine);
  if (!opened) return {opened.error().message, {}};
  device::Device& device = **opened;
  auto failed = [&](const device::Status& status) {
    if (!status.ok()) outcome.failure = status.detail.empty() ? "failed" : status.detail;
    return !status.ok();
  };

  const uint64_t threads = uint64_t{program.blocks} * program.threads;
  std::vector<uint64_t> numbers = inputs(program.seed);
  Part parts[] = {{numbers.size() * 8, {}}, {threads * output_bytes(), {}}, {kCounters * 4, {}}, {threads * kScratch * 4, {}}};
  parts[0].initial.resize(parts[0].bytes);
  std::memcpy(parts[0].initial.data(), numbers.data(), parts[0].bytes);

  device::ModuleId module;
  device::Launch launch;
  if (failed(device.load_module(to_ptx(program), "random.ptx", &module))) return outcome;
  if (failed(device.find_kernel(module, "kernel", &launch.kernel))) return outcome;
  launch.grid = {program.blocks, 1, 1};
  launch.block = {program.threads, 1, 1};
  for (Part& part : parts) {
    part.initial.resize(part.bytes);
    if (failed(device.allocate(part.bytes, device::MemoryKind::Device, &part.address))) return outcome;
    if (failed(device.submit(0, device::CopyToDevice{part.address, part.initial.data(), {part.bytes}}))) return outcome;
    for (unsigned k = 0; k < 8; ++k) launch.parameters.push_back(static_cast<std::byte>(part.address >> (8 * k)));
  }
  if (failed(device.submit(0, launch)) || failed(device.wait(0))) return outcome;
  for (size_t k = 1; k < std::size(parts); ++k) {
    size_t at = outcome.bytes.size();
    outcome.bytes.resize(at + parts[k].bytes);
    if (failed(device.submit(0, device::CopyFromDevice{outcome.bytes.data() + at, parts[k].address, {parts[k].bytes}}))) return outcome;
    if (failed(device.wait(0))) return outcome;
  }
  return outcome;
}

std::string difference(const Program& program, const Outcome& a, const Outcome& b) {
  if (a.failure != b.failure) {
    return fmt::format("one says `{}`, the other `{}`", a.failure.empty() ? "fine" : a.failure, b.failure.empty() ? "fine" : b.failure);
  }
  if (a.bytes == b.bytes) return "";
  size_t at = 0;
  while (a.bytes[at] == b.bytes[at]) ++at;
  size_t outputs = size_t{program.blocks} * program.threads * output_bytes();
  uint32_t x, y;
  std::memcpy(&x, &a.bytes[at & ~size_t{3}], 4);
  std::memcpy(&y, &b.bytes[at & ~size_t{3}], 4);
  std::string place = at < outputs ? fmt::format("thread {}, byte {} of its output", at / output_bytes(), at % output_bytes())
                                   : fmt::format("byte {} of counters and scratch", at - outputs);
  return fmt::format("{}: {:#010x} and {:#010x}", place, x, y);
}

namespace {

// Calls `visit` with each list of statements in the program until it returns true.
bool for_each_list(std::vector<Statement>& list, const std::function<bool(std::vector<Statement>&)>& visit) {
  if (visit(list)) return true;
  for (Statement& s : list) {
    if (for_each_list(s.children, visit) || for_each_list(s.others, visit)) return true;
  }
  return false;
}

bool for_each_list(Program& program, const std::function<bool(std::vector<Statement>&)>& visit) {
  if (for_each_list(program.body, visit)) return true;
  for (DeviceFunction& function : program.functions) {
    if (for_each_list(function.body, visit)) return true;
  }
  return false;
}

constexpr unsigned kMaxAttempts = 600;

}  // namespace

// Leaves out halves, quarters ... single statements of each list, as long as that helps; then grids and
// blocks. Sound because every statement may stand alone: registers always hold something.
Program shrink(Program program, const std::function<bool(const Program&)>& fails) {
  unsigned attempts = 0;
  auto try_smaller = [&](size_t chunk) {
    return for_each_list(program, [&](std::vector<Statement>& list) {
      for (size_t at = 0; at + chunk <= list.size(); ++at) {
        if (attempts++ >= kMaxAttempts) return true;
        std::vector<Statement> whole = list;
        list.erase(list.begin() + at, list.begin() + at + chunk);
        if (fails(program)) return true;
        list = std::move(whole);
      }
      return false;
    });
  };
  for (size_t chunk = 32; chunk >= 1; chunk /= 2) {
    while (attempts < kMaxAttempts && try_smaller(chunk)) {
    }
  }
  for (uint32_t Program::* size : {&Program::blocks, &Program::threads}) {
    uint32_t before = program.*size;
    program.*size = size == &Program::blocks ? 1 : 32;
    if (!fails(program)) program.*size = before;
  }
  return program;
}

}  // namespace warpwise::random_programs
