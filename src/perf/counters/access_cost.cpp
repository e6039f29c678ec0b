#include "perf/counters/access_cost.h"

#include <algorithm>
#include <bit>

#include "base/clones.h"

namespace warpwise::perf {

namespace {

constexpr unsigned kSectorShift = 5;
constexpr unsigned kBanks = 32;
constexpr unsigned kHalf = kWarpLanes / 2;
constexpr uint32_t kFirstHalf = (1u << kHalf) - 1;

// How the addresses of a warp's lanes lie. Most accesses are of the first two kinds.
enum class Shape { Same, Consecutive, Any };

WARPWISE_CLONES Shape shape_of_warp(const uint64_t* addresses, uint64_t bytes) {
  uint64_t apart = 0, gaps = 0;
  for (uint64_t lane = 0; lane < kWarpLanes; ++lane) {
    apart |= addresses[lane] ^ addresses[0];
    gaps |= addresses[lane] ^ (addresses[0] + lane * bytes);
  }
  return apart == 0 ? Shape::Same : gaps == 0 ? Shape::Consecutive : Shape::Any;
}

Shape shape_of(const LaneAccess& access) {
  if (access.one_address) return Shape::Same;
  return access.mask == ~0u ? shape_of_warp(access.addresses, access.bytes) : Shape::Any;
}

// Units of `1 << shift` bytes that lie near each other: bit n is that of unit `least + n`. No bit: they lie farther
// apart.
struct Window {
  uint64_t least = 0, bits = 0;
};

template <unsigned kLanes>
[[gnu::always_inline]] inline Window window_of_lanes(const uint64_t* addresses, unsigned shift) {
  uint64_t least = addresses[0], most = addresses[0];
  for (unsigned lane = 1; lane < kLanes; ++lane) {
    least = std::min(least, addresses[lane]);
    most = std::max(most, addresses[lane]);
  }
  least >>= shift;
  if ((most >> shift) - least >= 64) return {};
  uint64_t bits = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) bits |= uint64_t{1} << ((addresses[lane] >> shift) - least);
  return {least, bits};
}

WARPWISE_CLONES Window window_of_warp(const uint64_t* addresses, unsigned shift) {
  return window_of_lanes<kWarpLanes>(addresses, shift);
}
WARPWISE_CLONES Window window_of_half(const uint64_t* addresses, unsigned shift) {
  return window_of_lanes<kHalf>(addresses, shift);
}

WARPWISE_CLONES bool has_equal_halves(const uint64_t* addresses) {
  uint64_t apart = 0;
  for (unsigned lane = 0; lane < kHalf; ++lane) apart |= addresses[lane] ^ addresses[lane + kHalf];
  return apart == 0;
}

// The lanes that tell all addresses. A block of 16 by 16 threads is the usual one for matrices, and both halves of its
// warps read the same where only the column counts.
LaneAccess without_repeated_half(LaneAccess access) {
  if (access.mask == ~0u && has_equal_halves(access.addresses)) access.mask = kFirstHalf;
  return access;
}

// Lanes that are not active count as one that is.
Window window_of(const LaneAccess& access, unsigned shift) {
  if (access.mask == ~0u) return window_of_warp(access.addresses, shift);
  if (access.mask == kFirstHalf) return window_of_half(access.addresses, shift);
  if (access.mask == kFirstHalf << kHalf) return window_of_half(access.addresses + kHalf, shift);
  uint64_t addresses[kWarpLanes];
  std::fill_n(addresses, kWarpLanes, access.addresses[std::countr_zero(access.mask)]);
  for (uint32_t left = access.mask; left != 0; left &= left - 1)
    addresses[std::countr_zero(left)] = access.addresses[std::countr_zero(left)];
  return window_of_warp(addresses, shift);
}

// The different values of address >> shift, in order; `out` gets each once.
unsigned different(const LaneAccess& access, Shape shape, unsigned shift, uint64_t* out) {
  if (access.mask == 0) return 0;
  if (shape == Shape::Same) {
    out[0] = access.addresses[0] >> shift;
    return 1;
  }
  if (shape == Shape::Consecutive && access.bytes <= uint64_t{1} << shift) {
    const uint64_t first = access.addresses[0] >> shift, last = access.addresses[kWarpLanes - 1] >> shift;
    for (uint64_t unit = first; unit <= last; ++unit) out[unit - first] = unit;
    return unsigned(last - first) + 1;
  }
  unsigned count = 0;
  const Window window = window_of(access, shift);
  for (uint64_t left = window.bits; left != 0; left &= left - 1)
    out[count++] = window.least + unsigned(std::countr_zero(left));
  if (count != 0) return count;
  // The addresses of lanes are mostly in order, or those of two rows of a block are.
  uint64_t last = 0;
  unsigned runs = 1, second = 0;
  for (uint32_t left = access.mask; left != 0; left &= left - 1) {
    const uint64_t unit = access.addresses[std::countr_zero(left)] >> shift;
    if (count != 0 && unit == last) continue;
    if (count != 0 && unit < last) ++runs, second = count;
    out[count++] = last = unit;
  }
  if (runs == 1) return count;
  if (runs > 2) {
    std::sort(out, out + count);
    return unsigned(std::unique(out, out + count) - out);
  }
  uint64_t merged[kWarpLanes];
  return unsigned(std::unique_copy(merged, std::merge(out, out + second, out + second, out + count, merged), out) -
                  out);
}
unsigned different(const LaneAccess& access, unsigned shift, uint64_t* out) {
  return different(access, shape_of(access), shift, out);
}

unsigned count_different(const LaneAccess& access, unsigned shift) {
  if (access.mask == 0) return 0;
  if (access.one_address) return 1;
  if (const uint64_t bits = window_of(access, shift).bits) return unsigned(std::popcount(bits));
  uint64_t units[kWarpLanes];
  return different(access, shift, units);
}

unsigned different_bytes(const LaneAccess& access, Shape shape) {
  if (access.bytes == 0) return 0;
  if (shape == Shape::Same) return access.bytes;
  if (shape == Shape::Consecutive) return kWarpLanes * access.bytes;
  return count_different(access, unsigned(std::countr_zero(access.bytes))) * access.bytes;
}

// Passes that one group of lanes needs: units of `1 << shift` bytes, of which a pass takes one from each of `banks`
// columns.
unsigned passes(const LaneAccess& access, uint32_t lanes, unsigned shift, unsigned banks) {
  const LaneAccess group{access.mask & lanes, access.addresses, access.bytes, access.one_address};
  if (group.mask == 0) return 0;
  if (const Shape shape = shape_of(group);
      shape == Shape::Same || (shape == Shape::Consecutive && access.bytes == 1u << shift && banks == kWarpLanes))
    return 1;
  const Window window = window_of(group, shift);
  if (window.bits != 0 && window.bits >> banks == 0) return 1;  // different units, different banks
  uint64_t units[kWarpLanes];
  const unsigned count = different(group, shift, units);
  unsigned in_bank[kBanks] = {}, worst = 0;
  for (unsigned n = 0; n < count; ++n) worst = std::max(worst, ++in_bank[units[n] % banks]);
  return worst;
}

// Whether every active lane has the address of its partner `lane ^ apart`; a missing partner agrees.
bool pairs_agree(const LaneAccess& access, unsigned apart) {
  if (access.one_address) return true;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    const unsigned partner = lane ^ apart;
    if (partner < lane || !(access.mask >> lane & 1) || !(access.mask >> partner & 1)) continue;
    if (access.addresses[lane] != access.addresses[partner]) return false;
  }
  return true;
}

// Groups of `lanes` lanes, one after the other.
SharedCost in_groups(const LaneAccess& access, unsigned lanes, unsigned shift) {
  const unsigned banks = (kBanks * 4) >> shift;
  SharedCost cost;
  for (unsigned first = 0; first < kWarpLanes; first += lanes) {
    const uint32_t group = (lanes == kWarpLanes ? ~0u : (1u << lanes) - 1) << first;
    cost.wavefronts += passes(access, group, shift, banks);
    cost.ideal += (access.mask & group) != 0;
  }
  return cost;
}

}  // namespace

unsigned sectors_of(const LaneAccess& access, uint64_t* out) { return different(access, kSectorShift, out); }

unsigned different_bytes(const LaneAccess& access) { return different_bytes(access, shape_of(access)); }

GlobalCost global_cost(const LaneAccess& access, uint64_t* sectors) {
  const Shape shape = shape_of(access);
  if (shape != Shape::Any) return {different(access, shape, kSectorShift, sectors), different_bytes(access, shape)};
  const LaneAccess told = without_repeated_half(access);
  const unsigned count = different(told, shape, kSectorShift, sectors);
  // Lanes with a sector each have bytes of their own.
  if (count == unsigned(std::popcount(told.mask))) return {count, count * access.bytes};
  return {count, different_bytes(told, shape)};
}

unsigned ideal_sectors(unsigned bytes) { return (bytes + 31) >> kSectorShift; }

unsigned local_sectors(const LaneAccess& access, uint64_t* out) {
  const unsigned words = std::max(1u, access.bytes / 4);
  uint64_t placed[kWarpLanes];
  unsigned count = 0;
  for (unsigned w = 0; w < words; ++w) {
    for (uint32_t left = access.mask; left != 0; left &= left - 1) {
      const unsigned lane = unsigned(std::countr_zero(left));
      placed[lane] = ((access.addresses[lane] / 4 + w) * kWarpLanes + lane) * 4;
    }
    count += different({access.mask, placed, 4}, kSectorShift, out + count);
  }
  return count;
}

SharedCost shared_cost(const LaneAccess& access) {
  if (access.bytes <= 4) return in_groups(access, kWarpLanes, 2);
  const unsigned shift = access.bytes <= 8 ? 3 : 4;
  unsigned lanes = access.bytes <= 8 ? 16 : 8;
  if (pairs_agree(access, 1) || pairs_agree(access, 2)) lanes *= 2;
  return in_groups(access, lanes, shift);
}

SharedCost matrix_cost(const LaneAccess& access, unsigned rows) {
  const uint32_t named = rows >= kWarpLanes ? ~0u : (1u << rows) - 1;
  return in_groups({access.mask & named, access.addresses, 16, access.one_address}, 8, 4);
}

SharedCost shared_atomic_cost(const LaneAccess& access, SharedAtomic how) {
  struct Loop {
    unsigned round, word, words;  // turns of a round, and of each word of a bank beyond so many
    unsigned instructions, of_word;
  };
  constexpr Loop kLoop{43, 20, 1, 70, 4}, kLoop64{65, 18, 2, 85, 4};
  const unsigned shift = access.bytes <= 4 ? 2 : 3, banks = (kBanks * 4) >> shift;
  unsigned lanes_of[kBanks] = {}, words_of[kBanks] = {}, lanes = 0, words = 0, same = 0;
  uint64_t seen[kWarpLanes];
  unsigned times[kWarpLanes], different = 0;
  for (uint32_t left = access.mask; left != 0; left &= left - 1) {
    const uint64_t word = access.addresses[std::countr_zero(left)] >> shift;
    const unsigned bank = unsigned(word % banks);
    lanes = std::max(lanes, ++lanes_of[bank]);
    const unsigned at = unsigned(std::find(seen, seen + different, word) - seen);
    if (at == different) seen[different] = word, times[different++] = 0, words = std::max(words, ++words_of[bank]);
    same = std::max(same, ++times[at]);
  }
  SharedCost cost;
  cost.ideal = access.mask != 0;
  switch (how) {
    case SharedAtomic::Lanes:
      cost.wavefronts = lanes;
      break;
    case SharedAtomic::Words:
      cost.wavefronts = words;
      break;
    case SharedAtomic::Swaps:
      cost.wavefronts = 2 * lanes, cost.ideal *= 2;
      break;
    case SharedAtomic::Spins:
    case SharedAtomic::Spins64: {
      const Loop& loop = how == SharedAtomic::Spins ? kLoop : kLoop64;
      const unsigned further = std::max(words, loop.words) - loop.words;
      cost.wavefronts = same * (loop.round + loop.word * further), cost.ideal *= loop.round;
      cost.more = same * (loop.instructions + loop.of_word * further);
      break;
    }
  }
  return cost;
}

unsigned collisions(const LaneAccess& access) {
  return unsigned(std::popcount(access.mask)) - count_different(access, 0);
}

unsigned different_words(const LaneAccess& access) { return count_different(access, 2); }

}  // namespace warpwise::perf
