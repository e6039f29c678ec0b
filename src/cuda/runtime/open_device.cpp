// The process's device: the virtual GPU, as WARPWISE_OPTIONS describes it, with compiled kernels kept in
// the toolchain's cache. The one file of the runtime that knows more than device/device.h.
#include "cuda/runtime/open_device.h"

#include "exec/code_cache.h"
#include "exec/options.h"
#include "exec/virtual_gpu.h"
#include "toolchain/cache.h"
#include "toolchain/hash.h"

namespace warpwise::cuda {

namespace {

class CodeOnDisk : public exec::CodeCache {
 public:
  std::optional<std::vector<std::byte>> load(const std::string& key) override {
    auto payload = cache_.load(kKind, toolchain::hash_of(key));
    if (!payload) return std::nullopt;
    auto* bytes = reinterpret_cast<const std::byte*>(payload->data());
    return std::vector<std::byte>(bytes, bytes + payload->size());
  }
  void store(const std::string& key, std::span<const std::byte> bytes) override {
    cache_.store(kKind, toolchain::hash_of(key), {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }

 private:
  static constexpr std::string_view kKind = "code";
  toolchain::Cache cache_ = toolchain::Cache::from_environment();
};

}  // namespace

Result<std::unique_ptr<device::Device>> open_process_device() {
  exec::DeviceSetup setup;
  setup.options = TRY(exec::options_from_environment());
  setup.cache = std::make_shared<CodeOnDisk>();
  return std::unique_ptr<device::Device>(TRY(exec::VirtualDevice::create(std::move(setup))));
}

}  // namespace warpwise::cuda
