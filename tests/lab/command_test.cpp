// `warpwise lab` from outside, as a learner uses it: begin, fail, get a hint, succeed, look back.
#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "lab_command.h"

namespace warpwise {
namespace {

using Json = nlohmann::json;

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

// A printf for debugging reads once more: `test` shows neither that nor another budget.
TEST_F(LabCommand, tests_without_budgets) {
  write("map.cu", with(kSolved, "10;\n", "10;\n  printf(\"%f\\n\", a[i]);\n"));
  const Outcome tested = lab("test -v map.cu");
  EXPECT_TRUE(tested.says("puzzles/map: accepted")) << tested.out;
  EXPECT_FALSE(tested.says("budget") || tested.says("global reads")) << tested.out;
  EXPECT_TRUE(lab("submit map.cu").says("next     take the printf in line 4 out")) << content("out");
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

TEST_F(LabCommand, names_the_chapter_that_the_last_problem_ends) {
  const std::string problems = WARPWISE_SOURCE_DIR "/problems/puzzles/";
  Outcome last;
  for (const char* slug : {"map", "zip", "guards", "broadcast", "blocks", "map-2d", "blocks-2d"})
    last = lab(std::string("submit ") + slug + " " + problems + slug + "/solutions/1-*.cu");
  EXPECT_TRUE(last.says("warpwise lab quiz grids\n")) << last.out << last.err;
  EXPECT_TRUE(lab("next").says("warpwise lab quiz indexing\n")) << "its questions are not answered either";
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
