#include "image/painter.h"

#include <fmt/format.h>

#include <cstring>

#include "exec/memory/arena.h"

namespace warpwise::image {

namespace {

constexpr device::StreamId kStream = 0;

// What a kernel did wrong is told as it is.
Result<void> ok(const device::Status& status) {
  if (status.ok()) return {};
  return Error{"I0004", status.detail};
}

}  // namespace

Result<std::unique_ptr<Painter>> Painter::open(std::string_view ptx, std::string_view source, const Shape& shape,
                                               exec::DeviceSetup setup) {
  std::unique_ptr<Painter> painter(new Painter(shape));
  painter->gpu_ = TRY(exec::VirtualDevice::create(std::move(setup)));
  TRY(painter->find_kernels(ptx, source));
  TRY(painter->make_arrays());
  return painter;
}

Result<void> Painter::find_kernels(std::string_view ptx, std::string_view source) {
  device::ModuleId module = 0;
  TRY(ok(gpu_->load_module(ptx, "piece.ptx", &module)));
  std::vector<std::string> symbols;
  TRY(ok(gpu_->list_kernels(module, &symbols)));
  passes_ = TRY(passes_of(symbols, source));
  for (const Pass& pass : passes_.list) TRY(ok(gpu_->find_kernel(module, pass.symbol, &kernels_.emplace_back())));
  return {};
}

Result<void> Painter::make_arrays() {
  const auto make = [&](size_t bytes, device::Address& base) -> Result<void> {
    TRY(ok(gpu_->allocate(bytes, device::MemoryKind::Device, &base)));
    return ok(gpu_->submit(kStream, device::Fill{.dst = base, .value = 0, .width = bytes, .pitch = bytes}));
  };
  TRY(make(shape_.pixels() * kBytesOfPixel, picture_));
  for (size_t n = 0; n < passes_.arrays.size(); ++n) TRY(make(bytes_of_array(n), arrays_.emplace_back()));
  return ok(gpu_->wait_all());
}

Result<void> Painter::paint(const Moment& moment) {
  const int width = int(shape_.width), height = int(shape_.height);
  const float mouse[2] = {moment.mouse_x, moment.mouse_y};
  struct Value {
    const void* data;
    size_t bytes;
  };
  std::vector<Value> values{{&picture_, sizeof picture_}, {&width, sizeof width},
                            {&height, sizeof height},     {&moment.time, sizeof moment.time},
                            {mouse, sizeof mouse},        {&moment.frame, sizeof moment.frame}};
  for (const device::Address& array : arrays_) values.push_back({&array, sizeof array});
  const size_t first = values.size() - arrays_.size();
  for (size_t n = 0; n < kernels_.size(); ++n) {
    const device::KernelInfo& info = gpu_->kernel_info(kernels_[n]);
    const size_t count = first + passes_.list[n].arrays;
    device::Launch launch;
    launch.kernel = kernels_[n];
    launch.grid = {(shape_.width + shape_.block_x - 1) / shape_.block_x,
                   (shape_.height + shape_.block_y - 1) / shape_.block_y, 1};
    launch.block = {shape_.block_x, shape_.block_y, 1};
    launch.parameters.resize(info.parameter_bytes);
    if (info.parameters.size() != count) return Error{"X0001", "a kernel's name and its parameters differ"};
    for (size_t p = 0; p < count; ++p) {
      if (info.parameters[p].size != values[p].bytes)
        return Error{"X0001", "a kernel's name and its parameters differ"};
      std::memcpy(launch.parameters.data() + info.parameters[p].offset, values[p].data, values[p].bytes);
    }
    TRY(ok(gpu_->submit(kStream, std::move(launch))));
  }
  return ok(gpu_->wait_all());
}

std::string Painter::pixels() const {
  std::string pixels(shape_.pixels() * kBytesOfPixel, 0);
  std::memcpy(pixels.data(), exec::engine_view(picture_), pixels.size());
  for (size_t at = kBytesOfPixel - 1; at < pixels.size(); at += kBytesOfPixel) pixels[at] = char(0xff);
  return pixels;
}

std::string Painter::state() const {
  std::string state;
  for (size_t n = 0; n < arrays_.size(); ++n)
    state.append(reinterpret_cast<const char*>(exec::engine_view(arrays_[n])), bytes_of_array(n));
  return state;
}

Result<void> Painter::restore(std::string_view state) {
  size_t bytes = 0;
  for (size_t n = 0; n < arrays_.size(); ++n) bytes += bytes_of_array(n);
  if (bytes != state.size())
    return Error{"I0005", fmt::format("the arrays have {} bytes, and what was kept of them {}", bytes, state.size())};
  // As a program would copy them, so that checkers take them for written.
  for (size_t n = 0; n < arrays_.size(); ++n) {
    const size_t own = bytes_of_array(n);
    TRY(ok(gpu_->submit(
        kStream, device::CopyToDevice{arrays_[n], state.data(), {.width = own, .dst_pitch = own, .src_pitch = own}})));
    state.remove_prefix(own);
  }
  return ok(gpu_->wait_all());
}

}  // namespace warpwise::image
