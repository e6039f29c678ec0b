// `warpwise lab grade` from outside, as a teacher uses it.
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "lab_command.h"

namespace warpwise {
namespace {

using Json = nlohmann::json;

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
  // A signal that comes again while they are removed, as `timeout` sends it by number and by group.
  for (int times = 0; times < 8; ++times) {
    const std::string again = "cd " + folder_.path().string() + " && { TMPDIR=" + temporary.string() +
                              " " WARPWISE_PROGRAM
                              " lab grade --fresh class >out 2>err </dev/null & } && sleep 0.2; "
                              "for times in $(seq 2000); do kill -TERM $! 2>/dev/null || break; done; wait";
    (void)std::system(again.c_str());
    EXPECT_TRUE(fs::is_empty(temporary)) << "TERM again and again";
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

}  // namespace
}  // namespace warpwise
