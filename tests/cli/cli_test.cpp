// The program from outside: help, suggestions, completions, and what describes itself.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli_fixture.h"
#include "toolchain/files.h"
#include "toolchain/installation.h"
#include "toolchain/process.h"

namespace warpwise::cli {
namespace {

#define COMMAND(name, summary) #name,
constexpr const char* kCommands[] = {
#include "cli/commands.inc"
};
#undef COMMAND

TEST_F(Cli, help_lists_every_command_and_each_has_examples) {
  Outcome help = warpwise({"--help"});
  EXPECT_EQ(help.code, 0);
  for (const char* command : kCommands) {
    EXPECT_TRUE(help.has(command));
    Outcome one = warpwise({command, "--help"});
    EXPECT_EQ(one.code, 0) << command;
    EXPECT_TRUE(one.has("Examples:")) << command;
    EXPECT_TRUE(one.has("Usage: warpwise " + std::string(command))) << one.text;
    EXPECT_FALSE(one.has("\033")) << "no colours in a pipe";
    EXPECT_EQ(warpwise({"help", command}).text, one.text);
  }
  EXPECT_EQ(warpwise({}).code, 2);
}

// In a pipe, where stdout is not flushed at line ends.
TEST_F(Cli, what_kernels_print_is_kept_where_the_program_aborts) {
  const Outcome run = warpwise({"run", file("aborts.cu",
                                            "#include <cstdio>\n#include <cstdlib>\n"
                                            "__global__ void say() { printf(\"the kernel\\n\"); }\n"
                                            "int main() { printf(\"the host\\n\"); say<<<1, 1>>>();\n"
                                            "  cudaDeviceSynchronize(); abort(); }\n")});
  EXPECT_TRUE(run.has("the host\nthe kernel\n")) << run.text;
}

TEST_F(Cli, misspelt_words_get_a_suggestion_and_a_code) {
  Outcome command = warpwise({"rnu", "k.cu"});
  EXPECT_EQ(command.code, 2);
  EXPECT_TRUE(command.has("error[U0003]: `rnu` is not a command; did you mean `run`?")) << command.text;
  EXPECT_TRUE(warpwise({"k.cu"}).has("warpwise run k.cu"));
  Outcome option = warpwise({"run", "--devise=a100", "k.cu"});
  EXPECT_EQ(option.code, 125);
  EXPECT_TRUE(option.has("did you mean `--device`?")) << option.text;
  EXPECT_TRUE(warpwise({"profile", "--base=x", "k.cu"}).has("did you mean `--baseline`?"));
  EXPECT_TRUE(warpwise({"run", "--op", "k.cu"})
                  .has("has no option `--op`\n      = help: `warpwise run --help` lists the options\n"));
  Outcome device = warpwise({"run", "--device=h1000", file("k.cu", "")});
  EXPECT_EQ(device.code, 125);
  EXPECT_TRUE(device.has("error[U0004]: there is no device `h1000`; did you mean `h100`?")) << device.text;
  EXPECT_EQ(warpwise({"devices", "--jsn"}).code, 2);
  EXPECT_TRUE(warpwise({"run", "--engine=gpu", "k.cu"}).has("error[U0005]"));
  EXPECT_TRUE(warpwise({"nvcc", "--compiler=clang", "-rdc=true", file("k.cu", "int main() {}\n")}).has("error[T0006]"));
  EXPECT_TRUE(warpwise({"run", "--schedule=random", file("k.cu", "")}).has("shuffle:SEED"));
}

TEST_F(Cli, what_is_typed_first_leads_somewhere) {
  EXPECT_TRUE(warpwise({}).has("New here? warpwise lab\n"));
  EXPECT_TRUE(warpwise({"devices", "h10"}).has("there is no device `h10`; did you mean `h100` or `h100-pcie`?"));
  Outcome far = warpwise({"run", "--device=rtx4080super", file("k.cu", "int main() {}\n")});
  EXPECT_EQ(far.text, "error[U0004]: there is no device `rtx4080super`\n      = help: `warpwise devices` lists them\n");
  EXPECT_TRUE(warpwise({"nvcc"}).has("`warpwise nvcc --help` has examples"));
}

TEST_F(Cli, help_fits_the_terminal) {
  // script(1) runs a command on a terminal of its own.
  if (!std::filesystem::exists("/usr/bin/script")) GTEST_SKIP() << "no script(1)";
  for (const char* command : {"run", "check", "profile", "occupancy"}) {
    Outcome wide = warpwise({command, "--help"});
    Outcome narrow = shell({"/usr/bin/script", "-qec",
                            "env COLUMNS=60 NO_COLOR=1 " WARPWISE_PROGRAM " " + std::string(command) + " --help",
                            (folder_.path() / "typescript").string()});
    std::istringstream lines(narrow.text);
    for (std::string line; std::getline(lines, line);) {
      if (line.ends_with('\r')) line.pop_back();
      const auto columns = std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; });
      const bool one_word = line.find(' ', line.find_first_not_of(' ')) == line.npos;
      EXPECT_TRUE(columns <= 60 || one_word) << line;
    }
    // The same words in the same order.
    const auto words = [](const std::string& text) {
      std::istringstream in(text);
      return std::vector<std::string>(std::istream_iterator<std::string>(in), {});
    };
    EXPECT_EQ(words(narrow.text), words(wide.text)) << command;
  }
}

TEST_F(Cli, help_names_arguments_as_the_usage_line_does) {
  Outcome submit = warpwise({"lab", "submit", "--help"});
  EXPECT_TRUE(submit.has("Arguments:\n  [PROBLEM] FILE ")) << submit.text;
  EXPECT_TRUE(warpwise({"lab", "--help"}).has("\nCommands:\n  next "));
  EXPECT_TRUE(warpwise({"check", "--help"}).has("\n  --json[=FILE]  ")) << "CLI11 says --json{-}";
  EXPECT_TRUE(warpwise({"profile", "--help"}).has("\n  --history[=NAME]  "));
}

TEST_F(Cli, advice_says_where_its_programs_are) {
  const std::string text = warpwise({"explain", "uncoalesced-loads"}).text, before = "\nThe programs are in\n    ";
  ASSERT_TRUE(text.find(before) != text.npos) << text;
  const size_t at = text.find(before) + before.size();
  EXPECT_TRUE(std::filesystem::exists(text.substr(at, text.find('\n', at) - at) + "/uncoalesced-loads_before.cu"))
      << text;
}

TEST_F(Cli, without_a_home_folder_history_is_refused_and_nothing_is_guessed) {
  // A user that the system does not list, so that only HOME could say.
  if (geteuid() != 0 || !std::filesystem::exists("/usr/bin/setpriv")) GTEST_SKIP() << "takes root and setpriv(1)";
  Outcome outcome = shell({"/usr/bin/env", "-u", "HOME", "-u", "XDG_DATA_HOME", "/usr/bin/setpriv", "--reuid=54321",
                           "--clear-groups", WARPWISE_PROGRAM, "profile", "--history"});
  EXPECT_TRUE(outcome.has(
      "error[U0013]: there is no home folder to keep the history of profiles in: set HOME, or XDG_DATA_HOME"))
      << outcome.text;
  EXPECT_EQ(outcome.code, 125);
}

TEST_F(Cli, doctor_says_what_is_not_kept_without_a_home_folder) {
  if (geteuid() != 0 || !std::filesystem::exists("/usr/bin/setpriv")) GTEST_SKIP() << "takes root and setpriv(1)";
  const auto without_home = [&](std::vector<std::string> words) {
    std::vector<std::string> command{"/usr/bin/env",
                                     "-u",
                                     "HOME",
                                     "-u",
                                     "XDG_DATA_HOME",
                                     "-u",
                                     "XDG_CACHE_HOME",
                                     "-u",
                                     "WARPWISE_CACHE_DIR",
                                     "/usr/bin/setpriv",
                                     "--reuid=54321",
                                     "--clear-groups",
                                     WARPWISE_PROGRAM};
    command.insert(command.end(), words.begin(), words.end());
    return shell(command);
  };
  const Outcome doctor = without_home({"doctor"});
  EXPECT_TRUE(doctor.has("there is no home folder for the cache: HOME is not set, and the user has none"))
      << doctor.text;
  EXPECT_TRUE(doctor.has("there is no home folder for them")) << doctor.text;
  // Where nothing can be made, whatever the rights say.
  const Outcome in_proc = shell({"/usr/bin/env", "XDG_DATA_HOME=/proc/nope", WARPWISE_PROGRAM, "doctor"});
  EXPECT_TRUE(in_proc.has("`/proc/nope/warpwise` cannot be written")) << in_proc.text;
  for (const char* action : {"show", "path", "clear"}) {
    const Outcome cache = without_home({"cache", action});
    EXPECT_EQ(cache.code, 1) << action;
    EXPECT_TRUE(cache.has("error[C0001]: there is no home folder for the cache")) << cache.text;
  }
}

TEST_F(Cli, every_code_of_an_error_is_explained) {
  EXPECT_TRUE(warpwise({"explain", "u0004"}).has("U0004: no such device"));
  EXPECT_TRUE(warpwise({"explain", "700"}).has("cudaErrorIllegalAddress (700)"));
  EXPECT_TRUE(warpwise({"explain", "IllegalAddress"}).has("(700)"));
  Outcome unknown = warpwise({"explain", "cudaErrorIlegalAddress"});
  EXPECT_EQ(unknown.code, 1);
  EXPECT_TRUE(unknown.has("did you mean `cudaErrorIllegalAddress`?")) << unknown.text;
  Outcome all = warpwise({"explain"});
  EXPECT_EQ(all.code, 0);
  for (const char* code : {"T0001", "U0001", "C0001"}) EXPECT_TRUE(all.has(code)) << code;
  for (const char* part : {"\nWhat `warpwise check` finds: race\n  C0201  ", "\nThe cache\n  C0001  ",
                           "\nWhat `warpwise check` finds: api\n", "\nPTX that is wrong\n  P0001  ",
                           "\nPTX that Warpwise knows and does not run yet\n  P0900  "})
    EXPECT_TRUE(all.has(part)) << part << all.text;
  EXPECT_FALSE(all.has("Other codes")) << "every family has a title";
}

TEST_F(Cli, a_missing_word_is_named_with_an_example) {
  for (const auto& [words, message] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"lab", "show"},
            "error[U0005]: `warpwise lab show` needs PROBLEM\n      = help: for example: warpwise lab show map\n"},
           {{"lab", "grade"}, "`warpwise lab grade` needs DIR\n"},
           {{"completion"}, "`warpwise completion` needs SHELL\n"},
           {{"occupancy"}, "`warpwise occupancy` needs --block=N\n"}}) {
    const Outcome outcome = warpwise(words);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(outcome.has(message)) << outcome.text;
  }
}

TEST_F(Cli, a_wrong_value_is_told_with_what_may_have_been_meant) {
  for (const auto& [words, message] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"run", "--compiler=clnag", "k.cu"},
            "error[U0005]: `clnag` is no value of --compiler; did you mean `clang`?\n"
            "      = help: --compiler is one of auto, clang, nvcc\n"},
           {{"cache", "shwo"}, "error[U0005]: `shwo` is no ACTION; did you mean `show`?\n"},
           {{"lab", "list", "--level=esy"}, "`esy` is no value of --level; did you mean `easy`?\n"},
           {{"lab", "list", "--levle=easy"}, "`lab list` has no option `--levle`; did you mean `--level`?\n"},
           {{"occupancy", "--block=x"},
            "`x` is no value of --block\n      = help: --block is a number, from 1 to 1024\n"},
           {{"lab", "start", "zip", "map"}, "error[U0005]: `lab start` takes PROBLEM, and `map` is one word more\n"},
           {{"version", "a", "b"}, "`version` takes no words: `a b`\n"},
           {{"run", "--off=hoist_block_raeds", "k.cu"}, "has no pass `hoist_block_raeds`; did you mean"},
           {{"check", "--only=rcae", "k.cu"}, "there is no checker `rcae`; did you mean `race`?\n"}}) {
    const Outcome outcome = warpwise(words);
    EXPECT_NE(outcome.code, 0);
    EXPECT_TRUE(outcome.has(message)) << outcome.text;
  }
}

TEST_F(Cli, the_compiler_for_cmake_is_named_where_warpwise_is_used_as_one) {
  const Outcome compiler = warpwise({"-O2", "-c", "k.cu", "-o", "k.o"});
  EXPECT_EQ(compiler.code, 2);
  EXPECT_TRUE(compiler.has("error[U0003]: `warpwise` is not the compiler: CMAKE_CUDA_COMPILER is /")) << compiler.text;
  EXPECT_TRUE(compiler.has("/bin/nvcc\n")) << compiler.text;
  const Outcome cmake = warpwise({"-v", "CMakeCUDACompilerId.cu"});
  EXPECT_EQ(cmake.code, 0) << "or CMake hides the sentence";
  EXPECT_EQ(cmake.text, compiler.text);
  EXPECT_TRUE(warpwise({"-x"}).has("`-x` is not a command"));
}

TEST_F(Cli, options_before_the_command_are_told_their_place) {
  for (const auto& [words, message] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"--device=a100", "run", "k.cu"},
            "error[U0003]: options stand after the command: warpwise run --device=a100 k.cu\n"},
           {{"-v", "run", "my k.cu"}, "options stand after the command: warpwise run -v 'my k.cu'\n"},
           {{"-o", "run", "trace", "k.cu"}, "options stand after the command: warpwise trace -o run k.cu\n"},
           {{"--seed=1", "lab", "submit", "map.cu"}, "after the command: warpwise lab submit --seed=1 map.cu\n"},
           {{"--seed=1", "submit", "map.cu"}, "after the command: warpwise lab submit --seed=1 map.cu\n"},
           {{"--device=a100", "k.cu"},
            "`--device` is not a command: options stand after one\n"
            "      = help: for example: warpwise run --device=a100 k.cu\n"},
           {{"--level=easy"}, "for example: warpwise lab list --level=easy\n"},
           {{"--devcie=a100", "k.cu"},
            "no command has an option `--devcie`; did you mean `--device`?\n"
            "      = help: for example: warpwise run --device=a100 k.cu\n"},
           {{"--zzzzz"}, "no command has an option `--zzzzz`\n      = help: `warpwise --help` lists them\n"},
           {{"-O3", "k.cu"},
            "`-O3` is not a command: options stand after one\n"
            "      = help: for example: warpwise run -O3 k.cu\n"}}) {
    const Outcome outcome = warpwise(words);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(outcome.has(message)) << outcome.text;
  }
}

TEST_F(Cli, a_command_of_the_lab_is_found_without_lab) {
  EXPECT_TRUE(warpwise({"submit", "zip.cu"})
                  .has("error[U0003]: `submit` is not a command; did you mean `warpwise lab submit zip.cu`?\n"));
  EXPECT_TRUE(warpwise({"quiz"}).has("did you mean `warpwise lab quiz`?"));
  EXPECT_TRUE(warpwise({"sumbit", "zip.cu"}).has("did you mean `warpwise lab submit`?"));
  EXPECT_TRUE(warpwise({"two words.cu"}).has("help: warpwise run 'two words.cu'\n"));
}

TEST_F(Cli, an_option_takes_no_option_as_its_value) {
  for (const auto& [words, message] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"profile", "--json", "--device=h200", "k.cu"}, "error[U0005]: `--json` needs a value: --json=FILE\n"},
           {{"check", "k.cu", "--sarif"}, "error[U0005]: `--sarif` needs a value: --sarif=FILE\n"},
           {{"profile", "--html", "--", "k.cu"}, "`--html` needs a value: --html=FILE\n"},
           {{"run", "k.cu", "--timeout", "--device=a100"}, "`--timeout` needs a value: --timeout=SECONDS\n"},
           {{"occupancy", "--block", "--registers=9"}, "`--block` needs a value: --block=N\n"},
           {{"lab", "history", "-n", "--json"}, "`-n` needs a value: -n N\n"},
           {{"lab", "submit", "--device"}, "`--device` needs a value: --device=NAME\n"}}) {
    const Outcome outcome = warpwise(words);
    EXPECT_NE(outcome.code, 0);
    EXPECT_TRUE(outcome.has(message)) << outcome.text;
    EXPECT_TRUE(outcome.has("--help` lists the options\n")) << outcome.text;
  }
  EXPECT_FALSE(std::filesystem::exists("--device=h200"));
}

TEST_F(Cli, an_option_that_takes_the_source_is_named) {
  const std::string source = file("k.cu", "int main() {}\n");
  const Outcome taken = warpwise({"check", "--sarif", source});
  EXPECT_EQ(taken.code, 4);
  EXPECT_TRUE(taken.has("error[T0008]: there is nothing to check: `--sarif` took `" + source +
                        "` as its value; write --sarif=VALUE " + source))
      << taken.text;
  EXPECT_TRUE(warpwise({"run", "--device", source}).has("`--device` took"));
  EXPECT_TRUE(warpwise({"profile", "--device=h100"}).has("there is nothing to profile: name a source or a program"));
}

TEST_F(Cli, every_verdict_of_the_lab_is_explained) {
  const Outcome all = warpwise({"explain"});
  const auto explained = [&](const std::string& name, const std::string& words) {
    const Outcome page = warpwise({"explain", name});
    EXPECT_EQ(page.code, 0) << page.text;
    EXPECT_TRUE(page.text.starts_with(words + ": a verdict of `warpwise lab`")) << page.text;
    EXPECT_TRUE(page.has("What to do: ")) << page.text;
    EXPECT_EQ(warpwise({"explain", words}).text, page.text);
    EXPECT_TRUE(all.has(name));
  };
#define VERDICT(enumerator, name, words, next) explained(name, words);
#include "lab/judge/verdicts.inc"
#undef VERDICT
  EXPECT_EQ(warpwise({"explain", "out", "of", "bounds"}).text, warpwise({"explain", "out of bounds"}).text);
  EXPECT_TRUE(warpwise({"explain", "out", "of", "bounds"}).has("a verdict of `warpwise lab`"));
  EXPECT_TRUE(warpwise({"explain", "Race"}).has("  C0201  threads of a block touch the same memory"));
  EXPECT_EQ(warpwise({"explain", "race-in-block"}).text, warpwise({"explain", "C0201"}).text);
  EXPECT_TRUE(warpwise({"explain", "out-of-bonds"}).has("did you mean `out-of-bounds`?"));
}

TEST_F(Cli, devices_and_instructions_are_also_json) {
  auto devices = nlohmann::json::parse(warpwise({"devices", "--json"}).text);
  int defaults = 0;
  for (const auto& device : devices) {
    defaults += device["default"].get<bool>();
    EXPECT_TRUE(warpwise({"devices"}).has(device["name"].get<std::string>()));
  }
  EXPECT_EQ(defaults, 1);
  auto rows = nlohmann::json::parse(warpwise({"isa", "shfl.sync", "--json"}).text);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0]["opcode"], "shfl");
  EXPECT_TRUE(rows[0]["executed"]);
  for (const auto& row : nlohmann::json::parse(warpwise({"isa", "--missing", "--json"}).text))
    EXPECT_FALSE(row["executed"]);
}

// A machine without NVIDIA's driver, which the variable makes of every machine.
TEST_F(Cli, a_real_gpu_is_asked_for_by_name) {
  setenv("WARPWISE_GPU_DRIVER", (folder_.path() / "libcuda.so.1").c_str(), 1);
  const std::string source = file("k.cu", "int main() {}\n");
  Outcome run = warpwise({"run", "--on=gpu", source});
  EXPECT_EQ(run.code, 125);
  EXPECT_TRUE(run.has("error[R0601]: there is no GPU to run on: the driver `")) << run.text;
  Outcome word = warpwise({"run", "--on=card", source});
  EXPECT_EQ(word.code, 125);
  EXPECT_TRUE(word.has("--on takes `virtual`, `gpu` or `gpu:N`, not `card`")) << word.text;
  Outcome option = warpwise({"run", "--on=gpu", "--timeout=3", source});
  EXPECT_EQ(option.code, 125);
  EXPECT_TRUE(option.has("`--timeout` is for the virtual GPU, and --on asks for a real one")) << option.text;
  Outcome check = warpwise({"check", "--on=gpu", source});
  EXPECT_EQ(check.code, 4);
  EXPECT_TRUE(check.has("error[R0604]: `warpwise check` needs the virtual GPU")) << check.text;
  Outcome profile = warpwise({"profile", "--on=gpu", source});
  EXPECT_EQ(profile.code, 125);
  EXPECT_TRUE(profile.has("error[R0601]: there is no GPU to run on")) << profile.text;
  EXPECT_TRUE(warpwise({"devices"}).has("--on=gpu: there is no GPU to run on"));
  EXPECT_TRUE(warpwise({"devices", "gpu:1"}).has("error[R0601]: "));
  for (const auto& device : nlohmann::json::parse(warpwise({"devices", "--json"}).text))
    EXPECT_FALSE(device.contains("real"));
  setenv("WARPWISE_OPTIONS", R"({"on": "gpu"})", 1);
  EXPECT_TRUE(warpwise({"run", source}).has("error[R0601]: "));
  unsetenv("WARPWISE_OPTIONS");
  unsetenv("WARPWISE_GPU_DRIVER");
}

TEST_F(Cli, completions_are_valid_and_complete) {
  std::string script = file("completion.bash", warpwise({"completion", "bash"}).text);
  Outcome commands =
      shell({"/bin/bash", "-c",
             "source " + script + "; COMP_WORDS=(warpwise d); COMP_CWORD=1; _warpwise; echo ${COMPREPLY[@]}"});
  EXPECT_EQ(commands.text, "devices doctor\n");
  Outcome options =
      shell({"/bin/bash", "-c",
             "source " + script + "; COMP_WORDS=(warpwise run --dev); COMP_CWORD=2; _warpwise; echo ${COMPREPLY[@]}"});
  EXPECT_EQ(options.text, "--device --devices\n");
  const auto complete = [&](const std::string& words, int at) {
    return shell({"/bin/bash", "-c",
                  "cd /; source " + script + "; COMP_WORDS=(" + words + "); COMP_CWORD=" + std::to_string(at) +
                      "; _warpwise; echo ${COMPREPLY[@]}"})
        .text;
  };
  const std::string program = WARPWISE_PROGRAM;
  EXPECT_EQ(complete("warpwise run --device = h1", 4), "h100 h100-pcie\n") << "bash cuts words at =";
  EXPECT_EQ(complete("warpwise run --compiler =", 3), "auto clang nvcc\n");
  EXPECT_EQ(complete("warpwise run --off = interl", 4), "interleave_warps\n");
  EXPECT_EQ(complete("warpwise run --off = vect", 4), "\n") << "it must run";
  EXPECT_EQ(complete("warpwise run --dump = vect", 4), "vectorise\n");
  EXPECT_EQ(complete("warpwise lab s", 2), "show start submit solution stats\n");
  EXPECT_EQ(complete(program + " lab show puzzles/ma", 3), "puzzles/map puzzles/map-2d puzzles/matmul\n");
  EXPECT_EQ(complete(program + " lab lesson s", 3), "shared\n");
  EXPECT_EQ(complete(program + " lab quiz ind", 3), "indexing\n");
  EXPECT_EQ(complete("warpwise run --device h1", 3), "h100 h100-pcie\n");
  EXPECT_EQ(complete("warpwise lab submit --se", 3), "--seed\n");
  EXPECT_EQ(complete("warpwise explain T000", 2), "T0001 T0002 T0003 T0004 T0005 T0006 T0007 T0008 T0009\n");
  EXPECT_EQ(complete("warpwise explain unco", 2), "uncoalesced-loads uncoalesced-stores\n");
  EXPECT_EQ(complete("warpwise explain cudaErrorIllegalA", 2), "cudaErrorIllegalAddress\n");
  EXPECT_EQ(complete("warpwise explain over", 2), "over-budget\n");
  EXPECT_EQ(complete("warpwise help dev", 2), "devices\n");
  EXPECT_EQ(complete("warpwise cache c", 2), "clear\n");
  for (const char* other : {"zsh", "fish"}) {
    Outcome text = warpwise({"completion", other});
    for (const char* command : kCommands) EXPECT_TRUE(text.has(command)) << other << " " << command;
    for (const char* word : {"submit", "h100", "T0003", "warpwise completion problems", "warpwise completion lessons",
                             "warpwise completion quizzes", "uncoalesced-loads", "nvcc"})
      EXPECT_TRUE(text.has(word)) << other << " " << word;
  }
  EXPECT_EQ(warpwise({"completion", "tcsh"}).code, 2);
}

// The scripts in the shells themselves, where those are installed.
TEST_F(Cli, completions_work_in_zsh) {
  if (!toolchain::find_on_path("zsh")) GTEST_SKIP() << "zsh is not installed";
  file("_warpwise", warpwise({"completion", "zsh"}).text);
  // The functions of zsh's completion system print what they are given.
  const std::string system = "fpath=(" + folder_.path().string() +
                             " $fpath); compdef() { print compdef $@ }; _describe() { print -l -- ${(P)2} }; "
                             "_arguments() { print -l -- \"$@\" }; path=(" +
                             std::filesystem::path(WARPWISE_PROGRAM).parent_path().string() + " $path); ";
  const auto complete = [&](const std::string& words, int at) {
    return shell({"/bin/sh", "-c",
                  "exec zsh -f -c '" + system + "autoload -Uz _warpwise; words=(" + words +
                      "); CURRENT=" + std::to_string(at) + "; _warpwise'"})
        .text;
  };
  EXPECT_NE(complete("warpwise do", 2).find("doctor:check this machine"), std::string::npos) << "at the first call";
  EXPECT_NE(complete("warpwise lab s", 3).find("submit:judge a solution"), std::string::npos);
  EXPECT_NE(complete("warpwise run --dev", 3).find(" h100 "), std::string::npos);
  EXPECT_EQ(
      shell({"/bin/sh", "-c", "exec zsh -f -c '" + system + "source " + (folder_.path() / "_warpwise").string() + "'"})
          .text,
      "compdef _warpwise warpwise\n");
}

TEST_F(Cli, completions_work_in_fish) {
  if (!toolchain::find_on_path("fish")) GTEST_SKIP() << "fish is not installed";
  const std::string script = file("warpwise.fish", warpwise({"completion", "fish"}).text);
  const auto complete = [&](const std::string& line) {
    return shell({"/bin/sh", "-c",
                  "PATH=" + std::filesystem::path(WARPWISE_PROGRAM).parent_path().string() +
                      ":$PATH exec fish --no-config -c 'source " + script + "; complete -C \"" + line + "\"'"})
        .text;
  };
  EXPECT_EQ(complete("warpwise doc"), "doctor\tcheck this machine and say how to fix what is missing\n");
  EXPECT_TRUE(complete("warpwise lab su").starts_with("submit\t"));
  EXPECT_TRUE(complete("warpwise run --device=h100-p").starts_with("--device=h100-pcie\t"));
  EXPECT_EQ(complete("warpwise explain over-b"), "over-budget\n");
  EXPECT_EQ(complete("warpwise lab show puzzles/map-"), "puzzles/map-2d\n");
}

TEST_F(Cli, ptx_stands_below_its_source) {
  std::string source =
      file("k.cu", "__global__ void twice(float* x) {\n  x[threadIdx.x] *= 2.0f;\n}\n__global__ void other() {}\n");
  Outcome listing = warpwise({"ptx", "--compiler=clang", "--function=twice", source});
  EXPECT_EQ(listing.code, 0) << listing.text;
  size_t line = listing.text.find("// k.cu:2    x[threadIdx.x] *= 2.0f;"), store = listing.text.find("st.global.f32");
  EXPECT_NE(line, std::string::npos) << listing.text;
  EXPECT_LT(line, store);
  EXPECT_FALSE(listing.has("other"));
  EXPECT_FALSE(listing.has(".section"));
  EXPECT_TRUE(warpwise({"ptx", "--compiler=clang", "--raw", source}).has(".loc"));
  Outcome broken = warpwise({"ptx", "--compiler=clang", file("broken.cu", "int main( {}\n")});
  EXPECT_EQ(broken.code, 1);
  EXPECT_TRUE(broken.has("broken.cu:1:13: error:")) << broken.text;
  EXPECT_TRUE(broken.has("error[T0003]"));
}

TEST_F(Cli, cache_is_shown_and_cleared) {
  EXPECT_EQ(warpwise({"cache", "path"}).text, (folder_.path() / "cache\n").string());
  warpwise({"ptx", "--compiler=clang", file("k.cu", "__global__ void k() {}\n")});
  EXPECT_TRUE(warpwise({"cache"}).has("0.0 MiB of 2048 MiB"));
  EXPECT_EQ(warpwise({"cache", "clear"}).code, 0);
  EXPECT_TRUE(warpwise({"cache"}).has(" 0 programs"));
}

TEST_F(Cli, doctor_tells_that_what_was_prepared_does_not_fit) {
  const std::string unfit = "nothing that fits this compiler and the system's headers";
  EXPECT_FALSE(warpwise({"doctor"}).has(unfit)) << "the build has prepared it";
  setenv("CPATH", folder_.path().c_str(), 1);  // one of the things that decide what a header means
  const Outcome doctor = warpwise({"doctor"});
  unsetenv("CPATH");
  EXPECT_TRUE(doctor.has(unfit)) << doctor.text;
  EXPECT_TRUE(doctor.has("run `warpwise cache prepare`")) << doctor.text;
  EXPECT_EQ(doctor.code, 0);
}

TEST_F(Cli, doctor_finds_what_is_missing) {
  setenv("WARPWISE_CLANG", "/nonexistent", 1);
  auto checks = nlohmann::json::parse(warpwise({"doctor", "--json"}).text);
  unsetenv("WARPWISE_CLANG");
  EXPECT_EQ(checks[0]["what"], "Clang");
  EXPECT_NE(checks[0]["state"], "good");
  EXPECT_EQ(checks[0]["mend"], "apt-get install clang-19");
}

}  // namespace
}  // namespace warpwise::cli
