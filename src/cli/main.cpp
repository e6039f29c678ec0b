// warpwise COMMAND …: finds the command, parses its words, runs it, and reports its error. Whether standard output
// accepted the command's output is checked here, once for all commands.
#include <fmt/format.h>

#include <cstdio>
#include <new>
#include <optional>
#include <system_error>

#include "cli/command.h"
#include "cli/support/help_format.h"
#include "cli/support/no_command.h"
#include "cli/support/option_values.h"
#include "cli/support/standard_output.h"
#include "cli/support/terminal.h"
#include "cli/support/terminal_text.h"
#include "cli/support/usage_errors.h"
#include "toolchain/process.h"

namespace warpwise::cli {
namespace {

constexpr CommandRow kCommands[] = {
#define COMMAND(name, summary) {#name, summary, make_##name},
#include "cli/commands.inc"
#undef COMMAND
};

void print_help() {
  bool color = use_color(stdout);
  std::string text = fmt::format("{}\n\n{} warpwise COMMAND [options] …\n\n{}\n",
                                 "Warpwise: write, run, check and profile CUDA kernels on any machine.",
                                 styled(color, "1", "Usage:"), styled(color, "1", "Commands:"));
  for (const CommandRow& row : kCommands) text += fmt::format("  {:<12}{}\n", row.name, row.summary);
  text += fmt::format(
      "\n{}\n"
      "  warpwise run hello.cu                  compile and run, no GPU needed\n"
      "  warpwise run --device=a100 k.cu 1024   on a model of an A100; 1024 is the program's argument\n"
      "  warpwise doctor                        check that everything is here\n"
      "\n`warpwise COMMAND --help` explains a command. Exit codes: `man warpwise`.\n",
      styled(color, "1", "Examples:"));
  std::fputs(text.c_str(), stdout);
}

const CommandRow* find_command(std::string_view name) {
  for (const CommandRow& row : kCommands)
    if (row.name == name) return &row;
  return nullptr;
}

// ^C while compilers were running: main() lets the signal through when the command and its folders are gone.
constexpr int kInterrupted = -1;

int run_command(const CommandRow& row, Command& command, Words words) {
  std::unique_ptr<CLI::App> app = app_of(row, command);
  auto own = command.own_words(*app, std::move(words));
  if (!own) {
    report(own.error(), next_step(own.error(), row.name));
    return command.usage_code();
  }
  if (const std::string missing = option_without_value(*app, *own); !missing.empty()) {
    report({"U0005", missing}, lists_options(row.name));
    return command.usage_code();
  }
  try {
    Words reversed(own->rbegin(), own->rend());  // the order in which CLI11 takes a vector
    app->parse(reversed);
  } catch (const CLI::CallForHelp&) {
    std::fputs(fitted(app->help(), terminal_width(stdout)).c_str(), stdout);
    return kSuccess;
  } catch (const CLI::ParseError& error) {
    report_usage(row.name, *app, error, *own);
    return command.usage_code();
  }
  auto code = command.run();
  if (code) return *code;
  if (code.error().code == "T0009") return kInterrupted;
  report(code.error(), next_step(code.error(), row.name));
  return command.failure_code();
}

// `command` is the one that was run, for its exit codes.
int run_words(Words words, std::unique_ptr<Command>& command) {
  if (words.empty()) {
    print_help();
    std::fputs("\nNew here? warpwise lab\n", stdout);
    return kUsage;
  }
  const std::string first = words[0];
  if (first == "--help" || first == "-h" || (first == "help" && words.size() == 1)) {
    print_help();
    return kSuccess;
  }
  if (first == "help") words = {words[1], "--help"};  // warpwise help run
  if (first == "--version" || first == "-V") words[0] = "version";
  const CommandRow* row = find_command(words[0]);
  if (!row) return report_no_command(words);
  command = row->make();
  return run_command(*row, *command, Words(words.begin() + 1, words.end()));
}

}  // namespace

std::span<const CommandRow> all_commands() { return kCommands; }

std::unique_ptr<CLI::App> app_of(const CommandRow& row, Command& command) {
  auto app = std::make_unique<CLI::App>(std::string(row.summary), "warpwise " + std::string(row.name));
  set_layout(*app);
  app->set_help_flag("-h,--help", "this text");
  command.declare(*app);
  return app;
}

}  // namespace warpwise::cli

int main(int argc, char** argv) {
  using namespace warpwise::cli;
  prepare_standard_output();
  std::unique_ptr<Command> command;
  int code = kFailed;
  std::optional<warpwise::Error> failure;
  try {
    code = run_words(Words(argv + 1, argv + argc), command);
  } catch (const std::bad_alloc&) {
    failure = warpwise::Error{"U0016", "there is not enough memory"};
  } catch (const std::system_error& error) {
    // fmt throws when a stream accepts no more output. Other system errors that no command has handled are reported as
    // they are.
    if (!std::ferror(stdout)) failure = warpwise::Error{"U0002", error.what()};
  }
  const OutputEnd output = finish_standard_output();
  if (!failure) failure = output.error;
  const int failure_code = command ? command->failure_code() : int{kFailed};
  command.reset();  // with its temporary folders
  if (code == kInterrupted) warpwise::toolchain::die_of_interrupt();
  if (output.reader_gone) die_of_closed_pipe();
  if (!failure) return code;
  report(*failure, "");
  return failure_code;
}
