#include "program.h"

#include <fmt/format.h>

namespace warpwise::random_programs {

namespace {

// A register class: its name in the table's forms, its type, its bytes, and how a value of it is made from
// the 64-bit number in %rd0.
struct RegisterClass {
  const char* name;
  const char* type;
  unsigned bytes;
};
constexpr RegisterClass kClasses[] = {
    {"rd", "b64", 8}, {"fd", "f64", 8}, {"r", "b32", 4}, {"f", "f32", 4}, {"hh", "f16x2", 4}, {"rs", "b16", 2}, {"h", "f16", 2},
};

std::string declarations() {
  std::string text = fmt::format("  .reg .pred %p<{}>;\n", kRegisters);
  for (const RegisterClass& c : kClasses) text += fmt::format("  .reg .{} %{}<{}>;\n", c.type, c.name, kRegisters);
  return text + "  .reg .b32 %x, %lane, %thread;\n  .reg .b64 %y, %in, %out, %counters, %mine;\n  .reg .f32 %g;\n  .reg .f64 %gd;\n"
                "  .reg .b16 %s;\n  .reg .pred %q;\n  .reg .b32 %shared;\n";
}

// Fills the registers: %y walks through the numbers at [%in], starting where %x says.
std::string fill() {
  std::string text;
  unsigned step = 0;
  for (const RegisterClass& c : kClasses) {
    for (unsigned n = 0; n < kRegisters; ++n) {
      text += fmt::format("  add.u32 %x, %thread, {};\n  and.b32 %x, %x, {};\n  mad.wide.u32 %y, %x, 8, %in;\n", step++ * 5, kInputs - 1);
      if (c.bytes == 2) {
        text += fmt::format("  ld.global.b16 %s, [%y];\n  mov.b16 %{}{}, %s;\n", c.name, n);
      } else {
        text += fmt::format("  ld.global.b{} %{}{}, [%y];\n", c.bytes * 8, c.name, n);
      }
    }
  }
  for (unsigned n = 0; n < kRegisters; ++n) text += fmt::format("  setp.lt.s32 %p{}, %r{}, %r{};\n", n, n, (n + 1) % kRegisters);
  // CC.CF and %q have values from here on, also where shrinking leaves out what sets them.
  return text + "  add.cc.u32 %x, %r0, %r1;\n  mov.pred %q, %p0;\n";
}

// Stores the registers. NaN payloads are an engine's own affair, so floats become canonical first.
std::string spill() {
  std::string text;
  unsigned at = 0;
  for (const RegisterClass& c : kClasses) {
    for (unsigned n = 0; n < kRegisters; ++n, at += c.bytes) {
      std::string reg = fmt::format("%{}{}", c.name, n), type = fmt::format("b{}", c.bytes * 8);
      if (c.name == std::string_view("f")) {
        text += fmt::format("  setp.nan.f32 %q, {0}, {0};\n  selp.f32 %g, 0f7FFFFFFF, {0}, %q;\n", reg);
        reg = "%g";
      } else if (c.name == std::string_view("fd")) {
        text += fmt::format("  setp.nan.f64 %q, {0}, {0};\n  selp.f64 %gd, 0d7FF8000000000000, {0}, %q;\n", reg);
        reg = "%gd";
      } else if (c.name == std::string_view("h")) {
        text += fmt::format("  setp.nan.f16 %q, {0}, {0};\n  mov.b16 %s, {0};\n  selp.b16 %s, 0x7fff, %s, %q;\n", reg);
        reg = "%s";
      }
      text += fmt::format("  st.global.{} [%out+{}], {};\n", type, at, reg);
    }
  }
  for (unsigned n = 0; n < kRegisters; ++n) text += fmt::format("  selp.u32 %x, 1, 0, %p{};\n  st.global.u32 [%out+{}], %x;\n", n, at + 4 * n);
  return text;
}

void print(const std::vector<Statement>& statements, std::string& text);

void print(const Statement& s, std::string& text) {
  switch (s.kind) {
    case Statement::Kind::Code:
      for (const std::string& line : s.lines) text += "  " + line + "\n";
      break;
    case Statement::Kind::Block: print(s.children, text); break;
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
      print(s.children, text);
      text += fmt::format("  sub.u32 %count{0}, %count{0}, 1;\n  bra loop{0};\ndone{0}:\n  }}\n", s.id);
      break;
  }
}

void print(const std::vector<Statement>& statements, std::string& text) {
  for (const Statement& s : statements) print(s, text);
}

std::string print_function(const DeviceFunction& function) {
  std::string text = fmt::format(".func (.param .b32 result) {}(.param .b32 a, .param .b64 numbers)\n{{\n", function.name);
  text += declarations();
  text += "  ld.param.b32 %thread, [a];\n  ld.param.b64 %in, [numbers];\n" + fill();
  text += "  ld.param.b32 %r0, [a];\n";
  print(function.body, text);
  text += "  xor.b32 %r0, %r0, %r1;\n  cvt.u32.u16 %x, %rs0;\n  add.u32 %r0, %r0, %x;\n";
  return text + "  st.param.b32 [result], %r0;\n  ret;\n}\n\n";
}

}  // namespace

unsigned output_bytes() {
  unsigned bytes = 4 * kRegisters;
  for (const RegisterClass& c : kClasses) bytes += c.bytes * kRegisters;
  return (bytes + 15) / 16 * 16;
}

std::string to_ptx(const Program& program) {
  std::string text = fmt::format("// seed {}; {} blocks of {} threads\n.version 8.5\n.target sm_90a\n.address_size 64\n\n",
                                 program.seed, program.blocks, program.threads);
  for (const DeviceFunction& function : program.functions) text += print_function(function);
  text += fmt::format(".visible .entry kernel(.param .u64 in, .param .u64 out, .param .u64 counters, .param .u64 scratch)\n{{\n"
                      "  .shared .align 8 .b8 exchange[{}];\n", program.threads * 8);
  text += declarations();
  text += "  .param .b32 argument;\n  .param .b64 argument_in;\n  .param .b32 returned;\n";
  text += "  ld.param.u64 %in, [in];\n  ld.param.u64 %out, [out];\n  ld.param.u64 %counters, [counters];\n"
          "  ld.param.u64 %mine, [scratch];\n  mov.u32 %thread, %ctaid.x;\n  mov.u32 %x, %ntid.x;\n  mov.u32 %lane, %tid.x;\n"
          "  mad.lo.u32 %thread, %thread, %x, %lane;\n";
  text += fmt::format("  mad.wide.u32 %out, %thread, {}, %out;\n  mad.wide.u32 %mine, %thread, {}, %mine;\n", output_bytes(), kScratch * 4);
  text += "  mov.u32 %shared, exchange;\n  mad.lo.u32 %shared, %lane, 8, %shared;\n  mov.u32 %lane, %laneid;\n" + fill();
  print(program.body, text);
  return text + spill() + "  ret;\n}\n";
}

std::string to_text(const Program& program) {
  std::string text = fmt::format("{} blocks of {} threads\n", program.blocks, program.threads);
  for (const DeviceFunction& function : program.functions) {
    text += fmt::format("{}:\n", function.name);
    print(function.body, text);
  }
  text += "kernel:\n";
  print(program.body, text);
  return text;
}

}  // namespace warpwise::random_programs
