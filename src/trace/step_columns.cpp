#include "trace/step_columns.h"

#include <fmt/format.h>

#include <bit>

namespace warpwise::trace {

namespace {

// The first byte of an access.
enum Pattern : uint8_t {
  kUniform,  // all lanes have one address
  kAffine,   // base + stride * lane
  kRuns,     // pieces of that kind, in the order of the lanes
  kDeltas,   // each lane's difference to the one before
};
constexpr uint8_t kPatternMask = 3, kSpaceShift = 2, kSpaceMask = 3 << kSpaceShift, kMore = 16, kOwnMask = 32;
constexpr uint8_t kUnused = 64 | 128;
// Accesses of a step: one for each memory.
constexpr unsigned kMostAccesses = kSpaces;

// Values of a lane: one for all, each on its own, or none because the instruction did not report them.
enum ValuePattern : uint8_t { kSame, kEach, kMissing };

// The addresses of the active lanes in order.
struct Packed {
  unsigned count = 0;
  std::array<uint64_t, kLanes> address;
  std::array<uint8_t, kLanes> lane;
};

Packed pack(const Access& access) {
  Packed p;
  for (uint32_t left = access.mask; left != 0; left &= left - 1) {
    p.lane[p.count] = static_cast<uint8_t>(std::countr_zero(left));
    p.address[p.count] = access.addresses[p.lane[p.count]];
    ++p.count;
  }
  return p;
}

// The stride by lane number, if there is one.
bool find_stride(const Packed& p, uint64_t* stride) {
  *stride = 0;
  if (p.count < 2) return true;
  const uint64_t apart = p.lane[1] - p.lane[0], difference = p.address[1] - p.address[0];
  if (static_cast<int64_t>(difference) % static_cast<int64_t>(apart) != 0) return false;
  *stride = static_cast<uint64_t>(static_cast<int64_t>(difference) / static_cast<int64_t>(apart));
  for (unsigned n = 1; n < p.count; ++n)
    if (p.address[n] != p.address[0] + *stride * (p.lane[n] - p.lane[0])) return false;
  return true;
}

struct Run {
  unsigned first, count;
  uint64_t stride;
};
// More pieces than this are written as differences.
constexpr unsigned kMostRuns = 8;

unsigned find_runs(const Packed& p, std::array<Run, kMostRuns>& runs) {
  unsigned count = 0;
  for (unsigned at = 0; at < p.count;) {
    if (count == kMostRuns) return kMostRuns + 1;
    Run run{at, 1, 0};
    if (at + 1 < p.count) run.stride = p.address[at + 1] - p.address[at];
    while (at + run.count < p.count && p.address[at + run.count] == p.address[at + run.count - 1] + run.stride)
      ++run.count;
    at += run.count;
    runs[count++] = run;
  }
  return count;
}

}  // namespace

void StepEncoder::end_run() {
  if (run_ == 0) return;
  masks_.number(run_);
  masks_.number(run_mask_);
  run_ = 0;
}

void StepEncoder::add(const Step& step, const Site& site) {
  sites_.difference(step.site, next_site_);
  next_site_ = step.site + 1;
  if (run_ != 0 && run_mask_ != step.active) end_run();
  run_mask_ = step.active, ++run_;
  if (site.guarded) {
    guards_.byte(step.on == step.active ? 0 : step.on == 0 ? 1 : 2);
    if (step.on != step.active && step.on != 0) guards_.number(step.on);
  }
  if (site.accesses && step.on != 0) {
    if (step.accesses.empty()) add_access({.space = Space::Global, .mask = 0}, false, step.on);
    for (size_t a = 0; a < step.accesses.size(); ++a)
      add_access(step.accesses[a], a + 1 < step.accesses.size(), step.on);
  }
  if (site.values != 0 && step.on != 0) add_values(step, site);
  ++count_;
}

void StepEncoder::add_access(const Access& access, bool more, uint32_t on) {
  const Packed p = pack(access);
  uint64_t stride = 0;
  std::array<Run, kMostRuns> runs;
  unsigned run_count = 0;
  uint8_t pattern = kDeltas;
  if (find_stride(p, &stride))
    pattern = stride == 0 ? kUniform : kAffine;
  else if ((run_count = find_runs(p, runs)) <= kMostRuns)
    pattern = kRuns;
  const bool own_mask = access.mask != on;
  accesses_.byte(static_cast<uint8_t>(pattern | uint8_t(access.space) << kSpaceShift | (more ? kMore : 0) |
                                      (own_mask ? kOwnMask : 0)));
  if (own_mask) accesses_.number(access.mask);
  if (p.count == 0) return;
  uint64_t& last = last_[size_t(access.space)];
  accesses_.difference(p.address[0], last);
  last = p.address[0];
  switch (pattern) {
    case kAffine:
      accesses_.difference(stride, 0);
      break;
    case kRuns:
      accesses_.number(run_count);
      for (unsigned r = 0; r < run_count; ++r) {
        if (r != 0) accesses_.difference(p.address[runs[r].first], p.address[runs[r].first - 1]);
        accesses_.number(runs[r].count);
        accesses_.difference(runs[r].stride, 0);
      }
      break;
    case kDeltas:
      for (unsigned n = 1; n < p.count; ++n) accesses_.difference(p.address[n], p.address[n - 1]);
      break;
    default:
      break;
  }
}

void StepEncoder::add_values(const Step& step, const Site& site) {
  for (unsigned v = 0; v < site.values; ++v) {
    if (v >= step.values.size() || step.values[v].mask != step.on) {
      values_.byte(kMissing);
      continue;
    }
    const LaneValues& lanes = step.values[v];
    const uint64_t first = lanes.bits[std::countr_zero(step.on)];
    bool same = true;
    for (uint32_t left = step.on; left != 0; left &= left - 1)
      same = same && lanes.bits[std::countr_zero(left)] == first;
    values_.byte(same ? kSame : kEach);
    values_.number(first);
    uint64_t before = first;
    for (uint32_t left = same ? 0 : step.on & (step.on - 1); left != 0; left &= left - 1) {
      const uint64_t bits = lanes.bits[std::countr_zero(left)];
      values_.difference(bits, before);
      before = bits;
    }
  }
}

std::string StepEncoder::take() {
  end_run();
  ByteWriter all;
  all.number(count_);
  for (ByteWriter* column : {&sites_, &masks_, &guards_, &accesses_, &values_}) {
    all.column(*column);
    column->clear();
  }
  count_ = next_site_ = 0;
  last_ = {};
  return all.bytes();
}

namespace {

class Decoder {
 public:
  Decoder(std::string_view payload, std::span<const Site> sites)
      : all_(payload),
        count_(uint32_t(all_.number_up_to(kChunkSteps))),
        sites_(sites),
        site_column_(all_.column()),
        masks_(all_.column()),
        guards_(all_.column()),
        accesses_(all_.column()),
        values_(all_.column()) {}

  bool run(std::vector<Step>& steps) {
    if (all_.bad() || !all_.at_end()) return false;
    steps.resize(count_);
    uint64_t next_site = 0, run = 0;
    uint32_t mask = 0;
    for (Step& step : steps) {
      step.site = uint32_t(site_column_.difference(next_site));
      if (step.site >= sites_.size()) return false;
      next_site = uint64_t{step.site} + 1;
      const Site& site = sites_[step.site];
      if (run == 0) {
        run = masks_.number_up_to(kChunkSteps);
        mask = uint32_t(masks_.number_up_to(~0u));
        if (run == 0) return false;
      }
      --run;
      step.active = step.on = mask;
      if (site.guarded) read_guard(step);
      if (site.accesses && step.on != 0) read_accesses(step);
      if (site.values != 0 && step.on != 0) read_values(step, site);
      if (bad()) return false;
    }
    return run == 0 && ended();
  }

 private:
  bool bad() const {
    return bad_ || site_column_.bad() || masks_.bad() || guards_.bad() || accesses_.bad() || values_.bad();
  }
  bool ended() const {
    return site_column_.at_end() && masks_.at_end() && guards_.at_end() && accesses_.at_end() && values_.at_end();
  }

  void read_guard(Step& step) {
    switch (guards_.byte()) {
      case 0:
        return;
      case 1:
        step.on = 0;
        return;
      case 2:
        step.on = uint32_t(guards_.number_up_to(~0u));
        bad_ = bad_ || step.on == 0 || (step.on & ~step.active) != 0;
        return;
      default:
        bad_ = true;
    }
  }

  void read_accesses(Step& step) {
    for (unsigned n = 0; n < kMostAccesses; ++n) {
      const uint8_t head = accesses_.byte();
      Access access;
      access.space = Space((head & kSpaceMask) >> kSpaceShift);
      access.mask = head & kOwnMask ? uint32_t(accesses_.number_up_to(~0u)) : step.on;
      if ((head & kUnused) || (access.mask & ~step.on) != 0) bad_ = true;
      if (bad()) return;
      if (access.mask != 0) {
        read_addresses(access, head & kPatternMask);
        step.accesses.push_back(access);
      }
      if (!(head & kMore)) return;
    }
    bad_ = true;
  }

  void read_addresses(Access& access, uint8_t pattern) {
    std::array<uint8_t, kLanes> lanes;
    unsigned count = 0;
    for (uint32_t left = access.mask; left != 0; left &= left - 1) lanes[count++] = uint8_t(std::countr_zero(left));
    uint64_t& last = last_[size_t(access.space)];
    uint64_t address = last = accesses_.difference(last);
    if (pattern == kUniform || pattern == kAffine) {
      const uint64_t stride = pattern == kAffine ? accesses_.difference(0) : 0;
      for (unsigned n = 0; n < count; ++n) access.addresses[lanes[n]] = address + stride * (lanes[n] - lanes[0]);
      return;
    }
    if (pattern == kDeltas) {
      access.addresses[lanes[0]] = address;
      for (unsigned n = 1; n < count; ++n) access.addresses[lanes[n]] = address = accesses_.difference(address);
      return;
    }
    const uint64_t runs = accesses_.number_up_to(kMostRuns);
    unsigned n = 0;
    for (uint64_t r = 0; r < runs && !bad(); ++r) {
      if (r != 0) address = accesses_.difference(address);
      const uint64_t length = accesses_.number_up_to(count - n), stride = accesses_.difference(0);
      for (uint64_t k = 0; k < length; ++k) {
        if (k != 0) address += stride;
        access.addresses[lanes[n++]] = address;
      }
    }
    bad_ = bad_ || n != count;
  }

  void read_values(Step& step, const Site& site) {
    for (unsigned v = 0; v < site.values && !bad(); ++v) {
      LaneValues& lanes = step.values.emplace_back();
      const uint8_t pattern = values_.byte();
      if (pattern == kMissing) continue;
      if (pattern > kMissing) bad_ = true;
      lanes.mask = step.on;
      uint64_t bits = values_.number();
      for (uint32_t left = step.on; left != 0; left &= left - 1) {
        if (pattern == kEach && left != step.on) bits = values_.difference(bits);
        lanes.bits[std::countr_zero(left)] = bits;
      }
    }
  }

  ByteReader all_;
  const uint32_t count_;
  std::span<const Site> sites_;
  ByteReader site_column_, masks_, guards_, accesses_, values_;
  std::array<uint64_t, kSpaces> last_{};
  bool bad_ = false;
};

}  // namespace

Result<std::vector<Step>> decode_steps(std::string_view payload, std::span<const Site> sites) {
  std::vector<Step> steps;
  if (!Decoder(payload, sites).run(steps)) return Error{"V0005", "a chunk of steps says what cannot be"};
  return steps;
}

}  // namespace warpwise::trace
