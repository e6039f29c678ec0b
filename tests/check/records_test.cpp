// Findings survive the way from the program to the command, whatever happens to the program.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "check/records/finding_json.h"
#include "check/records/record_sink.h"
#include "check/records/recorded_run.h"

namespace warpwise::check {
namespace {

class Records : public testing::Test {
 protected:
  Records() : path_(testing::TempDir() + "records.XXXXXX") { close(mkstemp(path_.data())); }
  ~Records() override { std::filesystem::remove(path_); }
  std::string text() const {
    std::ostringstream out;
    out << std::ifstream(path_).rdbuf();
    return out.str();
  }
  RecordedRun read() const { return read_records(text()); }
  std::shared_ptr<RecordSink> open() const { return RecordSink::open(path_, {}).value(); }

  std::string path_;
};

Finding race(uint32_t line) {
  Finding finding = make_finding("C0201", "race on `tile`");
  Party write;
  write.role = "write";
  write.kernel = "k(int*)";
  write.block = Index3{0, 0, 0};
  write.thread = Index3{31, 0, 0};
  write.code = {{{"a.cu", line, 3, "store"}, {"a.cu", line + 10, 1, "k(int*)"}}, "st.shared.u32 [%r1], %r2;"};
  Party read = write;
  read.role = "read";
  read.thread = Index3{32, 0, 0};
  finding.parties = {write, read};
  finding.memory = MemoryPlace{
      .space = "shared", .address = 0x80, .bytes = 4, .name = "tile", .base = 0, .size = 256, .allocated = true};
  finding.notes = {"nothing orders them"};
  return finding;
}

TEST_F(Records, hold_a_finding_whole) {
  open()->report(race(5));
  RecordedRun run = read();
  ASSERT_EQ(run.findings.size(), 1u);
  EXPECT_EQ(finding_to_json(run.findings[0]), finding_to_json(race(5)));
  EXPECT_EQ(run.findings[0].parties[1].thread, (Index3{32, 0, 0}));
  EXPECT_EQ(run.findings[0].memory->name, "tile");
  EXPECT_EQ(run.started, 1u);
  EXPECT_EQ(run.ended, 1u);
  EXPECT_EQ(run.damaged, 0u);
}

TEST_F(Records, of_one_cause_are_one_finding) {
  auto sink = open();
  FindingSink::Cause first = sink->report(race(5));
  EXPECT_EQ(sink->report(race(5)), first);
  EXPECT_NE(sink->report(race(6)), first);
  sink->again(first, 998);
  sink.reset();
  RecordedRun run = read();
  ASSERT_EQ(run.findings.size(), 2u);
  EXPECT_EQ(run.findings[0].threads, 1000u);
  EXPECT_EQ(run.findings[1].threads, 1u);
}

// Blocks run side by side: which finds something first says nothing.
TEST_F(Records, show_the_earliest_block_of_a_launch) {
  auto in_block = [](uint64_t launch, uint32_t block) {
    Finding finding = race(5);
    for (Party& party : finding.parties) party.block = Index3{block, 0, 0};
    finding.order = {launch, block};
    return finding;
  };
  auto sink = open();
  CollectingSink collected;
  for (FindingSink* to : {static_cast<FindingSink*>(sink.get()), static_cast<FindingSink*>(&collected)}) {
    to->report(in_block(3, 5));
    to->report(in_block(3, 7));
    to->report(in_block(3, 2));
    to->report(in_block(4, 1));  // another launch
  }
  sink.reset();
  const RecordedRun run = read();
  EXPECT_EQ(run.damaged, 0u);
  for (const std::vector<Finding>& findings : {run.findings, collected.findings()}) {
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].threads, 4u);
    EXPECT_EQ(findings[0].parties[0].block, (Index3{2, 0, 0}));
  }
}

TEST_F(Records, survive_a_crash) {
  auto sink = open();
  for (int i = 0; i < 100; ++i) sink->report(race(5));
  RecordedRun run = read();  // what a parent finds when the program is killed now
  ASSERT_EQ(run.findings.size(), 1u);
  EXPECT_GE(run.findings[0].threads, 50u);
  EXPECT_EQ(run.ended, 0u);
}

TEST_F(Records, stay_small_under_a_million_findings) {
  auto sink = open();
  for (uint32_t i = 0; i < 1'000'000; ++i) {
    if (i < 20'000)
      sink->report(race(i));
    else
      sink->again(1);
  }
  sink.reset();
  RecordedRun run = read();
  EXPECT_EQ(run.findings.size(), RecordSink::kMaxCauses);
  EXPECT_EQ(run.dropped, 20'000 - RecordSink::kMaxCauses);
  EXPECT_EQ(run.findings[0].threads, 980'001u);
  EXPECT_LT(text().size(), 8u << 20);
}

TEST_F(Records, say_what_is_not_checked) {
  auto sink = open();
  sink->note_unchecked("shared memory of `k`: out of memory");
  sink->note_unchecked("shared memory of `k`: out of memory");
  sink.reset();
  EXPECT_EQ(read().not_checked, std::vector<std::string>{"shared memory of `k`: out of memory"});
}

TEST_F(Records, name_allocations) {
  auto sink = open();
  sink->note_allocation({0x1000, 64, "cudaMalloc", {{"/bin/p", 0x42}}});
  sink->note_free(0x1000, {{"/bin/p", 0x99}});
  Finding finding = make_finding("C0103", "read of freed memory");
  finding.memory =
      MemoryPlace{.space = "global", .address = 0x1004, .base = 0x1000, .size = 64, .allocated = true, .freed = true};
  sink->report(finding);
  sink.reset();
  const MemoryPlace memory = *read().findings.at(0).memory;
  EXPECT_EQ(memory.allocated_by, "cudaMalloc");
  ASSERT_EQ(memory.freed_at.size(), 1u);
  EXPECT_EQ(memory.freed_at[0].offset, 0x99u);
}

TEST_F(Records, are_read_whatever_the_file_holds) {
  open()->report(race(5));
  std::string whole = text();
  for (size_t length = 0; length < whole.size(); length += 7) (void)read_records(whole.substr(0, length));
  for (size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = char(damaged[i] ^ (1 + i % 255));
    (void)read_records(damaged);
  }
  EXPECT_EQ(read_records("nonsense\n[1]\n{}\n{\"type\":\"count\",\"id\":7}\n" + std::string(5, '[') + "\n").damaged,
            5u);
  EXPECT_EQ(read_records("{\"v\":99,\"type\":\"start\",\"pid\":1}\n").damaged, 1u);
}

TEST_F(Records, of_two_processes_join) {
  open()->report(race(5));
  std::string once = text();
  std::string other = once;
  std::string pid = "\"pid\":" + std::to_string(getpid());
  for (size_t at; (at = other.find(pid)) != other.npos;) other.replace(at, pid.size(), "\"pid\":1");
  RecordedRun run = read_records(once + other);
  ASSERT_EQ(run.findings.size(), 1u);
  EXPECT_EQ(run.findings[0].threads, 2u);
  EXPECT_EQ(run.started, 2u);
  EXPECT_EQ(run.ended, 2u);
}

TEST(Rules, belong_to_the_family_of_their_checker) {
  constexpr std::string_view kFamilies[] = {"C01", "C03", "C02", "C04", "C07", "C05", "C06", "C03"};
  for (const Rule& rule : all_rules()) {
    // R0301 has the code of the engine's message, which commands without checkers print.
    EXPECT_TRUE(rule.code == "R0301" || rule.code.starts_with(kFamilies[unsigned(rule.checker)])) << rule.code;
    EXPECT_FALSE(rule.rule.empty() || rule.next_step.empty()) << rule.code;
    EXPECT_NE(find_diagnostic(rule.code), nullptr) << rule.code;
  }
}

}  // namespace
}  // namespace warpwise::check
