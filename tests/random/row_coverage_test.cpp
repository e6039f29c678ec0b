// Every row of the instruction table that is executed is in a file of tests/ptx/exec, which says what its bits must be,
// and in random programs, which compare the engines. rows_left_out.inc names the rows that are not, each with its
// reason, and names no other. The same holds for every shape of matrix products with its types, and for every layout of
// their fragments. (Programs are made and parsed here, not run.)
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>

#include "generator.h"
#include "ptx/isa/isa.h"
#include "ptx/parse/parser.h"

namespace warpwise::random_programs {
namespace {

namespace fs = std::filesystem;

// Enough that the rarest statement is in some of them: a row stands in a hundred programs in the median, in two at
// least.
constexpr uint64_t kPrograms = 16000;

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

struct Seen {
  std::set<std::string> rows;
  std::set<std::string>
      matrices;  // instructions of the tensor cores with all their modifiers: "wmma.mma.sync.aligned.row.col..."

  void add(const std::string& text, const std::string& name) {
    Diagnostics diagnostics;
    auto module = ptx::load(std::make_shared<SourceText>(name, text), diagnostics);
    ASSERT_TRUE(module) << name << "\n" << render_text(diagnostics, false);
    for (const ptx::Function& f : module->functions)
      for (const ptx::Instruction& i : f.instructions) {
        rows.insert(std::string(i.spec().name));
        if (i.spec().unit == ptx::Unit::Tensor) matrices.insert(std::string(i.span.substr(0, i.span.find(' '))));
      }
  }
  // Whether an instruction has all these words.
  bool has_matrix(std::initializer_list<std::string> words) const {
    for (const std::string& text : matrices) {
      bool all = true;
      for (const std::string& word : words) all &= (text + ".").find(word) != std::string::npos;
      if (all) return true;
    }
    return false;
  }
};

const Seen& in_files() {
  static const Seen kSeen = [] {
    Seen seen;
    for (const auto& entry : fs::recursive_directory_iterator(WARPWISE_SOURCE_DIR "/tests/ptx/exec"))
      if (entry.path().extension() == ".ptx") seen.add(text_of(entry.path()), entry.path().filename());
    return seen;
  }();
  return kSeen;
}

const Seen& in_programs() {
  static const Seen kSeen = [] {
    Seen seen;
    const Vocabulary vocabulary;
    for (uint64_t seed = 1; seed <= kPrograms; ++seed)
      seen.add(to_ptx(generate(vocabulary, seed)), "seed " + std::to_string(seed));
    return seen;
  }();
  return kSeen;
}

const std::set<std::string> kLeftOut = {
#define LEFT_OUT(row, reason) #row,
#include "rows_left_out.inc"
#undef LEFT_OUT
};

TEST(RowCoverage, every_executed_row_has_a_file) {
  for (const ptx::Spec& spec : ptx::all_specs()) {
    if (spec.state != ptx::State::Executed) continue;
    EXPECT_TRUE(in_files().rows.count(std::string(spec.name)))
        << spec.name << " is in no file of tests/ptx/exec: write one";
  }
}

TEST(RowCoverage, every_executed_row_is_in_random_programs) {
  std::set<std::string> executed;
  for (const ptx::Spec& spec : ptx::all_specs()) {
    if (spec.state != ptx::State::Executed) continue;
    const std::string row(spec.name);
    executed.insert(row);
    const bool left_out = kLeftOut.count(row), there = in_programs().rows.count(row);
    EXPECT_TRUE(there || left_out) << row
                                   << " is in no random program: give it a statement (tests/random/statements*.cpp), "
                                      "or a reason in rows_left_out.inc";
    EXPECT_FALSE(there && left_out) << row << " is in random programs, yet in rows_left_out.inc";
  }
  for (const std::string& row : kLeftOut)
    EXPECT_TRUE(executed.count(row)) << row << " of rows_left_out.inc is no executed row";
}

// "m16n8k16" of "M16N8K16".
std::string lower(std::string_view shape) {
  std::string text;
  for (char c : shape) text += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  return text;
}

// One of them will do.
std::vector<std::string> elements_of(std::string_view family) {
  if (family == "F8") return {".e4m3.", ".e5m2."};
  if (family == "Int8") return {".s8.", ".u8."};
  if (family == "Int4") return {".s4.", ".u4."};
  if (family == "MxF4") return {".kind::mxf4.", ".kind::mxf4nvf4."};
  if (family.ends_with("F8F6F4")) return {fmt::format(".kind::{}.", lower(family))};
  return {fmt::format(".{}.", lower(family))};
}

TEST(RowCoverage, every_shape_of_matrix_products_is_in_both) {
  for (const MatrixRow& row : matrix_rows()) {
    const std::string opcode = row.kind == "Wmma"  ? "wmma.mma"
                               : row.kind == "Mma" ? "mma.sync"
                                                   : "mma.sp",
                      shape = fmt::format(".{}.", lower(row.shape));
    // wmma of halves does not name them.
    const bool unnamed = row.kind == "Wmma" && row.family == "F16";
    bool file = false, program = false;
    for (const std::string& element : unnamed ? std::vector<std::string>{".f"} : elements_of(row.family)) {
      file |= in_files().has_matrix({opcode, shape, element});
      program |= in_programs().has_matrix({opcode, shape, element});
    }
    EXPECT_TRUE(file) << opcode << shape << row.family << " is in no file of tests/ptx/exec";
    EXPECT_TRUE(program) << opcode << shape << row.family << " is in no random program";
  }
}

TEST(RowCoverage, every_fragment_is_loaded_and_stored_in_every_layout) {
  std::set<std::string> wanted;
  for (const WmmaProduct& p : wmma_products()) {
    for (const auto* m : {&p.a, &p.b, &p.c, &p.d})
      for (const char* layout : {"row", "col"}) {
        const bool free = m->name > 'b' || (m->bits != 4 && m->bits != 1),
                   plain = std::string_view(layout) == (m->name == 'b' ? "col" : "row");
        const char* what = m->name == 'd' ? "store" : "load";
        if (free || plain)
          wanted.insert(std::string("wmma.") + what + "." + m->name + ".sync.aligned." + layout + "." + p.shape + " ." +
                        m->type_name + ".");
      }
  }
  EXPECT_GE(wanted.size(), 100u);
  for (const std::string& form : wanted) {
    const size_t space = form.find(' ');
    EXPECT_TRUE(in_programs().has_matrix({form.substr(0, space), form.substr(space + 1)}))
        << form << " is in no random program";
  }
}

}  // namespace
}  // namespace warpwise::random_programs
