// Instrumentation events: what instrumented code reports to the engine, through Services::event.
//
// An event has a kind, and each kind carries something else: event::Barrier says which warps arrive, event::Shadow
// which access went wrong. An event that compiled code reports is one number, made by pack(); its receiver takes it
// apart with visit_event(). Beside the number stand an address and a value for each lane: their meaning is said at each
// kind.
//
//     const uint32_t code = pack(event::AsyncWait{.bulk = true});
//     visit_event(code, Overloaded{
//         [&](const event::AsyncWait& wait) { ... },      // wait.bulk
//         [](const auto&) {},                             // all other kinds
//     });
//
// Which events there are depends on what is checked (CompileOptions::watch). Shadow memory, which most checks read, is
// in instrument/shadow.h; what the checks of accesses carry until they are expanded is in instrument/access_checks.h.
#pragma once

#include <cstdint>
#include <type_traits>

namespace warpwise::simt {

// What compiled code checks: bits of CompileOptions::watch.
enum Watch : uint32_t {
  kWatchAddresses = 1,       // accesses outside memory
  kWatchInitialisation = 2,  // reads of bytes that were never written
  kWatchOrder = 4,           // accesses that may race, and what orders them
  kWatchBarriers = 8,        // arrivals at barriers and warp collectives, and the reconvergence points behind them
  kWatchNumbers = 16,        // arithmetic without a result
  kWatchEvery = 32,          // with kWatchOrder: every access, and every warp at a barrier, for counts
};

// All kinds, in the order of their numbers. Those from Access to AsyncWait are for race checks; those from DeferStore
// on are for the engine itself, in every build.
#define WARPWISE_EVENTS(EVENT) \
  EVENT(Shadow)                \
  EVENT(Unchecked)             \
  EVENT(Rows)                  \
  EVENT(Uninitialised)         \
  EVENT(Undefined)             \
  EVENT(FrameEnd)              \
  EVENT(Parameter)             \
  EVENT(Access)                \
  EVENT(Barrier)               \
  EVENT(BarrierArrive)         \
  EVENT(WarpSync)              \
  EVENT(Fence)                 \
  EVENT(Arrive)                \
  EVENT(Await)                 \
  EVENT(AsyncCommit)           \
  EVENT(AsyncWait)             \
  EVENT(Collective)            \
  EVENT(Reconvergence)         \
  EVENT(Arithmetic)            \
  EVENT(DeferStore)            \
  EVENT(CommitStores)          \
  EVENT(HideStores)            \
  EVENT(PublishStores)         \
  EVENT(Misaligned)

enum class EventKind : uint8_t {
#define EVENT(name) name,
  WARPWISE_EVENTS(EVENT)
#undef EVENT
};

enum class AccessKind : uint8_t { Load, Store, Atomic };

// An access of memory, as instructions make them.
struct MemoryAccess {
  AccessKind kind = AccessKind::Load;
  uint8_t bytes = 0;    // of one lane, 1 to 16
  bool strong = false;  // volatile, relaxed or stronger: not a plain access
  bool shared = false;  // certainly to shared memory

  constexpr bool reads() const { return kind != AccessKind::Store; }
  constexpr bool writes() const { return kind != AccessKind::Load; }
  static constexpr void fields(auto& self, auto&& field) {
    field(self.kind, 2), field(self.bytes, 5), field(self.strong, 1), field(self.shared, 1);
  }
};

// The kinds. `address` and `value` are those of a lane; a kind that says nothing of them does not use them.
namespace event {

// --- memory: kWatchAddresses, kWatchInitialisation

// An access that its shadow does not allow. address: generic.
struct Shadow {
  MemoryAccess access;
  uint8_t align = 0;    // the address must be a multiple of two to this power
  bool copied = false;  // a load whose value is only stored, reported because none of its bytes was ever written
  static constexpr EventKind kKind = EventKind::Shadow;
  static constexpr void fields(auto& self, auto&& field) {
    MemoryAccess::fields(self.access, field), field(self.align, 4), field(self.copied, 1);
  }
};

// An access whose shadow has not been checked: the receiver checks it. address: generic.
struct Unchecked {
  MemoryAccess access;
  uint8_t align = 0;
  bool reads = false;  // what is there must have been written
  static constexpr EventKind kKind = EventKind::Unchecked;
  static constexpr void fields(auto& self, auto&& field) {
    MemoryAccess::fields(self.access, field), field(self.align, 4), field(self.reads, 1);
  }
};

// ldmatrix, stmatrix: the row of 16 bytes that a lane names. address: generic.
struct Rows {
  bool stores = false;
  constexpr MemoryAccess access() const { return {stores ? AccessKind::Store : AccessKind::Load, 16}; }
  static constexpr EventKind kKind = EventKind::Rows;
  static constexpr void fields(auto& self, auto&& field) { field(self.stores, 1); }
};

// A store copies bytes that were never written. address: generic.
struct Uninitialised {
  bool shared = false;  // to shared memory
  static constexpr EventKind kKind = EventKind::Uninitialised;
  static constexpr void fields(auto& self, auto&& field) { field(self.shared, 1); }
};

// A value decides something, and was never set: undefined_values.h. value: the register that it comes from, function <<
// 32 | register; or the shuffle that took it from a lane which does not take part.
struct Undefined {
  // Branch: which way a thread goes. Address: which memory it accesses. Stored, Added: what it stores, or an atomic
  // works with; address: where, generic. Copied: what it stores was only moved.
  enum class Use : uint8_t { Branch, Address, Stored, Copied, Added } use{};
  uint8_t bytes = 0;  // that are stored or added
  constexpr bool stores() const { return use == Use::Stored || use == Use::Copied; }
  static constexpr uint64_t kShuffle = uint64_t{1} << 63;
  static constexpr uint64_t shuffle(uint32_t function, uint32_t instruction) {
    return kShuffle | uint64_t{function} << 32 | instruction;
  }
  static constexpr EventKind kKind = EventKind::Undefined;
  static constexpr void fields(auto& self, auto&& field) { field(self.use, 3), field(self.bytes, 6); }
};

// A function returns. address: where its local memory begins in the thread's; value: how many bytes it has.
struct FrameEnd {
  static constexpr EventKind kKind = EventKind::FrameEnd;
  static constexpr void fields(auto&, auto&&) {}
};

// A load beyond its parameter, or misaligned. address: in the parameters; value: the index of the parameter.
struct Parameter {
  uint8_t bytes = 0;
  static constexpr EventKind kKind = EventKind::Parameter;
  static constexpr void fields(auto& self, auto&& field) { field(self.bytes, 8); }
};

// --- races: kWatchOrder

// Any access. address: generic; value: what a store or an exchange of up to 8 bytes writes, or a compare-and-swap
// expects.
struct Access {
  MemoryAccess access;
  bool observes = false;  // an atomic that returns what was there
  static constexpr EventKind kKind = EventKind::Access;
  static constexpr void fields(auto& self, auto&& field) {
    MemoryAccess::fields(self.access, field), field(self.observes, 1);
  }
};

// --- what orders accesses: kWatchOrder; barriers for kWatchBarriers as well

// About to wait at a barrier. address: its number.
struct Barrier {
  // Where all warps of a block wait at one barrier together, the block reports it once to the race checker (Block), and
  // each warp reports it to others (WarpOfBlock).
  enum class Of : uint8_t { Warp, Block, WarpOfBlock } of = Of::Warp;
  static constexpr EventKind kKind = EventKind::Barrier;
  static constexpr void fields(auto& self, auto&& field) { field(self.of, 2); }
};

// About to arrive at a barrier without waiting. address: its number.
struct BarrierArrive {
  static constexpr EventKind kKind = EventKind::BarrierArrive;
  static constexpr void fields(auto&, auto&&) {}
};

// About to synchronise lanes of a warp. value: their mask.
struct WarpSync {
  static constexpr EventKind kKind = EventKind::WarpSync;
  static constexpr void fields(auto&, auto&&) {}
};

struct Fence {
  static constexpr EventKind kKind = EventKind::Fence;
  static constexpr void fields(auto&, auto&&) {}
};

// Arrives at an mbarrier, or (address 0) at the cluster's barrier. address: the mbarrier.
struct Arrive {
  static constexpr EventKind kKind = EventKind::Arrive;
  static constexpr void fields(auto&, auto&&) {}
};

// Has waited at an mbarrier, or (address 0) at the cluster's barrier. address: the mbarrier.
struct Await {
  static constexpr EventKind kKind = EventKind::Await;
  static constexpr void fields(auto&, auto&&) {}
};

// The copies that the thread has issued so far are a group: cp.async, or (bulk) its bulk copies.
struct AsyncCommit {
  bool bulk = false;
  static constexpr EventKind kKind = EventKind::AsyncCommit;
  static constexpr void fields(auto& self, auto&& field) { field(self.bulk, 1); }
};

// About to wait for all groups but the last. value: how many may remain.
struct AsyncWait {
  bool bulk = false;
  bool ungrouped = false;  // and for copies that are in no group
  static constexpr EventKind kKind = EventKind::AsyncWait;
  static constexpr void fields(auto& self, auto&& field) { field(self.bulk, 1), field(self.ungrouped, 1); }
};

// --- synchronisation: kWatchBarriers (insert_sync_events.h)

// At a warp collective. address: the member mask | group << 32, where the group numbers the reconvergence points behind
// it (0: there are none); value, of a shuffle: b | c << 32, its operands (PTX, shfl.sync).
struct Collective {
  bool is_shuffle = false;
  uint8_t mode = 0;          // of a shuffle: 0 up, 1 down, 2 bfly, 3 idx
  bool used_by_all = false;  // of a shuffle: every lane uses what it gets
  static constexpr uint32_t mask(uint64_t address) { return static_cast<uint32_t>(address); }
  static constexpr uint32_t group(uint64_t address) { return static_cast<uint32_t>(address >> 32); }
  static constexpr EventKind kKind = EventKind::Collective;
  static constexpr void fields(auto& self, auto&& field) {
    field(self.is_shuffle, 1), field(self.mode, 2), field(self.used_by_all, 1);
  }
};

// At a reconvergence point. address: its number. Those of barriers and of collectives are numbered separately, from 1;
// those of one group of collectives share the number of the group, with `which of them << 32`.
struct Reconvergence {
  // End: behind barriers, and nothing is left to do from there.
  enum class Of : uint8_t { Barriers, Collectives, End } of = Of::Barriers;
  static constexpr uint32_t group(uint64_t address) { return static_cast<uint32_t>(address); }
  static constexpr uint32_t which(uint64_t address) { return static_cast<uint32_t>(address >> 32); }
  static constexpr EventKind kKind = EventKind::Reconvergence;
  static constexpr void fields(auto& self, auto&& field) { field(self.of, 2); }
};

// --- arithmetic: kWatchNumbers (lower_checks.h)

// An operation that has no result. address and value, of a signed overflow: its operands, zero-extended.
struct Arithmetic {
  enum class Fault : uint8_t { DivisionByZero, ConversionOverflow, NanProduced, SignedOverflow } fault{};
  static constexpr EventKind kKind = EventKind::Arithmetic;
  static constexpr void fields(auto& self, auto&& field) { field(self.fault, 2); }
};

// --- the engine's own: stores that other warps do not see yet (scalar/defer_stores.h)

// About to store: other warps do not see it before the next synchronisation. address: generic. value: what is stored,
// zero-extended. A store of 16 bytes has two events.
struct DeferStore {
  uint8_t bytes = 0;    // of a lane, of this event
  uint8_t at_once = 0;  // stored_at_once() of the whole access (lane_order.h)
  static constexpr EventKind kKind = EventKind::DeferStore;
  static constexpr void fields(auto& self, auto&& field) { field(self.bytes, 8), field(self.at_once, 6); }
};

// About to order its accesses by itself: what the warp has stored is visible from now on.
struct CommitStores {
  static constexpr EventKind kKind = EventKind::CommitStores;
  static constexpr void fields(auto&, auto&&) {}
};

// SIMT mode: the warp has run its region.
struct HideStores {
  static constexpr EventKind kKind = EventKind::HideStores;
  static constexpr void fields(auto&, auto&&) {}
};

// SIMT mode: all warps have run the region.
struct PublishStores {
  static constexpr EventKind kKind = EventKind::PublishStores;
  static constexpr void fields(auto&, auto&&) {}
};

// About to access memory at an address that is no multiple of the access's size: the kernel ends (check_alignment.h).
// address: generic.
struct Misaligned {
  uint8_t bytes = 0;
  static constexpr EventKind kKind = EventKind::Misaligned;
  static constexpr void fields(auto& self, auto&& field) { field(self.bytes, 8); }
};

}  // namespace event

// --- events and other records as numbers ----------------------------------------------------------------------------

// A record's fields() names its fields with their width, from the lowest bit up; these two write and read them.
class BitWriter {
 public:
  constexpr explicit BitWriter(uint64_t bits = 0, unsigned used = 0) : bits_(bits), used_(used) {}
  template <class Field>
  constexpr void operator()(const Field& field, unsigned width) {
    bits_ |= (static_cast<uint64_t>(field) & ((uint64_t{1} << width) - 1)) << used_;
    used_ += width;
  }
  constexpr uint64_t bits() const { return bits_; }
  constexpr unsigned used() const { return used_; }

 private:
  uint64_t bits_;
  unsigned used_;
};

class BitReader {
 public:
  constexpr explicit BitReader(uint64_t bits) : bits_(bits) {}
  template <class Field>
  constexpr void operator()(Field& field, unsigned width) {
    field = static_cast<Field>(bits_ & ((uint64_t{1} << width) - 1));
    bits_ >>= width;
  }

 private:
  uint64_t bits_;
};

constexpr unsigned kKindBits = 5;

template <class Event>
constexpr uint32_t pack(const Event& event) {
  static_assert(static_cast<unsigned>(Event::kKind) < 1u << kKindBits);
  BitWriter bits(static_cast<uint64_t>(Event::kKind), kKindBits);
  Event::fields(event, bits);
  return static_cast<uint32_t>(bits.bits());
}

template <class Event>
consteval bool fits_32_bits() {
  BitWriter bits(0, kKindBits);
  const Event event{};
  Event::fields(event, bits);
  return bits.used() <= 32;
}
#define EVENT(name) static_assert(fits_32_bits<event::name>());
WARPWISE_EVENTS(EVENT)
#undef EVENT

constexpr EventKind kind_of(uint32_t code) { return static_cast<EventKind>(code & ((1u << kKindBits) - 1)); }
// An access that may race, or what orders accesses: kWatchOrder.
constexpr bool is_for_races(EventKind kind) { return kind >= EventKind::Access && kind <= EventKind::AsyncWait; }
constexpr bool is_for_engine(EventKind kind) { return kind >= EventKind::DeferStore; }

// An event of a kind that is known.
template <class Event>
constexpr Event unpack(uint32_t code) {
  Event event;
  BitReader bits(code >> kKindBits);
  Event::fields(event, bits);
  return event;
}

// Calls `visitor` with the event as its own kind.
template <class Visitor>
constexpr void visit_event(uint32_t code, Visitor&& visitor) {
  switch (kind_of(code)) {
#define EVENT(name)     \
  case EventKind::name: \
    return visitor(unpack<event::name>(code));
    WARPWISE_EVENTS(EVENT)
#undef EVENT
  }
}

// A visitor made of a function for each kind that matters.
template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

}  // namespace warpwise::simt
