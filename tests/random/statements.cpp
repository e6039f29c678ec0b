#include "statements.h"

#include <fmt/format.h>

#include "exact.h"

namespace warpwise::random_programs {

std::string Leaves::reg(const char* name) { return fmt::format("%{}{}", name, choose_.below(kRegisters)); }

std::string Leaves::guard() {
  return choose_.one_in(6) ? fmt::format("@{}{} ", choose_.one_in(2) ? "!" : "", p()) : "";
}

// Each engine has bits of its own for the NaN of a double: where the program could see them, one NaN replaces all.
std::string settle(std::string_view reg) {
  return fmt::format("setp.nan.f64 %q, {0}, {0};\n  selp.f64 %gd, 0d7FF8000000000000, {0}, %q;", reg);
}

std::string Leaves::instruction(std::string guard) {
  std::string text = vocabulary_.instruction(choose_, newest_), before;
  if (vocabulary_.exact()) before = settle_for_gpu(text, guard);
  // Conversions keep the sign of a NaN, copysign gives it to a number.
  const size_t source = text.find("%fd", text.find(','));
  if (source == text.npos || !(text.starts_with("cvt.") || text.starts_with("copysign."))) return before + guard + text;
  const std::string reg = text.substr(source, 4);
  return settle(reg) + "\n  " + guard + text.replace(source, reg.size(), "%gd");  // shrinking keeps a line whole
}

Statement Leaves::arithmetic(const Context& context) {
  if (choose_.one_in(40)) return carries();
  return choose_.one_in(6) ? pattern(context) : code({instruction(guard())});
}

// What all lanes hold alike, or what grows with their numbers: a compiler keeps one value, or a base and a step, until
// paths that brought different ones meet.
Statement Leaves::pattern(const Context& context) {
  constexpr const char* kSpecial[] = {"%tid.x", "%tid.y", "%laneid", "%ctaid.x", "%ntid.x", "%nctaid.x"};
  constexpr const char* kSteps[] = {"add.u32", "sub.u32", "mul.lo.u32", "and.b32",
                                    "or.b32",  "shl.b32", "shr.u32",    "min.u32"};
  constexpr const char* kCompare[] = {"eq", "ne", "lt", "ge"};
  const std::string special = kSpecial[choose_.below(std::size(kSpecial))];
  const std::string taken =
      fmt::format("mov.u32 %x, {};\n  ", special);  // with what follows a line that shrinking keeps whole
  const uint32_t number = choose_.one_in(3) ? choose_.below(2) : choose_.below(40);
  switch (choose_.below(10)) {
    case 0:
      return code({fmt::format("{}mov.u32 {}, {};", guard(), r(), number)});
    case 1:
      return code({fmt::format("{}mov.u32 {}, {};", guard(), r(), special)});
    case 2:
      return code({taken + fmt::format("{}mad.lo.u32 {}, %x, {}, {};", guard(), r(), 1 + choose_.below(8), number)});
    case 3:
      return code({fmt::format("{}ld.global.u32 {}, [%in+{}];", guard(), r(), 8 * number)});
    case 4:
      return code({taken + fmt::format("{}setp.{}.u32 {}, %x, {};", guard(), kCompare[choose_.below(4)], p(), number)});
    case 5:
      return code({fmt::format("{}setp.{}.u32 {}, {}, {};", guard(), kCompare[choose_.below(4)], p(), r(), number)});
    case 6:
      return code({taken + fmt::format("{}cvt.u64.u32 {}, %x;", guard(), reg("rd"))});
    case 7:
      return code(
          {fmt::format("{}mov.{}, {};", guard(), choose_.one_in(2) ? "b16 " + reg("rs") : "b64 " + reg("rd"), number)});
    case 8:
      if (context.breakable >= 0)
        return code({fmt::format("{}mov.u32 {}, %count{};", guard(), r(), context.breakable)});
      [[fallthrough]];
    default:
      return code(
          {fmt::format("{}{} {}, {}, {};", guard(), kSteps[choose_.below(std::size(kSteps))], r(), r(), number)});
  }
}

// Numbers of two to four words, added, subtracted or multiplied, some by turns. One line, which shrinking keeps whole:
// nothing may come between.
Statement Leaves::carries() {
  constexpr const char* kTypes[] = {"u32", "s32", "u64", "s64"};
  const std::string type = kTypes[choose_.below(4)];
  const char* name = type.ends_with("32") ? "r" : "rd";
  const unsigned kind_of_all = choose_.below(4), words = 2 + choose_.below(3);
  std::string chain;
  for (unsigned k = 0; k < words; ++k) {
    const unsigned kind = kind_of_all < 3 ? kind_of_all : choose_.below(3);
    const char* keeps = k + 1 < words || choose_.one_in(3) ? ".cc" : "";
    if (kind < 2) {
      chain += fmt::format("{}{}{}.{} {}, {}, {};\n  ", kind ? "sub" : "add", k ? "c" : "", keeps, type, reg(name),
                           reg(name), reg(name));
    } else {
      chain += fmt::format("mad{}.{}{}.{} {}, {}, {}, {};\n  ", k ? "c" : "", k % 2 ? "hi" : "lo", keeps, type,
                           reg(name), reg(name), reg(name), reg(name));
    }
  }
  return code({chain.substr(0, chain.size() - 3)});
}

// --- memory -------------------------------------------------------------------------------------

Statement Leaves::memory(const Context& context) {
  switch (choose_.below(context.in_function ? 5 : 9)) {
    case 0:
      return gather();
    case 1:
      return pack();
    case 2:
    case 3:
      return local();
    case 4:
      return hint(context);
    case 5:
      if (!context.shape->independent || choose_.one_in(2)) return copy_later();
      return context.shape->cluster && choose_.one_in(2) ? own_cell_of_cluster() : own_mbarrier();
    case 6:
      return !vocabulary_.exact() ? image() : copy_later();
    case 7:
      return !vocabulary_.exact() && choose_.one_in(2) ? multimem() : scratch();
    default:
      return scratch();
  }
}

// A load from the inputs, at an index that is computed.
Statement Leaves::gather() {
  std::string index = fmt::format("and.b32 %x, {}, {};", r(), kInputs - 2), address = "mad.wide.u32 %y, %x, 8, %in;";
  switch (choose_.below(5)) {
    case 0:
      return code(
          {index, address,
           fmt::format("{}ld.global.v2.b32 {{%r{}, %r{}}}, [%y];", guard(), choose_.below(2), 2 + choose_.below(3))});
    case 1:
      return code({index, address, fmt::format("{}ld.global.s8 {}, [%y+{}];", guard(), reg("rs"), choose_.below(8))});
    case 2:
      return code({index, address, fmt::format("{}ld.global.nc.b64 {}, [%y];", guard(), reg("rd"))});
    case 3:
      return code({index, address, fmt::format("{}ld.f32 {}, [%y+4];", guard(), reg("f"))});
    default:
      return code({index, address, fmt::format("{}ld.global.u32 {}, [%y];", guard(), r())});
  }
}

// A store to, or a load from, the thread's own cells.
Statement Leaves::scratch() {
  unsigned cell = choose_.below(kScratch) * 4;
  std::string space = choose_.one_in(3) ? "" : ".global";
  if (newest_ && choose_.one_in(2)) {
    const std::string at = fmt::format("{}{} [%mine+{}], {};", choose_.one_in(2) ? ".gpu" : ".sys", space, cell, r());
    const size_t place = at.find(' ');
    const bool store = choose_.one_in(2);
    return code({fmt::format("{}{}.async.release{}{}{}", guard(), store ? "st" : "red", at.substr(0, place),
                             store               ? ".b32"
                             : choose_.one_in(2) ? ".add.u32"
                                                 : ".add.s32",
                             at.substr(place))});
  }
  switch (choose_.below(4)) {
    case 0:
      return code({fmt::format("{}st{}.b32 [%mine+{}], {};", guard(), space, cell, r())});
    case 1:
      return code({fmt::format("{}ld{}.v4.b32 {{%r0, %r1, %r2, %r3}}, [%mine+{}];", guard(), space, cell & 16)});
    default:
      break;
  }
  std::string access =
      choose_.one_in(2) ? fmt::format("st{}.b32 [%y], {};", space, r()) : fmt::format("ld{}.b32 {}, [%y];", space, r());
  return code(
      {fmt::format("and.b32 %x, {}, {};", r(), kScratch - 1), "mad.wide.u32 %y, %x, 4, %mine;", guard() + access});
}

// A local array, at places known and computed, in all widths, through its own window and the generic one.
Statement Leaves::local() {
  struct Access {
    const char* type;
    const char* reg;
    unsigned bytes;
  };
  constexpr Access kAccesses[] = {{"b32", "r", 4}, {"b64", "rd", 8}, {"u16", "rs", 2}, {"s8", "rs", 1},
                                  {"f32", "f", 4}, {"f64", "fd", 8}, {"u8", "r", 1}};
  const Access& access = kAccesses[choose_.below(std::size(kAccesses))];
  bool generic = choose_.one_in(3), store = choose_.one_in(2), known = choose_.one_in(2);
  std::vector<std::string> lines;
  std::string place = "[%local]";
  if (known) place = fmt::format("[%local+{}]", choose_.below(kLocalBytes / access.bytes) * access.bytes);
  if (!known || generic) lines.push_back("mov.b64 %y, %local;");
  if (!known)
    lines = {fmt::format("and.b32 %x, {}, {};", r(), kLocalBytes / access.bytes - 1),
             fmt::format("mad.wide.u32 %y, %x, {}, %local;", access.bytes)};
  if (generic) lines.push_back("cvta.local.u64 %y, %y;");
  if (!known || generic) place = "[%y]";
  std::string value = fmt::format("%{}{}", access.reg, choose_.below(kRegisters));
  if (store && value.starts_with("%fd")) lines.push_back(settle(value)), value = "%gd";
  std::string op = fmt::format("{}{}.{}", store ? "st" : "ld", generic ? "" : ".local", access.type);
  lines.push_back(guard() +
                  (store ? fmt::format("{} {}, {};", op, place, value) : fmt::format("{} {}, {};", op, value, place)));
  return code(std::move(lines));
}

// Registers put together and taken apart.
Statement Leaves::pack() {
  switch (choose_.below(7)) {
    case 0:
      return code({fmt::format("{}mov.b64 {}, {{{}, {}}};", guard(), reg("rd"), r(), r())});
    case 6: {  // the bit to begin with is in a range
      const int nth = static_cast<int>(choose_.below(9)) - 4;
      return code(
          {fmt::format("and.b32 %x, {}, 31;", r()), fmt::format("{}fns.b32 {}, {}, %x, {};", guard(), r(), r(), nth)});
    }
    case 1:
      return code(
          {fmt::format("{}mov.b64 {{%r{}, %r{}}}, {};", guard(), choose_.below(2), 2 + choose_.below(3), reg("rd"))});
    case 2:
      return code({fmt::format("{}mov.b32 {}, {{{}, {}}};", guard(), r(), reg("rs"), reg("rs"))});
    case 3:
      return code({fmt::format("{}mov.b64 {{%rs0, %rs1, %rs2, %rs3}}, {};", guard(), reg("rd"))});
    case 4:
      return code({fmt::format("{}mov.b32 {}, {};", guard(), reg("f"), r())});
    default:
      return code({fmt::format("{}mov.b64 {}, {};", guard(), reg("fd"), reg("rd"))});
  }
}

// --- atomics ------------------------------------------------------------------------------------

// The thread's own cells may see any operation, and its answer is known. Cells that all threads share see one
// operation each, the answer is not read, and sums of floats are of small integers, so that no order rounds.
Statement Leaves::atomic(const Context&) {
  constexpr const char* kShared[] = {"add.u32", "max.s32", "min.u32", "or.b32",
                                     "and.b32", "xor.b32", "max.u32", "min.s32"};
  constexpr const char* kInteger[] = {"add.u32", "exch.b32", "min.s32", "max.u32", "and.b32",
                                      "or.b32",  "xor.b32",  "inc.u32", "dec.u32"};
  constexpr const char* kLong[] = {"add.u64", "exch.b64", "min.s64", "max.u64", "and.b64", "or.b64", "xor.b64"};
  const unsigned cell = choose_.below(kScratch) * 4, pair = cell & ~4u;
  const bool in_shared = choose_.one_in(3);
  const std::string space = in_shared ? ".shared" : choose_.one_in(3) ? "" : ".global";
  const std::string told = vocabulary_.exact() && space.empty()
                               ? ".global"
                               : space;  // whether subnormals are flushed: a GPU asks the address
  const std::string one = in_shared ? fmt::format("[%shared+{}]", cell & 4) : fmt::format("[%mine+{}]", cell);
  const std::string two = in_shared ? "[%shared]" : fmt::format("[%mine+{}]", pair);
  switch (choose_.below(11)) {
    case 9:
      return atomic_of_several();
    case 0:
      return code({fmt::format("{}atom{}.{} {}, {}, {};", guard(), space, kInteger[choose_.below(std::size(kInteger))],
                               r(), one, r())});
    case 1:
      return code({fmt::format("{}atom{}.{} {}, {}, {};", guard(), space, kLong[choose_.below(std::size(kLong))],
                               reg("rd"), two, reg("rd"))});
    case 2:
      return code({fmt::format("{}atom{}.cas.b32 {}, {}, {}, {};", guard(), space, r(), one, r(), r())});
    case 3:
      return code({fmt::format("{}atom{}.add.f32 {}, {}, {};", guard(), told, reg("f"), one, reg("f"))});
    case 4:  // of numbers: each engine has NaNs of its own for doubles
      return code({fmt::format("and.b64 %y, {}, 0xffefffffffffffff;", reg("rd")),
                   fmt::format("st{}.b64 {}, %y;", space, two), fmt::format("cvt.rn.f64.s32 %gd, {};", r()),
                   fmt::format("{}atom{}.add.f64 {}, {}, %gd;", guard(), space, reg("fd"), two)});
    case 5:
      return code({fmt::format("{}red.global.add.noftz.{} [%mine+{}], {};", guard(),
                               choose_.one_in(2) ? "f16x2" : "bf16x2", cell, r())});
    case 10:
      if (newest_)
        return code({fmt::format("{}st.bulk{}.shared::cta [%shared], {}, 0;", guard(), choose_.one_in(2) ? ".weak" : "",
                                 8 * choose_.below(2))});
      [[fallthrough]];
    case 6: {
      std::string sum = choose_.one_in(2) ? "f32 [%counters+64], %g;" : "f64 [%counters+72], %gd;";
      return code({fmt::format("and.b32 %x, {}, 7;", r()), "cvt.rn.f32.u32 %g, %x;", "cvt.rn.f64.u32 %gd, %x;",
                   guard() + "red.global.add." + sum});
    }
    case 7: {
      // An update that is repeated until no other thread came between.
      return code({"{", ".reg .b32 %old, %new, %seen;", ".reg .pred %again;",
                   "ld.relaxed.gpu.global.b32 %old, [%counters+80];",
                   "retry:", fmt::format("add.u32 %new, %old, {};", r()),
                   "atom.global.cas.b32 %seen, [%counters+80], %old, %new;", "setp.ne.u32 %again, %seen, %old;",
                   "mov.b32 %old, %seen;", "@%again bra retry;", "}"});
    }
    default:
      break;
  }
  unsigned operation = choose_.below(8), place = 4 * (operation + 8 * choose_.below(2));
  if (choose_.one_in(2))
    return code({fmt::format("{}red.global.{} [%counters+{}], {};", guard(), kShared[operation], place, r())});
  return code({fmt::format("{}atom.global.{} %x, [%counters+{}], {};", guard(), kShared[operation], place, r())});
}

// Halves, pairs and vectors of numbers, in the thread's own cells, with and without an answer.
Statement Leaves::atomic_of_several() {
  const unsigned quad = 16 * choose_.below(2), cell = 4 * choose_.below(kScratch);
  const std::string sem = choose_.one_in(3) ? ".relaxed.gpu" : "";
  switch (choose_.below(9)) {
    case 0:
      return code({fmt::format("{}atom{}.global.add.noftz.f16x2 {}, [%mine+{}], {};", guard(), sem, reg("hh"), cell,
                               reg("hh"))});
    case 1:
      return code({fmt::format("{}atom{}.global.add.noftz.bf16x2 {}, [%mine+{}], {};", guard(), sem, r(), cell, r())});
    case 2:
      return code(
          {fmt::format("{}atom{}.global.add.noftz.f16 {}, [%mine+{}], {};", guard(), sem, reg("h"), cell, reg("h"))});
    case 3:
      return code({fmt::format("{}atom{}.global.v4.f32.add {{%f0, %f1, %f2, %f3}}, [%mine+{}], {{%f1, %f2, %f3, %f4}};",
                               guard(), sem, quad)});
    case 4:
      return code(
          {fmt::format("{}red{}.global.v2.f32.add [%mine+{}], {{{}, {}}};", guard(), sem, quad, reg("f"), reg("f"))});
    case 5: {
      constexpr const char* kOperations[] = {"add", "min", "max"};
      return code({fmt::format(
          "{}atom{}.global.v4.f16x2.{}.noftz {{%hh0, %hh1, %hh2, %hh3}}, [%mine+{}], {{%hh1, %hh2, %hh3, %hh4}};",
          guard(), sem, kOperations[choose_.below(3)], quad)});
    }
    case 6:
      return code({fmt::format("{}red{}.global.v2.bf16x2.{}.noftz [%mine+{}], {{{}, {}}};", guard(), sem,
                               choose_.one_in(2) ? "add" : "max", quad, r(), r())});
    case 7:
      return code({fmt::format("{}red{}.global.{}.u32 [%mine+{}], {};", guard(), sem, choose_.one_in(2) ? "inc" : "dec",
                               cell, r())});
    default:
      return code({fmt::format("{}red{}.shared.{}.u32 [%shared], {};", guard(), choose_.one_in(2) ? "" : ".relaxed.cta",
                               choose_.one_in(2) ? "inc" : "dec", r())});
  }
}

// --- warps --------------------------------------------------------------------------------------

Statement Leaves::warp(const Context& context) {
  std::string mask = fmt::format("{:#x}", context.lanes);
  const bool whole = context.lanes == 0xffffffff && product(context.shape->block) % 32 == 0 && !context.some_left;
  if (whole && newest_ && choose_.one_in(4)) return move_matrices();
  if (whole && consumer_ && choose_.one_in(3))
    return matrix_product();  // few programs are for sm_120a, most of its products are its own
  switch (choose_.below(whole ? 14 : 9)) {
    case 9:
    case 10:
      return matrix_product();
    case 11:
    case 12:
      return wmma_product();
    case 13:
      return move_matrices();
    case 0:
    case 1:
      return shuffle(context);
    case 2:
      return code({fmt::format("vote.sync.ballot.b32 {}, {}, {};", r(), p(), mask)});
    case 3: {
      constexpr const char* kModes[] = {"all", "any", "uni"};
      return code({fmt::format("vote.sync.{}.pred {}, {}{}, {};", kModes[choose_.below(3)], p(),
                               choose_.one_in(2) ? "!" : "", p(), mask)});
    }
    case 4: {
      if (newest_ && choose_.one_in(2)) {
        constexpr const char* kOfFloats[] = {"min",     "max",     "min.abs",     "max.abs",
                                             "min.NaN", "max.NaN", "min.abs.NaN", "max.abs.NaN"};
        return code(
            {fmt::format("redux.sync.{}.f32 {}, {}, {};", kOfFloats[choose_.below(8)], reg("f"), reg("f"), mask)});
      }
      constexpr const char* kOperations[] = {"add.u32", "min.u32", "max.u32", "add.s32", "min.s32",
                                             "max.s32", "and.b32", "or.b32",  "xor.b32"};
      return code({fmt::format("redux.sync.{} {}, {}, {};", kOperations[choose_.below(9)], r(), r(), mask)});
    }
    case 5:
      if (choose_.one_in(2))
        return code(
            {fmt::format("and.b64 %y, {}, 3;", reg("rd")), fmt::format("match.any.sync.b64 {}, %y, {};", r(), mask)});
      return code({fmt::format("and.b32 %x, {}, 3;", r()), fmt::format("match.any.sync.b32 {}, %x, {};", r(), mask)});
    case 6: {
      const char* type = choose_.one_in(2) ? "b32" : "b64";
      return code(
          {fmt::format("match.all.sync.{} {}|{}, {}, {};", type, r(), p(), reg(type[1] == '3' ? "r" : "rd"), mask)});
    }
    case 7: {
      // Which lanes are active is not promised, only that the asking lane is.
      if (choose_.one_in(2))
        return code({"activemask.b32 %x;", "shr.u32 %x, %x, %lane;", fmt::format("bfi.b32 {0}, %x, {0}, 0, 1;", r())});
      return code({fmt::format("elect.sync {}|{}, {};", r(), p(), mask)});
    }
    default:
      return code({fmt::format("bar.warp.sync {};", mask)});
  }
}

// In every mode, for any set of active lanes: lanes that are absent give 0.
Statement Leaves::shuffle(const Context& context) {
  constexpr const char* kModes[] = {"up", "down", "bfly", "idx"};
  unsigned mode = choose_.below(4);
  unsigned segment = choose_.one_in(3) ? 0x1800 : choose_.one_in(2) ? 0x1000 : 0;
  std::string b = choose_.one_in(2) ? r() : std::to_string(choose_.below(32));
  std::string how = fmt::format("{}, {:#x}, {:#x};", b, segment | (mode == 0 ? 0 : 31), context.lanes);
  if (choose_.one_in(4)) {  // 64 bits, by halves
    std::string pair = reg("rd");
    return code(
        {fmt::format("mov.b64 {{%x, %z}}, {};", pair), fmt::format("shfl.sync.{}.b32 %x, %x, {}", kModes[mode], how),
         fmt::format("shfl.sync.{}.b32 %z, %z, {}", kModes[mode], how), fmt::format("mov.b64 {}, {{%x, %z}};", pair)});
  }
  return code({fmt::format("shfl.sync.{}.b32 {}|{}, {}, {}", kModes[mode], r(), p(), r(), how)});
}

// --- blocks -------------------------------------------------------------------------------------

Statement Leaves::block(const Context& context) {
  // Threads that have ended arrive nowhere and bring nothing.
  const bool all = !context.some_left, independent = context.shape->independent && all;
  const uint32_t threads = product(context.shape->block);
  if (all && threads % 128 == 0 && context.shape->target == Target::Sm90a && choose_.one_in(3))
    return warpgroup_product();
  if (independent && threads >= 2 && newest_ && choose_.one_in(6))
    return take_over(context);  // the answer is 16 bytes of `exchange`
  if (independent && threads % 128 == 0 && newest_ && choose_.one_in(2)) return tensor_memory();
  if (independent && context.shape->cluster && choose_.one_in(2)) return within_cluster(context);
  switch (choose_.below(8)) {
    case 0:
      return tally();
    case 1:
      return reduce(context);
    case 2:
      return independent ? hand_over(context) : exchange(context);
    case 3:
      return independent ? meet_at_mbarrier(context) : exchange(context);
    case 4:
      return all ? store_in_bulk(context) : exchange(context);
    case 5:
      return all && !vocabulary_.exact() ? store_box(context) : exchange(context);
    case 6:
      return independent && !vocabulary_.exact() ? load_box(context) : bar_in_passing(context);
    default:
      return exchange(context);
  }
}

// What a warpgroup says of its registers; and a barrier at which some only arrive.
Statement Leaves::bar_in_passing(const Context& context) {
  const uint32_t threads = product(context.shape->block);
  if (threads % 128 == 0 && !context.some_left && choose_.one_in(2))
    return code({"setmaxnreg.dec.sync.aligned.u32 40;", "setmaxnreg.inc.sync.aligned.u32 64;"});
  return code({fmt::format("bar.red.popc.u32 {}, 1, {};", r(), p()),
               fmt::format("barrier.red.{}.pred {}, 2, {};", choose_.one_in(2) ? "and" : "or", p(), p())});
}

// Through shared memory to another thread of the block.
Statement Leaves::exchange(const Context& context) {
  struct Width {
    const char* type;
    const char* reg;
  };
  constexpr Width kWidths[] = {{"b64", "rd"}, {"b32", "r"}, {"f32", "f"}, {"b16", "rs"}, {"f64", "fd"}};
  const Width& width = kWidths[choose_.below(std::size(kWidths))];
  const uint32_t threads = product(context.shape->block);
  const std::string barrier = choose_.one_in(4) ? fmt::format("barrier.sync {};", choose_.below(3)) : "bar.sync 0;";
  std::string partner = fmt::format("add.u32 %x, %index, {};", 1 + choose_.below(40));
  if (choose_.one_in(3)) partner = fmt::format("mul.lo.u32 %x, %index, {};", 3 + choose_.below(15));
  if (choose_.one_in(3)) partner = fmt::format("and.b32 %x, {}, 0xffff;", r());
  std::string value = fmt::format("%{}{}", width.reg, choose_.below(kRegisters)), before;
  if (value.starts_with("%fd")) before = settle(value) + "\n  ", value = "%gd";
  return code({fmt::format("{}st.shared.{} [%shared], {};", before, width.type, value), barrier, partner,
               fmt::format("rem.u32 %x, %x, {};", threads), "mov.u32 %z, exchange;", "mad.lo.u32 %z, %x, 8, %z;",
               fmt::format("ld.shared.{} %{}{}, [%z];", width.type, width.reg, choose_.below(kRegisters)), barrier});
}

// All threads add to a cell of shared memory, then all read it.
Statement Leaves::tally() {
  unsigned cell = 4 * choose_.below(kTallies);
  std::string operation = choose_.one_in(2) ? "add.u32" : "xor.b32";
  return code({fmt::format("{}red.shared.{} [tally+{}], {};", guard(), operation, cell, r()), "bar.sync 0;",
               fmt::format("ld.shared.b32 {}, [tally+{}];", r(), cell), "bar.sync 0;"});
}

Statement Leaves::reduce(const Context&) {
  std::string value = fmt::format("{}{}", choose_.one_in(2) ? "!" : "", p());
  unsigned barrier = choose_.below(2);
  switch (choose_.below(3)) {
    case 0:
      return code({fmt::format("barrier.red.popc.u32 {}, {}, {};", r(), barrier, value)});
    case 1:
      return code({fmt::format("bar.red.and.pred {}, {}, {};", p(), barrier, value)});
    default:
      return code({fmt::format("bar.red.or.pred {}, {}, {};", p(), barrier, value)});
  }
}

// The block's first warp brings something; the others arrive or wait at a barrier of their own.
Statement Leaves::hand_over(const Context& context) {
  const uint32_t threads = product(context.shape->block);
  if (threads % 32 != 0 || threads < 64) return exchange(context);
  return code({"setp.eq.u32 %q, %warp, 0;", fmt::format("@%q st.shared.b32 [%shared], {};", r()),
               fmt::format("@%q {}.arrive 5, {};", choose_.one_in(2) ? "bar" : "barrier", threads),
               fmt::format("@!%q bar.sync 5, {};", threads), "and.b32 %x, %index, 31;", "mov.u32 %z, exchange;",
               "mad.lo.u32 %z, %x, 8, %z;", fmt::format("@!%q ld.shared.b32 {}, [%z];", r()), "bar.sync 0;"});
}

}  // namespace warpwise::random_programs
