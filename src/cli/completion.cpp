// warpwise completion: completions made of the commands and their options, so that they cannot fall
// behind.
#include <fmt/format.h>

#include "cli/command.h"

namespace warpwise::cli {
namespace {

struct Completion {
  std::string command, summary;
  std::vector<std::pair<std::string, std::string>> options;  // "--device", what it does
};

std::vector<Completion> completions() {
  std::vector<Completion> list;
  for (const CommandRow& row : all_commands()) {
    Completion entry{std::string(row.name), std::string(row.summary), {}};
    std::unique_ptr<Command> command = row.make();
    std::unique_ptr<CLI::App> app = app_of(row, *command);
    for (const CLI::Option* option : app->get_options())
      for (const std::string& name : option->get_lnames())
        entry.options.emplace_back("--" + name, option->get_description());
    list.push_back(std::move(entry));
  }
  return list;
}

std::string joined_options(const Completion& entry) {
  std::string words;
  for (const auto& [option, what] : entry.options) words += (words.empty() ? "" : " ") + option;
  return words;
}

// Inside single quotes of any of the three shells.
std::string escaped(std::string_view text) {
  std::string out;
  for (char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out;
}

std::string bash() {
  std::string names, cases;
  for (const Completion& entry : completions()) {
    names += (names.empty() ? "" : " ") + entry.command;
    cases += fmt::format("    {}) words='{}' ;;\n", entry.command, joined_options(entry));
  }
  return fmt::format(
      "_warpwise() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} words=\n"
      "  if [[ $COMP_CWORD -eq 1 ]]; then\n"
      "    COMPREPLY=($(compgen -W '{}' -- \"$current\"))\n"
      "    return\n"
      "  fi\n"
      "  case ${{COMP_WORDS[1]}} in\n{}  esac\n"
      "  if [[ $current == -* ]]; then\n"
      "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
      "  else\n"
      "    COMPREPLY=($(compgen -f -- \"$current\"))\n"
      "  fi\n"
      "}}\n"
      "complete -o filenames -F _warpwise warpwise\n",
      names, cases);
}

std::string zsh() {
  std::string names, cases;
  for (const Completion& entry : completions()) {
    names += fmt::format("    '{}:{}'\n", entry.command, escaped(entry.summary));
    std::string options;
    for (const auto& [option, what] : entry.options) {
      std::string text;
      for (char c : escaped(what))
        text += c == '[' || c == ']' || c == ':' ? fmt::format("\\{}", c) : std::string(1, c);
      options += fmt::format(" '{}[{}]'", option, text);
    }
    cases += fmt::format("    {}) _arguments{} '*:file:_files' ;;\n", entry.command, options);
  }
  return fmt::format(
      "#compdef warpwise\n"
      "_warpwise() {{\n"
      "  local -a commands=(\n{}  )\n"
      "  if (( CURRENT == 2 )); then\n"
      "    _describe command commands\n"
      "    return\n"
      "  fi\n"
      "  local command=$words[2]\n"
      "  shift words; (( CURRENT-- ))\n"
      "  case $command in\n{}  esac\n"
      "}}\n"
      "compdef _warpwise warpwise\n",
      names, cases);
}

std::string fish() {
  std::string text;
  for (const Completion& entry : completions()) {
    text += fmt::format("complete -c warpwise -n __fish_use_subcommand -f -a {} -d '{}'\n", entry.command,
                        escaped(entry.summary));
    for (const auto& [option, what] : entry.options)
      text += fmt::format("complete -c warpwise -n '__fish_seen_subcommand_from {}' -l {} -d '{}'\n", entry.command,
                          option.substr(2), escaped(what));
  }
  return text;
}

class CompletionCommand : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_option("shell", shell_, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}))
        ->type_name("SHELL");
    app.footer(
        "\nExamples:\n"
        "  source <(warpwise completion bash)\n"
        "  warpwise completion zsh > ~/.zfunc/_warpwise\n"
        "  warpwise completion fish > ~/.config/fish/completions/warpwise.fish");
  }
  Result<int> run() override {
    std::string text = shell_ == "bash" ? bash() : shell_ == "zsh" ? zsh() : fish();
    std::fputs(text.c_str(), stdout);
    return kSuccess;
  }

 private:
  std::string shell_;
};

}  // namespace

std::unique_ptr<Command> make_completion() { return std::make_unique<CompletionCommand>(); }

}  // namespace warpwise::cli
