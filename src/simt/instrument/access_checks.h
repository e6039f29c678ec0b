// What the checks of accesses carry from the scalar program to the code of a warp or a thread: the first argument of
// ww.shadow_check, its relatives, and ww.race (simt/dialect.inc), as one number.
//
//     call void @ww.shadow_check(i64 ShadowCheck, i64 %address)
//     %shadow = call i32 @ww.shadow_load.32(i64 ShadowCheck, i64 %address)
//     call void @ww.shadow_store(i64 ShadowStore, i64 %address, i64 %shadow)
//     call void @ww.race(i64 RaceCheck, i64 %address, i64 %value, i32 %site, i32 %number)
//
// All name the access, the space that its address belongs to, and the parameter that the address may come from.
#pragma once

#include "simt/instrument/events.h"

namespace warpwise::simt {

struct AccessCheck {
  static constexpr uint8_t kNoPointer = 0xff;

  MemoryAccess access;
  uint8_t align = 0;             // the address must be a multiple of two to this power
  uint8_t space = 0;             // simt::Addrspace
  uint8_t pointer = kNoPointer;  // index of the PointedTo that it may lie in
  static constexpr void fields(auto& self, auto&& field) {
    MemoryAccess::fields(self.access, field), field(self.align, 4), field(self.space, 8), field(self.pointer, 8);
  }
};

// Is the shadow of an access in order?
struct ShadowCheck {
  AccessCheck at;
  bool reads = false;  // what it reads must have been written
  bool marks = false;  // what it accesses is written from now on
  // It is in order unless the block has copied unwritten bytes to its shared memory (BlockContext::copied_unwritten).
  bool written = false;
  bool copied = false;  // a load that is stored as it is: of what it reads, some byte must have been written

  // The event where it is not, and where the shadow was not read.
  constexpr event::Shadow fault() const { return {.access = at.access, .align = at.align, .copied = copied}; }
  constexpr event::Unchecked unchecked() const { return {.access = at.access, .align = at.align, .reads = reads}; }
  static constexpr void fields(auto& self, auto&& field) {
    AccessCheck::fields(self.at, field), field(self.reads, 1), field(self.marks, 1), field(self.written, 1),
        field(self.copied, 1);
  }
};

// What is known of the bytes that an access has written.
struct ShadowStore {
  AccessCheck at;
  bool tells = false;  // event::Uninitialised, where some were not written before
  static constexpr void fields(auto& self, auto&& field) { AccessCheck::fields(self.at, field), field(self.tells, 1); }
};

// May an access race?
struct RaceCheck {
  AccessCheck at;
  bool observes = false;       // an atomic that returns what was there
  bool regional = false;       // to shared memory that has no other name (instrument/redundant_race_checks.h)
  bool simple = false;         // orders nothing, and takes no lock: it matters for what it does to its own word alone
  bool apart = false;          // `pointer` may be one of apart_accesses.h; what it does there need not be compared
  bool rewritten = false;      // a load after which its thread writes the same words, if it is apart: not even noted
  bool among_atomics = false;  // an atomic; nothing but atomics may reach what `pointer` points to
  bool disjoint = false;  // regional, and no other thread touches its bytes meanwhile (instrument/disjoint_accesses.h)

  constexpr event::Access event() const { return {.access = at.access, .observes = observes}; }
  static constexpr void fields(auto& self, auto&& field) {
    AccessCheck::fields(self.at, field), field(self.observes, 1), field(self.regional, 1), field(self.simple, 1),
        field(self.disjoint, 1), field(self.apart, 1), field(self.rewritten, 1), field(self.among_atomics, 1);
  }
};

template <class Check>
constexpr uint64_t pack_check(const Check& check) {
  BitWriter bits;
  Check::fields(check, bits);
  return bits.bits();
}

template <class Check>
constexpr Check unpack_check(uint64_t code) {
  Check check;
  BitReader bits(code);
  Check::fields(check, bits);
  return check;
}

}  // namespace warpwise::simt
