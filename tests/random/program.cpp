#include "program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>

#include "surroundings.h"

namespace warpwise::random_programs {

namespace {

// A register class: its name in the table's forms, its type, its bytes. The widest come first: each class lies
// in the output as [register][thread], so that what a warp stores is contiguous and aligned.
struct RegisterClass {
  const char* name;
  const char* type;
  unsigned bytes;
};
constexpr RegisterClass kClasses[] = {
    {"rd", "b64", 8}, {"fd", "f64", 8}, {"r", "b32", 4}, {"f", "f32", 4}, {"hh", "f16x2", 4},
    {"p", "pred", 4}, {"rs", "b16", 2}, {"h", "f16", 2}, {"b", "b8", 1},
};

bool is(const RegisterClass& c, std::string_view name) { return c.name == name; }

// Whether `text` speaks of register `name`, and not of one whose name begins so.
bool mentions(std::string_view text, std::string_view name) {
  for (size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    size_t end = at + name.size();
    if (end == text.size() || !(std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_')) return true;
  }
  return false;
}

std::string declarations() {
  std::string text;
  for (const RegisterClass& c : kClasses) text += fmt::format("  .reg .{} %{}<{}>;\n", c.type, c.name, kRegisters);
  return text +
         "  .reg .b32 %x, %z, %lane, %thread, %index, %warp, %shared, %depth, %block, %tile, %inbox;\n  .reg .b64 %y, "
         "%in, %from, %out, %counters, %mine, %local, %number, %boxes, %unread;\n"
         "  .reg .f32 %g;\n  .reg .f64 %gd;\n  .reg .b16 %s;\n  .reg .pred %q;\n";
}

// Fills the registers that `body` speaks of, thread by thread from other places of the numbers at [%in].
std::string fill(const std::string& body) {
  std::string text;
  unsigned step = 0, filled_bytes = 0;
  static_assert(kInputs * 8 >= kMostThreads * 8 + 40 * kRegisters * std::size(kClasses),
                "the last thread finds numbers for its last register");
  for (const RegisterClass& c : kClasses) {
    for (unsigned n = 0; n < kRegisters; ++n) {
      step += 40;
      std::string reg = fmt::format("%{}{}", c.name, n);
      if (!mentions(body, reg)) continue;
      if (filled_bytes != c.bytes) {
        text += fmt::format("  mad.lo.u64 %from, %number, {}, %in;\n", c.bytes);
        filled_bytes = c.bytes;
      }
      if (is(c, "p")) {
        text +=
            fmt::format("  ld.global.b32 %x, [%from+{}];\n  and.b32 %x, %x, 1;\n  setp.ne.u32 {}, %x, 0;\n", step, reg);
      } else if (c.bytes == 2) {
        text += fmt::format("  ld.global.b16 %s, [%from+{}];\n  mov.b16 {}, %s;\n", step, reg);
      } else {
        text += fmt::format("  ld.global.b{} {}, [%from+{}];\n", c.bytes * 8, reg, step);
      }
    }
  }
  // CC.CF, %q and local memory have values from here on, also where shrinking leaves out what sets them.
  if (body.find("addc") != body.npos || body.find("subc") != body.npos || body.find("madc") != body.npos)
    text += "  add.cc.u32 %x, %thread, -3;\n";
  if (mentions(body, "%q")) text += "  setp.ne.u32 %q, %thread, 3;\n";
  if (mentions(body, "%local")) {
    text += fmt::format("  .local .align 16 .b8 array[{}];\n  mov.u64 %local, array;\n", kLocalBytes);
    for (unsigned at = 0; at < kLocalBytes; at += 8)
      text += fmt::format("  st.local.b64 [array+{}], {:#x};\n", at, 0x0123456789abcdefu + at);
  }
  return text;
}

// Stores the registers. Each engine has NaN payloads of its own, so floats become canonical first.
std::string spill(const Shape& shape, const std::string& body) {
  std::string text;
  unsigned spilled_bytes = 0;
  size_t at = 0;
  const size_t threads = (shape.threads() + 3) / 4 * 4;
  for (const RegisterClass& c : kClasses) {
    for (unsigned n = 0; n < kRegisters; ++n, at += c.bytes * threads) {
      std::string reg = fmt::format("%{}{}", c.name, n), type = fmt::format("b{}", c.bytes * 8);
      if (!mentions(body, reg)) continue;
      if (spilled_bytes != c.bytes) {
        text += fmt::format("  mad.lo.u64 %y, %number, {}, %out;\n", c.bytes);
        spilled_bytes = c.bytes;
      }
      if (is(c, "f")) {
        text += fmt::format("  setp.nan.f32 %q, {0}, {0};\n  selp.f32 %g, 0f7FFFFFFF, {0}, %q;\n", reg);
        reg = "%g";
      } else if (is(c, "fd")) {
        text += fmt::format("  setp.nan.f64 %q, {0}, {0};\n  selp.f64 %gd, 0d7FF8000000000000, {0}, %q;\n", reg);
        reg = "%gd";
      } else if (is(c, "h")) {
        text += fmt::format("  setp.nan.f16 %q, {0}, {0};\n  mov.b16 %s, {0};\n  selp.b16 %s, 0x7fff, %s, %q;\n", reg);
        reg = "%s";
      } else if (is(c, "p")) {
        text += fmt::format("  selp.u32 %x, 1, 0, {};\n", reg);
        reg = "%x";
      }
      text += fmt::format("  st.global.{} [%y+{}], {};\n", type, at, reg);
    }
  }
  return text;
}

void print(const std::vector<Statement>& statements, std::string& text);

void print(const Statement& s, std::string& text) {
  switch (s.kind) {
    case Statement::Kind::Code:
      for (const std::string& line : s.lines) text += "  " + line + "\n";
      break;
    case Statement::Kind::Block:
      print(s.children, text);
      break;
    case Statement::Kind::If:
      text += fmt::format("  @!{} bra else{};\n", s.lines[0], s.id);
      print(s.children, text);
      text += fmt::format("  bra join{0};\nelse{0}:\n", s.id);
      print(s.others, text);
      text += fmt::format("join{}:\n", s.id);
      break;
    case Statement::Kind::Loop:
      text += fmt::format("  {{\n  .reg .b32 %count{0};\n  .reg .pred %more{0};\n  {1}\nloop{0}:\n", s.id, s.lines[0]);
      text += fmt::format("  setp.eq.u32 %more{0}, %count{0}, 0;\n  @%more{0} bra done{0};\n", s.id);
      text += fmt::format("  sub.u32 %count{0}, %count{0}, 1;\n", s.id);
      print(s.children, text);
      text += fmt::format("  bra loop{0};\ndone{0}:\n  }}\n", s.id);
      break;
    case Statement::Kind::Switch: {
      std::string targets;
      for (size_t k = 0; k < s.children.size(); ++k) targets += fmt::format("{}case{}_{}", k ? ", " : "", s.id, k);
      text += fmt::format("  {}\n  rem.u32 %x, %x, {};\ntargets{}: .branchtargets {};\n  brx.idx %x, targets{};\n",
                          s.lines[0], s.children.size(), s.id, targets, s.id);
      for (size_t k = 0; k < s.children.size(); ++k) {
        text += fmt::format("case{}_{}:\n", s.id, k);
        print(s.children[k], text);
        text += fmt::format("  bra join{};\n", s.id);
      }
      text += fmt::format("join{}:\n", s.id);
      break;
    }
  }
}

void print(const std::vector<Statement>& statements, std::string& text) {
  for (const Statement& s : statements) print(s, text);
}

std::string printed(const std::vector<Statement>& statements) {
  std::string text;
  print(statements, text);
  return text;
}

// Every function has this signature, so that one prototype serves calls through pointers.
constexpr const char* kSignature = "(.param .b32 a, .param .b64 numbers, .param .b32 depth)";
constexpr const char* kCallParameters =
    "  .param .b32 argument;\n  .param .b64 argument_in;\n  .param .b32 argument_depth;\n  .param .b32 returned;\n";

std::string call_frame(const std::string& body) {
  std::string text = body.find("call ") == body.npos ? "" : kCallParameters;
  if (mentions(body, "prototype"))
    text += "prototype: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b64 _, .param .b32 _);\n";
  return text;
}

std::string print_function(const DeviceFunction& function) {
  std::string body = printed(function.body) + "  xor.b32 %r0, %r0, %r1;\n";
  std::string text = fmt::format(".func (.param .b32 result) {}{}\n{{\n", function.name, kSignature);
  text += declarations() + call_frame(body);
  text +=
      "  ld.param.b64 %in, [numbers];\n  ld.param.b32 %depth, [depth];\n  mov.u32 %thread, %tid.x;\n  cvt.u64.u32 "
      "%number, %thread;\n";
  text += fill(body) + "  ld.param.b32 %r0, [a];\n" + body;
  return text + "leave:\n  st.param.b32 [result], %r0;\n  ret;\n}\n\n";
}

// %index: the thread's number in the block; %thread: in the grid; %number: the same in 64 bits, for the frame alone,
// where the compiler sees that nothing wraps and spares it the second form of each access, which took half of the time
// of a program.
std::string numbering(const Shape& shape) {
  constexpr char kDimension[] = "xyz";
  std::string text = "  mov.u32 %index, %tid.x;\n", block = "  mov.u32 %thread, %ctaid.x;\n";
  uint32_t row = shape.block[0], blocks = shape.grid[0];
  for (unsigned d = 1; d < 3; ++d) {
    if (shape.block[d] > 1)
      text += fmt::format("  mov.u32 %x, %tid.{};\n  mad.lo.u32 %index, %x, {}, %index;\n", kDimension[d], row);
    if (shape.grid[d] > 1)
      block += fmt::format("  mov.u32 %x, %ctaid.{};\n  mad.lo.u32 %thread, %x, {}, %thread;\n", kDimension[d], blocks);
    row *= shape.block[d], blocks *= shape.grid[d];
  }
  return text + block +
         fmt::format(
             "  cvt.u64.u32 %number, %index;\n  mad.wide.u32 %number, %thread, {0}, %number;\n"
             "  mad.lo.u32 %thread, %thread, {0}, %index;\n",
             row);
}

// Textures, surfaces, tensor maps and copies that `body` speaks of.
struct Around {
  std::string parameters, loads;
};
Around the_surroundings(const Shape& shape, const std::string& body) {
  Around around;
  auto handle = [&](const std::string& name) {
    if (!mentions(body, "%" + name)) return;
    around.parameters += fmt::format(", .param .u64 {}", name);
    around.loads += fmt::format("  .reg .b64 %{0};\n  ld.param.u64 %{0}, [{0}];\n", name);
  };
  for (unsigned k = 0; k < kTextures; ++k) handle(fmt::format("texture_{}", kGeometries[k]));
  for (unsigned k = 0; k < kSurfaces; ++k) handle(fmt::format("surface_{}", kGeometries[k]));
  for (const char* name : kTensorNames) {
    if (!mentions(body, fmt::format("%{}", name))) continue;
    around.parameters += fmt::format(", .param .align 64 .b8 {}[{}]", name, device::kTensorMapBytes);
    around.loads += fmt::format("  .reg .b64 %{0};\n  mov.u64 %{0}, {0};\n  cvta.param.u64 %{0}, %{0};\n", name);
  }
  if (mentions(body, "%copies") || mentions(body, "%common")) {
    around.parameters += ", .param .u64 copies";
    around.loads += fmt::format(
        "  .reg .b64 %copies, %common;\n  ld.param.u64 %copies, [copies];\n  add.u64 %common, %copies, {};\n"
        "  mad.wide.u32 %copies, %thread, 16, %copies;\n",
        shape.threads() * size_t{16});
  }
  return around;
}

// `bytes` of shared memory that all threads fill from the inputs together.
std::string filled(const char* name, unsigned bytes, uint32_t threads) {
  return fmt::format(
      "  .shared .align 1024 .b8 {0}[{1}];\n  mov.u32 %x, %index;\nfill_{0}:\n  setp.ge.u32 %q, %x, {2};\n  @%q bra "
      "filled_{0};\n"
      "  mad.wide.u32 %y, %x, 8, %in;\n  ld.global.b64 %y, [%y];\n  mov.u32 %z, {0};\n  mad.lo.u32 %z, %x, 8, %z;\n  "
      "st.shared.b64 [%z], %y;\n"
      "  add.u32 %x, %x, {3};\n  bra fill_{0};\nfilled_{0}:\n",
      name, bytes, bytes / 8, threads);
}

// The shared memory that `body` speaks of, and what lies in it at first.
std::string shared_memory(const Shape& shape, const std::string& body) {
  std::string text;
  bool together = false;  // threads read what others have filled
  if (mentions(body, "%shared") || mentions(body, "exchange")) {
    text += fmt::format(
        "  .shared .align 16 .b8 exchange[{}];\n  mov.u32 %shared, exchange;\n  mad.lo.u32 %shared, %index, 8, "
        "%shared;\n"
        "  st.shared.b64 [%shared], 0;\n",
        product(shape.block) * 8);
  }
  if (mentions(body, "%inbox") || mentions(body, "inbox")) {
    text += fmt::format(
        "  .shared .align 16 .b8 inbox[{0}];\n  mov.u32 %inbox, inbox;\n  mad.lo.u32 %inbox, %index, {1}, %inbox;\n"
        "  st.shared.b64 [%inbox], 0;\n  st.shared.b64 [%inbox+8], 0;\n",
        product(shape.block) * kInboxBytes, kInboxBytes);
    together = true;
  }
  if (mentions(body, "%tile")) {
    text += fmt::format(
        "  .shared .align 128 .b8 tiles[{0}];\n  mov.u32 %tile, tiles;\n  mad.lo.u32 %tile, %warp, {1}, %tile;\n  "
        "mad.wide.u32 %from, %index, 8, %in;\n"
        "  mad.lo.u32 %z, %lane, 8, %tile;\n",
        (product(shape.block) + 31) / 32 * kTileBytes, kTileBytes);
    for (unsigned at = 0; at < kTileBytes; at += 256)
      text += fmt::format("  ld.global.b64 %y, [%from+{0}];\n  st.shared.b64 [%z+{0}], %y;\n", at);
    together = true;
  }
  if (mentions(body, "operands")) text += filled("operands", kOperandBytes, product(shape.block)), together = true;
  if (mentions(body, "staging")) text += filled("staging", kBoxBytes, product(shape.block)), together = true;
  if (mentions(body, "wide_staging"))
    text += filled("wide_staging", kWideBoxBytes, product(shape.block)), together = true;
  if (mentions(body, "phase")) text += "  .shared .align 8 .b64 phase;\n";
  if (mentions(body, "columns")) text += "  .shared .align 4 .b32 columns;\n";
  if (mentions(body, "map")) text += "  .shared .align 128 .b8 map[128];\n";
  if (mentions(body, "tally")) {
    text += fmt::format("  .shared .align 8 .b8 tally[{}];\n", kTallies * 4);
    for (unsigned k = 0; k < kTallies; ++k) text += fmt::format("  st.shared.b32 [tally+{}], 0;\n", 4 * k);
    together = true;
  }
  if (together) text += "  fence.proxy.async;\n  bar.sync 0;\n";
  return text;
}

}  // namespace

std::string to_line(const Shape& shape) {
  return fmt::format("// random program: seed={} grid={} block={} cluster={}{} {}", shape.seed,
                     fmt::join(shape.grid, ","), fmt::join(shape.block, ","), shape.cluster,
                     shape.independent ? " independent" : "", names_of(shape.target).target);
}

bool from_line(std::string_view line, Shape& shape) {
  unsigned long long seed = 0;
  Extent &g = shape.grid, &b = shape.block;
  std::string text(line);
  if (std::sscanf(text.c_str(), "// random program: seed=%llu grid=%u,%u,%u block=%u,%u,%u cluster=%u", &seed, &g[0],
                  &g[1], &g[2], &b[0], &b[1], &b[2], &shape.cluster) != 8)
    return false;
  shape.seed = seed;
  shape.independent = text.find(" independent") != text.npos;
  for (Target target : {Target::Sm90a, Target::Sm100a, Target::Sm120a})
    if (text.ends_with(names_of(target).target)) shape.target = target;
  return true;
}

size_t output_bytes(const Shape& shape) {
  size_t bytes = 0;
  for (const RegisterClass& c : kClasses) bytes += c.bytes * kRegisters;
  return bytes * ((shape.threads() + 3) / 4 * 4);
}

std::string output_at(const Shape& shape, size_t at) {
  const size_t threads = (shape.threads() + 3) / 4 * 4;
  for (const RegisterClass& c : kClasses) {
    for (unsigned n = 0; n < kRegisters; ++n) {
      if (at < c.bytes * threads) return fmt::format("%{}{} of thread {}", c.name, n, at / c.bytes);
      at -= c.bytes * threads;
    }
  }
  return "nothing";
}

std::string to_ptx(const Program& program) {
  const Shape& shape = program.shape;
  std::string body = printed(program.body), functions, names;
  for (const DeviceFunction& function : program.functions) {
    functions += print_function(function);
    names += (names.empty() ? "" : ", ") + function.name;
  }
  std::string text = to_line(shape) +
                     fmt::format("\n.version 8.8\n.target {}\n.address_size 64\n\n", names_of(shape.target).target) +
                     functions;
  if (mentions(body, "functions"))
    text += fmt::format(".global .align 8 .u64 functions[{}] = {{{}}};\n\n", program.functions.size(), names);
  if (mentions(body, "constants"))
    text += fmt::format(".const .align 16 .b32 constants[8] = {{{}}};\n\n",
                        "1, 2, 0x80000000, 0xffffffff, 0x3f800000, 0x7fc00001, 12345678, 0");
  text +=
      ".visible .entry kernel(.param .u64 in, .param .u64 out, .param .u64 counters, .param .u64 scratch, .param .u64 "
      "boxes, .param .u64 unread";
  const Around around = the_surroundings(shape, body);
  text += around.parameters + ")" + (shape.cluster ? fmt::format(" .reqnctapercluster {}", shape.cluster) : "") +
          "\n{\n" + declarations() + call_frame(body);
  text += "  ld.param.u64 %in, [in];\n  ld.param.u64 %out, [out];\n" + numbering(shape);
  if (mentions(body, "%counters")) text += "  ld.param.u64 %counters, [counters];\n";
  if (mentions(body, "%boxes")) text += "  ld.param.u64 %boxes, [boxes];\n";
  if (mentions(body, "%unread")) text += "  ld.param.u64 %unread, [unread];\n";
  if (mentions(body, "%mine"))
    text += fmt::format("  ld.param.u64 %mine, [scratch];\n  mad.wide.u32 %mine, %thread, {}, %mine;\n", kScratch * 4);
  if (mentions(body, "%block"))
    text += fmt::format("  mov.u32 %block, %ctaid.x;\n  mov.u32 %x, %ctaid.y;\n  mad.lo.u32 %block, %x, {}, %block;\n",
                        shape.grid[0]);
  if (mentions(body, "%lane") || mentions(body, "%tile")) text += "  mov.u32 %lane, %laneid;\n";
  if (mentions(body, "%warp") || mentions(body, "%tile")) text += "  shr.u32 %warp, %index, 5;\n";
  text += around.loads + shared_memory(shape, body);
  return text + fill(body) + body + spill(shape, body) + "  ret;\n}\n";
}

std::string to_text(const Program& program) {
  std::string text = to_line(program.shape) + "\n";
  for (const DeviceFunction& function : program.functions)
    text += fmt::format("{}:\n", function.name) + printed(function.body);
  return text + "kernel:\n" + printed(program.body);
}

}  // namespace warpwise::random_programs
