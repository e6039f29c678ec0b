// What a recording consists of: sites and steps.
//
// A site is an instruction of PTX that the kernel can reach. A step is one execution of a site by a warp: the lanes
// that are there, those of them that the instruction's guard lets through, and what they access.
//
//     step 412 of warp 2:  site 31  st.global.f32 [%rd4], %f1   active 0x00ffffff  on 0x00ffffff
//                          access: global, base 0x2000'0000'1000, 4096 bytes from lane to lane
//
// A warp's steps are numbered from 0 in the order of its program. Between two barriers nothing orders the steps of
// different warps: docs/trace_format.md says what may be read from the two clocks, and what may not.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "perf/counters/access_cost.h"
#include "simt/instrument/counts.h"

namespace warpwise::trace {

constexpr unsigned kLanes = 32;
// What readers accept; a block has 32 at most.
constexpr size_t kMostWarps = 64;

// What an instruction is, for a picture.
enum class SiteKind : uint8_t {
#define SITE_KIND(id, name, meaning) id,
#include "trace/site_kinds.inc"
#undef SITE_KIND
};
constexpr unsigned kSiteKinds = 0
#define SITE_KIND(...) +1
#include "trace/site_kinds.inc"
#undef SITE_KIND
    ;
std::string_view name_of(SiteKind kind);

// The memory that an access has turned out to be in.
enum class Space : uint8_t { Global, Shared, Local, Const };
constexpr unsigned kSpaces = 4;
std::string_view name_of(Space space);

struct SourceFrame {
  std::string file;
  uint32_t line = 0, column = 0;
  std::string function;
  bool operator==(const SourceFrame&) const = default;
};

struct Site {
  uint32_t function = 0, instruction = 0;  // indices into the module's functions and the function's instructions
  std::string ptx;                         // "@%p1 st.global.f32 [%rd4], %f1;"
  SiteKind kind = SiteKind::Arithmetic;
  bool guarded = false;
  bool accesses = false;       // it is an access that is recorded with its addresses
  simt::CountedAccess access;  // ... of this kind
  bool lanes_combine = false;  // an atomic that ptxas lets one lane do for all that name one address
  perf::SharedAtomic shared_atomic = perf::SharedAtomic::Lanes;  // an atomic: how it is made in shared memory
  uint32_t line = 0;                                             // index into Recording::lines; 0: nowhere
  uint32_t clocks = 0;     // modelled: that pass before it on a warp that runs alone
  uint8_t values = 0;      // how many values of each lane are recorded
  std::string value_type;  // of them: "f32"
};

// The addresses of some lanes in one memory. An instruction with generic addresses may have several.
struct Access {
  Space space = Space::Global;
  uint32_t mask = 0;
  std::array<uint64_t, kLanes> addresses{};  // of the lanes of `mask`, in that memory
};

// The bits of one value of each lane.
struct LaneValues {
  uint32_t mask = 0;
  std::array<uint64_t, kLanes> bits{};
};

struct Step {
  uint32_t site = 0;
  uint32_t active = 0;
  uint32_t on = 0;
  std::vector<Access> accesses;
  std::vector<LaneValues> values;

  void begin(uint32_t at, uint32_t lanes) {
    site = at, active = on = lanes;
    accesses.clear(), values.clear();
  }
};

}  // namespace warpwise::trace
