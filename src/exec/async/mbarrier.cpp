#include "exec/async/mbarrier.h"

#include <fmt/format.h>

namespace warpwise::exec {

namespace {

constexpr unsigned kExpectedAt = 20, kBytesAt = 40, kMarkAt = 61, kPhaseAt = 63;
constexpr uint64_t kCountMask = kMbarrierMaxCount, kBytesMask = (1u << 21) - 1, kMark = 1;

}  // namespace

bool Mbarrier::is_one(uint64_t word) { return (word >> kMarkAt & 3) == kMark; }

Mbarrier Mbarrier::of(uint64_t word) {
  Mbarrier m;
  m.pending = static_cast<uint32_t>(word & kCountMask);
  m.expected = static_cast<uint32_t>(word >> kExpectedAt & kCountMask);
  uint32_t bytes = static_cast<uint32_t>(word >> kBytesAt & kBytesMask);
  m.bytes = static_cast<int32_t>(bytes << 11) >> 11;  // 21 bits with a sign
  m.phase = word >> kPhaseAt != 0;
  return m;
}

uint64_t Mbarrier::word() const {
  return uint64_t{pending} | uint64_t{expected} << kExpectedAt |
         (static_cast<uint64_t>(bytes) & kBytesMask) << kBytesAt | kMark << kMarkAt | uint64_t{phase} << kPhaseAt;
}

MbarrierResult apply(simt::MbarrierOp op, uint64_t& word, uint32_t count) {
  using Op = simt::MbarrierOp;
  MbarrierResult result;
  if (op == Op::Init) {
    if (count == 0 || count > kMbarrierMaxCount) {
      result.error = fmt::format("mbarrier.init with a count of {}: 1 to {} are possible", count, kMbarrierMaxCount);
      return result;
    }
    word = Mbarrier{count, count, 0, false}.word();
    return result;
  }
  // Invalidating an mbarrier twice is allowed. The manual leaves it undefined, hardware does no harm, and the
  // destructors of libcu++'s barriers do it when two have been built in one place.
  if (op == Op::Inval) {
    if (Mbarrier::is_one(word)) word = 0;
    return result;
  }
  if (!Mbarrier::is_one(word)) {
    result.error = "there is no mbarrier: mbarrier.init has not run, or the object was invalidated or overwritten";
    return result;
  }
  Mbarrier m = Mbarrier::of(word);
  result.state = word;
  uint32_t arrivals = count;
  int64_t bytes = m.bytes;
  switch (op) {
    case Op::ExpectTx:
      bytes += count, arrivals = 0;
      break;
    case Op::CompleteTx:
      bytes -= count, arrivals = 0;
      break;
    case Op::ArriveExpectTx:
    case Op::ArriveDropExpectTx:
      bytes += count, arrivals = 1;
      break;
    default:
      break;
  }
  if (bytes > int64_t{kMbarrierMaxCount} || bytes < -int64_t{kMbarrierMaxCount}) {
    result.error = fmt::format("an mbarrier counts up to {} bytes; this phase waits for {}", kMbarrierMaxCount, bytes);
    return result;
  }
  m.bytes = static_cast<int32_t>(bytes);
  if (arrivals > m.pending) {
    result.error = fmt::format("{} arrival{} at an mbarrier whose phase waits for {}", arrivals,
                               arrivals == 1 ? "" : "s", m.pending);
    return result;
  }
  if (op == Op::ArriveDrop || op == Op::ArriveDropExpectTx || op == Op::ArriveDropNoComplete) {
    if (arrivals > m.expected) {
      result.error = fmt::format("{} arrivals drop out of an mbarrier that expects {}", arrivals, m.expected);
      return result;
    }
    m.expected -= arrivals;
  }
  m.pending -= arrivals;
  if (m.pending == 0 && m.bytes == 0) {
    if (op == Op::ArriveNoComplete || op == Op::ArriveDropNoComplete) {
      result.error = "an arrival with .noComplete would end the phase";
      return result;
    }
    m.pending = m.expected;
    m.phase = !m.phase;
    result.phase_ended = true;
  }
  word = m.word();
  return result;
}

// The phase in question is the current one or the one before it, which has the other parity.
bool has_ended(uint64_t word, uint64_t phase, bool is_parity) {
  bool asked = is_parity ? (phase & 1) != 0 : Mbarrier::of(phase).phase;
  return Mbarrier::of(word).phase != asked;
}

std::string describe_mbarrier(uint64_t word) {
  if (!Mbarrier::is_one(word)) return "no mbarrier any more";
  Mbarrier m = Mbarrier::of(word);
  std::string missing = fmt::format("{} of {} arrivals", m.pending, m.expected);
  if (m.bytes != 0) missing += fmt::format(" and {} bytes", m.bytes);
  return fmt::format("in a phase of parity {}, {} missing", m.phase ? 1 : 0, missing);
}

}  // namespace warpwise::exec
