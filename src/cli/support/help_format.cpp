#include "cli/support/help_format.h"

namespace warpwise::cli {
namespace {

class Layout : public CLI::Formatter {
 public:
  explicit Layout(std::string usage = "") : usage_(std::move(usage)) { column_width(30); }

  std::string make_usage(const CLI::App* app, std::string name) const override {
    return usage_.empty() ? CLI::Formatter::make_usage(app, name) : "Usage: " + usage_ + "\n";
  }
  // The type is enough: CLI11 would add "Excludes", groups and defaults that our texts already contain.
  std::string make_option_opts(const CLI::Option* option) const override {
    std::string type = option->get_type_size() == 0 ? "" : option->get_type_name();
    size_t colon = type.find(':');  // "NAME:{auto,clang,nvcc}": the choices are in the description
    if (type.empty() || option->get_positional()) return "";
    return (option->get_lnames().empty() ? " " : "=") + type.substr(0, colon);
  }

 private:
  std::string usage_;
};

}  // namespace

void set_layout(CLI::App& app) { app.formatter(std::make_shared<Layout>()); }
void set_usage(CLI::App& app, std::string usage) { app.formatter(std::make_shared<Layout>(std::move(usage))); }

}  // namespace warpwise::cli
