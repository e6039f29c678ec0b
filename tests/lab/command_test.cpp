// `warpwise lab` from outside, as a learner uses it: begin, fail, get a hint, succeed, look back.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "toolchain/files.h"
#include "toolchain/installation.h"

namespace warpwise {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* kSolved =
    "extern \"C\" __global__ void map(float* out, const float* a) {\n  int i = threadIdx.x;\n  out[i] = a[i] + "
    "10;\n}\n";
constexpr const char* kOffByOne =
    "extern \"C\" __global__ void map(float* out, const float* a) {\n  int i = threadIdx.x;\n  out[i] = a[i + 1] + "
    "10;\n}\n";

struct Outcome {
  int code = -1;
  std::string out, err;
  bool says(std::string_view text) const { return out.find(text) != out.npos; }
};

std::string with(std::string text, const std::string& before, const std::string& after) {
  for (size_t at = 0; (at = text.find(before, at)) != text.npos; at += after.size())
    text.replace(at, before.size(), after);
  return text;
}

class LabCommand : public testing::Test {
 protected:
  LabCommand() : folder_(toolchain::TemporaryFolder::create(fs::temp_directory_path()).value()) {
    setenv("XDG_DATA_HOME", (folder_.path() / "data").c_str(), 1);
    unsetenv("WARPWISE_PROBLEMS");
  }
  Outcome lab(const std::string& words) {
    const std::string command =
        "cd " + folder_.path().string() + " && " + WARPWISE_PROGRAM + " lab " + words + " >out 2>err </dev/null";
    const int status = std::system(command.c_str());
    return {WEXITSTATUS(status), content("out"), content("err")};
  }
  void write(const std::string& name, std::string_view text) {
    EXPECT_TRUE(toolchain::write_file(folder_.path() / name, text).ok());
  }
  std::string content(const std::string& name) const {
    auto text = toolchain::read_file(folder_.path() / name);
    return text ? *text : "";
  }

  toolchain::TemporaryFolder folder_;
};

// A file for nvcc: its device code is inside the program, and cub has headers of the toolkit alone.
constexpr const char* kWithCub = R"(
#include <cub/warp/warp_reduce.cuh>

__global__ void sum(const float* input, float* output, int N) {
  using Warp = cub::WarpReduce<float>;
  __shared__ typename Warp::TempStorage space[8];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = Warp(space[threadIdx.x / 32]).Sum(i < N ? input[i] : 0);
  if (threadIdx.x % 32 == 0) atomicAdd(output, x);
}

extern "C" void solve(const float* input, float* output, int N) {
  cudaMemset(output, 0, sizeof(float));
  sum<<<(N + 255) / 256, 256>>>(input, output, N);
}
)";

constexpr const char* kAdd = R"(
__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}
extern "C" void solve(const float* A, const float* B, float* C, int N) { add<<<(N + 255) / 256, 256>>>(A, B, C, N); }
)";

class LabWithNvcc : public LabCommand {
 protected:
  void SetUp() override {
    if (!toolchain::find_nvcc()) GTEST_SKIP() << "nvcc is not installed";
  }
};

TEST_F(LabWithNvcc, judges_challenges) {
  write("vector-add.cu", kAdd);
  Outcome judged = lab("submit --compiler=nvcc vector-add.cu");
  EXPECT_EQ(judged.code, 0) << judged.out << judged.err;
  write("vector-add.cu", with(kAdd, "i < N", "i < N - 1"));
  judged = lab("submit --compiler=nvcc vector-add.cu");
  EXPECT_EQ(judged.code, 1);
  EXPECT_TRUE(judged.says("unwritten")) << judged.out << judged.err;
}

TEST_F(LabWithNvcc, judges_what_uses_cub) {
  write("reduction.cu", kWithCub);
  const Outcome by_clang = lab("submit reduction.cu");
  EXPECT_EQ(by_clang.code, 1);
  EXPECT_TRUE(by_clang.says("--compiler=nvcc")) << by_clang.out << by_clang.err;
  const Outcome judged = lab("submit --compiler=nvcc reduction.cu");
  EXPECT_EQ(judged.code, 0) << judged.out << judged.err;
}

// The source writes the section where the judge looks for device code: what is there is wrong in each number, and the
// judge neither fails nor believes it.
TEST_F(LabWithNvcc, survives_crafted_sections) {
  const std::string crafted =
      "#ifndef __CUDA_ARCH__\n"
      "asm(\".pushsection .nv_fatbin,\\\"a\\\"\\n.long 0xba55ed50\\n.short 1, 16\\n.quad -1\\n.fill 4096, 1, "
      "255\\n.popsection\");\n"
      "#endif\n";
  write("vector-add.cu", crafted + kAdd);
  const Outcome judged = lab("submit --compiler=nvcc vector-add.cu");
  EXPECT_TRUE(judged.code == 0 || (judged.code == 1 && judged.says("does not compile"))) << judged.out << judged.err;
  EXPECT_EQ(judged.err.find("L0009"), std::string::npos) << judged.err;
}

TEST_F(LabCommand, leads_from_the_first_look_to_the_first_solution) {
  Outcome home = lab("");
  EXPECT_EQ(home.code, 0) << home.err;
  EXPECT_TRUE(home.says("Warpwise lab: 0 of ")) << home.out;
  EXPECT_TRUE(home.says("warpwise lab start puzzles/map")) << home.out;

  EXPECT_EQ(lab("start map").code, 0);
  EXPECT_NE(content("map.cu").find("__global__ void map"), std::string::npos);
  EXPECT_EQ(lab("start map").code, 3);  // what is there stays
  EXPECT_EQ(lab("start map --force").code, 0);
  EXPECT_EQ(lab("submit map.cu").code, 1);

  EXPECT_TRUE(lab("hint map").says("hint 1 of "));
  EXPECT_TRUE(lab("hint map").says("hint 2 of "));
  EXPECT_EQ(lab("solution map").code, 1);

  write("map.cu", kSolved);
  Outcome samples = lab("test map.cu");
  EXPECT_EQ(samples.code, 0) << samples.out;
  EXPECT_TRUE(samples.says("lab submit"));
  Outcome solved = lab("submit map.cu");
  EXPECT_EQ(solved.code, 0) << solved.out;
  EXPECT_TRUE(solved.says("accepted"));
  EXPECT_TRUE(solved.says("global reads of one thread: 1 of 1"));
  EXPECT_TRUE(solved.says("Next: ")) << solved.out;

  EXPECT_TRUE(lab("").says("1 of "));
  EXPECT_TRUE(lab("list --json").says("\"solved\": true"));
  EXPECT_EQ(lab("solution map").code, 0);
  Outcome history = lab("history map");
  EXPECT_TRUE(history.says("accepted (samples)")) << history.out;
  EXPECT_TRUE(history.says("unwritten")) << history.out;
  EXPECT_EQ(lab("history --show=3").out, kSolved);
  EXPECT_TRUE(lab("diff 1 3").says("+  out[i] = a[i] + 10;")) << content("out");
  EXPECT_TRUE(lab("stats").says("1 problem solved"));
}

constexpr const char* kBlocks =
    "extern \"C\" __global__ void blocks(float* out, const float* a, int n) {\n  int i = blockIdx.x * blockDim.x + "
    "threadIdx.x;\n  if (i < n) out[i] = a[i] + 10;\n}\n";

TEST_F(LabCommand, tells_how_fast_it_would_be) {
  write("blocks.cu", kBlocks);
  const Outcome first = lab("submit blocks.cu --json");
  ASSERT_EQ(first.code, 0) << first.out << first.err;
  const Json told = Json::parse(first.out).at("performance");
  EXPECT_EQ(told["device"], "h100");
  EXPECT_EQ(told["case"], "large");
  // A million floats to be read are 4 MB: at 3.35 TB/s no less than 1.2 microseconds.
  EXPECT_GT(told["modelled_seconds"].get<double>(), 1.2e-6);
  EXPECT_LT(told["modelled_seconds"].get<double>(), 1e-4);
  EXPECT_EQ(told["roofline"]["roof"], "memory");
  EXPECT_LE(told["roofline"]["share"].get<double>(), 1);
  ASSERT_FALSE(told["ladder"].empty());
  EXPECT_EQ(told["of"].get<size_t>(), told["ladder"].size() + 1);
  EXPECT_FALSE(told.contains("best_before"));

  const Outcome again = lab("submit blocks.cu");
  EXPECT_TRUE(again.says("modelled for the case `large`")) << again.out;
  EXPECT_TRUE(again.says("(yours and our ")) << again.out;
  EXPECT_TRUE(again.says("(attempt 1): this is as fast")) << again.out;
  // Whose file it is is not known where nothing is recorded: a class's server judges with --no-record.
  const Outcome of_others = lab("submit blocks.cu --json --no-record");
  ASSERT_EQ(of_others.code, 0) << of_others.out << of_others.err;
  EXPECT_FALSE(Json::parse(of_others.out).at("performance").contains("best_before"));
  // Another device is another competition, with less bandwidth.
  const Outcome elsewhere = lab("submit blocks.cu --device=t4 --json");
  ASSERT_EQ(elsewhere.code, 0) << elsewhere.out << elsewhere.err;
  const Json there = Json::parse(elsewhere.out).at("performance");
  EXPECT_FALSE(there.contains("best_before"));
  EXPECT_GT(there["modelled_seconds"].get<double>(), told["modelled_seconds"].get<double>());
  EXPECT_TRUE(lab("history blocks").says("(t4)"));
}

TEST_F(LabCommand, says_why_it_refuses) {
  write("mine.cu", kOffByOne);
  Outcome refused = lab("submit map mine.cu");
  EXPECT_EQ(refused.code, 1);
  for (const char* part : {"puzzles/map: out of bounds", "just past the end of `a` (4 elements, 16 bytes)",
                           "thread (3,0,0) of block (0,0,0)", "mine.cu:3", "out[i] = a[i + 1] + 10;", "next"})
    EXPECT_TRUE(refused.says(part)) << part << "\n" << refused.out;
  Outcome json = lab("submit map mine.cu --json --seed=7");
  const Json verdict = Json::parse(json.out);
  EXPECT_EQ(verdict["verdict"], "out-of-bounds");
  EXPECT_EQ(verdict["seed"], 7);
  EXPECT_EQ(verdict["refusal"]["findings"][0]["code"], "C0101");
  EXPECT_EQ(verdict["accepted"], false);
}

TEST_F(LabCommand, tells_programs_each_case_before_the_verdict) {
  write("map.cu", kSolved);
  const Outcome told = lab("submit --events --seed=7 map.cu");
  EXPECT_EQ(told.code, 0) << told.err;
  std::vector<Json> lines;
  for (size_t at = 0, end; (end = told.out.find('\n', at)) != told.out.npos; at = end + 1)
    lines.push_back(Json::parse(told.out.substr(at, end - at)));
  const Json plain = Json::parse(lab("submit --json --seed=7 map.cu").out);
  ASSERT_EQ(lines.size(), plain["cases"].size() + 1);
  for (size_t n = 0; n < plain["cases"].size(); ++n) {
    EXPECT_EQ(lines[n]["case"], plain["cases"][n]["name"]) << "in the order of the problem";
    EXPECT_EQ(lines[n]["passed"], true);
  }
  EXPECT_EQ(lines.back()["judgement"]["verdict"], "accepted");
  EXPECT_EQ(lines.back()["judgement"]["facts"], plain["facts"]);

  write("map.cu", kOffByOne);
  const std::string refused = lab("submit --events map.cu").out;
  const Json last = Json::parse(refused.substr(refused.rfind("{\"judgement\"")));
  const Json& facts = last["judgement"]["facts"];
  const auto at = std::find_if(facts.begin(), facts.end(), [](const Json& fact) { return fact["label"] == "at"; });
  ASSERT_NE(at, facts.end());
  EXPECT_EQ((*at)["file"], "map.cu");
  EXPECT_EQ((*at)["line"], 3);
}

// The case that was refused, in its smallest form, at the step where it went wrong.
TEST_F(LabCommand, records_the_case_that_is_refused) {
  const auto view = [&](const std::string& words) {
    const Outcome traced = lab("trace --seed=7 -o it.wwt " + words);
    EXPECT_EQ(traced.code, 0) << words << traced.out << traced.err;
    const std::string command =
        "cd " + folder_.path().string() + " && " + WARPWISE_PROGRAM + " view --json it.wwt >seen";
    EXPECT_EQ(std::system(command.c_str()), 0);
    return Json::parse(content("seen"));
  };
  write("map.cu", kOffByOne);
  Json seen = view("map.cu");
  EXPECT_EQ(seen["program"], "puzzles/map");
  EXPECT_EQ(seen["findings"]["list"][0]["code"], "C0101");
  ASSERT_EQ(seen["findings"]["marks"].size(), 1u);
  EXPECT_EQ(seen["findings"]["marks"][0]["lane"], 3);
  EXPECT_EQ(seen["open"]["step"], seen["findings"]["marks"][0]["step"]);

  // A wrong value of one thread of the second warp: its store is where the recording opens.
  write("map.cu", with(kSolved, "a[i] + 10", "a[i] + (i == 40 ? 11 : 10)"));
  seen = view("map.cu");
  EXPECT_EQ(seen["findings"]["list"][0]["code"], "L0011");
  EXPECT_EQ(seen["findings"]["marks"][0]["warp"], 1);
  EXPECT_EQ(seen["findings"]["marks"][0]["lane"], 8);

  // A kernel that a host function launches, in the sandbox.
  write("vector-add.cu", with(kAdd, "A[i] + B[i]", "A[i] - B[i]"));
  seen = view("vector-add vector-add.cu");
  EXPECT_EQ(seen["program"], "challenges/vector-add");
  EXPECT_EQ(seen["findings"]["list"][0]["code"], "L0011");

  write("map.cu", kSolved);
  seen = view("map.cu");
  EXPECT_TRUE(seen["findings"]["list"].empty()) << "of an accepted file";
  EXPECT_EQ(seen["input"]["case"], "several warps") << "the first that fills warps";
  // The case of another recording, with its sizes; others are not made: who asks may be a student.
  const auto like = [&](const char* name, const char* n) {
    return lab(std::string(R"(trace --like='{"case":")") + name + R"(","sizes":{"n":)" + n +
               R"(},"seed":"7","block":[0,0,0],"kernel":"","lines":[3],"order":5}' map.cu)");
  };
  EXPECT_EQ(like("several warps", "192").code, 0);
  for (const auto& [name, n] :
       {std::pair{"several warps", "1000000000000"}, {"several warps", "-1"}, {"nothing", "4"}}) {
    const Outcome refused = like(name, n);
    EXPECT_EQ(refused.code, 3) << name << " " << n;
    EXPECT_NE(refused.err.find("L0010"), std::string::npos) << refused.err;
  }
  write("map.cu", "this is no C++\n");
  const Outcome none = lab("trace map.cu");
  EXPECT_EQ(none.code, 3);
  EXPECT_NE(none.err.find("L0010"), std::string::npos) << none.err;
}

TEST_F(LabCommand, gives_the_same_verdict_for_the_same_seed) {
  write("map.cu",
        "extern \"C\" __global__ void map(float* out, const float* a) { out[threadIdx.x] = a[threadIdx.x] * 2; }\n");
  auto stable = [](const std::string& text) {
    Json json = Json::parse(text);
    return json["refusal"].dump();
  };
  const std::string first = stable(lab("submit map.cu --json --seed=11").out);
  EXPECT_EQ(first, stable(lab("submit map.cu --json --seed=11").out));
  EXPECT_NE(first, stable(lab("submit map.cu --json --seed=12").out));
}

TEST_F(LabCommand, begins_with_what_is_next) {
  const Outcome next = lab("next");
  EXPECT_TRUE(next.out.starts_with("Next: puzzles/map: ")) << next.out;
}

TEST_F(LabCommand, helps_those_who_mistype) {
  Outcome outcome = lab("sumbit map.cu");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("did you mean `submit`?"), std::string::npos) << outcome.err;
  write("mpa.cu", kSolved);
  outcome = lab("submit mpa.cu");
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE(outcome.err.find("did you mean `map`?"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("warpwise lab submit PROBLEM mpa.cu"), std::string::npos) << outcome.err;
  EXPECT_EQ(lab("submit nothing.cu").code, 3);
  EXPECT_EQ(lab("show vector_add").code, 0);
  EXPECT_EQ(lab("list --level=silly").code, 2);
  EXPECT_EQ(lab("list --problems=nowhere").code, 3);
  for (const char* command : {"list", "show", "start", "test", "submit", "watch", "hint", "solution", "quiz", "history",
                              "diff", "stats", "export", "import", "grade", "verify", "new"})
    EXPECT_TRUE(lab(std::string(command) + " --help").says("Examples:")) << command;
}

TEST_F(LabCommand, takes_progress_along) {
  write("map.cu", kSolved);
  ASSERT_EQ(lab("submit map.cu").code, 0);
  ASSERT_EQ(lab("export progress.json").code, 0);
  setenv("XDG_DATA_HOME", (folder_.path() / "other").c_str(), 1);
  EXPECT_TRUE(lab("import progress.json").says("1 attempt imported"));
  EXPECT_TRUE(lab("import progress.json").says("0 attempts imported"));
  EXPECT_TRUE(lab("list --json").says("\"solved\": true"));
}

TEST_F(LabCommand, judges_at_every_save) {
  write("map.cu", kOffByOne);
  std::thread saves([this] {
    // The second verdict is of what is saved once the first is there.
    for (int i = 0; i < 600 && content("out").find("out of bounds") == std::string::npos; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    write("map.cu", kSolved);
  });
  Outcome outcome = lab("watch map.cu --times=2");
  saves.join();
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(outcome.says("out of bounds"));
  EXPECT_TRUE(outcome.says("accepted"));
}

TEST_F(LabCommand, grades_a_class_and_goes_on_where_it_was) {
  fs::create_directories(folder_.path() / "class/ada");
  fs::create_directories(folder_.path() / "class/bob");
  write("class/ada/map.cu", kSolved);
  write("class/bob/map.cu", kOffByOne);
  EXPECT_NE(lab("grade class/ada/map.cu").err.find("map.cu` is a file: name the folder"), std::string::npos);
  Outcome graded = lab("grade class --report=csv");
  EXPECT_EQ(graded.code, 1) << graded.err;
  EXPECT_TRUE(graded.says("ada,puzzles/map,ada/map.cu,accepted,1,0,")) << graded.out;
  EXPECT_TRUE(graded.says("bob,puzzles/map,bob/map.cu,out-of-bounds,0,0,")) << graded.out;
  // What is in the log is not judged again, whatever a half-written line at its end says.
  const std::string log = content("class/.warpwise-grades.jsonl");
  write("class/.warpwise-grades.jsonl", with(log, "accepted", "race") + "{\"key\": \"12");
  graded = lab("grade class --report=csv");
  EXPECT_TRUE(graded.says("ada,puzzles/map,ada/map.cu,race")) << graded.out;
  EXPECT_TRUE(lab("grade class --fresh --deadline=2020-01-01").says(" days late)"));
  EXPECT_EQ(lab("grade nowhere").code, 3);
}

// Cases that are right count although another is wrong; late days cost; a page has it all.
TEST_F(LabCommand, grades_in_points) {
  write("class/ada/blocks.cu", R"(extern "C" __global__ void blocks(float* out, const float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + (n == 4 ? 11 : 10);  // wrong in one case
})");
  write("class/ada/map.cu", kSolved);
  write("hw.toml",
        "title = \"Homework 1\"\ndeadline = \"2020-01-01\"\npenalty_per_day = 0\nseed = 5\n[[problem]]\nname = "
        "\"blocks\"\n"
        "points = 12\nseed = 77\n[[problem]]\nname = \"zip\"\npoints = 8\n");
  const Outcome graded = lab("grade class --assignment=hw.toml --report=json");
  EXPECT_EQ(graded.code, 1) << graded.err;
  const Json json = Json::parse(graded.out);
  ASSERT_EQ(json.size(), 1u) << "only what the assignment asks for";
  const Json& one = json[0];
  EXPECT_EQ(one["seed"], 77);
  EXPECT_EQ(one["verdict"], "wrong-value");
  size_t right = 0;
  for (const Json& mark : one["cases"]) right += mark["right"].get<bool>();
  EXPECT_GT(one["cases"].size(), 2u);
  EXPECT_EQ(right, one["cases"].size() - 1) << graded.out;
  EXPECT_DOUBLE_EQ(one["points"].get<double>(), 12.0 * double(right) / double(one["cases"].size()));
  EXPECT_TRUE(one["late"].get<bool>());
  const Outcome page = lab("grade class --assignment=hw.toml --report=html --penalty=100");
  for (const char* part : {"<title>Homework 1</title>", "by Warpwise ", "<td>0 of 20</td>", "n == 4 ? 11 : 10",
                           "puzzles/blocks: wrong value"})
    EXPECT_TRUE(page.says(part)) << part << "\n" << page.out;
  EXPECT_EQ(lab("grade class --assignment=none.toml").code, 3);
  write("class/eve/map.cu", "int x int y;");
  const Outcome broken = lab("grade class --report=json");
  EXPECT_TRUE(broken.says("eve/map.cu:1:6: error: ")) << broken.out;
  EXPECT_FALSE(broken.says(folder_.path().string())) << "no path of the teacher's machine: " << broken.out;
  EXPECT_EQ(lab("grade class --penalty=101").code, 2);
}

// A fault ends the process that runs the cases; another one runs those behind it.
TEST_F(LabCommand, grades_the_cases_behind_a_fault) {
  write("class/ada/blocks.cu", R"(extern "C" __global__ void blocks(float* out, const float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[n == 4 ? i + 1 : i] + 10;
})");
  const Json json = Json::parse(lab("grade class --report=json").out);
  ASSERT_EQ(json.size(), 1u);
  EXPECT_EQ(json[0]["verdict"], "out-of-bounds");
  size_t right = 0;
  for (const Json& mark : json[0]["cases"]) right += mark["right"].get<bool>();
  EXPECT_EQ(right, json[0]["cases"].size() - 1) << json.dump(2);
}

// Files of several students in one folder: none may take another's for its own. In a student's own folder, and in a
// student's own clone, headers are the student's.
TEST_F(LabCommand, grades_no_file_with_the_headers_of_others) {
  const std::string user =
      "#include \"bob.cuh\"\nextern \"C\" __global__ void map(float* out, const float* a) { body(out, "
      "a); }\n";
  const std::string header =
      "#pragma once\n__device__ inline void body(float* out, const float* a) { out[threadIdx.x] = a[threadIdx.x] + 10; "
      "}\n";
  write("class/ada.cu", user);
  write("class/bob.cuh", header);
  write("class/bob.cu", kSolved);
  write("class/eve/map.cu", user);
  write("class/eve/bob.cuh", header);
  const Outcome graded = lab("grade class --problem=map --report=csv");
  EXPECT_TRUE(graded.says("ada,puzzles/map,ada.cu,forbidden,0,")) << graded.out << graded.err;
  EXPECT_TRUE(graded.says("the folder is not of one person alone")) << graded.out;
  EXPECT_TRUE(graded.says("bob,puzzles/map,bob.cu,accepted,1,")) << graded.out;
  EXPECT_TRUE(graded.says("eve,puzzles/map,eve/map.cu,accepted,1,")) << graded.out;
  // A header that changed is judged again.
  write("class/eve/bob.cuh", with(header, "10", "11"));
  EXPECT_TRUE(lab("grade class --problem=map --report=csv").says("eve,puzzles/map,eve/map.cu,wrong-value,0,"));

  write("own/map.cu", user);
  write("own/bob.cuh", header);
  EXPECT_TRUE(lab("grade own --report=csv").says("map.cu,forbidden,0,"));
  fs::create_directories(folder_.path() / "own/.git");
  EXPECT_TRUE(lab("grade own --report=csv --fresh").says("map.cu,accepted,1,"));
}

TEST_F(LabCommand, grades_large_cases_too) {
  fs::create_directories(folder_.path() / "class/ada");
  write("class/ada/blocks.cu", R"(extern "C" __global__ void blocks(float* out, const float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + (i < 1 << 18 ? 10 : 11);  // right in every case but the timed one
})");
  Outcome graded = lab("grade class --report=csv");
  EXPECT_TRUE(graded.says("ada,puzzles/blocks,ada/blocks.cu,wrong-value,0,0,")) << graded.out << graded.err;
}

TEST_F(LabCommand, says_what_to_do_where_a_word_is_missing_or_nearly_right) {
  const Outcome alone = lab("submit");
  EXPECT_EQ(alone.code, 2);
  EXPECT_NE(alone.err.find("warpwise lab submit map.cu"), std::string::npos) << alone.err;
  EXPECT_NE(lab("submit zip").err.find("`warpwise lab start puzzles/zip` writes it"), std::string::npos);
  write("map.cu", kSolved);
  EXPECT_NE(lab("submit mpa").err.find("did you mean `map`"), std::string::npos) << content("err");
  EXPECT_TRUE(lab("hint guards.cu").says("puzzles/guards, hint 1"));
  EXPECT_NE(lab("show 1").err.find("`1` is the number of several problems: challenges/vector-add, puzzles/map"),
            std::string::npos)
      << content("err");
  EXPECT_TRUE(lab("next").says("puzzles/map"));
  EXPECT_NE(lab("quiz indexing").code, 2);
}

TEST_F(LabCommand, takes_names_and_numbers_of_problems_and_of_their_files) {
  // Both kinds have a `dot`.
  for (const char* words : {"submit dot", "submit dot.cu", "test dot", "trace dot", "watch dot"}) {
    const Outcome none = lab(words);
    EXPECT_NE(none.err.find("there is no file `dot.cu` yet; `warpwise lab start challenges/dot` or `warpwise lab start "
                            "puzzles/dot` writes it"),
              std::string::npos)
        << words << ": " << none.err;
  }
  EXPECT_NE(lab("submit challenges/dot").err.find("`warpwise lab start challenges/dot` writes it"), std::string::npos)
      << content("err");
  EXPECT_NE(lab("submit 21").err.find("there is no file `relu.cu` yet"), std::string::npos) << content("err");
  EXPECT_TRUE(lab("show 21").says("challenges/relu"));
  EXPECT_TRUE(lab("show puzzles/1").says("puzzles/map"));
  EXPECT_NE(lab("show puzzles/99").err.find("there is no problem `puzzles/99`"), std::string::npos) << content("err");
  write("map.cu", kSolved);
  write("7.cu", kSolved);
  for (const char* words : {"map", "map.cu", "puzzles/map", "puzzles/1", "1 map.cu", "puzzles/1 7.cu", "map 7"})
    EXPECT_TRUE(lab(std::string("submit --no-record ") + words).says("puzzles/map: accepted"))
        << words << ": " << content("err") << content("out");
  EXPECT_NE(lab("submit 7.cu").err.find("say which problem this file solves: warpwise lab submit PROBLEM 7.cu"),
            std::string::npos)
      << content("err");
}

TEST_F(LabCommand, names_in_one_sentence_what_is_no_source) {
  fs::create_directories(folder_.path() / "folder.cu");
  write("empty.cu", " \n\n");
  write("elf.cu", std::string("\x7f"
                              "ELF\0\1",
                              6));
  write("letter.cu", "Dear teacher,\nhere is my homework.\n");
  write("large.cu", "int a[] = {" + std::string(1 << 20, ' ') + "0};\n");
  for (const auto& [file, sentence] :
       {std::pair("folder.cu", "cannot read `folder.cu`: it is a folder\n"),
        std::pair("empty.cu", "`empty.cu` is empty\n"),
        std::pair("elf.cu", "`elf.cu` is a program or an object (ELF), not source text\n")}) {
    const Outcome outcome = lab(std::string("submit map ") + file);
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(outcome.err.ends_with(sentence)) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
  EXPECT_TRUE(lab("submit map letter.cu").says("`letter.cu` is not CUDA C++: it has no statement and no function"))
      << content("out");
  EXPECT_TRUE(lab("submit map large.cu").says("next     a solution takes a few kilobytes")) << content("out");
  // In a class.
  fs::create_directories(folder_.path() / "class/ada");
  fs::rename(folder_.path() / "elf.cu", folder_.path() / "class/ada/map.cu");
  EXPECT_TRUE(lab("grade class").says("`map.cu` is a program or an object (ELF), not source text")) << content("out");
}

TEST_F(LabCommand, works_where_progress_cannot_be_kept) {
  write("data", "a file where a folder should be");
  write("map.cu", kSolved);
  for (const char* words : {"", "next", "list", "hint map", "quiz", "solution --insist map"}) {
    const Outcome outcome = lab(words);
    EXPECT_EQ(outcome.code, 0) << words;
    EXPECT_NE(outcome.err.find("your progress is not kept: "), std::string::npos) << words << outcome.err;
    EXPECT_FALSE(outcome.out.empty()) << words;
  }
  EXPECT_TRUE(lab("submit map.cu").says("puzzles/map: accepted"));
}

TEST_F(LabCommand, points_to_its_own_help_where_an_option_is_misspelt) {
  for (const auto& [words, name] :
       {std::pair("grade --compilr=nvcc class", "grade"), std::pair("submit --jsn x", "submit")}) {
    const Outcome outcome = lab(words);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find(std::string("`lab ") + name + "` has no option"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find(std::string("`warpwise lab ") + name + " --help`"), std::string::npos) << outcome.err;
  }
  EXPECT_NE(lab("grade --compilr=nvcc class").err.find("did you mean `--compiler`"), std::string::npos)
      << content("err");
}

// A printf for debugging reads once more: `test` shows neither that nor another budget.
TEST_F(LabCommand, tests_without_budgets) {
  write("map.cu", with(kSolved, "10;\n", "10;\n  printf(\"%f\\n\", a[i]);\n"));
  const Outcome tested = lab("test -v map.cu");
  EXPECT_TRUE(tested.says("puzzles/map: accepted")) << tested.out;
  EXPECT_FALSE(tested.says("budget") || tested.says("global reads")) << tested.out;
  EXPECT_TRUE(lab("submit map.cu").says("next     take the printf in line 4 out")) << content("out");
}

// Whatever ends the command, also while its workers and compilers run.
TEST_F(LabCommand, leaves_no_temporary_folders) {
  for (const char* person : {"ada", "bob", "eve", "kim"}) {
    fs::create_directories(folder_.path() / "class" / person);
    write(std::string("class/") + person + "/map.cu", std::string(kSolved) + "// " + person);
  }
  const fs::path temporary = folder_.path() / "temporary";
  fs::create_directories(temporary);
  const auto grade = [&](const std::string& timeout) {
    const std::string command = "cd " + folder_.path().string() + " && TMPDIR=" + temporary.string() + " " + timeout +
                                " " WARPWISE_PROGRAM " lab grade --fresh class >out 2>err </dev/null";
    (void)std::system(command.c_str());
  };
  for (const char* signal : {"TERM", "INT", "HUP"})
    for (const char* seconds : {"0.2", "0.6", "1.2"}) {
      grade(std::string("timeout --signal=") + signal + " " + seconds);
      EXPECT_TRUE(fs::is_empty(temporary)) << signal << " after " << seconds << " s";
    }
  // What could not be removed by what made it goes with the next one; what may still be in use stays.
  const fs::path old = temporary / "warpwise-lab-oldold", young = temporary / "warpwise-lab-young1";
  fs::create_directories(old / "inside");
  fs::create_directories(young);
  fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(1));
  grade("");
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(young));
  EXPECT_NE(content("out").find("4 of 4 accepted"), std::string::npos) << content("out") << content("err");
}

TEST_F(LabCommand, asks_again_where_an_answer_is_no_choice) {
  const std::string command = "cd " + folder_.path().string() + " && printf 'foo\n9\n2\n2\n1\n1\n' | " +
                              WARPWISE_PROGRAM + " lab quiz indexing >out 2>err";
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 0) << content("out");
  EXPECT_NE(content("out").find("a number from 1 to"), std::string::npos) << content("out");
}

TEST_F(LabCommand, asks_questions) {
  EXPECT_TRUE(lab("quiz").says("indexing"));
  const std::string command = "cd " + folder_.path().string() + " && printf '2\\n1\\n1\\n1\\n' | " + WARPWISE_PROGRAM +
                              " lab quiz indexing >out 2>err";
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 1);
  EXPECT_NE(content("out").find("3 of 4 right\n\nGo on: warpwise lab next\n"), std::string::npos) << content("out");
  EXPECT_TRUE(lab("quiz").says("3 of 4"));
}

// The figures are those of the run: eight threads, and what they write.
TEST_F(LabCommand, reads_a_lesson) {
  EXPECT_TRUE(lab("lesson").says("indexing"));
  EXPECT_NE(lab("lesson indexin").err.find("`indexing`"), std::string::npos);
  const std::string command = "cd " + folder_.path().string() + " && printf 'x\n2\n' | " + WARPWISE_PROGRAM +
                              " lab lesson indexing --step=1 >out 2>err";
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 0) << content("err");
  const std::string out = content("out");
  for (const char* part : {"1 of 5: One function, many threads", "= 70", "3  50", "= 26", "Right.", "1 sector\n",
                           "a number from 1 to 3, please"})
    EXPECT_NE(out.find(part), std::string::npos) << part << "\n" << out;
  // Words of the next chapters.
  for (const char* part : {"st.global", "modelled clock"}) EXPECT_EQ(out.find(part), std::string::npos) << out;
}

// What fits on paper fits into a terminal of 80 columns. `script` makes one. Code and drawings of a
// problem, a quiz or a lesson, which are indented by four, keep their lines.
TEST_F(LabCommand, is_as_wide_as_the_terminal) {
  if (!toolchain::find_on_path("script")) GTEST_SKIP() << "script is not installed";
  write("map.cu", kSolved);
  std::vector<std::string> commands{"", "list", "next", "stats", "history", "quiz", "lesson", "submit map.cu"};
  for (const Json& problem : Json::parse(lab("list --json").out))
    for (const char* command : {"show ", "hint "}) commands.push_back(command + problem["problem"].get<std::string>());
  const fs::path problems = fs::path(WARPWISE_SOURCE_DIR) / "problems";
  for (const auto& quiz : fs::directory_iterator(problems / "quizzes"))
    if (quiz.path().extension() == ".toml") commands.push_back("quiz " + quiz.path().stem().string());
  for (const auto& lesson : fs::directory_iterator(problems / "lessons"))
    if (lesson.path().extension() == ".md") commands.push_back("lesson " + lesson.path().stem().string());
  ASSERT_GT(commands.size(), 100u);
  std::string script = "stty cols 80\n";
  for (const std::string& words : commands) {
    const bool asks = words.starts_with("quiz ") || words.starts_with("lesson ");
    script += "echo '@ " + words + "'\n";
    script += std::string(asks ? "yes 1 | head -50 | " : "") + WARPWISE_PROGRAM " lab " + words + "\n";
  }
  write("all.sh", script);
  const std::string command = "cd " + folder_.path().string() +
                              " && unset COLUMNS && TERM=dumb script -qc 'sh all.sh' /dev/null </dev/null >out 2>err";
  (void)std::system(command.c_str());
  std::istringstream lines(content("out"));
  size_t count = 0;
  std::string words;
  for (std::string line; std::getline(lines, line); ++count) {
    if (line.ends_with('\r')) line.pop_back();
    if (line.starts_with("@ ")) words = line;
    const auto columns = std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; });
    const bool has_drawings = words.starts_with("@ show ") || words.starts_with("@ hint ") ||
                              words.starts_with("@ quiz ") || words.starts_with("@ lesson ");
    if (!has_drawings || !line.starts_with("    ")) EXPECT_LE(columns, 80) << words << ": " << line;
    EXPECT_EQ(line.find("error["), std::string::npos) << words << ": " << line;
  }
  EXPECT_EQ(words, "@ " + commands.back());
  EXPECT_GT(count, 20 * commands.size());
}

TEST_F(LabCommand, finds_lessons_that_are_wrong_about_their_kernels) {
  const Outcome outcome = lab("verify --problems=" WARPWISE_SOURCE_DIR "/tests/lab/lesson_pack lessons/untrue");
  EXPECT_EQ(outcome.code, 1);
  for (const char* part : {"the checkers find C0101", "the block has no warp 1",
                           "lanes is 20, and 0 of the choices say so", "undeclared identifier"})
    EXPECT_TRUE(outcome.says(part)) << part << "\n" << outcome.out << outcome.err;
}

TEST_F(LabCommand, leads_to_the_questions_of_a_chapter_that_is_done) {
  const std::string problems = WARPWISE_SOURCE_DIR "/problems/puzzles/";
  for (const char* slug : {"map", "zip"})
    EXPECT_EQ(lab(std::string("submit ") + slug + " " + problems + slug + "/solutions/1-*.cu").code, 0) << slug;
  EXPECT_FALSE(lab("").says("lab quiz"));
  EXPECT_FALSE(lab("").says("lab lesson")) << "the chapter is begun";
  const Outcome last = lab("submit guards " + problems + "guards/solutions/1-*.cu");
  EXPECT_EQ(last.code, 0) << last.out << last.err;
  EXPECT_TRUE(last.says("warpwise lab quiz indexing")) << last.out;
  EXPECT_TRUE(lab("").says("warpwise lab quiz indexing"));
  const std::string command = "cd " + folder_.path().string() + " && printf '2\n2\n1\n1\n' | " + WARPWISE_PROGRAM +
                              " lab quiz indexing >out 2>err";
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 0) << content("out");
  EXPECT_FALSE(lab("").says("lab quiz"));
  EXPECT_TRUE(lab("").says("  warpwise lab lesson grids ")) << "a chapter begins with its lesson";
}

TEST_F(LabCommand, proves_that_problems_build_on_others_that_exist) {
  ASSERT_EQ(lab("new pack/triple").code, 0);
  write("pack/triple/problem.toml",
        with(content("pack/triple/problem.toml"), "kind = ", "needs = [\"tripel\"]\nkind = "));
  const Outcome outcome = lab("verify --problems=pack --all");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(outcome.says("`needs` names `tripel`, and there is no such problem; did you mean `triple`?"))
      << outcome.out;
}

TEST_F(LabCommand, makes_problems_that_prove_themselves) {
  ASSERT_EQ(lab("new pack/triple").code, 0);
  EXPECT_EQ(lab("new pack/triple").code, 3);
  Outcome verified = lab("verify --problems=pack --all");
  EXPECT_EQ(verified.code, 0) << verified.out;
  // A wrong kernel that is right is found out.
  fs::copy_file(folder_.path() / "pack/triple/solutions/1-one-thread-per-element.cu",
                folder_.path() / "pack/triple/wrong/no-guard.cu", fs::copy_options::overwrite_existing);
  verified = lab("verify --problems=pack triple");
  EXPECT_EQ(verified.code, 1);
  EXPECT_TRUE(verified.says("wrong/no-guard.cu")) << verified.out;
}

}  // namespace
}  // namespace warpwise
