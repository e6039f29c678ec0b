// The program from outside: what people type, what they read, and the exit codes they script with.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

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
  EXPECT_TRUE(command.has("error[U0003]: `rnu` is no command; did you mean `run`?")) << command.text;
  EXPECT_TRUE(warpwise({"k.cu"}).has("warpwise run k.cu"));
  Outcome option = warpwise({"run", "--devise=a100", "k.cu"});
  EXPECT_EQ(option.code, 125);
  EXPECT_TRUE(option.has("did you mean `--device`?")) << option.text;
  Outcome device = warpwise({"run", "--device=h1000", file("k.cu", "")});
  EXPECT_EQ(device.code, 125);
  EXPECT_TRUE(device.has("error[U0004]: there is no device `h1000`; did you mean `h100`?")) << device.text;
  EXPECT_EQ(warpwise({"devices", "--jsn"}).code, 2);
  EXPECT_TRUE(warpwise({"run", "--engine=gpu", "k.cu"}).has("error[U0005]"));
  EXPECT_TRUE(warpwise({"nvcc", "--compiler=clang", "-rdc=true", file("k.cu", "")}).has("error[T0006]"));
  EXPECT_TRUE(warpwise({"run", "--schedule=random", file("k.cu", "")}).has("shuffle:SEED"));
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
  for (const char* other : {"zsh", "fish"}) {
    Outcome text = warpwise({"completion", other});
    for (const char* command : kCommands) EXPECT_TRUE(text.has(command)) << other << " " << command;
  }
  EXPECT_EQ(warpwise({"completion", "tcsh"}).code, 2);
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
  for (const char* wrong : {"--off=x", "--off=widen", "--dump=after:x"}) {
    Outcome refused = warpwise({"run", wrong, script});
    EXPECT_EQ(refused.code, 125) << wrong;
    EXPECT_TRUE(refused.has("U0005") && refused.has("privatise_sums")) << refused.text;
  }
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
TEST_F(Cli, run_compiles_hosts_and_kernels_and_gives_the_programs_exit_code) {
  std::string helper = file("helper.cpp", "int helper(int x) { return x + SHIFT; }\n");
  std::string main = file("main.cu",
                          "#include <cstdio>\n#include <cstdlib>\nint helper(int);\n"
                          "int main(int argc, char** argv) { std::printf(\"%d arguments\\n\", argc - 1); return "
                          "helper(std::atoi(argv[1])); }\n");
  for (int round = 0; round < 2; ++round) {  // compiled, then from the cache
    Outcome outcome = warpwise({"run", "--compiler=clang", "-DSHIFT=3", "-O1", main, helper, "4", "-x", "--verbose"});
    EXPECT_EQ(outcome.code, 7) << outcome.text;
    EXPECT_EQ(outcome.text, "3 arguments\n");
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
