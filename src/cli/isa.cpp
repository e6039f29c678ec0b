// warpwise isa: the instruction table, and which rows are executed.
#include "ptx/isa/isa.h"

#include <fmt/format.h>

#include "base/json.h"
#include "cli/command.h"
#include "cli/support/markdown.h"
#include "cli/support/terminal.h"

namespace warpwise::cli {
namespace {

constexpr const char* kUnits[] = {"-",      "alu",    "fp32",    "fp64",    "half", "sfu",  "lsu",
                                  "branch", "tensor", "texture", "uniform", "sync", "async"};

const char* name_of(ptx::Unit unit) { return kUnits[static_cast<size_t>(unit)]; }
bool executed(const ptx::Spec& spec) { return spec.state == ptx::State::Executed; }
std::string version_of(const ptx::Spec& spec) {
  return fmt::format("{}.{}", spec.ptx_version / 10, spec.ptx_version % 10);
}

class Isa : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_option("filter", filter_, "only rows whose pattern contains this text")->type_name("TEXT");
    app.add_flag("--missing", missing_, "only instructions that Warpwise does not run yet");
    auto* json = app.add_flag("--json", json_, "as JSON");
    app.add_flag("--markdown", markdown_, "all of them as the page docs/isa.md")->excludes(json);
    app.footer(
        "\nPatterns are written as in the PTX manual: {.x} may be left out, .type stands for its alternatives.\n"
        "\nExamples:\n"
        "  warpwise isa\n"
        "  warpwise isa shfl\n"
        "  warpwise isa --missing --json");
  }

  Result<int> run() override {
    if (markdown_) {
      fmt::print("{}", isa_page());
      return kSuccess;
    }
    std::vector<const ptx::Spec*> rows;
    for (const ptx::Spec& spec : ptx::all_specs())
      if (spec.pattern.find(filter_) != spec.pattern.npos && !(missing_ && executed(spec))) rows.push_back(&spec);
    if (json_)
      print_json(rows);
    else
      print_table(rows);
    return kSuccess;
  }

 private:
  static void print_json(const std::vector<const ptx::Spec*>& rows) {
    nlohmann::json list = nlohmann::json::array();
    for (const ptx::Spec* s : rows)
      list.push_back({{"name", s->name},
                      {"opcode", s->opcode},
                      {"pattern", s->pattern},
                      {"alternatives", s->alternatives},
                      {"executed", executed(*s)},
                      {"unit", name_of(s->unit)},
                      {"ptx", version_of(*s)},
                      {"sm", s->sm}});
    fmt::print("{}\n", dump_json(list, 2));
  }

  static void print_table(const std::vector<const ptx::Spec*>& rows) {
    Table table({"runs", "unit", "ptx", "sm", "instruction"});
    size_t running = 0;
    for (const ptx::Spec* s : rows) {
      running += executed(*s);
      table.add({executed(*s) ? "yes" : "no", name_of(s->unit), version_of(*s), fmt::format("{}", s->sm),
                 std::string(s->pattern)});
    }
    table.print();
    fmt::print("Warpwise runs {} of {} instructions\n", running, rows.size());
  }

  std::string filter_;
  bool missing_ = false, json_ = false, markdown_ = false;
};

}  // namespace

std::unique_ptr<Command> make_isa() { return std::make_unique<Isa>(); }

}  // namespace warpwise::cli
