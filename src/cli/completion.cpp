// warpwise completion: completions made of the commands, their subcommands, their options and what those take, so that
// they cannot become outdated. Names that are part of Warpwise (devices, codes) are in the scripts; problems may be the
// user's own, so the scripts ask for them with `warpwise completion problems`.
#include <fmt/format.h>

#include <map>
#include <set>

#include "base/diagnostics.h"
#include "cli/command.h"
#include "device/properties.h"
#include "lab/judge/verdict.h"
#include "lab/lesson/lesson.h"
#include "lab/problem/catalogue.h"
#include "perf/advice/rules.h"
#include "simt/pass_names.h"

namespace warpwise::cli {
namespace {

// A word of the command line and what it means.
struct Named {
  std::string name, what;
};

// What the words of a command that are not options may be.
enum class Takes { Files, Problems, Lessons, Quizzes, Words };

struct Option {
  std::string name, what;           // "--device"
  bool value = false;               // a value follows
  std::vector<std::string> values;  // that it may have, where they are known
};

// A command, or a command of `lab`: "run", "lab show".
struct Completion {
  std::string path, what;
  std::vector<Option> options;
  Takes takes = Takes::Files;
  std::vector<std::string> words;  // Takes::Words
};

// What `warpwise completion` lists for them; files may stand where a problem may.
const char* list_of(Takes takes) {
  switch (takes) {
    case Takes::Problems:
      return "problems";
    case Takes::Lessons:
      return "lessons";
    case Takes::Quizzes:
      return "quizzes";
    case Takes::Files:
    case Takes::Words:
      return nullptr;
  }
  return nullptr;
}

// The choices of an option or a positional, "NAME:{auto,clang,nvcc}" as CLI11 writes them.
std::vector<std::string> choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const size_t open = type.find('{'), close = type.find('}', open);
  std::vector<std::string> choices;
  if (open == type.npos || close == type.npos) return choices;
  std::string word;
  for (char c : type.substr(open + 1, close - open - 1) + ",") {
    if (c == ',')
      choices.push_back(std::exchange(word, ""));
    else
      word += c;
  }
  return choices;
}

std::vector<std::string> device_names() {
  std::vector<std::string> names;
  for (const device::Properties& p : device::all_devices()) names.emplace_back(p.id);
  return names;
}

// What `warpwise explain` has a page about.
std::vector<std::string> explained_names() {
  std::vector<std::string> names;
  for (const DiagnosticInfo& info : all_diagnostics()) names.emplace_back(info.code);
  for (const perf::AdviceInfo& info : perf::all_advice()) names.emplace_back(info.key);
  for (lab::Verdict verdict : lab::all_verdicts()) names.emplace_back(lab::name_of(verdict));
#define CUDA_ERROR(name, value) names.emplace_back(#name);
#include "../include/cuda/warpwise/errors.inc"
#undef CUDA_ERROR
  return names;
}

// What --dump and --off take.
std::vector<std::string> pass_names(const std::string& option) {
  std::vector<std::string> names;
  if (option == "dump") names.emplace_back("all");
  for (const simt::PassName& pass : simt::kPasses)
    if (option == "dump" || pass.can_be_off()) names.emplace_back(pass.name);
  return names;
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const CommandRow& row : all_commands()) names.emplace_back(row.name);
  return names;
}

Completion completion_of(const std::string& path, const std::string& what, const CLI::App& app) {
  Completion entry{.path = path, .what = what};
  bool positional = false;
  for (const CLI::Option* option : app.get_options()) {
    std::vector<std::string> choices = choices_of(*option);
    if (option->get_positional()) {
      positional = true;
      if (!choices.empty()) entry.takes = Takes::Words, entry.words = choices;
    }
    for (const std::string& name : option->get_lnames())
      entry.options.push_back({"--" + name, option->get_description(), option->get_items_expected_max() > 0,
                               name == "device"                                     ? device_names()
                               : path == "run" && (name == "dump" || name == "off") ? pass_names(name)
                                                                                    : choices});
  }
  // `run`, `nvcc` and their kind sort their words themselves: files. Others without a positional take no words.
  const bool own_words = path == "run" || path == "check" || path == "profile" || path == "nvcc" || path == "ptx";
  if (path == "explain")
    entry.takes = Takes::Words, entry.words = explained_names();
  else if (path == "devices")
    entry.takes = Takes::Words, entry.words = device_names();
  else if (path == "lab lesson")
    entry.takes = Takes::Lessons;
  else if (path == "lab quiz")
    entry.takes = Takes::Quizzes;
  else if (path.starts_with("lab "))
    entry.takes = Takes::Problems;
  else if (!positional && !own_words)
    entry.takes = Takes::Words;
  return entry;
}

struct Everything {
  std::vector<Named> commands, lab_commands;
  std::vector<Completion> entries;
  std::map<std::string, std::set<std::string>> values;  // by the name of an option
};

Everything everything() {
  Everything all;
  for (const CommandRow& row : all_commands()) {
    all.commands.push_back({std::string(row.name), std::string(row.summary)});
    std::unique_ptr<Command> command = row.make();
    std::unique_ptr<CLI::App> app = app_of(row, *command);
    all.entries.push_back(completion_of(std::string(row.name), std::string(row.summary), *app));
    for (const CLI::App* sub : app->get_subcommands({})) {
      all.lab_commands.push_back({sub->get_name(), sub->get_description()});
      all.entries.push_back(
          completion_of(fmt::format("{} {}", row.name, sub->get_name()), sub->get_description(), *sub));
    }
  }
  all.commands.push_back({"help", "explain a command"});
  all.entries.push_back({"help", "", {}, Takes::Words, command_names()});
  for (const Completion& entry : all.entries)
    for (const Option& option : entry.options)
      all.values[option.name].insert(option.values.begin(), option.values.end());
  return all;
}

std::string names_of(const std::vector<Named>& list) {
  std::string words;
  for (const Named& entry : list) words += (words.empty() ? "" : " ") + entry.name;
  return words;
}

std::string names_of(const std::vector<Option>& list) {
  std::string words;
  for (const Option& option : list) words += (words.empty() ? "" : " ") + option.name;
  return words;
}

// Inside single quotes of any of the three shells.
std::string escaped(std::string_view text) {
  std::string out;
  for (char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out;
}

// Bash cuts words at `=`, so that `--device=h1` comes as three: its COMP_WORDBREAKS.
std::string bash() {
  const Everything all = everything();
  std::string values, cases;
  for (const auto& [option, words] : all.values)
    if (!words.empty())
      values += fmt::format("    {}) COMPREPLY=($(compgen -W '{}' -- \"$current\")); return ;;\n", option,
                            fmt::join(words, " "));
  for (const Completion& entry : all.entries) {
    cases += fmt::format("    '{}') options='{}'", entry.path, names_of(entry.options));
    if (entry.takes == Takes::Words) cases += fmt::format(" words='{}' files=", fmt::join(entry.words, " "));
    if (const char* list = list_of(entry.takes))
      cases += fmt::format(" words=$(\"${{COMP_WORDS[0]}}\" completion {} 2> /dev/null){}", list,
                           entry.takes == Takes::Problems ? "" : " files=");
    cases += " ;;\n";
  }
  return fmt::format(
      "_warpwise() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} command=${{COMP_WORDS[1]}} option= options= words= files=1\n"
      "  COMPREPLY=()\n"
      "  if [[ $COMP_CWORD -eq 1 ]]; then\n"
      "    COMPREPLY=($(compgen -W '{}' -- \"$current\"))\n"
      "    return\n"
      "  fi\n"
      "  if [[ $current == '=' ]]; then\n"
      "    option=${{COMP_WORDS[COMP_CWORD-1]}} current=\n"
      "  elif [[ ${{COMP_WORDS[COMP_CWORD-1]}} == '=' ]]; then\n"
      "    option=${{COMP_WORDS[COMP_CWORD-2]}}\n"
      "  elif [[ ${{COMP_WORDS[COMP_CWORD-1]}} == --* ]]; then\n"
      "    option=${{COMP_WORDS[COMP_CWORD-1]}}\n"
      "  fi\n"
      "  case $option in\n{}  esac\n"
      "  if [[ $command == lab ]]; then\n"
      "    if [[ $COMP_CWORD -eq 2 && $current != -* ]]; then\n"
      "      COMPREPLY=($(compgen -W '{}' -- \"$current\"))\n"
      "      return\n"
      "    fi\n"
      "    [[ $COMP_CWORD -gt 2 ]] && command=\"lab ${{COMP_WORDS[2]}}\"\n"
      "  fi\n"
      "  case $command in\n{}  esac\n"
      "  if [[ $current == -* ]]; then\n"
      "    COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n"
      "    return\n"
      "  fi\n"
      "  [[ $words ]] && COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
      "  [[ $files ]] && COMPREPLY+=($(compgen -f -- \"$current\"))\n"
      "}}\n"
      "complete -o filenames -F _warpwise warpwise\n",
      names_of(all.commands), values, names_of(all.lab_commands), cases);
}

// In a specification of _arguments brackets and colons have a meaning.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (char c : escaped(text)) out += c == '[' || c == ']' || c == ':' ? fmt::format("\\{}", c) : std::string(1, c);
  return out;
}

std::string zsh_described(const std::vector<Named>& list) {
  std::string text;
  for (const Named& entry : list) text += fmt::format("    '{}:{}'\n", entry.name, escaped(entry.what));
  return text;
}

std::string zsh_arguments(const Completion& entry) {
  std::string text = "_arguments";
  for (const Option& option : entry.options) {
    text += fmt::format(" '{}{}[{}]", option.name, option.value ? "=" : "", zsh_text(option.what));
    if (!option.values.empty())
      text += fmt::format(":value:({})", fmt::join(option.values, " "));
    else if (option.value)
      text += ":value:_files";
    text += "'";
  }
  switch (entry.takes) {
    case Takes::Files:
      return text + " '*:file:_files'";
    case Takes::Problems:
      return text + " '*:problem or file:_warpwise_problems'";
    case Takes::Lessons:
    case Takes::Quizzes:
      return text + fmt::format(" \"*:name:($(warpwise completion {} 2> /dev/null))\"", list_of(entry.takes));
    case Takes::Words:
      return entry.words.empty() ? text : text + fmt::format(" '*:word:({})'", fmt::join(entry.words, " "));
  }
  return text;
}

std::string zsh() {
  const Everything all = everything();
  std::string cases, lab_cases;
  for (const Completion& entry : all.entries) {
    const bool of_lab = entry.path.starts_with("lab ");
    (of_lab ? lab_cases : cases) +=
        entry.path == "lab"
            ? std::string("    lab) _warpwise_lab ;;\n")
            : fmt::format("    {}) {} ;;\n", of_lab ? entry.path.substr(4) : entry.path, zsh_arguments(entry));
  }
  return fmt::format(
      "#compdef warpwise\n"
      "_warpwise_problems() {{\n"
      "  local -a problems=(${{(f)\"$(warpwise completion problems 2> /dev/null)\"}})\n"
      "  compadd -a problems\n"
      "  _files\n"
      "}}\n"
      "_warpwise_lab() {{\n"
      "  local -a commands=(\n{}  )\n"
      "  if (( CURRENT == 2 )); then\n"
      "    _describe command commands\n"
      "    return\n"
      "  fi\n"
      "  local command=$words[2]\n"
      "  shift words; (( CURRENT-- ))\n"
      "  case $command in\n{}  esac\n"
      "}}\n"
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
      // In a folder of fpath this file is the body of _warpwise at its first call, which must complete as well.
      "if [[ $funcstack[1] == _warpwise ]]; then\n"
      "  _warpwise \"$@\"\n"
      "else\n"
      "  compdef _warpwise warpwise\n"
      "fi\n",
      zsh_described(all.lab_commands), lab_cases, zsh_described(all.commands), cases);
}

std::string fish() {
  const Everything all = everything();
  std::string text;
  for (const Named& command : all.commands)
    text += fmt::format("complete -c warpwise -n __fish_use_subcommand -f -a {} -d '{}'\n", command.name,
                        escaped(command.what));
  const std::string any_of_lab = names_of(all.lab_commands);
  for (const Named& command : all.lab_commands)
    text += fmt::format(
        "complete -c warpwise -n '__fish_seen_subcommand_from lab; and not __fish_seen_subcommand_from {}' -f -a {} -d "
        "'{}'\n",
        any_of_lab, command.name, escaped(command.what));
  for (const Completion& entry : all.entries) {
    const std::string where =
        entry.path.starts_with("lab ")
            ? fmt::format("'__fish_seen_subcommand_from lab; and __fish_seen_subcommand_from {}'", entry.path.substr(4))
            : fmt::format("'__fish_seen_subcommand_from {}'", entry.path);
    for (const Option& option : entry.options) {
      text +=
          fmt::format("complete -c warpwise -n {} -l {} -d '{}'", where, option.name.substr(2), escaped(option.what));
      if (!option.values.empty())
        text += fmt::format(" -x -a '{}'", fmt::join(option.values, " "));
      else if (option.value)
        text += " -r";
      text += "\n";
    }
    if (entry.takes == Takes::Words && !entry.words.empty())
      text += fmt::format("complete -c warpwise -n {} -f -a '{}'\n", where, fmt::join(entry.words, " "));
    if (const char* list = list_of(entry.takes))
      text += fmt::format("complete -c warpwise -n {}{} -a '(warpwise completion {} 2> /dev/null)'\n", where,
                          entry.takes == Takes::Problems ? "" : " -f", list);
  }
  return text;
}

Result<std::string> problems() {
  std::string names;
  const lab::Catalogue catalogue = TRY(lab::Catalogue::open(""));
  for (const std::string& slug : catalogue.slugs()) names += slug + "\n";
  // By its last part as well: what people type.
  for (const std::string& slug : catalogue.slugs()) names += slug.substr(slug.rfind('/') + 1) + "\n";
  return names;
}

Result<std::string> lessons() {
  std::string names;
  for (const std::string& name : lab::lesson_names(TRY(lab::Catalogue::open("")).root())) names += name + "\n";
  return names;
}

Result<std::string> quizzes() {
  std::string names;
  const lab::Catalogue catalogue = TRY(lab::Catalogue::open(""));
  std::error_code error;
  for (const lab::Chapter& chapter : catalogue.chapters())
    if (std::filesystem::exists(catalogue.quiz_file(chapter.id), error)) names += chapter.id + "\n";
  return names;
}

class CompletionCommand : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_option("shell", shell_,
                   "bash, zsh or fish; `problems`, `lessons` and `quizzes` list the names that the scripts ask for")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish", "problems", "lessons", "quizzes"}))
        ->type_name("SHELL");
    app.footer(
        "\nExamples:\n"
        "  source <(warpwise completion bash)\n"
        "  warpwise completion zsh > ~/.zfunc/_warpwise\n"
        "  warpwise completion fish > ~/.config/fish/completions/warpwise.fish");
  }
  Result<int> run() override {
    const std::string text = shell_ == "bash"      ? bash()
                             : shell_ == "zsh"     ? zsh()
                             : shell_ == "fish"    ? fish()
                             : shell_ == "lessons" ? TRY(lessons())
                             : shell_ == "quizzes" ? TRY(quizzes())
                                                   : TRY(problems());
    std::fputs(text.c_str(), stdout);
    return kSuccess;
  }

 private:
  std::string shell_;
};

}  // namespace

std::unique_ptr<Command> make_completion() { return std::make_unique<CompletionCommand>(); }

}  // namespace warpwise::cli
