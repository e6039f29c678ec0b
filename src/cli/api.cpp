// warpwise api: the functions of the CUDA libraries, and which of them Warpwise has.
#include <fmt/format.h>

#include "base/json.h"
#include "cli/command.h"
#include "cli/support/cuda_functions.h"
#include "cli/support/markdown.h"
#include "cli/support/terminal.h"

namespace warpwise::cli {
namespace {

class Api : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_option("filter", filter_, "only functions whose name contains this text")->type_name("TEXT");
    app.add_flag("--missing", missing_, "only functions that are missing");
    auto* json = app.add_flag("--json", json_, "as JSON");
    app.add_flag("--markdown", markdown_, "all of them as the page docs/cuda_api.md")->excludes(json);
    app.footer(
        "\nExamples:\n"
        "  warpwise api\n"
        "  warpwise api Graph\n"
        "  warpwise api --missing --json");
  }

  Result<int> run() override {
    if (markdown_) {
      fmt::print("{}", cuda_api_page());
      return kSuccess;
    }
    std::vector<const CudaFunction*> rows;
    for (const CudaFunction& function : all_cuda_functions())
      if (function.name.find(filter_) != function.name.npos && !(missing_ && function.ready)) rows.push_back(&function);
    if (json_)
      print_json(rows);
    else
      print_table(rows);
    return kSuccess;
  }

 private:
  static void print_json(const std::vector<const CudaFunction*>& rows) {
    nlohmann::json list = nlohmann::json::array();
    for (const CudaFunction* f : rows)
      list.push_back({{"library", f->library}, {"name", f->name}, {"group", f->group}, {"ready", f->ready}});
    fmt::print("{}\n", dump_json(list, 2));
  }

  static void print_table(const std::vector<const CudaFunction*>& rows) {
    Table table({"ready", "library", "group", "function"});
    size_t ready = 0;
    for (const CudaFunction* f : rows) {
      ready += f->ready;
      table.add({f->ready ? "yes" : "no", std::string(f->library), std::string(f->group), std::string(f->name)});
    }
    table.print();
    fmt::print("Warpwise has {} of {} functions\n", ready, rows.size());
  }

  std::string filter_;
  bool missing_ = false, json_ = false, markdown_ = false;
};

}  // namespace

std::unique_ptr<Command> make_api() { return std::make_unique<Api>(); }

}  // namespace warpwise::cli
