#include "cli/support/help_format.h"

namespace warpwise::cli {
namespace {

class Layout : public CLI::Formatter {
 public:
  explicit Layout(std::string usage = "") : usage_(std::move(usage)) {
    column_width(30);
    label("Positionals", "Arguments");
    label("OPTIONS", "options");
  }

  std::string make_usage(const CLI::App* app, std::string name) const override {
    return usage_.empty() ? CLI::Formatter::make_usage(app, name) : "Usage: " + usage_ + "\n";
  }
  // Arguments have the names that the usage line and messages give them: FILE. A flag that may have a value says so by
  // its type, in place of CLI11's `--json{-}`.
  std::string make_option_name(const CLI::Option* option, bool positional) const override {
    const std::string type = type_of(option), name = option->get_name(positional, !positional);
    return positional && !type.empty() ? type : name.substr(0, name.find('{'));
  }
  // The type is enough: CLI11 would add "Excludes", groups and defaults that our texts already contain.
  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string type = type_of(option);
    if (type.empty() || option->get_positional()) return "";
    if (type.starts_with("[")) return type;  // "[=NAME]"
    return (option->get_lnames().empty() ? " " : "=") + type;
  }

 private:
  static std::string type_of(const CLI::Option* option) {
    const std::string type =
        option->get_type_size() == 0 && !option->get_type_name().starts_with("[") ? "" : option->get_type_name();
    return type.substr(0, type.find(':'));  // "NAME:{auto,clang,nvcc}": the choices are in the description
  }

  std::string usage_;
};

}  // namespace

void set_layout(CLI::App& app) { app.formatter(std::make_shared<Layout>()); }
void set_usage(CLI::App& app, std::string usage) { app.formatter(std::make_shared<Layout>(std::move(usage))); }

}  // namespace warpwise::cli
