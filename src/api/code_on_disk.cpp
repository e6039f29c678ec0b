#include "api/code_on_disk.h"

#include "toolchain/cache.h"
#include "toolchain/hash.h"

namespace warpwise::api {
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

std::shared_ptr<exec::CodeCache> code_on_disk() { return std::make_shared<CodeOnDisk>(); }

}  // namespace warpwise::api
