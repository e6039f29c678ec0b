// What the tests of src/ptx share: loading text and files, and the round trip through the printer.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "ptx/parse/parser.h"
#include "ptx/printer.h"

namespace warpwise::ptx {

inline std::string test_path(const std::string& file) { return std::string(WARPWISE_SOURCE_DIR "/tests/ptx/") + file; }

inline std::string read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in) << path;
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

inline std::optional<Module> load_text(std::string text, Diagnostics& diagnostics, std::string name = "test.ptx") {
  return load(std::make_shared<SourceText>(std::move(name), std::move(text)), diagnostics);
}

inline std::optional<Module> load_file(const std::string& file, Diagnostics& diagnostics) {
  return load_text(read_text(test_path(file)), diagnostics, file);
}

// Operands are equal when everything but their positions in the text is equal.
inline bool same(const Operand& a, const Operand& b) {
  auto key = [](const Operand& o) {
    return std::tuple(o.kind, o.negated, o.component, o.selector, o.is_float, o.reg, o.bits, o.float_bits, o.exact_f32,
                      o.special, o.symbol.kind, o.base, o.offset, o.elements.size());
  };
  if (key(a) != key(b)) return false;
  for (size_t i = 0; i < a.elements.size(); ++i)
    if (!same(a.elements[i], b.elements[i])) return false;
  return true;
}

// Prints, parses, compares instruction by instruction, and prints again. Registers keep their numbers
// because the printer declares them in order.
inline void expect_round_trip(const Module& module, const std::string& what) {
  std::string text = print(module);
  Diagnostics diagnostics;
  auto again = load_text(text, diagnostics, "printed");
  ASSERT_TRUE(again) << what << "\n" << render_text(diagnostics, false);
  ASSERT_EQ(again->functions.size(), module.functions.size()) << what;
  ASSERT_EQ(again->variables.size(), module.variables.size()) << what;
  for (size_t v = 0; v < module.variables.size(); ++v) {
    EXPECT_EQ(again->variables[v].initial, module.variables[v].initial) << module.variables[v].name;
    EXPECT_EQ(again->variables[v].size, module.variables[v].size) << module.variables[v].name;
    EXPECT_EQ(again->variables[v].align, module.variables[v].align) << module.variables[v].name;
    EXPECT_EQ(again->variables[v].relocations.size(), module.variables[v].relocations.size())
        << module.variables[v].name;
  }
  for (const Function& f : module.functions) {
    const Function* g = again->find_function(f.name);
    ASSERT_TRUE(g) << f.name;
    ASSERT_EQ(f.instructions.size(), g->instructions.size()) << f.name;
    EXPECT_EQ(f.parameter_bytes, g->parameter_bytes);
    for (size_t i = 0; i < f.instructions.size(); ++i) {
      const Instruction &a = f.instructions[i], &b = g->instructions[i];
      EXPECT_EQ(a.op, b.op) << a.span;
      EXPECT_EQ(a.mods, b.mods) << a.span;
      EXPECT_EQ(a.guard.present, b.guard.present) << a.span;
      EXPECT_EQ(a.guard.negated, b.guard.negated) << a.span;
      ASSERT_EQ(a.operands.size(), b.operands.size()) << a.span;
      bool parameters_in_registers = !f.parameters.empty() && f.parameters[0].space == Space::Reg;
      for (size_t o = 0; o < a.operands.size() && !parameters_in_registers; ++o)
        EXPECT_TRUE(same(a.operands[o], b.operands[o])) << what << ": " << a.span << " / " << b.span;
    }
  }
  EXPECT_EQ(print(*again), text) << what;
}

}  // namespace warpwise::ptx
