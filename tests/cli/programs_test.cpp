// What becomes of sources and programs: what is compiled, run, refused, and the exit codes that scripts see.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "cli_fixture.h"
#include "toolchain/files.h"
#include "toolchain/process.h"
#include "toolchain/program_environment.h"

namespace warpwise::cli {
namespace {

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
  EXPECT_TRUE(warpwise({"run", folder_.path() / "emty.cu"}).has("/emty.cu`; did you mean `empty.cu`?"));
  // By the name that was typed.
  for (const char* name : {"notes.txt", "folder", "."}) {
    const Outcome outcome =
        shell({"/bin/sh", "-c", "cd " + folder_.path().string() + " && exec " WARPWISE_PROGRAM " run " + name});
    EXPECT_TRUE(outcome.has(std::string("error[U0006]: `") + name + "` is ")) << outcome.text;
  }
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
  EXPECT_TRUE(outcome.has("= help: `warpwise check --each FOLDER` checks every source as a program")) << outcome.text;
}

TEST_F(Cli, what_the_command_line_lacks_is_named) {
  const std::string main = file("main.cu", "__global__ void k(int*); void f(int);\nint main() { k<<<1, 1>>>(0); }\n");
  Outcome kernel = warpwise({"run", "--compiler=clang", main});
  EXPECT_TRUE(kernel.has("failed: none of the sources defines the kernel `k(int*)`: name the file that does, too\n"))
      << kernel.text;
  const std::string nested = file("nested.cu",
                                  "__global__ void inner() {}\n__global__ void outer() { inner<<<1, 1>>>(); }\n"
                                  "int main() { outer<<<1, 1>>>(); }\n");
  Outcome launch = warpwise({"run", "--compiler=clang", nested});
  EXPECT_TRUE(launch.has("failed: kernels that launch kernels need -rdc=true")) << launch.text;
}

// What stands behind the sources: ours, the compiler's, and from the first other word on the program's.
// Documents name files as they lie in the source; an installation has them elsewhere.
TEST_F(Cli, a_file_that_is_installed_is_found_for_the_user) {
  const std::string named = "kernels/vector_add/01_naive.cu";
  const Outcome outcome = warpwise({"run", named});
  EXPECT_EQ(outcome.code, 125);
  EXPECT_TRUE(outcome.has("there is no file `" + named + "`; the installed one is /")) << outcome.text;
  EXPECT_TRUE(outcome.has("/share/warpwise/" + named + "\n")) << outcome.text;
}

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
    const Outcome misspelt = warpwise({command, "--compiler=clang", main, "--devcie=a100", "--vices", inc});
    EXPECT_TRUE(misspelt.has("note: `--devcie=a100` goes to the program, as an argument; did you mean `--device`?\n"))
        << misspelt.text;
    EXPECT_FALSE(misspelt.has("--vices` goes")) << misspelt.text;
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
  // What nvcc and g++ do not mention, a rounded RAND_MAX, is not told either.
  std::string main = file("main.cu",
                          "#include <cstdlib>\nint main() { volatile float x = (float)rand() / RAND_MAX;\n"
                          "return cudaFree(reinterpret_cast<void*>(8)) != cudaErrorInvalidValue || x > 1; }\n");
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
