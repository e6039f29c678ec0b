// warpwise version.
#include <fmt/format.h>

#include "base/json.h"
#include "cli/command.h"

namespace warpwise::cli {
namespace {

class Version : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_flag("--json", json_, "as JSON");
    app.footer("\nExamples:\n  warpwise version\n  warpwise --version");
  }
  Result<int> run() override {
    if (json_)
      fmt::print("{}\n", dump_json(nlohmann::json{{"version", WARPWISE_VERSION}}));
    else
      fmt::print("warpwise {}\n", WARPWISE_VERSION);
    return kSuccess;
  }

 private:
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_version() { return std::make_unique<Version>(); }

}  // namespace warpwise::cli
