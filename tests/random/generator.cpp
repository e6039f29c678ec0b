#include "generator.h"

#include <fmt/format.h>

namespace warpwise::random_programs {

namespace {

// What a statement may do where it stands.
struct Context {
  bool uniform = true;            // all threads of the block come here together: barriers are allowed
  uint32_t lanes = 0xffffffff;    // those of the warp that come here together; 0: not known
  unsigned depth = 0;
  bool in_function = false;
};

class Generator {
 public:
  Generator(const Vocabulary& vocabulary, uint64_t seed) : vocabulary_(vocabulary), choose_(seed) {}

  Program run(uint64_t seed) {
    Program program;
    program.seed = seed;
    program.blocks = 1 + choose_.below(3);
    program.threads = 32 * (1 + choose_.below(3));
    for (unsigned f = choose_.below(3); f > 0; --f) {
      Context context{false, 0, 1, true};
      program.functions.push_back({fmt::format("helper{}", f), statements(context, 3 + choose_.below(8))});
    }
    functions_ = static_cast<uint32_t>(program.functions.size());
    program.body = statements(Context{}, 20 + choose_.below(40));
    return program;
  }

 private:
  std::vector<Statement> statements(const Context& context, unsigned count) {
    std::vector<Statement> list;
    for (; count > 0; --count) list.push_back(statement(context));
    return list;
  }

  Statement statement(const Context& context) {
    uint32_t kind = choose_.below(100);
    if (kind < 60) return arithmetic(context);
    if (kind < 66) return context.depth < 3 ? branch(context) : arithmetic(context);
    if (kind < 71) return context.depth < 3 ? loop(context) : arithmetic(context);
    if (kind < 76) return gather();
    if (context.in_function) return arithmetic(context);
    if (kind < 80) return scratch();
    if (kind < 84) return atomic();
    if (kind < 90) return context.lanes ? warp(context) : arithmetic(context);
    if (kind < 93) return context.depth < 3 && context.lanes ? lane_branch(context) : arithmetic(context);
    if (kind < 97) return context.uniform ? exchange() : arithmetic(context);
    return functions_ ? call() : arithmetic(context);
  }

  std::string r() { return fmt::format("%r{}", choose_.below(kRegisters)); }
  std::string p() { return fmt::format("%p{}", choose_.below(kRegisters)); }
  static Statement code(std::vector<std::string> lines) { return {Statement::Kind::Code, std::move(lines), {}, {}, 0}; }

  Statement arithmetic(const Context& context) {
    std::string text = vocabulary_.instruction(choose_, !context.in_function);
    if (choose_.one_in(6)) text = fmt::format("@{}{} {}", choose_.one_in(2) ? "!" : "", p(), text);
    return code({text});
  }

  // A condition that each thread decides for itself.
  Statement branch(Context context) {
    Statement s{Statement::Kind::If, {p()}, {}, {}, next_++};
    context.uniform = false;
    context.lanes = 0;
    ++context.depth;
    s.children = statements(context, 1 + choose_.below(6));
    if (choose_.one_in(2)) s.others = statements(context, 1 + choose_.below(4));
    return s;
  }

  // Lanes part by a pattern known beforehand, so that each side can name its members.
  Statement lane_branch(Context context) {
    constexpr uint32_t kPatterns[] = {0x0000ffff, 0x55555555, 0x00ff00ff, 0x7fffffff, 0x0000000f};
    uint32_t pattern = kPatterns[choose_.below(5)];
    uint32_t here = context.lanes & pattern, there = context.lanes & ~pattern;
    Statement block{Statement::Kind::Block, {}, {}, {}, next_++};
    block.children.push_back(code({fmt::format("mov.b32 %x, {:#x};", pattern), "shr.u32 %x, %x, %lane;", "and.b32 %x, %x, 1;",
                                   "setp.ne.u32 %q, %x, 0;"}));
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

  Statement loop(Context context) {
    Statement s{Statement::Kind::Loop, {}, {}, {}, next_++};
    bool same_for_all = choose_.one_in(2);
    if (same_for_all) {
      s.lines = {fmt::format("mov.u32 %count{}, {};", s.id, 1 + choose_.below(4))};
    } else {
      s.lines = {fmt::format("and.b32 %count{}, {}, 3;", s.id, r())};
      context.uniform = false;
      context.lanes = 0;
    }
    ++context.depth;
    s.children = statements(context, 1 + choose_.below(5));
    return s;
  }

  // A load from the inputs, at an index that is computed.
  Statement gather() {
    unsigned bits = choose_.one_in(2) ? 32 : 64;
    std::string to = fmt::format("{}{}", bits == 32 ? "%r" : "%rd", choose_.below(kRegisters));
    return code({fmt::format("and.b32 %x, {}, {};", r(), kInputs - 1), "mad.wide.u32 %y, %x, 8, %in;",
                 fmt::format("ld.global.b{} {}, [%y];", bits, to)});
  }

  // A store to, or a load from, the thread's own cells.
  Statement scratch() {
    unsigned cell = choose_.below(kScratch) * 4;
    if (choose_.one_in(2)) return code({fmt::format("st.global.b32 [%mine+{}], {};", cell, r())});
    return code({fmt::format("and.b32 %x, {}, {};", r(), kScratch - 1), "mad.wide.u32 %y, %x, 4, %mine;",
                 choose_.one_in(2) ? fmt::format("st.global.b32 [%y], {};", r()) : fmt::format("ld.global.b32 {}, [%y];", r())});
  }

  // An atomic whose result nobody reads and whose effect does not depend on the order. Each cell knows one operation.
  Statement atomic() {
    constexpr const char* kOperations[] = {"add.u32", "max.s32", "min.u32", "or.b32", "and.b32", "xor.b32", "max.u32", "min.s32"};
    unsigned operation = choose_.below(8), cell = operation + 8 * choose_.below(kCounters / 8);
    if (choose_.one_in(2)) return code({fmt::format("red.global.{} [%counters+{}], {};", kOperations[operation], cell * 4, r())});
    return code({fmt::format("atom.global.{} %x, [%counters+{}], {};", kOperations[operation], cell * 4, r())});
  }

  Statement warp(const Context& context) {
    std::string mask = fmt::format("{:#x}", context.lanes);
    switch (choose_.below(6)) {
      case 0: return shuffle(context.lanes);
      case 1: return code({fmt::format("vote.sync.ballot.b32 {}, {}, {};", r(), p(), mask)});
      case 2: {
        constexpr const char* kModes[] = {"all", "any", "uni"};
        return code({fmt::format("vote.sync.{}.pred {}, {}{}, {};", kModes[choose_.below(3)], p(), choose_.one_in(2) ? "!" : "", p(), mask)});
      }
      case 3: {
        constexpr const char* kOperations[] = {"add.u32", "min.u32", "max.u32", "add.s32", "min.s32", "max.s32", "and.b32", "or.b32", "xor.b32"};
        return code({fmt::format("redux.sync.{} {}, {}, {};", kOperations[choose_.below(9)], r(), r(), mask)});
      }
      case 4:
        return code({fmt::format("and.b32 %x, {}, 3;", r()), fmt::format("match.any.sync.b32 {}, %x, {};", r(), mask)});
      default: return code({fmt::format("match.all.sync.b32 {}|{}, {}, {};", r(), p(), r(), mask)});
    }
  }

  // The source must be a member: the whole warp may use every mode, a part of it reads one of its own lanes.
  Statement shuffle(uint32_t lanes) {
    if (lanes != 0xffffffff) {
      uint32_t source = 0;
      do source = choose_.below(32);
      while (!(lanes >> source & 1));
      return code({fmt::format("shfl.sync.idx.b32 {}|{}, {}, {}, 31, {:#x};", r(), p(), r(), source, lanes)});
    }
    constexpr const char* kModes[] = {"up", "down", "bfly", "idx"};
    unsigned mode = choose_.below(4);
    unsigned segment = choose_.one_in(3) ? 0x1800 : choose_.one_in(2) ? 0x1000 : 0;
    std::string b = choose_.one_in(2) ? r() : std::to_string(choose_.below(32));
    return code({fmt::format("shfl.sync.{}.b32 {}|{}, {}, {}, {:#x}, 0xffffffff;", kModes[mode], r(), p(), r(), b,
                             segment | (mode == 0 ? 0 : 31))});
  }

  // Through shared memory to another thread of the block.
  Statement exchange() {
    std::string shift = std::to_string(1 + choose_.below(40));
    return code({fmt::format("st.shared.b64 [%shared], %rd{};", choose_.below(kRegisters)), "bar.sync 0;", "{",
                 ".reg .b32 %n, %other, %base;", "mov.u32 %n, %ntid.x;", "mov.u32 %other, %tid.x;",
                 fmt::format("add.u32 %other, %other, {};", shift), "rem.u32 %other, %other, %n;", "mov.u32 %base, exchange;",
                 "mad.lo.u32 %other, %other, 8, %base;", fmt::format("ld.shared.b64 %rd{}, [%other];", choose_.below(kRegisters)), "}",
                 "bar.sync 0;"});
  }

  // CC.CF does not survive a call (PTX ISA 9.7.2).
  Statement call() {
    return code({fmt::format("st.param.b32 [argument], {};", r()), "st.param.b64 [argument_in], %in;",
                 fmt::format("call (returned), helper{}, (argument, argument_in);", 1 + choose_.below(functions_)),
                 fmt::format("ld.param.b32 {}, [returned];", r()), "add.cc.u32 %x, %r0, %r1;"});
  }

  const Vocabulary& vocabulary_;
  Choose choose_;
  uint32_t next_ = 0, functions_ = 0;
};

}  // namespace

Program generate(const Vocabulary& vocabulary, uint64_t seed) { return Generator(vocabulary, seed).run(seed); }

std::vector<uint64_t> inputs(uint64_t seed) {
  std::vector<uint64_t> numbers = {
      0, 1, ~uint64_t{0}, uint64_t{1} << 63, (uint64_t{1} << 63) - 1, 0x80000000, 0x7fffffff, 0x8000, 0x7fff, 31, 32, 64,
      0x3f8000003f800000, 0x7f8000007f800000, 0xff800000ff800000, 0x0000000100000001, 0x8000000180000001, 0x7f7fffff7f7fffff,
      0x3c003c003c003c00, 0x7c007c007c007c00, 0x0001000100010001, 0x3ff0000000000000, 0xbff8000000000000, 0x7ff0000000000000,
      0x7fefffffffffffff, 0x0010000000000000, 0x4024000000000000, 0xc1d00000c1d00000,
  };
  Choose choose(seed ^ 0x9e3779b97f4a7c15);
  while (numbers.size() < kInputs) numbers.push_back(choose.bits() >> choose.below(48));
  return numbers;
}

}  // namespace warpwise::random_programs
