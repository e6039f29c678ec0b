// Instructions that order, ration, announce or ask, and stacks: what they leave in a program's results is nothing, or
// known.
#include <fmt/format.h>

#include "statements.h"

namespace warpwise::random_programs {

// Wherever a thread stands.
Statement Leaves::hint(const Context& context) {
  constexpr const char* kFences[] = {"membar.cta",
                                     "membar.gl",
                                     "membar.sys",
                                     "membar.proxy.alias",
                                     "fence.acq_rel.cta",
                                     "fence.sc.gpu",
                                     "fence.acq_rel.sys",
                                     "fence.acquire.gpu",
                                     "fence.release.cluster",
                                     "fence.proxy.alias",
                                     "fence.proxy.async",
                                     "fence.proxy.async.shared::cta",
                                     "fence.proxy.async.global",
                                     "fence.mbarrier_init.release.cluster",
                                     "fence.acquire.sync_restrict::shared::cluster.cluster",
                                     "fence.release.sync_restrict::shared::cta.cluster",
                                     "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster",
                                     "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster",
                                     "fence.proxy.tensormap::generic.release.gpu"};
  constexpr const char* kOthers[] = {"nanosleep.u32 20;", "pmevent 3;", "griddepcontrol.wait;",
                                     "griddepcontrol.launch_dependents;"};
  switch (choose_.below(context.in_function ? 5 : 9)) {
    case 0:
    case 1:
      return code({fmt::format("{}{};", guard(), kFences[choose_.below(std::size(kFences))])});
    case 2:
      return code({guard() + kOthers[choose_.below(std::size(kOthers))]});
    case 3:
      return prefetch();
    case 4:
      return stack();
    case 5:
      return code({fmt::format("discard.global.L2 [%unread], 128;")});
    case 6:
      return address_space();
    case 7:
      return in_flavours();
    default:
      return policy();
  }
}

Statement Leaves::prefetch() {
  constexpr const char* kPrefetches[] = {"prefetch.global.L1 [%in];",
                                         "prefetch.global.L2 [%in+256];",
                                         "prefetch.L1 [%in];",
                                         "prefetch.global.L2::evict_last [%in];",
                                         "prefetch.global.L2::evict_normal [%in];",
                                         "prefetchu.L1 [%in];",
                                         "applypriority.global.L2::evict_normal [%in], 128;"};
  return code({guard() + kPrefetches[choose_.below(std::size(kPrefetches))]});
}

// Memory that is asked for and given back.
Statement Leaves::stack() {
  return code({"{", ".reg .b64 %before, %piece;", "stacksave.u64 %before;",
               fmt::format("alloca.u64 %piece, {}, 16;", 16 + 16 * choose_.below(3)),
               fmt::format("st.local.b64 [%piece+8], {};", reg("rd")), instruction(""),
               fmt::format("ld.local.b32 {}, [%piece+{}];", r(), 8 + 4 * choose_.below(2)), "stackrestore.u64 %before;",
               "}"});
}

// Which window an address lies in, and from the generic one back to its own.
Statement Leaves::address_space() {
  constexpr const char* kSpaces[] = {"global", "local", "shared", "shared::cta", "shared::cluster", "const"};
  const std::string ask = fmt::format("isspacep.{} {}, %y;", kSpaces[choose_.below(6)], p());
  switch (choose_.below(4)) {
    case 0:
      return code(
          {"mov.b64 %y, %in;", ask, fmt::format("cvta.to.global.u64 %y, %y;\n  ld.global.b32 {}, [%y+64];", r())});
    case 1:
      return code({"mov.b64 %y, %local;\n  cvta.local.u64 %y, %y;", ask,
                   fmt::format("cvta.to.local.u64 %y, %y;\n  ld.local.b32 {}, [%y+8];", r())});
    case 2:
      return code({"cvt.u64.u32 %y, %shared;\n  cvta.shared.u64 %y, %y;", ask,
                   fmt::format("cvta.to.shared.u64 %y, %y;\n  ld.shared.b32 {}, [%y];", r())});
    default:
      return code({"mov.u64 %y, constants;\n  cvta.const.u64 %y, %y;", ask,
                   fmt::format("cvta.to.const.u64 %y, %y;\n  ld.const.b32 {}, [%y+4];", r())});
  }
}

// Loads and stores of every kind, of what is the thread's own, or only read.
Statement Leaves::in_flavours() {
  constexpr const char* kLoads[] = {"ld.volatile.global", "ld.relaxed.gpu.global",      "ld.acquire.sys.global",
                                    "ld.relaxed.cta",     "ld.mmio.relaxed.sys.global", "ld.volatile"};
  constexpr const char* kStores[] = {"st.volatile.global", "st.relaxed.gpu.global",      "st.release.sys.global",
                                     "st.release.cta",     "st.mmio.relaxed.sys.global", "st.volatile"};
  const unsigned cell = 4 * choose_.below(kScratch);
  switch (choose_.below(6)) {
    case 0:
      return code({fmt::format("{}{}.b32 {}, [%mine+{}];", guard(), kLoads[choose_.below(6)], r(), cell)});
    case 1:
      return code({fmt::format("{}{}.b32 [%mine+{}], {};", guard(), kStores[choose_.below(6)], cell, r())});
    case 2:
      return code({fmt::format("{}st.volatile.shared.b32 [%shared], {};", guard(), r()),
                   fmt::format("ld.volatile.shared.b32 {}, [%shared];", r())});
    case 3:
      return code({fmt::format("ldu.global.v2.b32 {{%r0, %r1}}, [%in+{}];", 8 * choose_.below(100)),
                   fmt::format("ldu.global.b64 {}, [%in+{}];", reg("rd"), 8 * choose_.below(100))});
    case 4:
      return code({fmt::format("{}ld.const.v4.b32 {{%r0, %r1, %r2, %r3}}, [constants+16];", guard())});
    default:
      return code({fmt::format("and.b32 %x, {}, 7;", r()), "mov.u64 %y, constants;", "mad.wide.u32 %y, %x, 4, %y;",
                   fmt::format("{}ld.const.b32 {}, [%y];", guard(), r())});
  }
}

// A policy of the cache is a value that only accesses understand.
Statement Leaves::policy() {
  constexpr const char* kPolicies[] = {
      "createpolicy.fractional.L2::evict_last.b64 %y, 1.0;", "createpolicy.fractional.L2::evict_first.b64 %y;",
      "createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %y, 0.25;",
      "createpolicy.range.global.L2::evict_last.L2::evict_unchanged.b64 %y, [%in], 256, 1024;",
      "createpolicy.cvt.L2.b64 %y, 0x14f0000000000000;"};
  std::string made = kPolicies[choose_.below(std::size(kPolicies))];
  if (made.starts_with("createpolicy.cvt")) made = "mov.b64 %y, 0x14f0000000000000;\n  createpolicy.cvt.L2.b64 %y, %y;";
  const unsigned cell = 4 * choose_.below(kScratch);
  if (choose_.one_in(2))
    return code({made, fmt::format("{}st.global.L2::cache_hint.b32 [%mine+{}], {}, %y;", guard(), cell, r())});
  return code({made, fmt::format("{}ld.global.L2::cache_hint.b64 {}, [%in+{}], %y;", guard(), reg("rd"),
                                 8 * choose_.below(200))});
}

}  // namespace warpwise::random_programs
