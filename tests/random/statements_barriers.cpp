// Mbarriers: of one thread, where every answer is known; of a block, phase after phase; and of clusters, whose blocks
// write into each other's shared memory.
#include <fmt/format.h>

#include <algorithm>

#include "statements.h"

namespace warpwise::random_programs {

// --- mbarriers of one thread --------------------------------------------------------------------

namespace {

// An mbarrier as the manual describes it (PTX ISA 9.7.13.15.4): what may be done next depends on it.
struct Phase {
  unsigned expected = 0, pending = 0, bytes = 0;
  unsigned number = 0;

  void arrive(unsigned count) { pending -= count, settle(); }
  void complete(unsigned count) { bytes -= count, settle(); }
  void settle() {
    if (pending == 0 && bytes == 0) pending = expected, ++number;
  }
};

}  // namespace

// The thread's own cell is an mbarrier for a while. Whatever it is asked has one answer, since no other thread arrives.
Statement Leaves::own_mbarrier() {
  std::vector<std::string> lines = {"{", ".reg .b64 %state;"};
  Phase phase;
  phase.expected = phase.pending = 1 + choose_.below(6);
  lines.push_back(fmt::format("mbarrier.init.shared.b64 [%shared], {};", phase.expected));
  bool has_state = false;
  unsigned state_of = 0;
  auto keeps_state = [&](unsigned number) { has_state = true, state_of = number; };
  for (unsigned steps = 4 + choose_.below(8); steps > 0; --steps) {
    const unsigned count = phase.pending == 0 ? 0 : 1 + choose_.below(phase.pending), before = phase.number;
    const bool names_count = count != 1 || choose_.one_in(2);
    const std::string counted = names_count ? fmt::format(", {}", count) : "";
    // The last expected arrival cannot be dropped: a phase needs one.
    const bool may_drop = count != 0 && phase.expected > count;
    switch (choose_.below(9)) {
      case 0:
        if (count == 0) break;
        lines.push_back(fmt::format("mbarrier.arrive.shared.b64 %state, [%shared]{};", counted));
        keeps_state(before), phase.arrive(count);
        break;
      case 1: {
        if (count == 0) break;
        const unsigned bytes = 8 * (1 + choose_.below(4));
        lines.push_back(
            fmt::format("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %state, [%shared], {};", bytes));
        keeps_state(before), phase.bytes += bytes, phase.arrive(1);
        break;
      }
      case 2:
        if (count == 0 || count == phase.pending) break;
        lines.push_back(fmt::format("mbarrier.arrive.noComplete.shared.b64 %state, [%shared], {};", count));
        keeps_state(before), phase.arrive(count);
        break;
      case 3:
        if (!may_drop) break;
        lines.push_back(fmt::format("mbarrier.arrive_drop.shared.b64 %state, [%shared]{};", counted));
        keeps_state(before), phase.expected -= count, phase.arrive(count);
        break;
      case 4:
        if (!may_drop || count == phase.pending) break;
        lines.push_back(fmt::format("mbarrier.arrive_drop.noComplete.shared.b64 %state, [%shared], {};", count));
        keeps_state(before), phase.expected -= count, phase.arrive(count);
        break;
      case 5:
        if (phase.pending == 0) break;
        lines.push_back("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%shared], 16;");
        phase.bytes += 16;
        break;
      case 6:
        if (phase.bytes == 0) break;
        lines.push_back(
            fmt::format("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%shared], {};", std::min(phase.bytes, 8u)));
        phase.complete(std::min(phase.bytes, 8u));
        break;
      case 7:
        if (has_state) lines.push_back(fmt::format("mbarrier.pending_count.b64 {}, %state;", r()));
        break;
      default:
        break;
    }
    // Asked for the phase under way, or the one before; a wait that may sleep only for what is over.
    if (choose_.one_in(2)) {
      const unsigned asked = phase.number - (phase.number > 0 && choose_.one_in(2));
      const bool over = asked != phase.number;
      lines.push_back(fmt::format("mbarrier.{}.parity.shared.b64 {}, [%shared], {};",
                                  over && choose_.one_in(2) ? "try_wait" : "test_wait", p(), asked & 1));
    }
    if (has_state && state_of + 1 >= phase.number && choose_.one_in(2)) {
      const bool over = state_of != phase.number;
      lines.push_back(fmt::format("mbarrier.{}.acquire.cta.shared::cta.b64 {}, [%shared], %state;",
                                  over && choose_.one_in(2) ? "try_wait" : "test_wait", p()));
    }
  }
  lines.insert(lines.end(),
               {"mbarrier.inval.shared.b64 [%shared];", fmt::format("st.shared.b64 [%shared], {};", reg("rd")), "}"});
  return code(std::move(lines));
}

// --- blocks that have not started ---------------------------------------------------------------

// A block asks for the work of one that has not started (of a cluster, for all its blocks), and its threads read which
// one it is. A cluster that is taken leaves no trace of its own; that is the same in all engines, whatever runs first.
Statement Leaves::take_over(const Context& context) {
  const bool everywhere = context.shape->cluster > 1 && choose_.one_in(2);
  const unsigned label = choose_.below(1u << 30);
  std::vector<std::string> lines = {"{",
                                    ".reg .b128 %answer;",
                                    ".reg .b32 %place<3>;",
                                    ".reg .pred %first, %over;",
                                    "setp.eq.u32 %first, %index, 0;",
                                    "@%first mbarrier.init.shared.b64 [phase], 1;",
                                    "bar.sync 0;",
                                    "@%first mbarrier.arrive.expect_tx.shared.b64 _, [phase], 16;"};
  if (everywhere) {
    lines.insert(lines.end(),
                 {"barrier.cluster.arrive;", "barrier.cluster.wait;", "mov.u32 %x, %cluster_ctarank;",
                  fmt::format("setp.eq.and.u32 %first, %x, {}, %first;", choose_.below(context.shape->cluster))});
  }
  lines.insert(
      lines.end(),
      {fmt::format("@%first clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes{}.b128 "
                   "[exchange], [phase];",
                   everywhere ? ".multicast::cluster::all" : ""),
       fmt::format("asked{}:\n  mbarrier.try_wait.parity.shared::cta.b64 %over, [phase], 0;\n  @!%over bra asked{};",
                   label, label),
       "ld.shared.b128 %answer, [exchange];",
       fmt::format("clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 {}, %answer;", p()),
       "clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%place0, %place1, %place2, _}, %answer;",
       fmt::format("clusterlaunchcontrol.query_cancel.get_first_ctaid::{}.b32.b128 {}, %answer;",
                   "xyz"[choose_.below(3)], r())});
  for (unsigned n = 0; n < 3; ++n) lines.push_back(fmt::format("xor.b32 {0}, {0}, %place{1};", r(), n));
  lines.push_back("bar.sync 0;");
  if (everywhere)
    lines.insert(lines.end(), {"barrier.cluster.arrive;", "barrier.cluster.wait;", "setp.eq.u32 %first, %index, 0;"});
  lines.insert(lines.end(), {"@%first mbarrier.inval.shared.b64 [phase];", "bar.sync 0;", "}"});
  return code(std::move(lines));
}

// --- mbarriers of a block -----------------------------------------------------------------------

// All threads of a block wait at an mbarrier, one to four times, arriving in all the ways there are, and read what
// another one has brought.
Statement Leaves::meet_at_mbarrier(const Context& context) {
  const uint32_t threads = product(context.shape->block);
  std::vector<std::string> lines = {"{",
                                    ".reg .b64 %state;",
                                    ".reg .pred %first, %last, %odd;",
                                    "setp.eq.u32 %first, %index, 0;",
                                    fmt::format("setp.eq.u32 %last, %index, {};", threads - 1),
                                    "and.b32 %x, %index, 1;\n  setp.ne.u32 %odd, %x, 0;"};
  const bool twice = choose_.one_in(3);  // the first thread arrives twice
  bool dropped = false;                  // threads of odd numbers take part no more
  const unsigned phases = 1 + choose_.below(4);
  lines.push_back(fmt::format("@%first mbarrier.init.shared.b64 [phase], {};", threads + (twice ? 1 : 0)));
  lines.push_back("bar.sync 0;");
  for (unsigned number = 0; number < phases; ++number) {
    const std::string all = dropped ? "@!%odd " : "";
    bool by_parity = dropped || choose_.one_in(2);
    if (twice) lines.push_back("@%first mbarrier.arrive.noComplete.release.cta.shared::cta.b64 _, [phase], 1;");
    const unsigned way = choose_.below(6);
    if (way != 1) lines.push_back(all + fmt::format("st.shared.b32 [%shared], {};", r()));
    switch (way) {
      case 1: {  // the first thread announces a copy, whose bytes the phase waits for
        const unsigned bytes = 16 * (1 + choose_.below(std::min(4u, (threads * 8 + 15) / 16)));
        if (threads * 8 >= bytes && !dropped) {
          lines.push_back("@!%first mbarrier.arrive.shared.b64 %state, [phase];");
          lines.push_back(fmt::format("@%first mbarrier.arrive.expect_tx.shared.b64 %state, [phase], {};", bytes));
          lines.push_back(fmt::format("add.u64 %y, %in, {};", 16 * choose_.below(64)));
          lines.push_back("fence.proxy.async;");
          lines.push_back(
              fmt::format("@%first cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [exchange], [%y], "
                          "{}, [phase];",
                          bytes));
          break;
        }
        lines.push_back(all + "mbarrier.arrive.shared.b64 %state, [phase];");
        break;
      }
      case 2:  // bytes that one announces and another one brings
        lines.push_back("@%first mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [phase], 24;");
        lines.push_back(all + "mbarrier.arrive.release.cta.shared::cta.b64 %state, [phase];");
        lines.push_back("@%last mbarrier.complete_tx.shared.b64 [phase], 24;");
        // A thread that brings them before they are announced would end the phase early, if all had arrived: the first
        // one has not.
        break;
      case 3:  // the thread's copies arrive for it
        lines.push_back(fmt::format("and.b32 %x, {}, {};\n  mad.wide.u32 %y, %x, 8, %in;", r(), kInputs - 2));
        lines.push_back(all + "cp.async.ca.shared.global [%shared], [%y], 8;");
        lines.push_back(all + "cp.async.mbarrier.arrive.noinc.shared.b64 [phase];");
        by_parity = true;
        break;
      case 4:  // ... or one more than the thread does
        lines.push_back(fmt::format("and.b32 %x, {}, {};\n  mad.wide.u32 %y, %x, 8, %in;", r(), kInputs - 2));
        lines.push_back(all + "cp.async.ca.shared.global [%shared], [%y], 4;");
        lines.push_back(all + "cp.async.mbarrier.arrive.shared.b64 [phase];");
        lines.push_back(all + "mbarrier.arrive.shared.b64 %state, [phase];");
        break;
      case 5:
        if (!dropped && threads > 1) {
          lines.push_back("@!%odd mbarrier.arrive.shared.b64 %state, [phase];");
          lines.push_back("@%odd mbarrier.arrive_drop.release.cta.shared::cta.b64 %state, [phase];");
          dropped = true;
          break;
        }
        [[fallthrough]];
      default:
        lines.push_back(all + "mbarrier.arrive.shared.b64 %state, [phase];");
    }
    const char* wait = choose_.one_in(2) ? "try_wait" : "test_wait";
    lines.push_back(fmt::format("waiting{}:", number));
    lines.push_back(by_parity ? fmt::format("mbarrier.{}.parity.shared.b64 %q, [phase], {};", wait, number & 1)
                              : fmt::format("mbarrier.{}.shared.b64 %q, [phase], %state;", wait));
    lines.push_back(fmt::format("@!%q bra waiting{};", number));
    lines.insert(lines.end(),
                 {fmt::format("add.u32 %x, %index, {};", 1 + choose_.below(40)),
                  fmt::format("rem.u32 %x, %x, {};", threads), "mov.u32 %z, exchange;", "mad.lo.u32 %z, %x, 8, %z;",
                  fmt::format("ld.shared.b32 {}, [%z];", r()), "bar.sync 0;"});
  }
  lines.insert(lines.end(), {"@%first mbarrier.inval.shared.b64 [phase];", "bar.sync 0;", "}"});
  return code(std::move(lines));
}

// --- clusters -----------------------------------------------------------------------------------

// The thread's own cell by the address that other blocks of a cluster would use.
Statement Leaves::own_cell_of_cluster() {
  return code({"mov.u32 %x, %cluster_ctarank;\n  mapa.shared::cluster.u32 %z, %shared, %x;",
               "getctarank.shared::cluster.u32 %x, %z;",
               fmt::format("{}ld.shared::cluster.b32 {}, [%z];", guard(), r()),
               fmt::format("add.u32 {}, %x, {};", r(), r())});
}

namespace {

// All blocks of the cluster wait for each other. What was written before the barrier is seen after it.
std::string meet_cluster(Choose& choose) {
  const char* aligned = choose.one_in(2) ? ".aligned" : "";
  return fmt::format("barrier.cluster.arrive{0}{1};\n  barrier.cluster.wait{2}{1};", choose.one_in(2) ? ".release" : "",
                     aligned, choose.one_in(2) ? ".acquire" : "");
}

}  // namespace

// What a block does with the next ones' shared memory.
Statement Leaves::within_cluster(const Context& context) {
  const uint32_t threads = product(context.shape->block), blocks = context.shape->cluster;
  std::vector<std::string> lines = {
      "{",
      ".reg .b32 %rank, %there, %bar;",
      ".reg .b64 %far;",
      ".reg .pred %first;",
      "setp.eq.u32 %first, %index, 0;",
      "mov.u32 %rank, %cluster_ctarank;",
      fmt::format("add.u32 %rank, %rank, {};\n  rem.u32 %rank, %rank, {};", choose_.below(blocks), blocks)};
  auto wait = [&] {
    lines.insert(lines.end(), {"waiting:",
                               fmt::format("mbarrier.try_wait.parity{}.b64 %q, [phase], 0;",
                                           choose_.one_in(2) ? ".acquire.cluster.shared::cta" : ".shared::cta"),
                               "@!%q bra waiting;"});
  };
  auto announce = [&](unsigned bytes) {
    lines.insert(
        lines.end(),
        {"@%first mbarrier.init.shared.b64 [phase], 1;", "@%first fence.mbarrier_init.release.cluster;",
         fmt::format("@%first mbarrier.arrive.expect_tx.shared.b64 _, [phase], {};", bytes), "fence.proxy.async;",
         meet_cluster(choose_), "mov.u32 %z, phase;\n  mapa.shared::cluster.u32 %bar, %z, %rank;"});
  };
  auto end = [&] {
    lines.insert(lines.end(),
                 {meet_cluster(choose_), "@%first mbarrier.inval.shared.b64 [phase];", "bar.sync 0;", "}"});
    return code(std::move(lines));
  };
  switch (choose_.below(6)) {
    case 0: {  // reads, through the cluster's window or the generic one
      lines.insert(lines.end(), {fmt::format("st.shared.b32 [%shared], {};", r()), meet_cluster(choose_)});
      if (choose_.one_in(2)) {
        lines.push_back("mapa.shared::cluster.u32 %there, %shared, %rank;");
        lines.push_back(fmt::format("ld.shared::cluster.b32 {}, [%there];", r()));
      } else {
        lines.push_back("cvt.u64.u32 %far, %shared;\n  cvta.shared.u64 %far, %far;\n  mapa.u64 %far, %far, %rank;");
        lines.push_back(fmt::format(
            "ld.b32 {}, [%far];\n  isspacep.shared::cluster {}, %far;\n  getctarank.u64 {}, %far;", r(), p(), r()));
      }
      lines.insert(lines.end(), {meet_cluster(choose_), "}"});
      return code(std::move(lines));
    }
    case 1: {  // sums, whose order is not known and makes no difference
      const unsigned cell = 4 * choose_.below(kTallies);
      lines.insert(
          lines.end(),
          {meet_cluster(choose_),
           fmt::format("mov.u32 %z, tally;\n  add.u32 %z, %z, {};\n  mapa.shared::cluster.u32 %there, %z, %rank;",
                       cell),
           fmt::format("{}red.relaxed.cluster.shared::cluster.add.u32 [%there], {};", guard(), r()),
           meet_cluster(choose_), fmt::format("ld.shared.b32 {}, [tally+{}];", r(), cell), meet_cluster(choose_), "}"});
      return code(std::move(lines));
    }
    case 2: {  // words sent thread by thread
      constexpr unsigned kWidths[] = {4, 8, 16};
      const unsigned bytes = kWidths[choose_.below(3)];
      announce(threads * bytes);
      lines.push_back("mapa.shared::cluster.u32 %there, %inbox, %rank;");
      const std::string what = bytes == 4   ? fmt::format("b32 [%there], {}", r())
                               : bytes == 8 ? fmt::format("b64 [%there], {}", reg("rd"))
                                            : "v4.b32 [%there], {%r0, %r1, %r2, %r3}";
      lines.push_back(fmt::format("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.{}, [%bar];", what));
      wait();
      lines.push_back(fmt::format("ld.shared.b32 {}, [%inbox+{}];", r(), 4 * choose_.below(bytes / 4)));
      return end();
    }
    case 3: {  // and added to what lies there
      constexpr const char* kOperations[] = {"add.u32", "add.s32", "add.u64", "min.u32", "max.s32", "min.s32",
                                             "max.u32", "inc.u32", "dec.u32", "and.b32", "or.b32",  "xor.b32"};
      const std::string operation = kOperations[choose_.below(std::size(kOperations))];
      const bool wide = operation == "add.u64";
      lines.push_back(fmt::format("st.shared.b64 [%inbox], {};", reg("rd")));
      announce(threads * (wide ? 8 : 4));
      lines.push_back("mapa.shared::cluster.u32 %there, %inbox, %rank;");
      lines.push_back(
          fmt::format("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.{} [%there], {}, [%bar];",
                      operation, wide ? reg("rd") : r()));
      wait();
      lines.push_back(fmt::format("ld.shared.b64 {}, [%inbox];", reg("rd")));
      return end();
    }
    case 4: {  // copies of many bytes, or their reductions
      if (threads < 2) return exchange(context);
      constexpr const char* kReductions[] = {"add.u32", "add.s32", "add.u64", "min.s32", "max.u32",
                                             "inc.u32", "dec.u32", "inc.u32", "and.b32", "xor.b32"};
      lines.push_back(fmt::format("st.shared.b64 [%shared], {};", reg("rd")));
      announce(16);
      lines.push_back("mov.u32 %z, inbox;\n  mapa.shared::cluster.u32 %there, %z, %rank;");
      if (choose_.one_in(4)) {
        lines.push_back(
            "@%first cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%there], [exchange], 16, "
            "[%bar];");
      } else {
        lines.push_back(
            fmt::format("@%first cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.{} "
                        "[%there], [exchange], 16, [%bar];",
                        kReductions[choose_.below(std::size(kReductions))]));
      }
      wait();
      lines.push_back(fmt::format(
          "and.b32 %x, %index, 3;\n  mov.u32 %z, inbox;\n  mad.lo.u32 %z, %x, 4, %z;\n  ld.shared.b32 {}, [%z];", r()));
      return end();
    }
    default: {  // one block loads for all
      announce(16);
      lines.insert(
          lines.end(),
          {".reg .pred %loads;\n  mov.u32 %x, %cluster_ctarank;\n  setp.eq.and.u32 %loads, %x, 0, %first;",
           fmt::format(".reg .b16 %all;\n  mov.b16 %all, {};", (1u << blocks) - 1),
           fmt::format("@%loads cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
                       "[inbox], [%in+{}], 16, [phase], %all;",
                       16 * choose_.below(64))});
      wait();
      lines.push_back(fmt::format(
          "and.b32 %x, %index, 3;\n  mov.u32 %z, inbox;\n  mad.lo.u32 %z, %x, 4, %z;\n  ld.shared.b32 {}, [%z];", r()));
      return end();
    }
  }
}

}  // namespace warpwise::random_programs
