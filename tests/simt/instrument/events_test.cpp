// Events as numbers (instrument/events.h): what is packed comes back, as its own kind and nothing else.
#include "simt/instrument/events.h"

#include <gtest/gtest.h>

#include "simt/instrument/access_checks.h"

namespace warpwise::simt {
namespace {

// What visit_event() hands over for a code: the name of its kind.
std::string visited(uint32_t code) {
  std::string name;
  visit_event(code, Overloaded{
#define EVENT(kind) [&](const event::kind&) { name += #kind; },
                        WARPWISE_EVENTS(EVENT)
#undef EVENT
                            [&](const auto&) { name += "?";
}
}  // namespace
);
return name;
}  // namespace warpwise::simt

TEST(Events, AreVisitedAsTheirOwnKind){
#define EVENT(kind)                               \
  EXPECT_EQ(visited(pack(event::kind{})), #kind); \
  EXPECT_EQ(kind_of(pack(event::kind{})), EventKind::kind);
    WARPWISE_EVENTS(EVENT)
#undef EVENT
}

TEST(Events, BelongToRaceChecksOrToTheEngine) {
  size_t races = 0, engine = 0;
#define EVENT(kind) races += is_for_races(EventKind::kind), engine += is_for_engine(EventKind::kind);
  WARPWISE_EVENTS(EVENT)
#undef EVENT
  EXPECT_EQ(races, 9u);
  EXPECT_EQ(engine, 5u);
  EXPECT_FALSE(is_for_races(EventKind::Parameter));
  EXPECT_FALSE(is_for_races(EventKind::Collective));
  EXPECT_FALSE(is_for_engine(EventKind::Arithmetic));
}

TEST(Events, CarryTheirFields) {
  const event::Shadow fault{{AccessKind::Atomic, 16, true, true}, 4, true};
  const auto back = unpack<event::Shadow>(pack(fault));
  EXPECT_EQ(back.access.kind, AccessKind::Atomic);
  EXPECT_EQ(back.access.bytes, 16);
  EXPECT_TRUE(back.access.strong);
  EXPECT_TRUE(back.access.shared);
  EXPECT_EQ(back.align, 4);
  EXPECT_TRUE(back.copied);

  const auto shuffle = unpack<event::Collective>(pack(event::Collective{true, 3, true}));
  EXPECT_TRUE(shuffle.is_shuffle);
  EXPECT_EQ(shuffle.mode, 3);
  EXPECT_TRUE(shuffle.used_by_all);

  const auto wait = unpack<event::AsyncWait>(pack(event::AsyncWait{.ungrouped = true}));
  EXPECT_FALSE(wait.bulk);
  EXPECT_TRUE(wait.ungrouped);
  EXPECT_EQ(unpack<event::Reconvergence>(pack(event::Reconvergence{event::Reconvergence::Of::End})).of,
            event::Reconvergence::Of::End);
  EXPECT_EQ(unpack<event::Parameter>(pack(event::Parameter{32})).bytes, 32);
}

TEST(Events, OfChecksAreTheirAccess) {
  ShadowCheck check;
  check.at = {{AccessKind::Load, 8, false, true}, 3, 5, 7};
  check.marks = true;
  const auto back = unpack_check<ShadowCheck>(pack_check(check));
  EXPECT_EQ(back.at.space, 5);
  EXPECT_EQ(back.at.pointer, 7);
  EXPECT_EQ(back.fault().align, 3);
  EXPECT_EQ(back.unchecked().access.bytes, 8);
  EXPECT_FALSE(back.unchecked().reads);
  EXPECT_TRUE(back.marks);

  RaceCheck race;
  race.at.access = {AccessKind::Atomic, 4, true, false};
  race.observes = race.simple = true;
  const auto same = unpack_check<RaceCheck>(pack_check(race));
  EXPECT_TRUE(same.event().observes);
  EXPECT_EQ(same.at.pointer, AccessCheck::kNoPointer);
  EXPECT_TRUE(same.simple);
  EXPECT_FALSE(same.regional);
}

}  // namespace
}  // namespace warpwise::simt
