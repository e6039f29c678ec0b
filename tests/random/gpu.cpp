#include "gpu.h"

#include <fmt/format.h>

#include <cstring>

#include "generator.h"
#include "gpu/driver.h"

namespace warpwise::random_programs {

Outcome run_on_gpu(const Shape& shape, const std::string& ptx) {
  auto opened = gpu::Driver::open(nullptr);
  if (!opened) return {opened.error().message, {}};
  gpu::Driver& driver = *opened;
  Outcome outcome;
  for (const char* parameter : {"u64 texture_", "u64 surface_", ".align 64", "u64 copies"})
    if (ptx.find(parameter) != std::string::npos)
      return {
          "only the virtual GPU is given textures, surfaces, tensor maps and multicast objects: --exact makes programs "
          "without",
          {}};
  auto ok = [&](const char* what, gpu::CUresult result) {
    if (result != 0) outcome.failure = fmt::format("{}: {}", what, driver.name_of(result));
    return result == 0;
  };
  gpu::CUdevice device = 0;
  gpu::CUcontext context = nullptr;
  if (!ok("no driver", driver.init(0)) || !ok("no device", driver.device_get(&device, 0)) ||
      !ok("no context", driver.retain_context(&context, device)) || !ok("no context", driver.set_context(context)))
    return outcome;

  char log[2048] = "";
  int options[] = {gpu::kJitErrorLogBuffer, gpu::kJitErrorLogBufferBytes};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  gpu::CUmodule module = nullptr;
  gpu::CUfunction kernel = nullptr;
  if (!ok("loading", driver.load_module(&module, ptx.c_str(), 2, options, values)))
    return outcome.failure += std::string(" ") + log, outcome;
  if (!ok("finding the kernel", driver.get_function(&kernel, module, "kernel"))) return outcome;

  const std::vector<uint64_t> numbers = inputs(shape.seed);
  const std::vector<size_t> sizes = buffer_sizes(shape);
  std::vector<gpu::CUdeviceptr> places(sizes.size());
  std::vector<void*> parameters;
  for (size_t k = 0; k < sizes.size(); ++k) {
    std::vector<std::byte> initial(sizes[k]);
    if (k == 0) std::memcpy(initial.data(), numbers.data(), initial.size());
    if (!ok("memory", driver.allocate(&places[k], sizes[k])) ||
        !ok("memory", driver.copy_to_device(places[k], initial.data(), sizes[k])))
      return outcome;
    parameters.push_back(&places[k]);
  }
  const auto& [gx, gy, gz] = shape.grid;
  const auto& [bx, by, bz] = shape.block;
  if (!ok("launching", driver.launch(kernel, gx, gy, gz, bx, by, bz, 0, nullptr, parameters.data(), nullptr)) ||
      !ok("running", driver.synchronize()))
    return outcome;
  for (size_t k = 1; k + 1 < sizes.size(); ++k) {  // the last one is not read
    size_t at = outcome.bytes.size();
    outcome.bytes.resize(at + sizes[k]);
    if (!ok("reading", driver.copy_from_device(outcome.bytes.data() + at, places[k], sizes[k]))) return outcome;
  }
  return outcome;
}

}  // namespace warpwise::random_programs
