// What the second half of the instruction set brings: matrix products, copies that happen later, mbarriers.
#include <fmt/format.h>

#include <algorithm>

#include "statements.h"

namespace warpwise::random_programs {

// --- products of matrices -----------------------------------------------------------------------

// Fragments of whatever lies in registers; where the result goes there are fewer registers than it has.
Statement Leaves::matrix_product() {
  const MatrixProduct& p = choose_.of(vocabulary_.products());
  auto own = [&](std::string_view type) { return type == "f64" ? "fd" : type == "f32" ? "f" : "r"; };
  std::vector<std::string> lines = {"{"};
  std::string operands;
  auto declare = [&](const char* name, const MatrixProduct::Fragment& f) {
    lines.push_back(fmt::format(".reg .{} %{}<{}>;", f.type, name, f.registers));
    operands += operands.empty() ? " {" : ", {";
    for (unsigned k = 0; k < f.registers; ++k) operands += fmt::format("{}%{}{}", k ? ", " : "", name, k);
    operands += "}";
  };
  declare("md", p.sum);
  for (auto [name, f] : {std::pair{"ma", p.a}, std::pair{"mb", p.b}, std::pair{"mc", p.sum}}) {
    declare(name, f);
    for (unsigned k = 0; k < f.registers; ++k) lines.push_back(fmt::format("mov.{} %{}{}, {};", f.type, name, k, reg(own(f.type))));
  }
  lines.push_back(p.instruction + operands + ";");
  const unsigned first = choose_.below(p.sum.registers);
  for (unsigned k = 0; k < std::min(p.sum.registers, 3u); ++k) {
    lines.push_back(fmt::format("mov.{} %{}{}, %md{};", p.sum.type, own(p.sum.type), k, (first + k) % p.sum.registers));
  }
  lines.push_back("}");
  return code(std::move(lines));
}

// --- copies that happen later -------------------------------------------------------------------

// Into the thread's own cell of shared memory, from an input.
Statement Leaves::copy_later() {
  std::vector<std::string> lines = {fmt::format("and.b32 %x, {}, {};", r(), kInputs - 2), "mad.wide.u32 %y, %x, 8, %in;"};
  const unsigned bytes = choose_.one_in(2) ? 8 : 4;
  std::string source_bytes = choose_.one_in(3) ? fmt::format(", {}", choose_.below(bytes + 1)) : "";  // the rest becomes 0
  lines.push_back(fmt::format("{}cp.async.ca.shared.global [%shared], [%y], {}{};", guard(), bytes, source_bytes));
  if (choose_.one_in(2)) {
    lines.push_back("cp.async.commit_group;");
    lines.push_back(instruction(""));
    lines.push_back("cp.async.wait_group 0;");
  } else {
    lines.push_back("cp.async.wait_all;");
  }
  lines.push_back(fmt::format("ld.shared.b64 {}, [%shared];", reg("rd")));
  return code(std::move(lines));
}

// The thread's own cell by the address that other blocks of a cluster would use; here the cluster is the block.
Statement Leaves::own_cell_of_cluster() {
  return code({"mapa.shared::cluster.u32 %z, %shared, 0;", "getctarank.shared::cluster.u32 %x, %z;", fmt::format("{}ld.shared::cluster.b32 {}, [%z];", guard(), r()),
               fmt::format("add.u32 {}, %x, {};", r(), r())});
}

// --- mbarriers ----------------------------------------------------------------------------------

// All threads of a block meet at an mbarrier, bring something each, and, now and then, wait for bytes besides.
Statement Leaves::meet_at_mbarrier(const Context& context) {
  const uint32_t threads = product(context.shape->block);
  const unsigned way = choose_.below(3);
  std::vector<std::string> lines = {"{", ".reg .b64 %state;", ".reg .pred %first;", "setp.eq.u32 %first, %index, 0;",
                                    fmt::format("@%first mbarrier.init.shared.b64 [phase], {};", threads), "bar.sync 0;"};
  const std::string mine = r();
  if (way == 0) {
    lines.push_back(fmt::format("st.shared.b32 [%shared], {};", mine));
    lines.push_back("mbarrier.arrive.shared.b64 %state, [phase];");
  } else {
    // The first thread announces a copy, whose bytes the phase waits for.
    const unsigned bytes = 16 * (1 + choose_.below(std::min(4u, (threads * 8 + 15) / 16)));
    const unsigned from = 16 * choose_.below(64);
    if (threads * 8 < bytes) return exchange(context);
    lines.push_back("@!%first mbarrier.arrive.shared.b64 %state, [phase];");
    lines.push_back(fmt::format("@%first mbarrier.arrive.expect_tx.shared.b64 %state, [phase], {};", bytes));
    lines.push_back(fmt::format("add.u64 %y, %in, {};", from));
    lines.push_back(fmt::format("@%first cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [exchange], [%y], {}, [phase];", bytes));
  }
  lines.insert(lines.end(), {"waiting:", fmt::format("mbarrier.{}.shared.b64 %q, [phase], %state;", choose_.one_in(2) ? "try_wait" : "test_wait"),
                             "@!%q bra waiting;"});
  lines.insert(lines.end(), {fmt::format("add.u32 %x, %index, {};", 1 + choose_.below(40)), fmt::format("rem.u32 %x, %x, {};", threads),
                             "mov.u32 %z, exchange;", "mad.lo.u32 %z, %x, 8, %z;", fmt::format("ld.shared.b32 {}, [%z];", r()), "bar.sync 0;",
                             "@%first mbarrier.inval.shared.b64 [phase];", "}"});
  return code(std::move(lines));
}

}  // namespace warpwise::random_programs
