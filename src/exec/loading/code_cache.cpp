#include "exec/loading/code_cache.h"

#include <cstring>
#include <type_traits>

#include "simt/instrument/race_cells.h"

namespace warpwise::exec {
namespace {

constexpr uint64_t kMagic = 0x3a'4c4b'5757'0a1a;  // and the version of this format in the top byte

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
constexpr size_t kPairBytes = 4 + 4;
constexpr size_t kSiteBytes = 4 + 4 + 4 + 2 + 4 + 1;
constexpr size_t kRaceSiteBytes = 4 + 4 + 1 + 1 + 2 * 4 + 4;
constexpr size_t kInlinedCallBytes = 4 + 4 + 4;
constexpr size_t kSumPartBytes = 8 + 1 + 4;
constexpr size_t kSumBytes = 8;                                            // at least
constexpr size_t kApartBytes = 1 + 4 + 8 + 3 * 4 + 6 * kSumBytes + 2 * 8;  // likewise

void put_ranges(Writer& out, const simt::LaunchRanges& ranges) {
  out.put(uint64_t{ranges.all().size()});
  for (const simt::LaunchRange& range : ranges.all()) {
    out.put(static_cast<uint8_t>(range.of));
    out.put(range.bytes);
    out.put(range.offset);
    out.put(range.least);
    out.put(range.most);
  }
}

bool get_ranges(Reader& in, simt::LaunchRanges& ranges) {
  const uint64_t count = in.get<uint64_t>();
  if (count > in.rest() / kRangeBytes) return false;
  for (uint64_t r = 0; r < count; ++r) {
    simt::LaunchRange range;
    const uint8_t of = in.get<uint8_t>();
    if (of > static_cast<uint8_t>(simt::LaunchRange::Of::Parameter)) return false;
    range.of = static_cast<simt::LaunchRange::Of>(of);
    range.bytes = in.get<uint8_t>();
    range.offset = in.get<uint32_t>();
    range.least = in.get<uint64_t>();
    range.most = in.get<uint64_t>();
    ranges.add(range);
  }
  return true;
}

void put_sum(Writer& out, const simt::LaunchSum& sum) {
  out.put(uint64_t{sum.parts.size()});
  for (const simt::LaunchSum::Part& part : sum.parts) {
    out.put(part.factor);
    out.put(part.bytes);
    out.put(part.offset);
  }
}

bool get_sum(Reader& in, simt::LaunchSum& sum) {
  const uint64_t count = in.get<uint64_t>();
  if (count > in.rest() / kSumPartBytes) return false;
  for (uint64_t p = 0; p < count; ++p) {
    simt::LaunchSum::Part part;
    part.factor = in.get<int64_t>();
    part.bytes = in.get<uint8_t>();
    part.offset = in.get<uint32_t>();
    if (part.bytes != 0 && part.bytes != 4 && part.bytes != 8) return false;
    sum.parts.push_back(part);
  }
  return true;
}

void put_apart(Writer& out, const std::vector<simt::ApartAccesses>& all) {
  out.put(uint64_t{all.size()});
  for (const simt::ApartAccesses& apart : all) {
    out.put(apart.pointer);
    out.put(apart.bytes);
    out.put(apart.modulus);
    put_sum(out, apart.reach);
    out.put(apart.wrap);
    for (uint32_t threads : apart.threads) out.put(threads);
    for (const simt::LaunchSum& sum : apart.by_thread) put_sum(out, sum);
    for (const simt::LaunchSum& sum : apart.by_block) put_sum(out, sum);
    out.put(uint64_t{apart.offsets.size()});
    for (const simt::LaunchSum& sum : apart.offsets) put_sum(out, sum);
    put_ranges(out, apart.assumed);
  }
}

bool get_apart(Reader& in, std::vector<simt::ApartAccesses>& all) {
  const uint64_t count = in.get<uint64_t>();
  if (count > in.rest() / kApartBytes) return false;
  for (uint64_t a = 0; a < count; ++a) {
    simt::ApartAccesses apart;
    apart.pointer = in.get<uint8_t>();
    if (apart.pointer >= simt::kPointers) return false;
    apart.bytes = in.get<uint32_t>();
    apart.modulus = in.get<uint64_t>();
    if (!get_sum(in, apart.reach)) return false;
    apart.wrap = in.get<uint64_t>();
    for (uint32_t& threads : apart.threads) threads = in.get<uint32_t>();
    for (simt::LaunchSum& sum : apart.by_thread)
      if (!get_sum(in, sum)) return false;
    for (simt::LaunchSum& sum : apart.by_block)
      if (!get_sum(in, sum)) return false;
    const uint64_t offsets = in.get<uint64_t>();
    if (offsets > in.rest() / kSumBytes) return false;
    for (uint64_t o = 0; o < offsets; ++o)
      if (!get_sum(in, apart.offsets.emplace_back())) return false;
    if (!get_ranges(in, apart.assumed)) return false;
    all.push_back(std::move(apart));
  }
  return true;
}

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
  out.put(static_cast<uint8_t>(kernel.logged_sums));
  out.put(static_cast<uint8_t>(kernel.cancels_clusters));
  out.put(static_cast<uint8_t>(kernel.flushes_subnormals));
  out.put(static_cast<uint8_t>(kernel.any_order));
  out.put(uint64_t{kernel.assumed.distinct_pointers.all().size()});
  for (const simt::DistinctPointers& pair : kernel.assumed.distinct_pointers.all()) {
    out.put(pair.first);
    out.put(pair.second);
  }
  put_ranges(out, kernel.assumed.ranges);
  out.put(uint64_t{kernel.assumed.alignments.all().size()});
  for (const simt::LaunchAlignment& alignment : kernel.assumed.alignments.all()) {
    out.put(alignment.offset);
    out.put(alignment.log2);
  }
  out.put(static_cast<uint8_t>(kernel.spins));
  out.put(kernel.why_independent);
  out.put(kernel.written_pointers);
  out.put(kernel.accessed_pointers);
  out.put(kernel.plain_pointers);
  put_apart(out, kernel.apart_accesses);
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
  kernel.logged_sums = static_cast<simt::LoggedSums>(in.get<uint8_t>());
  kernel.cancels_clusters = in.get<uint8_t>() != 0;
  kernel.flushes_subnormals = in.get<uint8_t>() != 0;
  kernel.any_order = in.get<uint8_t>() != 0;
  const uint64_t pairs = in.get<uint64_t>();
  if (pairs > in.rest() / kPairBytes) return damaged;
  for (uint64_t p = 0; p < pairs; ++p) {
    simt::DistinctPointers pair;
    pair.first = in.get<uint32_t>();
    pair.second = in.get<uint32_t>();
    kernel.assumed.distinct_pointers.add(pair);
  }
  if (!get_ranges(in, kernel.assumed.ranges)) return damaged;
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
  kernel.accessed_pointers = in.get<uint64_t>();
  kernel.plain_pointers = in.get<uint64_t>();
  if (!get_apart(in, kernel.apart_accesses)) return damaged;
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
