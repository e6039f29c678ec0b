// The decision about two accesses, as a table: what they are, what orders them, and the rule that they break.
#include "check/race/race_rules.h"

#include <gtest/gtest.h>

#include <string>

namespace warpwise::check {
namespace {

struct Order {
  bool ended = false, ordered = false, ordered_if_wider = false, seen = false, read = false, same_value = false;

  bool is_of_ended_block() const { return ended; }
  bool is_ordered(Width width) const { return width == kAnyScope ? ordered || ordered_if_wider : ordered; }
  bool is_seen(Width) const { return seen; }
  bool is_read() const { return read; }
  bool is_same_value() const { return same_value; }
};

struct Case {
  const char* name;
  RaceAccess before, now;
  Order order;
  const char* rule;  // "": none
  AccessSite before_site, now_site;
  MemorySpace space = kGlobal;
};

constexpr Serial kBlock = 1, kOtherBlock = 2;

RaceAccess access(Serial block, uint32_t thread, bool writes) {
  return {.serial = block, .thread = thread, .site = 1, .writes = writes};
}
RaceAccess strong(RaceAccess a) {
  a.strong = true;
  return a;
}
RaceAccess atomic(RaceAccess a) {
  a.strong = a.atomic = true;
  return a;
}
RaceAccess of_block_scope(RaceAccess a) {
  a.block_scope = true;
  return a;
}

AccessSite compare_and_swap() {
  AccessSite site;
  site.compares = true;
  return site;
}
AccessSite volatile_site(ValueUse use, bool polled = false) {
  AccessSite site;
  site.is_volatile = true;
  site.use = use;
  site.polled = polled;
  return site;
}

TEST(RaceRules, decide_by_accesses_and_order) {
  const RaceAccess write = access(kBlock, 0, true), read = access(kBlock, 0, false);
  const RaceAccess lane = access(kBlock, 1, true), warp = access(kBlock, 32, true);
  const RaceAccess other = access(kOtherBlock, 0, true);
  const Case cases[] = {
      {"two reads", read, access(kBlock, 32, false), {}, ""},
      {"one thread", write, write, {}, ""},
      {"thread 0 of two blocks", write, other, {}, "C0203"},
      {"lanes of a warp", write, lane, {}, "C0202"},
      {"warps of a block", write, warp, {}, "C0201"},
      {"read, then write", read, warp, {}, "C0201"},
      {"ordered", write, warp, {.ordered = true}, ""},
      {"what an ended block left in shared memory", write, other, {.ended = true}, ""},
      {"which does not excuse the block itself", write, warp, {.ended = true}, "C0201"},

      {"two atomics", atomic(write), atomic(other), {}, ""},
      {"an atomic and a plain write", atomic(write), other, {}, "C0206"},
      {"a plain read, then a compare-and-swap", read, atomic(warp), {}, "C0210", {}, compare_and_swap()},
      {"a plain write, then a compare-and-swap", write, atomic(warp), {}, "C0206", {}, compare_and_swap()},
      {"a compare-and-swap, then a plain write", atomic(write), warp, {}, "C0206", compare_and_swap(), {}},
      {"atomics of block scope in two blocks", of_block_scope(atomic(write)), atomic(other), {}, "C0207"},
      {"... in one block", of_block_scope(atomic(write)), atomic(warp), {}, ""},
      {"... that a thread has observed", of_block_scope(atomic(write)), atomic(other), {.seen = true}, ""},
      {"ordered by block scope alone", write, other, {.ordered_if_wider = true}, "C0207"},
      {"only strong accesses count as seen", write, other, {.seen = true}, "C0203"},

      {"the same value", write, warp, {.same_value = true}, "C0209"},
      {"a volatile flag that several raise",
       strong(write),
       strong(warp),
       {.same_value = true},
       "",
       volatile_site(ValueUse::Data),
       volatile_site(ValueUse::Data)},
      {"volatile data",
       strong(write),
       strong(other),
       {},
       "C0203",
       volatile_site(ValueUse::None),
       volatile_site(ValueUse::Data)},
      {"a volatile signal",
       strong(write),
       strong(other),
       {},
       "",
       volatile_site(ValueUse::None),
       volatile_site(ValueUse::Decision)},
      {"in shared memory it must be polled",
       strong(write),
       strong(warp),
       {},
       "C0201",
       volatile_site(ValueUse::None),
       volatile_site(ValueUse::Decision),
       kShared},
      {"and is",
       strong(write),
       strong(warp),
       {},
       "",
       volatile_site(ValueUse::None),
       volatile_site(ValueUse::Decision, true),
       kShared},
      {"threads that take turns",
       strong(write),
       strong(other),
       {.read = true},
       "",
       volatile_site(ValueUse::Data),
       volatile_site(ValueUse::Data)},
  };
  for (const Case& c : cases) {
    const char* rule = broken_rule(Conflict{c.before, c.now, c.before_site, c.now_site, c.space}, c.order);
    EXPECT_EQ(std::string(rule ? rule : ""), c.rule) << c.name;
  }
}

}  // namespace
}  // namespace warpwise::check
