#include "run.h"

#include <fmt/format.h>

#include <cstring>

#include "engines.h"
#include "generator.h"
#include "gpu.h"
#include "image_case.h"
#include "multicast_case.h"
#include "surroundings.h"

namespace warpwise::random_programs {

std::vector<size_t> buffer_sizes(const Shape& shape) {
  return {kInputs * 8,   output_bytes(shape),
          kCounters * 4, shape.threads() * size_t{kScratch} * 4,
          kBoxesBytes,   (shape.blocks() + 1) * size_t{128}};
}

namespace {

constexpr size_t kInputPart = 0, kFirstCompared = 1, kBoxesPart = 4, kUnreadPart = 5;

class Runner {
 public:
  Runner(const Shape& shape, const std::string& ptx, device::Device& device)
      : shape_(shape), ptx_(ptx), device_(device) {}

  device::Status run(std::vector<std::byte>& bytes) {
    device::ModuleId module;
    if (auto s = device_.load_module(ptx_, "random.ptx", &module); !s.ok()) return s;
    if (auto s = device_.find_kernel(module, "kernel", &launch_.kernel); !s.ok()) return s;
    launch_.grid = {shape_.grid[0], shape_.grid[1], shape_.grid[2]};
    launch_.block = {shape_.block[0], shape_.block[1], shape_.block[2]};
    for (size_t size : buffer_sizes(shape_)) {
      if (auto s = add_buffer(size); !s.ok()) return s;
      pass(parts_.back().address);
    }
    if (auto s = pass_surroundings(); !s.ok()) return s;
    if (auto s = device_.submit(0, launch_); !s.ok()) return s;
    if (auto s = device_.wait(0); !s.ok()) return s;
    for (size_t k = kFirstCompared; k < parts_.size(); ++k) {
      if (k == kUnreadPart) continue;
      const size_t at = bytes.size();
      bytes.resize(at + parts_[k].initial.size());
      if (auto s = device_.submit(
              0, device::CopyFromDevice{bytes.data() + at, parts_[k].address, {parts_[k].initial.size()}});
          !s.ok())
        return s;
      if (auto s = device_.wait(0); !s.ok()) return s;
    }
    if (copies_.copies.empty()) return device::Status::success();
    std::vector<std::byte> copied(copy_bytes(shape_) * copy_count(shape_));
    if (auto s = test::read_copies(device_, copies_, copied); !s.ok()) return s;
    bytes.insert(bytes.end(), copied.begin(), copied.end());
    return device::Status::success();
  }

 private:
  struct Part {
    std::vector<std::byte> initial;
    device::Address address = 0;
  };

  void pass(uint64_t value) {
    for (unsigned k = 0; k < 8; ++k) launch_.parameters.push_back(static_cast<std::byte>(value >> (8 * k)));
  }

  // Zeros; the first one holds the numbers that programs start from.
  device::Status add_buffer(size_t size) {
    Part part{std::vector<std::byte>(size), 0};
    if (parts_.empty()) {
      const std::vector<uint64_t> numbers = inputs(shape_.seed);
      std::memcpy(part.initial.data(), numbers.data(), size);
    }
    if (auto s = device_.allocate(size, device::MemoryKind::Device, &part.address); !s.ok()) return s;
    parts_.push_back(std::move(part));  // the copy may happen later
    return device_.submit(0, device::CopyToDevice{parts_.back().address, parts_.back().initial.data(), {size}});
  }

  device::Status pass_image(const std::string& words, device::Address base) {
    auto image = test::read_image(words, base);
    if (!image) return {device::Failure::InvalidValue, image.error().message};
    uint64_t handle = 0;
    device::Status status = device_.create_texture(*image, &handle);
    pass(handle);
    return status;
  }

  // What the kernel's parameters name, in their order.
  device::Status pass_surroundings() {
    const Surroundings around = surroundings(shape_);
    auto wants = [&](const std::string& parameter) { return ptx_.find(".param ." + parameter) != std::string::npos; };
    for (unsigned k = 0; k < kTextures; ++k) {
      if (!wants(fmt::format("u64 texture_{}", kGeometries[k]))) continue;
      if (auto s = pass_image(around.textures[k].words, parts_[kInputPart].address); !s.ok()) return s;
    }
    for (unsigned k = 0; k < kSurfaces; ++k) {
      if (!wants(fmt::format("u64 surface_{}", kGeometries[k]))) continue;
      if (auto s = add_buffer(surface_bytes(shape_)); !s.ok()) return s;
      if (auto s = pass_image(surface_words(shape_, k), parts_.back().address); !s.ok()) return s;
    }
    for (unsigned use = 0; use < kTensorUses; ++use) {
      if (!wants(fmt::format("align 64 .b8 {}", kTensorNames[use]))) continue;
      launch_.parameters.resize((launch_.parameters.size() + 63) / 64 * 64);
      alignas(64) std::byte map[device::kTensorMapBytes];
      const size_t part = use == kStoreTiles || use == kStorePixels ? kBoxesPart : kInputPart;
      if (auto s = around.tensors[use].encode(map, parts_[part].address); !s.ok()) return s;
      launch_.parameters.insert(launch_.parameters.end(), map, map + sizeof map);
    }
    return wants("u64 copies") ? pass_copies() : device::Status::success();
  }

  // Each copy starts from other numbers.
  device::Status pass_copies() {
    std::vector<std::byte> bytes;
    const std::vector<uint64_t> numbers = inputs(shape_.seed);
    for (unsigned k = 0; k < copy_count(shape_); ++k) {
      const auto* from = reinterpret_cast<const std::byte*>(numbers.data()) + 8 * k;
      for (size_t at = 0; at < copy_bytes(shape_); ++at) bytes.push_back(from[at % (kInputs * 4)]);
    }
    auto made = test::make_multicast(device_, bytes, copy_count(shape_));
    if (!made) return {device::Failure::InvalidValue, made.error().message};
    copies_ = *made;
    launch_.parameters.resize((launch_.parameters.size() + 7) / 8 * 8);
    pass(copies_.address);
    return device::Status::success();
  }

  const Shape& shape_;
  const std::string& ptx_;
  device::Device& device_;
  test::MulticastBuffer copies_;
  device::Launch launch_;
  std::vector<Part> parts_;
};

}  // namespace

Outcome run(const Shape& shape, const std::string& ptx, std::string_view engine) {
  if (engine == kGpu) return run_on_gpu(shape, ptx);
  Outcome outcome;
  auto opened = test::open_device(engine, {}, 20, names_of(shape.target).device);
  if (!opened) return {opened.error().message, {}};
  Runner runner(shape, ptx, **opened);
  device::Status status = runner.run(outcome.bytes);
  opened->reset();  // a device that has failed may still be copying what the runner holds
  if (!status.ok()) outcome = {status.detail.empty() ? "failed" : status.detail, {}};
  return outcome;
}

std::string difference(const Shape& shape, const Outcome& a, const Outcome& b) {
  if (a.failure != b.failure) {
    return fmt::format("one says `{}`, the other `{}`", a.failure.empty() ? "fine" : a.failure,
                       b.failure.empty() ? "fine" : b.failure);
  }
  if (a.bytes == b.bytes) return "";
  size_t at = 0;
  while (a.bytes[at] == b.bytes[at]) ++at;
  size_t outputs = output_bytes(shape), counters = outputs + kCounters * 4,
         cells = counters + shape.threads() * size_t{kScratch} * 4;
  uint32_t x, y;
  std::memcpy(&x, &a.bytes[at & ~size_t{3}], 4);
  std::memcpy(&y, &b.bytes[at & ~size_t{3}], 4);
  std::string place;
  if (at < outputs)
    place = output_at(shape, at);
  else if (at < counters)
    place = fmt::format("counter {}", (at - outputs) / 4);
  else if (at < cells)
    place = fmt::format("cell {} of thread {}", (at - counters) / 4 % kScratch, (at - counters) / 4 / kScratch);
  else if (at < cells + kBoxesBytes)
    place = fmt::format("byte {} of the boxes", at - cells);
  else
    place = fmt::format("byte {} of surface {} (or of the copies, which lie behind the surfaces)",
                        (at - cells - kBoxesBytes) % surface_bytes(shape),
                        (at - cells - kBoxesBytes) / surface_bytes(shape));
  return fmt::format("{}: {:#010x} and {:#010x}", place, x, y);
}

}  // namespace warpwise::random_programs
