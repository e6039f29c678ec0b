#include "exec/loading/code_cache.h"

#include <cstring>
#include <type_traits>

#include "simt/instrument/race_cells.h"

namespace warpwise::exec {
namespace {

constexpr uint64_t kMagic = 0x37'4c4b'5757'0a1a;  // and the version of this format in the top byte

class Writer {
 public:
  template <class T>
    requires std::is_arithmetic_v<T>
  void put(T value) {
    raw(&value, sizeof value);
  }
  void put(std::string_view text) {
    put(uint64_t{text.size()});
    raw(text.data(), text.size());
  }
  void put(std::span<const std::byte> data) {
    put(uint64_t{data.size()});
    raw(data.data(), data.size());
  }
  std::vector<std::byte> bytes;

 private:
  void raw(const void* data, size_t size) {
    const std::byte* first = static_cast<const std::byte*>(data);
    bytes.insert(bytes.end(), first, first + size);
  }
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  // Past the end everything is zero and failed().
  template <class T>
  T get() {
    T value{};
    if (auto data = take(sizeof(T)); !data.empty()) std::memcpy(&value, data.data(), sizeof(T));
    return value;
  }
  std::span<const std::byte> get_bytes() { return take(get<uint64_t>()); }
  std::string get_text() {
    auto data = get_bytes();
    return {reinterpret_cast<const char*>(data.data()), data.size()};
  }
  size_t rest() const { return bytes_.size(); }
  bool failed() const { return failed_; }

 private:
  std::span<const std::byte> take(uint64_t size) {
    if (size > bytes_.size()) {
      failed_ = true;
      bytes_ = {};
      return {};
    }
    auto data = bytes_.first(size);
    bytes_ = bytes_.subspan(size);
    return data;
  }

  std::span<const std::byte> bytes_;
  bool failed_ = false;
};

constexpr size_t kRangeBytes = 1 + 1 + 4 + 8 + 8;
constexpr size_t kAlignmentBytes = 4 + 1;
constexpr size_t kSiteBytes = 4 + 4 + 4 + 2 + 4 + 1;
constexpr size_t kRaceSiteBytes = 4 + 4 + 1 + 1 + 2 * 4 + 4;
constexpr size_t kInlinedCallBytes = 4 + 4 + 4;

}  // namespace

std::vector<std::byte> to_bytes(const simt::CompiledKernel& kernel) {
  Writer out;
  out.put(kMagic);
  out.put(kernel.abi_version);
  out.put(static_cast<uint8_t>(kernel.mode));
  out.put(std::span<const std::byte>(kernel.object));
  out.put(kernel.entry);
  out.put(kernel.frame_bytes);
  out.put(kernel.native_frame_bytes);
  out.put(kernel.local_bytes);
  out.put(kernel.static_shared_bytes);
  out.put(static_cast<uint8_t>(kernel.order_sensitive));
  out.put(static_cast<uint8_t>(kernel.cancels_clusters));
  out.put(static_cast<uint8_t>(kernel.any_order));
  out.put(static_cast<uint8_t>(kernel.assumed.distinct_pointers));
  out.put(uint64_t{kernel.assumed.ranges.all().size()});
  for (const simt::LaunchRange& range : kernel.assumed.ranges.all()) {
    out.put(static_cast<uint8_t>(range.of));
    out.put(range.bytes);
    out.put(range.offset);
    out.put(range.least);
    out.put(range.most);
  }
  out.put(uint64_t{kernel.assumed.alignments.all().size()});
  for (const simt::LaunchAlignment& alignment : kernel.assumed.alignments.all()) {
    out.put(alignment.offset);
    out.put(alignment.log2);
  }
  out.put(static_cast<uint8_t>(kernel.spins));
  out.put(kernel.why_independent);
  out.put(kernel.written_pointers);
  out.put(uint64_t{kernel.sites.size()});
  for (const simt::Site& site : kernel.sites) {
    out.put(site.code);
    out.put(site.function);
    out.put(site.instruction);
    out.put(site.first_lane);
    out.put(site.call);
    out.put(site.shadow);
  }
  out.put(uint64_t{kernel.race_sites.size()});
  for (const simt::RaceSite& site : kernel.race_sites) {
    out.put(site.function);
    out.put(site.instruction);
    out.put(site.access);
    out.put(site.strong);
    for (uint32_t number : site.number) out.put(number);
    out.put(site.call);
  }
  out.put(uint64_t{kernel.inlined_calls.size()});
  for (const simt::InlinedCall& call : kernel.inlined_calls) {
    out.put(call.function);
    out.put(call.instruction);
    out.put(call.within);
  }
  return std::move(out.bytes);
}

Result<simt::CompiledKernel> kernel_from_bytes(std::span<const std::byte> bytes) {
  const Error damaged{"R0405", "a compiled kernel in the cache is damaged"};
  Reader in(bytes);
  if (in.get<uint64_t>() != kMagic) return damaged;
  simt::CompiledKernel kernel;
  kernel.abi_version = in.get<uint32_t>();
  uint8_t mode = in.get<uint8_t>();
  if (mode < static_cast<uint8_t>(simt::Mode::Simt) || mode > static_cast<uint8_t>(simt::Mode::Independent))
    return damaged;
  kernel.mode = static_cast<simt::Mode>(mode);
  auto object = in.get_bytes();
  kernel.object.assign(object.begin(), object.end());
  kernel.entry = in.get_text();
  kernel.frame_bytes = in.get<uint32_t>();
  kernel.native_frame_bytes = in.get<uint32_t>();
  kernel.local_bytes = in.get<uint32_t>();
  kernel.static_shared_bytes = in.get<uint32_t>();
  kernel.order_sensitive = in.get<uint8_t>() != 0;
  kernel.cancels_clusters = in.get<uint8_t>() != 0;
  kernel.any_order = in.get<uint8_t>() != 0;
  kernel.assumed.distinct_pointers = in.get<uint8_t>() != 0;
  const uint64_t ranges = in.get<uint64_t>();
  if (ranges > in.rest() / kRangeBytes) return damaged;
  for (uint64_t r = 0; r < ranges; ++r) {
    simt::LaunchRange range;
    const uint8_t of = in.get<uint8_t>();
    if (of > static_cast<uint8_t>(simt::LaunchRange::Of::Parameter)) return damaged;
    range.of = static_cast<simt::LaunchRange::Of>(of);
    range.bytes = in.get<uint8_t>();
    range.offset = in.get<uint32_t>();
    range.least = in.get<uint64_t>();
    range.most = in.get<uint64_t>();
    kernel.assumed.ranges.add(range);
  }
  const uint64_t alignments = in.get<uint64_t>();
  if (alignments > in.rest() / kAlignmentBytes) return damaged;
  for (uint64_t a = 0; a < alignments; ++a) {
    simt::LaunchAlignment alignment;
    alignment.offset = in.get<uint32_t>();
    alignment.log2 = in.get<uint8_t>();
    kernel.assumed.alignments.add(alignment);
  }
  kernel.spins = in.get<uint8_t>() != 0;
  kernel.why_independent = in.get_text();
  kernel.written_pointers = in.get<uint64_t>();
  uint64_t sites = in.get<uint64_t>();
  if (sites > in.rest() / kSiteBytes) return damaged;
  kernel.sites.resize(sites);
  for (simt::Site& site : kernel.sites) {
    site.code = in.get<uint32_t>();
    site.function = in.get<uint32_t>();
    site.instruction = in.get<uint32_t>();
    site.first_lane = in.get<uint16_t>();
    site.call = in.get<uint32_t>();
    site.shadow = in.get<uint8_t>();
    if (site.shadow >= std::size(simt::kShadowDistances)) return damaged;
  }
  const uint64_t race_sites = in.get<uint64_t>();
  if (race_sites > in.rest() / kRaceSiteBytes) return damaged;
  kernel.race_sites.resize(race_sites);
  for (simt::RaceSite& site : kernel.race_sites) {
    site.function = in.get<uint32_t>();
    site.instruction = in.get<uint32_t>();
    site.access = in.get<uint8_t>();
    site.strong = in.get<uint8_t>();
    for (uint32_t& number : site.number) number = in.get<uint32_t>();
    site.call = in.get<uint32_t>();
  }
  const uint64_t calls = in.get<uint64_t>();
  if (calls > in.rest() / kInlinedCallBytes) return damaged;
  for (uint64_t i = 0; i < calls; ++i) {
    simt::InlinedCall call{in.get<uint32_t>(), in.get<uint32_t>(), in.get<uint32_t>()};
    // Calls stand in earlier ones: no circle.
    if (call.within != simt::InlinedCall::kNone && call.within >= i) return damaged;
    kernel.inlined_calls.push_back(call);
  }
  if (in.failed() || in.rest() != 0) return damaged;
  return kernel;
}

}  // namespace warpwise::exec
