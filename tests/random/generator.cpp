#include "generator.h"

#include <fmt/format.h>

#include "statements.h"

namespace warpwise::random_programs {

namespace {

// Whole warps, parts of warps, blocks of two and three dimensions.
constexpr Extent kBlocks[] = {{32, 1, 1}, {64, 1, 1},  {96, 1, 1}, {128, 1, 1}, {32, 2, 1}, {16, 4, 1},
                              {8, 4, 2},  {16, 16, 1}, {1, 1, 1},  {7, 1, 1},   {31, 1, 1}, {33, 1, 1},
                              {45, 1, 1}, {5, 3, 1},   {17, 3, 1}, {3, 5, 4},   {65, 1, 1}};

class Generator {
 public:
  Generator(const Vocabulary& vocabulary, uint64_t seed)
      : choose_(seed), leaves_(vocabulary, choose_), newest_(!vocabulary.exact()) {}

  Program run(uint64_t seed) {
    Program program;
    Shape& shape = program.shape;
    shape.seed = seed;
    shape.grid = {1 + choose_.below(3), choose_.one_in(4) ? 2u : 1u, 1};
    shape.block = kBlocks[choose_.one_in(2) ? choose_.below(3) : choose_.below(std::size(kBlocks))];
    // Independent-thread mode alone can run these: a small part of the programs, or SIMT mode would see too few.
    shape.independent = choose_.one_in(8);
    indirect_ = shape.independent && choose_.one_in(2);
    recursive_ = shape.independent && choose_.one_in(2);
    if (shape.independent && choose_.one_in(2)) {
      constexpr uint32_t kClusters[] = {1, 2, 2, 3, 4};
      shape.cluster = kClusters[choose_.below(5)];
      shape.grid = {shape.cluster * (1 + choose_.below(2)), 1, 1};
    }
    if (newest_ && choose_.one_in(8)) shape.target = choose_.one_in(2) ? Target::Sm100a : Target::Sm120a;
    // A warpgroup, for tensor memory; only in independent-thread mode.
    if (shape.target == Target::Sm100a && choose_.one_in(2)) shape.block = {128, 1, 1}, shape.independent = true;
    if (shape.threads() > kMostThreads) shape.grid = {1, 1, 1}, shape.cluster = 0;
    leaves_.begin(shape);
    Context context;
    context.shape = &shape;
    for (unsigned f = choose_.below(2) + (shape.independent ? 1 + choose_.below(2) : choose_.below(2)); f > 0; --f) {
      Context inside = context;
      inside.uniform = false, inside.lanes = 0, inside.depth = 1, inside.in_function = true;
      program.functions.push_back({fmt::format("helper{}", functions_), statements(inside, 2 + choose_.below(6))});
      ++functions_;
    }
    program.body = statements(context, 8 + choose_.below(25));
    if (choose_.one_in(8)) {
      program.body.push_back(leave());
      context.some_left = true;
      for (Statement& s : statements(context, 3 + choose_.below(6))) program.body.push_back(std::move(s));
    }
    return program;
  }

 private:
  std::vector<Statement> statements(const Context& context, unsigned count) {
    std::vector<Statement> list;
    for (; count > 0; --count) list.push_back(statement(context));
    return list;
  }

  Statement statement(const Context& context) {
    const bool deep = context.depth >= 3;
    uint32_t kind = choose_.below(100);
    if (kind < 52) return leaves_.arithmetic(context);
    if (kind < 60) return deep ? leaves_.arithmetic(context) : branch(context);
    if (kind < 65) return deep ? leaves_.arithmetic(context) : loop(context);
    if (kind < 67) return deep ? leaves_.memory(context) : choice(context);
    if (kind < 76) return leaves_.memory(context);
    if (kind < 79) return context.breakable >= 0 ? leave_loop(context) : leaves_.arithmetic(context);
    if (kind < 82) return may_call(context) ? call(context) : leaves_.memory(context);
    if (context.in_function) return kind < 86 ? return_early() : leaves_.arithmetic(context);
    if (kind < 87) return leaves_.atomic(context);
    if (kind < 92) return context.lanes ? leaves_.warp(context) : leaves_.arithmetic(context);
    if (kind < 95) return deep || !context.lanes ? leaves_.arithmetic(context) : lane_branch(context);
    if (kind < 96)
      return deep || !context.uniform || context.some_left ? leaves_.memory(context) : warp_branch(context);
    return context.uniform ? leaves_.block(context) : leaves_.memory(context);
  }

  // A condition that each thread decides for itself.
  Statement branch(Context context) {
    Statement s{Statement::Kind::If, {leaves_.p()}, {}, {}, next_++};
    context.uniform = false;
    context.lanes = 0;
    ++context.depth;
    s.children = statements(context, 1 + choose_.below(5));
    if (choose_.one_in(2)) s.others = statements(context, 1 + choose_.below(3));
    return s;
  }

  // Lanes part by a pattern known beforehand, so that each side can name its members.
  Statement lane_branch(Context context) {
    constexpr uint32_t kPatterns[] = {0x0000ffff, 0x55555555, 0x00ff00ff, 0x7fffffff, 0x0000000f};
    uint32_t pattern = kPatterns[choose_.below(5)];
    uint32_t here = context.lanes & pattern, there = context.lanes & ~pattern;
    Statement block{Statement::Kind::Block, {}, {}, {}, next_++};
    block.children.push_back(Leaves::code({fmt::format("mov.b32 %x, {:#x};", pattern), "shr.u32 %x, %x, %lane;",
                                           "and.b32 %x, %x, 1;", "setp.ne.u32 %q, %x, 0;"}));
    Statement s{Statement::Kind::If, {"%q"}, {}, {}, next_++};
    context.uniform = false;
    ++context.depth;
    context.lanes = here;
    s.children = statements(context, 1 + choose_.below(4));
    context.lanes = there;
    s.others = statements(context, 1 + choose_.below(4));
    block.children.push_back(std::move(s));
    return block;
  }

  // Whole warps take different paths, and wait at barriers that stand in different places.
  Statement warp_branch(Context context) {
    Statement block{Statement::Kind::Block, {}, {}, {}, next_++};
    block.children.push_back(
        Leaves::code({fmt::format("setp.{}.u32 %q, %warp, {};", choose_.one_in(2) ? "eq" : "lt", choose_.below(3))}));
    Statement s{Statement::Kind::If, {"%q"}, {}, {}, next_++};
    context.uniform = false;
    ++context.depth;
    const unsigned barriers = choose_.below(3);
    for (std::vector<Statement>* side : {&s.children, &s.others}) {
      *side = statements(context, 1 + choose_.below(2));
      for (unsigned k = 0; k < barriers; ++k) {
        side->push_back(Leaves::code({"bar.sync 0;"}));
        for (Statement& more : statements(context, 1)) side->push_back(std::move(more));
      }
    }
    block.children.push_back(std::move(s));
    return block;
  }

  Statement loop(Context context) {
    Statement s{Statement::Kind::Loop, {}, {}, {}, next_++};
    const bool same_for_all = choose_.one_in(2), leaves_early = choose_.one_in(2);
    if (same_for_all) {
      s.lines = {fmt::format("mov.u32 %count{}, {};", s.id, 1 + choose_.below(4))};
    } else {
      s.lines = {fmt::format("and.b32 %count{}, {}, 3;", s.id, leaves_.r())};
    }
    if (!same_for_all || leaves_early) context.uniform = false, context.lanes = 0;
    context.breakable = leaves_early ? static_cast<int>(s.id) : -1;
    ++context.depth, ++context.loops;
    s.children = statements(context, 1 + choose_.below(5));
    if (!leaves_early) return s;
    auto at = s.children.begin() + choose_.below(static_cast<uint32_t>(s.children.size()) + 1);
    if (choose_.one_in(2)) {
      s.children.insert(at, leave_loop(context));
      return s;
    }
    // A search: what to say when nothing was found stands before it, and what was found is written on the way out.
    const std::string found = leaves_.r();
    const uint32_t stay = next_++;
    s.children.insert(at, Leaves::code({fmt::format("@{} bra stay{};", leaves_.p(), stay),
                                        fmt::format("mov.u32 {}, {};", found, choose_.below(8)),
                                        fmt::format("bra done{};", s.id), fmt::format("stay{}:", stay)}));
    Statement block{Statement::Kind::Block, {}, {}, {}, next_++};
    block.children.push_back(Leaves::code({fmt::format("mov.u32 {}, {};", found, choose_.below(8))}));
    block.children.push_back(std::move(s));
    return block;
  }

  // break and continue
  Statement leave_loop(const Context& context) {
    return Leaves::code({fmt::format("@{}{} bra {}{};", choose_.one_in(2) ? "!" : "", leaves_.p(),
                                     choose_.one_in(3) ? "loop" : "done", context.breakable)});
  }

  Statement choice(Context context) {
    Statement s{Statement::Kind::Switch, {fmt::format("mov.b32 %x, {};", leaves_.r())}, {}, {}, next_++};
    context.uniform = false;
    context.lanes = 0;
    ++context.depth;
    for (unsigned k = 2 + choose_.below(3); k > 0; --k) {
      s.children.push_back({Statement::Kind::Block, {}, statements(context, 1 + choose_.below(2)), {}, next_++});
    }
    return s;
  }

  Statement return_early() { return Leaves::code({fmt::format("@{} bra leave;", leaves_.p())}); }

  // Some threads end here; what they leave behind is what they had stored.
  Statement leave() {
    std::string p = leaves_.p();
    return Leaves::code({fmt::format("@{} st.global.b32 [%mine], {};", p, leaves_.r()),
                         fmt::format("@{} {};", p, choose_.one_in(2) ? "exit" : "ret")});
  }

  // Calls nest, but not in loops: the run must end before the night does.
  bool may_call(const Context& context) const {
    return context.in_function ? context.loops == 0 && context.depth == 1 : functions_ > 0 && context.loops <= 1;
  }

  // Functions call those made before them, and themselves as long as %depth lasts. CC.CF does not survive a call
  // (PTX ISA 9.7.2).
  Statement call(const Context& context) {
    std::vector<std::string> lines = {fmt::format("st.param.b32 [argument], {};", leaves_.r()),
                                      "st.param.b64 [argument_in], %in;"};
    const bool itself = context.in_function && recursive_ && choose_.one_in(2);
    if (!itself && functions_ == 0) return leaves_.arithmetic(context);
    std::string before = choose_.one_in(4) ? fmt::format("@{} ", leaves_.p()) : "";
    std::string target = fmt::format("helper{}, (argument, argument_in, argument_depth)",
                                     itself ? functions_ : choose_.below(functions_));
    if (itself) {
      lines.insert(lines.begin(), "setp.gt.u32 %q, %depth, 0;");
      lines.insert(lines.end(), {"sub.u32 %x, %depth, 1;", "st.param.b32 [argument_depth], %x;"});
      before = "@%q ";
    } else {
      lines.push_back(fmt::format("st.param.b32 [argument_depth], {};", choose_.below(4)));
    }
    if (indirect_ && !context.in_function && choose_.one_in(2)) {
      lines.insert(lines.end(), {fmt::format("rem.u32 %x, {}, {};", leaves_.r(), functions_), "mov.u64 %y, functions;",
                                 "mad.wide.u32 %y, %x, 8, %y;", "ld.global.b64 %y, [%y];"});
      target = "%y, (argument, argument_in, argument_depth), prototype";
    }
    std::string result = leaves_.r();
    // A guard on the call alone would let threads that did not call load its result.
    const uint32_t label = next_++;
    if (!before.empty()) lines.push_back(fmt::format("@!{}bra uncalled{};", before.substr(1), label));
    lines.push_back(fmt::format("call (returned), {};", target));
    lines.push_back(fmt::format("ld.param.b32 {}, [returned];", result));
    if (!before.empty()) lines.push_back(fmt::format("uncalled{}:", label));
    lines.push_back("add.cc.u32 %x, %r0, %r1;");
    return Leaves::code({fmt::format(
        "{}", fmt::join(lines, "\n  "))});  // a line that shrinking keeps whole: no argument without a value
  }

  Choose choose_;
  Leaves leaves_;
  uint32_t next_ = 0, functions_ = 0;
  bool indirect_ = false, recursive_ = false;
  bool newest_;  // whether some may want what came after sm_90a
};

}  // namespace

Program generate(const Vocabulary& vocabulary, uint64_t seed) { return Generator(vocabulary, seed).run(seed); }

std::vector<uint64_t> inputs(uint64_t seed) {
  constexpr uint64_t kEdges[] = {
      0,
      1,
      ~uint64_t{0},
      uint64_t{1} << 63,
      (uint64_t{1} << 63) - 1,
      0x80000000,
      0x7fffffff,
      0x8000,
      0x7fff,
      31,
      32,
      64,
      0x3f8000003f800000,
      0x7f8000007f800000,
      0xff800000ff800000,
      0x0000000100000001,
      0x8000000180000001,
      0x7f7fffff7f7fffff,
      0x3c003c003c003c00,
      0x7c007c007c007c00,
      0x0001000100010001,
      0x3ff0000000000000,
      0xbff8000000000000,
      0x7ff0000000000000,
      0x7fefffffffffffff,
      0x0010000000000000,
      0x4024000000000000,
      0xc1d00000c1d00000,
  };
  Choose choose(seed ^ 0x9e3779b97f4a7c15);
  std::vector<uint64_t> numbers;
  while (numbers.size() < kInputs)
    numbers.push_back(choose.one_in(3) ? kEdges[choose.below(std::size(kEdges))] : choose.bits() >> choose.below(48));
  return numbers;
}

}  // namespace warpwise::random_programs
