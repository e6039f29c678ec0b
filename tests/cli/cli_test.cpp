// The program from outside: what people type, what they read, and the exit codes they script with.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "toolchain/files.h"
#include "toolchain/process.h"
#include "toolchain/program_environment.h"

namespace warpwise::cli {
namespace {

struct Outcome {
  int code;
  std::string text;  // standard output and error
  bool has(std::string_view part) const { return text.find(part) != text.npos; }
};

class Cli : public ::testing::Test {
 protected:
  Cli() : folder_(toolchain::TemporaryFolder::create(std::filesystem::temp_directory_path()).value()) {
    setenv("WARPWISE_CACHE_DIR", (folder_.path() / "cache").c_str(), 1);
    unsetenv("WARPWISE_OPTIONS");
  }
  Outcome warpwise(std::vector<std::string> words) {
    words.insert(words.begin(), WARPWISE_PROGRAM);
    return shell(words);
  }
  static Outcome shell(const std::vector<std::string>& words) {
    auto results = toolchain::run_jobs({{words}});
    if (!results) return {-1, results.error().message};
    return {(*results)[0].exit_code, (*results)[0].output};
  }
  std::string file(const std::string& name, std::string_view content) {
    auto written = toolchain::write_file(folder_.path() / name, content);
    if (!written) ADD_FAILURE() << written.error().message;
    return folder_.path() / name;
  }
  toolchain::TemporaryFolder folder_;
};

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

TEST_F(Cli, misspelt_words_get_a_suggestion_and_a_code) {
  Outcome command = warpwise({"rnu", "k.cu"});
  EXPECT_EQ(command.code, 2);
  EXPECT_TRUE(command.has("error[U0003]: `rnu` is not a command; did you mean `run`?")) << command.text;
  EXPECT_TRUE(warpwise({"k.cu"}).has("warpwise run k.cu"));
  Outcome option = warpwise({"run", "--devise=a100", "k.cu"});
  EXPECT_EQ(option.code, 125);
  EXPECT_TRUE(option.has("did you mean `--device`?")) << option.text;
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
  EXPECT_TRUE(warpwise({"devices", "h10"}).has("there is no device `h10`; did you mean `h100`?"));
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
  EXPECT_TRUE(profile.has("error[R0604]: `warpwise profile` needs the virtual GPU")) << profile.text;
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
    for (const char* word : {"submit", "h100", "T0003", "warpwise completion problems", "uncoalesced-loads", "nvcc"})
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

TEST_F(Cli, doctor_finds_what_is_missing) {
  setenv("WARPWISE_CLANG", "/nonexistent", 1);
  auto checks = nlohmann::json::parse(warpwise({"doctor", "--json"}).text);
  unsetenv("WARPWISE_CLANG");
  EXPECT_EQ(checks[0]["what"], "Clang");
  EXPECT_NE(checks[0]["state"], "good");
  EXPECT_EQ(checks[0]["mend"], "apt-get install clang-19");
}

TEST_F(Cli, run_passes_on_what_is_the_programs) {
  // A script is a program too: it shows what it was given and ends with a code of its own.
  std::string script = file("show", "#!/bin/sh\necho \"$@\"\necho $WARPWISE_OPTIONS\ncat\nexit 42\n");
  chmod(script.c_str(), 0755);
  Outcome outcome = warpwise({"run", "--device=a100", "--mode=auto", "--timeout=2", "--off=version_full_blocks",
                              "--off=privatise_sums", script, "--device=b", "-h"});
  EXPECT_EQ(outcome.code, 42) << outcome.text;
  EXPECT_TRUE(outcome.has("--device=b -h\n"));
  auto options = nlohmann::json::parse(outcome.text.substr(outcome.text.find('{')));
  EXPECT_EQ(options, (nlohmann::json{{"device", "a100"},
                                     {"mode", "automatic"},
                                     {"timeout", 2.0},
                                     {"off", {"version_full_blocks", "privatise_sums"}}}));
  EXPECT_EQ(warpwise({"run", folder_.path() / "absent"}).code, 127);
  EXPECT_EQ(warpwise({"run", file("data", "no program")}).code, 126);
  EXPECT_EQ(warpwise({"run", folder_.path() / "absent.cu"}).code, 125);
  EXPECT_EQ(warpwise({"run"}).code, 125);
  for (const char* wrong : {"--off=x", "--off=vectorise_all", "--dump=after:x"}) {
    Outcome refused = warpwise({"run", wrong, script});
    EXPECT_EQ(refused.code, 125) << wrong;
    EXPECT_TRUE(refused.has("U0005") && refused.has("privatise_sums")) << refused.text;
  }
}

TEST_F(Cli, what_cannot_be_a_source_or_a_program_is_named_in_one_sentence) {
  std::filesystem::create_directories(folder_.path() / "folder");
  std::filesystem::create_directories(folder_.path() / "folder.cu");
  const std::string folder = folder_.path() / "folder", source_folder = folder_.path() / "folder.cu";
  const std::string empty = file("empty.cu", " \n\t\n"), notes = file("notes.txt", "remember the milk\n"),
                    binary = file("binary.cu", std::string("\x7f"
                                                           "ELF\0\1",
                                                           6)),
                    zeros = file("zeros.cu", std::string("int main() {}\0\0\0", 16)),
                    utf16 = file("utf16.cu", std::string("\xff\xfei\0n\0t\0", 8));
  const std::string program = file("program", "#!/bin/sh\nexit 0\n");
  struct Case {
    std::string file, sentence;
    bool is_source;
  };
  for (const Case& c : {Case{folder, "is a folder: name a CUDA source (.cu) or a program", false},
                        Case{source_folder, "is a folder, not a file", true}, Case{empty, "is empty", true},
                        Case{binary, "is a program or an object (ELF), not source text", true},
                        Case{zeros, "is not source text: it has zero bytes", true},
                        Case{utf16, "is UTF-16 text: save it as UTF-8", true},
                        Case{notes, "is neither a CUDA source (.cu) nor a program", false},
                        Case{program, "is a program that may not be executed: chmod +x " + program, false}})
    for (const char* command : {"run", "check", "profile"}) {
      Outcome outcome = warpwise({command, c.file});
      const std::string said =
          (c.is_source ? "error[T0010]: `" : "error[U0006]: `") + c.file + "` " + c.sentence + "\n";
      EXPECT_EQ(outcome.text, said) << command;
      EXPECT_EQ(outcome.code, std::string(command) == "check"                 ? 3
                              : std::string(command) == "run" && !c.is_source ? 126
                                                                              : 125)
          << command << " " << c.file;
    }
  EXPECT_TRUE(warpwise({"run", "--what-is-missing", folder}).has("is a folder"));
}

// Output to a full disk, which /dev/full is: a node of our own, never the machine's.
TEST_F(Cli, full_or_closed_standard_output_is_an_error_of_every_command) {
  const std::string full = folder_.path() / "full", program = WARPWISE_PROGRAM;
  const std::string source = file("k.cu", "__global__ void k() {}\n");
  const bool has_full = mknod(full.c_str(), S_IFCHR | 0600, makedev(1, 7)) == 0 && access(full.c_str(), W_OK) == 0 &&
                        shell({"/bin/sh", "-c", ": > " + full}).code == 0;
  for (const std::string& words :
       std::vector<std::string>{"--help", "run --help", "devices", "devices --json", "isa --json", "api", "explain",
                                "version", "doctor --json", "completion zsh", "occupancy --block=64", "cache",
                                "lab list --json", "lab list", "ptx --compiler=clang " + source}) {
    const int failed = words.starts_with("run") ? 125 : words.starts_with("lab") ? 3 : 1;
    Outcome closed = shell({"/bin/sh", "-c", program + " " + words + " >&-"});
    EXPECT_EQ(closed.code, failed) << words << closed.text;
    EXPECT_TRUE(closed.has("error[U0002]: cannot write to standard output: Bad file descriptor"))
        << words << closed.text;
    if (!has_full) continue;
    Outcome refused = shell({"/bin/sh", "-c", program + " " + words + " > " + full});
    EXPECT_EQ(refused.code, failed) << words << refused.text;
    EXPECT_TRUE(refused.has("error[U0002]: cannot write to standard output: No space left on device"))
        << words << refused.text;
  }
}

TEST_F(Cli, a_reader_that_has_gone_ends_a_command_quietly_and_leaves_nothing_behind) {
  const std::string temporary = folder_.path() / "temporary";
  std::filesystem::create_directories(temporary);
  const std::string source = file("k.cu", "__global__ void k() {}\n");
  for (const std::string& words :
       std::vector<std::string>{"isa", "devices --json", "explain", "ptx --compiler=clang --raw " + source}) {
    // The reader ends before the first word is written.
    Outcome outcome = shell(
        {"/bin/bash", "-c",
         "export TMPDIR=" + temporary + "; { sleep 0.2; " WARPWISE_PROGRAM " " + words + "; echo $? >&2; } | true"});
    EXPECT_EQ(outcome.text, "141\n") << words;
    EXPECT_TRUE(std::filesystem::is_empty(temporary)) << words;
  }
}

TEST_F(Cli, programs_inherit_the_default_of_sigpipe) {
  const std::string script = file("script", "#!/bin/bash\ntrap -p PIPE\nyes | head -1\nexit ${PIPESTATUS[0]}\n");
  chmod(script.c_str(), 0755);
  Outcome outcome = warpwise({"run", script});
  EXPECT_EQ(outcome.code, 128 + SIGPIPE) << outcome.text;
}

TEST_F(Cli, an_interrupted_compilation_leaves_nothing_behind) {
  // A compiler that interrupts who started it, as ^C does, and would go on for long.
  std::string compiler = file("clang", "#!/bin/sh\nkill -INT $PPID\nsleep 30\n");
  chmod(compiler.c_str(), 0755);
  setenv("WARPWISE_CLANG", compiler.c_str(), 1);
  signal(SIGINT, SIG_DFL);  // a shell lets what it starts in the background ignore it, and that is inherited
  Outcome outcome = warpwise({"ptx", "--compiler=clang", file("k.cu", "__global__ void k() {}\n")});
  unsetenv("WARPWISE_CLANG");
  EXPECT_EQ(outcome.code, 128 + SIGINT);
  EXPECT_EQ(outcome.text, "");
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path() / "cache/v1/tmp"));
}

#ifdef WARPWISE_HAS_RUNTIME
TEST_F(Cli, a_missing_or_second_main_is_named) {
  const std::string kernel = file("map.cu", "__global__ void map(float*) {}\n");
  for (const char* command : {"run", "check", "profile"}) {
    Outcome outcome = warpwise({command, "--compiler=clang", kernel});
    EXPECT_EQ(outcome.text,
              "error[T0011]: `" + kernel + "` has no main(): is it for the lab? warpwise lab submit " + kernel + "\n");
  }
  const std::string first = file("first.cu", "int main() {}\n"), second = file("second.cu", "int main() {}\n");
  Outcome outcome = warpwise({"run", "--compiler=clang", first, second});
  EXPECT_EQ(outcome.code, 125);
  EXPECT_TRUE(outcome.has("error[T0012]: several of `" + first + "`, `" + second + "` define main()")) << outcome.text;
}

// What stands behind the sources: ours, the compiler's, and from the first other word on the program's.
TEST_F(Cli, options_behind_the_sources_follow_one_rule) {
  std::filesystem::create_directories(folder_.path() / "inc");
  file("inc/shift.h", "#define SHIFT 3\n");
  const std::string main = file("main.cu",
                                "#include <cstdio>\n#include \"shift.h\"\n"
                                "int main(int argc, char** argv) {\n"
                                "  cudaDeviceProp p; cudaGetDeviceProperties(&p, 0);\n"
                                "  std::printf(\"%d %d%d\", argc - 1, SHIFT, p.major);\n"
                                "  for (int i = 1; i < argc; ++i) std::printf(\" %s\", argv[i]);\n"
                                "  std::printf(\"\\n\");\n}\n");
  const std::string inc = "-I" + (folder_.path() / "inc").string();
  for (const char* command : {"run", "check", "profile"}) {
    Outcome taken = warpwise({command, "--compiler=clang", main, inc, "-lm", "--device=a100", "7", "-x"});
    EXPECT_TRUE(taken.has("2 38 7 -x\n")) << command << taken.text;
    EXPECT_FALSE(taken.has("note:")) << taken.text;
    Outcome passed = warpwise({command, "--compiler=clang", main, inc, "7", "--device=a100", "--help"});
    EXPECT_TRUE(passed.has("3 39 7 --device=a100 --help\n")) << command << passed.text;
    EXPECT_TRUE(passed.has("note: `--device=a100` goes to the program, as an argument")) << passed.text;
    Outcome meant = warpwise({command, "--compiler=clang", main, inc, "--", "--device=a100"});
    EXPECT_TRUE(meant.has("1 39 --device=a100\n")) << command << meant.text;
    EXPECT_FALSE(meant.has("note:")) << meant.text;
    EXPECT_TRUE(warpwise({command, "--compiler=clang", main, inc, "--help"}).has("1 39 --help\n")) << command;
  }
}

TEST_F(Cli, run_compiles_hosts_and_kernels_and_gives_the_programs_exit_code) {
  std::string helper = file("helper.cpp", "int helper(int x) { return x + SHIFT; }\n");
  std::string main = file("main.cu",
                          "#include <cstdio>\n#include <cstdlib>\nint helper(int);\n"
                          "int main(int argc, char** argv) { std::printf(\"%d arguments\\n\", argc - 1); return "
                          "helper(std::atoi(argv[1])); }\n");
  for (int round = 0; round < 2; ++round) {  // compiled, then from the cache
    Outcome outcome = warpwise({"run", "--compiler=clang", "-DSHIFT=3", "-O1", main, helper, "4", "-x", "--verbose"});
    EXPECT_EQ(outcome.code, 7) << outcome.text;
    EXPECT_EQ(outcome.text,
              "note: `--verbose` goes to the program, as an argument; options of Warpwise stand before its arguments\n"
              "3 arguments\n");
  }
  setenv("WARPWISE_CACHE_DIR", "/proc/nowhere", 1);
  EXPECT_EQ(warpwise({"run", "--compiler=clang", "-DSHIFT=3", main, helper, "5"}).code, 8) << "without a cache";
}

TEST_F(Cli, run_v_tells_of_commands_and_of_calls_that_fail) {
  std::string main =
      file("main.cu", "int main() { return cudaFree(reinterpret_cast<void*>(8)) != cudaErrorInvalidValue; }\n");
  Outcome quiet = warpwise({"run", "--compiler=clang", main});
  EXPECT_EQ(quiet.code, 0);
  EXPECT_EQ(quiet.text, "");
  Outcome verbose = warpwise({"run", "--compiler=clang", "-v", main});
  EXPECT_EQ(verbose.code, 0);
  EXPECT_TRUE(verbose.has("warpwise: cudaFree: cudaErrorInvalidValue: 0x8 is not an address")) << verbose.text;
  EXPECT_TRUE(warpwise({"run", "--compiler=clang", "-v", "-DNEW", main}).has("--cuda-host-only")) << "compiled anew";
}

TEST_F(Cli, profile_names_the_one_cause_of_a_missing_record) {
  const std::string host = file("host.cu", "int main() { return 4; }\n");
  Outcome unused = warpwise({"profile", "--compiler=clang", host});
  EXPECT_EQ(unused.code, 4);
  EXPECT_EQ(unused.text,
            "The program did not use the GPU: it made no CUDA call that needs one, so there is nothing to profile.\n");
  const std::string killed = file("killed.cu", "#include <csignal>\nint main() { raise(SIGKILL); }\n");
  Outcome before = warpwise({"profile", "--compiler=clang", killed});
  EXPECT_EQ(before.code, 128 + SIGKILL);
  EXPECT_EQ(before.text, "Signal 9 (Killed) ended the program before it used the GPU.\n");
  const std::string later =
      file("later.cu", "#include <csignal>\nint main() { int* p; cudaMalloc(&p, 4); raise(SIGKILL); }\n");
  EXPECT_EQ(warpwise({"profile", "--compiler=clang", later}).text,
            "Signal 9 (Killed) ended the program before its record was complete.\n");
}

TEST_F(Cli, nvcc_writes_make_rules_of_what_it_read) {
  file("shape.h", "#ifdef __CUDA_ARCH__\n#include \"device only.h\"\n#endif\n");
  file("device only.h", "\n");
  const std::string source = file("k.cu", "#include \"shape.h\"\n__global__ void k() {}\n");
  const std::string object = folder_.path() / "k.o", rule = folder_.path() / "k.d";
  Outcome made = warpwise(
      {"nvcc", "--compiler=clang", "-MD", "-MT", "a/target.o", "-MF", rule, "-x", "cu", "-c", source, "-o", object});
  EXPECT_EQ(made.code, 0) << made.text;
  std::string text = toolchain::read_file(rule).value();
  EXPECT_TRUE(text.starts_with("a/target.o: " + source + " \\\n")) << text;
  EXPECT_NE(text.find("/shape.h"), text.npos);
  EXPECT_NE(text.find("/device\\ only.h"), text.npos) << text;
  // This test's own folder is called like those of the program.
  const std::string own = folder_.path();
  for (size_t at = 0; (at = text.find(own)) != text.npos;) text.erase(at, own.size());
  EXPECT_EQ(text.find("/warpwise-"), text.npos) << "no file that is gone by now: " << text;
}

// nvcc names a rule after -o, or after each source; with the system's headers by -MD, without them by -MMD.
TEST_F(Cli, nvcc_writes_make_rules_of_programs) {
  file("shape.h", "\n");
  file("system/far.h", "\n");
  file("k.cu", "#include \"shape.h\"\n#include <far.h>\n#include <cstdio>\nint f();\nint main() { return f(); }\n");
  file("f.cu", "int f() { return 0; }\n");
  const auto nvcc = [&](const std::string& words) {
    return shell({"/bin/sh", "-c",
                  "cd " + folder_.path().string() + " && " + WARPWISE_PROGRAM +
                      " nvcc --compiler=clang -isystem system " + words});
  };
  const auto rule = [&](const std::string& name) {
    auto text = toolchain::read_file(folder_.path() / name);
    return text.ok() ? *text : text.error().message;
  };
  EXPECT_EQ(nvcc("-MMD -MP -o program k.cu f.cu").text, "");
  EXPECT_EQ(rule("program.d"), "program: k.cu f.cu \\\n  shape.h\n\nshape.h:\n") << "the rule of all sources";
  EXPECT_EQ(nvcc("-MD k.cu f.cu").text, "");
  EXPECT_TRUE(rule("k.d").starts_with("k.o: k.cu \\\n")) << rule("k.d");
  for (const char* header : {" shape.h", " system/far.h", "/cstdio", "/cuda_runtime.h"})
    EXPECT_NE(rule("k.d").find(header), std::string::npos) << header;
  EXPECT_TRUE(rule("f.d").starts_with("f.o: f.cu")) << rule("f.d");
  EXPECT_EQ(nvcc("-MMD -MT all -MF rules/k.mk k.cu f.cu").text, "");
  EXPECT_EQ(rule("rules/k.mk"), "all: k.cu f.cu \\\n  shape.h\n");
  EXPECT_EQ(nvcc("-MMD -c k.cu f.cu -MF k.mk").code, 1);
  EXPECT_TRUE(nvcc("-MF k.mk -c k.cu").has("error[T0005]: `-MF` needs `-MD` or `-MMD`"));
  EXPECT_TRUE(warpwise({"run", "-MD", folder_.path() / "f.cu"}).has("error[T0006]: only `warpwise nvcc` writes"));
}

TEST_F(Cli, nvcc_makes_programs_that_run_by_themselves) {
  std::string main = file("main.cu", "__global__ void k() {}\nint other();\nint main() { return other(); }\n");
  std::string other = file("other.cpp", "int other() { return 9; }\n");
  std::string object = folder_.path() / "main.o", program = folder_.path() / "program";
  EXPECT_EQ(warpwise({"nvcc", "--compiler=clang", "-c", "-o", object, main}).text, "");
  EXPECT_EQ(warpwise({"nvcc", "--compiler=clang", object, other, "-o", program}).text, "");
  // By itself: only what a build with sanitizers asks for stands in its environment.
  std::vector<std::string> words{"/usr/bin/env"};
  for (const auto& variable : toolchain::program_environment(toolchain::Installation::find()))
    if (variable.name != "LD_LIBRARY_PATH") words.push_back(variable.text());
  words.push_back(program);
  EXPECT_EQ(shell(words).code, 9);
  EXPECT_TRUE(warpwise({"nvcc", "-c", "-o", object, main, other}).has("error[T0005]"));
}
#endif

}  // namespace
}  // namespace warpwise::cli
