// `warpwise check` from outside: exit codes, the program's own output, reports, signals.
#include <gtest/gtest.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/sanitized.h"
#include "toolchain/files.h"

namespace warpwise {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* kClean =
    "#include <cstdio>\nint main(int, char** v) { int* p; cudaMalloc(&p, 4); cudaFree(p);\n"
    "  std::printf(\"hello %s\\n\", v[1]); }\n";
constexpr const char* kLeak = "int main() { int* p;\n  cudaMalloc(&p, 4);\n}\n";
constexpr const char* kTwoErrors =
    "int main() { int* p;\n  cudaMalloc(&p, 4);\n  cudaFree(p);\n  cudaFree(p);\n"
    "  cudaFree(p + 1);\n  cudaGetLastError();\n}\n";

struct Outcome {
  int code = -1;
  std::string out, err;
  bool says(std::string_view text) const { return err.find(text) != err.npos; }
};

class CheckCommand : public testing::Test {
 protected:
  CheckCommand() : folder_(toolchain::TemporaryFolder::create(fs::temp_directory_path()).value()) {
    unsetenv("WARPWISE_OPTIONS");
  }

  std::string file(const std::string& name, std::string_view content) {
    EXPECT_TRUE(toolchain::write_file(folder_.path() / name, content).ok());
    return folder_.path() / name;
  }
  std::string path(const std::string& name) const { return folder_.path() / name; }
  std::string content(const std::string& name) const {
    auto text = toolchain::read_file(folder_.path() / name);
    return text ? *text : "";
  }
  Outcome check(const std::string& words) {
    std::string command =
        std::string(WARPWISE_PROGRAM) + " check " + words + " >" + path("out") + " 2>" + path("err") + " </dev/null";
    int status = std::system(command.c_str());
    return {WEXITSTATUS(status), content("out"), content("err")};
  }

  toolchain::TemporaryFolder folder_;
};

TEST_F(CheckCommand, leaves_a_clean_program_alone) {
  Outcome outcome = check(file("clean.cu", kClean) + " world");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "hello world\n");
  EXPECT_TRUE(outcome.says("clean")) << outcome.err;
}

TEST_F(CheckCommand, answers_with_its_exit_code) {
  EXPECT_EQ(check(file("two.cu", kTwoErrors)).code, 1);
  std::string leak = file("leak.cu", kLeak);
  EXPECT_EQ(check(leak).code, 0) << "a leak warns";
  EXPECT_EQ(check("--fail-on=warning " + leak).code, 1);
  EXPECT_EQ(check("--fail-on=none " + path("two.cu")).code, 0);
  EXPECT_EQ(check(file("fails.cu", "int main() { return 7; }\n")).code, 2);
  EXPECT_EQ(check(file("dies.cu", "#include <cstdlib>\nint main() { std::abort(); }\n")).code, 2);
  EXPECT_EQ(check(file("bad.cu", "int main() { return x; }\n")).code, 3);
  EXPECT_EQ(check("./no-such-program").code, 3);
  for (const char* words : {"--only=nothing ", "--suppress=C9999 ", "--device=abacus ", "--no-such-option ",
                            "--new-only=/no/such/file ", "--json=/proc/nowhere/r.json "})
    EXPECT_EQ(check(words + leak).code, 4) << words;
  EXPECT_EQ(check("").code, 4);
  EXPECT_EQ(check("--each").code, 4);
  EXPECT_EQ(check("--each " + path("no-such-folder")).code, 4);
}

TEST_F(CheckCommand, reports_a_program_that_does_not_compile) {
  const std::string reports = path("new/folder/");
  Outcome outcome = check("--annotations=always --json=" + reports + "r.json --sarif=" + reports +
                          "r.sarif --junit=" + reports + "r.xml " + file("bad.cu", "int main() {\n   return x; }\n"));
  EXPECT_EQ(outcome.code, 3);
  EXPECT_TRUE(outcome.says("undeclared identifier 'x'")) << outcome.err;
  const Json json = Json::parse(content("new/folder/r.json"), nullptr, false);
  ASSERT_TRUE(json.is_object());
  EXPECT_EQ(json["verdict"], "not-checked");
  EXPECT_NE(json["output"].get<std::string>().find("undeclared identifier 'x'"), std::string::npos);
  const std::string xml = content("new/folder/r.xml");
  EXPECT_NE(xml.find("<testsuites tests=\"1\" failures=\"1\">"), std::string::npos) << xml;
  EXPECT_NE(xml.find("undeclared identifier &#39;x&#39;"), std::string::npos) << xml;
  const Json run = Json::parse(content("new/folder/r.sarif"))["runs"][0];
  ASSERT_EQ(run["results"].size(), 1u);
  EXPECT_EQ(run["results"][0]["ruleId"], "T0003");
  EXPECT_EQ(run["results"][0]["message"]["text"], "use of undeclared identifier 'x'");
  EXPECT_EQ(run["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"], 2);
  EXPECT_EQ(json["compile_errors"][0]["line"], 2);
  EXPECT_EQ(json["failure_code"], "T0003");
  EXPECT_TRUE(outcome.says("bad.cu,line=2,col=11,title=does not compile::use of undeclared identifier 'x'\n"))
      << outcome.err;
  const Json& invocation = run["invocations"][0];
  EXPECT_EQ(invocation["executionSuccessful"], false);
  EXPECT_EQ(invocation["toolExecutionNotifications"][0]["level"], "error");
}

TEST_F(CheckCommand, checks_each_source_of_a_folder) {
  fs::create_directories(folder_.path() / "tests/deep");
  file("tests/a_clean.cu", kClean);
  file("tests/b_two.cu", kTwoErrors);
  file("tests/c_bad.cu", "int main() { return x; }\n");
  file("tests/deep/d_fails.cu", "#include <cstdio>\nint main() { std::puts(\"last words\"); return 7; }\n");
  file("tests/notes.txt", "not a program\n");
  const std::string options = "--each --json=" + path("reports/r.json") + " --sarif=" + path("reports/r.sarif") +
                              " --junit=" + path("reports/r.xml") + " ";
  Outcome outcome = check(options + path("tests") + " -- world");
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_EQ(outcome.out, "") << "what clean programs print is not shown";
  EXPECT_TRUE(outcome.says("4 programs, 1 clean")) << outcome.err;
  EXPECT_TRUE(outcome.says("error[C0502]")) << outcome.err;
  EXPECT_TRUE(outcome.says("undeclared identifier 'x'")) << outcome.err;
  EXPECT_TRUE(outcome.says("    last words")) << outcome.err;
  EXPECT_FALSE(outcome.says("hello world")) << outcome.err;

  const Json json = Json::parse(content("reports/r.json"), nullptr, false);
  ASSERT_TRUE(json.is_object());
  EXPECT_EQ(json["verdict"], "findings");
  EXPECT_EQ(json["counts"]["error"], 2);
  std::vector<std::string> verdicts;
  for (const Json& program : json["programs"]) verdicts.push_back(program["verdict"]);
  EXPECT_EQ(verdicts, (std::vector<std::string>{"clean", "findings", "not-checked", "program-failed"}));
  const Json run = Json::parse(content("reports/r.sarif"))["runs"][0];
  ASSERT_EQ(run["results"].size(), 3u);
  EXPECT_EQ(run["results"][2]["ruleId"], "T0003") << "c_bad.cu";
  EXPECT_EQ(run["invocations"].size(), 4u);
  const std::string xml = content("reports/r.xml");
  size_t suites = 0;
  for (size_t at = 0; (at = xml.find("<testsuite ", at)) != xml.npos; ++at) ++suites;
  EXPECT_EQ(suites, 4u);
  EXPECT_NE(xml.find("type=\"not-checked\""), std::string::npos) << xml;
  EXPECT_NE(xml.find("type=\"exit\""), std::string::npos) << xml;
}

// The options of one check hold for all, and the exit code is the first of 1, 2 and 3.
TEST_F(CheckCommand, judges_each_program_by_the_same_options) {
  fs::create_directories(folder_.path() / "tests");
  const std::string two = file("tests/two.cu", kTwoErrors), leak = file("tests/leak.cu", kLeak);
  const std::string fails = file("fails.cu", "int main() { return 7; }\n");
  const std::string bad = file("bad.cu", "int main() { return x; }\n");
  const std::string define = file("define.cu", "int main(int n, char**) { return EXPECTED - n; }\n");
  EXPECT_EQ(check("--each " + leak + " " + fails).code, 2);
  EXPECT_EQ(check("--each " + leak + " " + bad).code, 3);
  EXPECT_EQ(check("--each " + bad + " " + fails).code, 2);
  EXPECT_EQ(check("--each --jobs=1 " + leak).code, 0);
  EXPECT_EQ(check("--each --fail-on=warning " + leak).code, 1);
  EXPECT_EQ(check("--each " + define + " -DEXPECTED=3 -- one two").code, 0) << content("err");
  EXPECT_EQ(check("--each --only=memory " + path("tests")).code, 0);
  Outcome outcome = check("--each --suppress=C0502:two.cu --suppress=C0503 --suppress=C0601 " + path("tests"));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(outcome.says("`C0601` matched nothing")) << outcome.err;
  EXPECT_FALSE(outcome.says("`C0503` matched nothing")) << outcome.err;
  EXPECT_EQ(check("--each --save-baseline=" + path("b.json") + " " + path("tests")).code, 1);
  EXPECT_EQ(check("--each --new-only=" + path("b.json") + " " + path("tests")).code, 0);
  EXPECT_EQ(check("--new-only=" + path("b.json") + " " + two).code, 0);
}

TEST_F(CheckCommand, annotates_for_github) {
  const std::string two = file("two.cu", kTwoErrors), line = "::error file=" + path("two.cu") + ",line=4,";
  EXPECT_FALSE(check(two).says("::error"));
  EXPECT_TRUE(check("--annotations=always -q " + two).says(line)) << content("err");
  setenv("GITHUB_ACTIONS", "true", 1);
  EXPECT_TRUE(check(two).says(line)) << content("err");
  EXPECT_FALSE(check("--annotations=never " + two).says("::error"));
  const Outcome each = check("--each " + two);
  unsetenv("GITHUB_ACTIONS");
  EXPECT_TRUE(each.says(line)) << each.err;
  const size_t first = each.err.find(line);
  EXPECT_EQ(each.err.find(line, first + 1), std::string::npos) << "once\n" << each.err;
}

// Host code that follows a device pointer is a finding in every form of the report, at the host's line.
TEST_F(CheckCommand, reports_host_code_that_touches_device_memory) {
  const std::string source = file("host.cu", "int main() { int* p;\n  cudaMalloc(&p, 64);\n  p[3] = 1;\n}\n");
  Outcome outcome =
      check("--json=" + path("r.json") + " --sarif=" + path("r.sarif") + " --junit=" + path("r.xml") + " " + source);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(outcome.says("host.cu:3: error[R0301]: host code writes byte 12 of device memory")) << outcome.err;
  EXPECT_EQ(outcome.err.find("error[R0301]"), outcome.err.rfind("error[R0301]")) << "once: " << outcome.err;
  const Json finding = Json::parse(content("r.json"))["findings"][0];
  EXPECT_EQ(finding["code"], "R0301");
  EXPECT_EQ(finding["line"], 3);
  EXPECT_EQ(finding["checker"], "api");
  const Json result = Json::parse(content("r.sarif"))["runs"][0]["results"][0];
  EXPECT_EQ(result["ruleId"], "R0301");
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["region"]["startLine"], 3);
  EXPECT_NE(content("r.xml").find("<failure message=\"R0301: "), std::string::npos) << content("r.xml");
}

// Each turn of this loop is spent in the race checker, where the watch's signal finds no kernel code to leave.
TEST_F(CheckCommand, ends_a_kernel_whose_time_is_spent_in_checkers) {
  const std::string endless = file("endless.cu",
                                   "__global__ void k(volatile int* flag, int* data) {\n"
                                   "  while (*flag == 0) { atomicAdd(data + threadIdx.x, 1); __threadfence(); }\n}\n"
                                   "int main() { int *f, *d; cudaMalloc(&f, 4); cudaMalloc(&d, 4096);\n"
                                   "  cudaMemset(f, 0, 4); cudaMemset(d, 0, 4096);\n"
                                   "  k<<<4, 256>>>(f, d); return cudaDeviceSynchronize(); }\n");
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(check("--timeout=2 " + endless).says("C0407"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

// The interpreter reports no accesses: a racy program must not look as if it had been checked.
TEST_F(CheckCommand, says_that_the_interpreter_checks_no_kernels) {
  const std::string racy = file("racy.cu",
                                "__global__ void k(int* p) { *p = threadIdx.x; }\n"
                                "int main() { int* p; cudaMalloc(&p, 4); k<<<1, 64>>>(p);\n"
                                "  return cudaDeviceSynchronize(); }\n");
  const Outcome interpreted = check("--engine=interpreter " + racy);
  EXPECT_TRUE(interpreted.says("not checked any more: accesses and barriers of kernels: the interpreter"))
      << interpreted.err;
  EXPECT_NE(interpreted.code, 0);
  EXPECT_FALSE(check(racy).says("the interpreter"));
}

TEST_F(CheckCommand, tells_where_and_what_to_do) {
  Outcome outcome = check(file("two.cu", kTwoErrors));
  EXPECT_TRUE(outcome.says("two.cu:4")) << outcome.err;
  EXPECT_TRUE(outcome.says("error[C0502]"));
  EXPECT_TRUE(outcome.says("    4 |   cudaFree(p);")) << "the source line";
  EXPECT_TRUE(outcome.says("by cudaMalloc at " + path("two.cu") + ":2")) << outcome.err;
  EXPECT_TRUE(outcome.says("freed at " + path("two.cu") + ":3")) << outcome.err;
  EXPECT_TRUE(outcome.says("help:"));
  EXPECT_FALSE(outcome.says("\033[")) << "no colours in a file";
}

TEST_F(CheckCommand, writes_reports) {
  Outcome outcome =
      check("--json --sarif=" + path("r.sarif") + " --junit=" + path("r.xml") + " " + file("two.cu", kTwoErrors));
  EXPECT_EQ(outcome.code, 1);
  Json json = Json::parse(outcome.out, nullptr, false);
  ASSERT_TRUE(json.is_object()) << outcome.out;
  EXPECT_EQ(json["verdict"], "findings");
  EXPECT_EQ(json["findings"].size(), 2u);
  EXPECT_EQ(Json::parse(content("r.sarif"))["runs"][0]["results"].size(), 2u);
  EXPECT_NE(content("r.xml").find("<testsuites"), std::string::npos);
}

TEST_F(CheckCommand, leaves_out_what_it_is_told_to) {
  std::string two = file("two.cu", kTwoErrors);
  EXPECT_EQ(check("--suppress=double-free --suppress=C0503 " + two).code, 0);
  EXPECT_EQ(check("--suppress=C0502:two.cu:4 " + two).code, 1);
  file("s.txt", "C0502:two.cu  on purpose\nC0503 on purpose\n");
  Outcome outcome = check("--suppressions=" + path("s.txt") + " " + two);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(outcome.says("2 suppressed"));
  EXPECT_EQ(check("--only=memory " + two).code, 0) << "the API is not checked";

  EXPECT_EQ(check("--save-baseline=" + path("b.json") + " " + two).code, 1);
  EXPECT_EQ(check("--new-only=" + path("b.json") + " " + two).code, 0);
  std::string moved = file("two.cu", "// one more line\n" + std::string(kTwoErrors));
  EXPECT_EQ(check("--new-only=" + path("b.json") + " " + moved).code, 0) << "lines may move";
  // As `--new-only=<(…)` gives it: a pipe, which can be read once.
  const std::string pipe = path("pipe");
  ASSERT_EQ(std::system(("mkfifo " + pipe + "; cat " + path("b.json") + " > " + pipe + " &").c_str()), 0);
  outcome = check("--new-only=" + pipe + " " + moved);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  std::string more = file("two.cu", std::string(kTwoErrors) + "int again = cudaFree((void*)8);\n");
  EXPECT_EQ(check("--new-only=" + path("b.json") + " " + more).code, 1);
}

TEST_F(CheckCommand, keeps_findings_of_a_program_that_crashes) {
  Outcome outcome = check(file("crash.cu",
                               "#include <cstdlib>\nint main() { int* p; cudaMalloc(&p, 4); cudaFree(p); cudaFree(p);\n"
                               "  cudaGetLastError(); std::abort(); }\n"));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(outcome.says("C0502")) << outcome.err;
  EXPECT_TRUE(outcome.says("signal 6")) << outcome.err;
}

TEST_F(CheckCommand, keeps_findings_of_a_program_that_is_killed) {
  for (const char* end : {"raise(SIGKILL)", "*(volatile int*)8 = 1"}) {
    Outcome outcome = check(file(
        "killed.cu",
        std::string(
            "#include <csignal>\n__global__ void k(int* p) { p[1] = 1; }\nint main() { int* p; cudaMalloc(&p, 4);\n"
            "  k<<<1, 1>>>(p); cudaDeviceSynchronize(); ") +
            end + "; }\n"));
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    EXPECT_TRUE(outcome.says("C0101")) << outcome.err;
    EXPECT_FALSE(outcome.says(": clean")) << outcome.err;
  }
}

// 192 stores of 8,192 threads each.
// Block 1 is first here by the clock; which block is shown does not depend on that.
TEST_F(CheckCommand, shows_the_earliest_block) {
  const std::string source = file("late.cu", R"(#include <cuda_runtime.h>
__global__ void k(volatile int* spun, int* out) {
  if (blockIdx.x == 0)
    for (int i = 0; i < 20000000; ++i) *spun = i;
  out[2 + blockIdx.x] = 1;
}
int main() {
  int *spun, *out;
  cudaMalloc(&spun, sizeof(int)), cudaMalloc(&out, 2 * sizeof(int));
  k<<<2, 1>>>(spun, out);
  cudaDeviceSynchronize();
}
)");
  const Outcome outcome = check("--threads=2 --only=memory " + source);
  EXPECT_TRUE(outcome.says("write by thread (0,0,0) of block (0,0,0)")) << outcome.err;
  EXPECT_TRUE(outcome.says("just past the end")) << outcome.err;
}

TEST_F(CheckCommand, ends_a_million_findings_with_a_screen) {
  std::string source = "__global__ void k(int* p) {\n";
  for (int i = 0; i < 192; ++i) source += "  p[" + std::to_string(i + 1) + "] = 1;\n";
  Outcome outcome = check("--only=memory --max-findings=3 " +
                          file("many.cu", source + "}\nint main() { int* p; cudaMalloc(&p, 4);\n  k<<<32, 256>>>(p); "
                                                   "cudaDeviceSynchronize(); cudaFree(p); }\n"));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(outcome.says("192 errors")) << outcome.err;
  EXPECT_TRUE(outcome.says("1572864")) << "how often\n" << outcome.err;
  EXPECT_LT(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 40) << outcome.err;
}

// 210 times 5,000 lines: more causes than are kept, each call with the way to it.
TEST_F(CheckCommand, ends_a_million_wrong_calls_with_a_screen) {
  std::string source = "int main() {\n  for (int i = 0; i < 210; ++i) {\n";
  for (int i = 0; i < 5000; ++i) source += "    cudaFree((void*)" + std::to_string(i + 1) + ");\n";
  Outcome outcome =
      check("--max-findings=3 " + file("calls.cu", source + "  }\n  return cudaGetLastError() == cudaSuccess;\n}\n"));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(outcome.says("4096 errors")) << outcome.err;
  EXPECT_TRUE(outcome.says("189840 more that were not kept")) << "the calls of 904 lines\n" << outcome.err;
  EXPECT_LT(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 40) << outcome.err;
}

TEST_F(CheckCommand, is_not_clean_when_the_program_fails) {
  Outcome outcome = check(file("fails.cu", "int main() { int* p; cudaMalloc(&p, 4); cudaFree(p); return 3; }\n"));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(outcome.says("nothing found before it failed")) << outcome.err;
  EXPECT_FALSE(outcome.says(": clean")) << outcome.err;
}

TEST_F(CheckCommand, does_not_take_a_slow_kernel_for_a_deadlock_alone) {
  Outcome outcome =
      check("--timeout=1 " +
            file("slow.cu",
                 "__global__ void k(int* p) { for (unsigned i = 0; i < 4000000000u; ++i) p[threadIdx.x] += i; }\n"
                 "int main() { int* p; cudaMalloc(&p, 512); cudaMemset(p, 0, 512);\n  k<<<1, 128>>>(p); return "
                 "cudaDeviceSynchronize() != cudaErrorLaunchTimeout; }\n"));
  EXPECT_TRUE(outcome.says("C0407")) << outcome.err;
  EXPECT_TRUE(outcome.says("only need longer")) << outcome.err;
  EXPECT_FALSE(outcome.says("by: barrier")) << outcome.err;
}

// Under each limit: what is not checked is said, what needs no shadow is found, and nothing is called clean that was
// not checked.
TEST_F(CheckCommand, is_not_clean_when_a_checker_has_no_room) {
  if (kSlowdown > 1) GTEST_SKIP() << "AddressSanitizer's own shadow needs more addresses than this test leaves";
  const std::string clean = file("clean.cu", kClean);
  const std::string guilty =
      file("guilty.cu",
           "__global__ void part(int* p) { if (threadIdx.x < 32) __syncthreads(); p[threadIdx.x] = 1; }\n"
           "__global__ void past(int* p) { p[1l << 32] = 1; }\n"
           "__global__ void race(int* p) { __shared__ int s[64]; s[threadIdx.x] = 1; p[threadIdx.x] = s[63 - "
           "threadIdx.x]; }\n"
           "int main() { int* p; cudaMalloc(&p, 256);\n  part<<<1, 64>>>(p); race<<<1, 64>>>(p); "
           "cudaDeviceSynchronize(); past<<<1, 1>>>(p);\n"
           "  return cudaDeviceSynchronize() != cudaErrorIllegalAddress; }\n");
  ASSERT_EQ(check(clean + " world").code, 0);
  ASSERT_EQ(check(guilty).code, 1);
  struct Limit {
    const char* kilobytes;
    bool memory, races;  // checked
  };
  for (const Limit& limit : {Limit{"5000000", false, false}, Limit{"50000000", false, false},
                             Limit{"7000000000", true, false}, Limit{"30000000000", true, true}}) {
    auto under = [&](const std::string& arguments) {
      const std::string command = "ulimit -v " + std::string(limit.kilobytes) + "; " + std::string(WARPWISE_PROGRAM) +
                                  " check " + arguments + " >" + path("out") + " 2>" + path("err") + " </dev/null";
      const int status = std::system(command.c_str());
      const std::string text = content("err");
      EXPECT_EQ(text.find("accesses of kernels: no room") != text.npos, !limit.memory) << limit.kilobytes << "\n"
                                                                                       << text;
      EXPECT_EQ(text.find("races: no room") != text.npos, !limit.races) << limit.kilobytes << "\n" << text;
      return Outcome{WEXITSTATUS(status), content("out"), text};
    };
    Outcome outcome = under(clean + " world");
    EXPECT_EQ(outcome.code, limit.memory && limit.races ? 0 : 3) << limit.kilobytes << "\n" << outcome.err;
    EXPECT_EQ(outcome.says(": clean"), limit.memory && limit.races) << limit.kilobytes << "\n" << outcome.err;
    EXPECT_EQ(outcome.out, "hello world\n") << "the program runs all the same";
    outcome = under(guilty);
    EXPECT_EQ(outcome.code, 1) << limit.kilobytes << "\n" << outcome.err;
    EXPECT_TRUE(outcome.says("C0401")) << limit.kilobytes << "\n" << outcome.err;
    EXPECT_TRUE(outcome.says("C0101")) << limit.kilobytes << "\n" << outcome.err;
    EXPECT_EQ(outcome.says("C0201") || outcome.says("C0209"), limit.races) << limit.kilobytes << "\n" << outcome.err;
  }
}

TEST_F(CheckCommand, says_what_it_could_not_see) {
  Outcome outcome =
      check(file("quick.cu", "#include <unistd.h>\nint main() { int* p; cudaMalloc(&p, 4); _exit(0); }\n"));
  EXPECT_TRUE(outcome.says("left without its exit handlers")) << outcome.err;
  EXPECT_TRUE(check(file("none.cu", "int main() {}\n")).says("never used the device"));
}

TEST_F(CheckCommand, runs_several_schedules_and_prints_once) {
  Outcome outcome = check("--schedules=3 " + file("clean.cu", kClean) + " world");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "hello world\n");
  EXPECT_TRUE(outcome.says("3 schedules"));
}

TEST_F(CheckCommand, tells_which_build_it_checked) {
  std::string clean = file("clean.cu", kClean);
  EXPECT_TRUE(check(clean).says("unoptimised, for checking"));
  EXPECT_TRUE(check("--as-built " + clean).says("optimised, as built"));
  std::string build = std::string(WARPWISE_PROGRAM) + " nvcc -o " + path("program") + " " + clean;
  ASSERT_EQ(std::system(build.c_str()), 0);
  EXPECT_TRUE(check(path("program") + " world").says("as it was built"));
  EXPECT_FALSE(check("--with=numbers " + clean).says("C0604")) << "signed overflow is checked";
  EXPECT_TRUE(check("--with=numbers --as-built " + clean).says("(C0604) is not checked"));
  EXPECT_TRUE(check("--with=numbers " + path("program")).says("(C0604) is not checked"));
}

// A user at a terminal hears of a kernel that does not end; a file is no user.
TEST_F(CheckCommand, says_where_an_endless_kernel_is) {
  const std::string program =
      file("spin.cu",
           "__global__ void spin(int* x) {\n  while (true)\n    x[threadIdx.x] += 1;\n}\n"
           "int main() { int* x; cudaMalloc(&x, 128); cudaMemset(x, 0, 128);\n  spin<<<1, 32>>>(x); "
           "cudaDeviceSynchronize(); cudaFree(x); }\n");
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child == 0) {
    execl(WARPWISE_PROGRAM, "warpwise", "check", "--timeout=12", program.c_str(), nullptr);
    _exit(99);
  }
  ASSERT_GT(child, 0);
  std::string text;
  char buffer[4096];
  for (ssize_t got; (got = read(terminal, buffer, sizeof buffer)) > 0;) text.append(buffer, size_t(got));
  close(terminal);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 1) << text;
  EXPECT_NE(text.find("still in kernel `spin(int*)`, " + program + ":3, after 10 s"), text.npos) << text;
  EXPECT_FALSE(check("--timeout=12 " + program).says("still in kernel")) << content("err");
}

// A signal goes to the program, and what was found before is told.
TEST_F(CheckCommand, passes_signals_on) {
  std::string program =
      file("waits.cu",
           "#include <cstdio>\n#include <unistd.h>\nint main() { int* p; cudaMalloc(&p, 4); cudaFree(p); cudaFree(p);\n"
           "  cudaGetLastError(); std::puts(\"ready\"); std::fflush(stdout); pause(); }\n");
  check("--only=api --suppress=C0502 -q " + file("clean.cu", kClean));  // whatever is slow the first time
  pid_t child = fork();
  if (child == 0) {
    (void)!std::freopen(path("out").c_str(), "w", stdout);
    (void)!std::freopen(path("err").c_str(), "w", stderr);
    execl(WARPWISE_PROGRAM, "warpwise", "check", program.c_str(), nullptr);
    _exit(99);
  }
  for (int i = 0; i < 600 && content("out") != "ready\n"; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  kill(child, SIGTERM);
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 1);
  EXPECT_NE(content("err").find("signal 15"), std::string::npos) << content("err");
  EXPECT_NE(content("err").find("C0502"), std::string::npos);
}

}  // namespace
}  // namespace warpwise
