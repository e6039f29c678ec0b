// Trace files: what is written is read; a large one opens at once; and whatever is wrong with one has its code.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "trace/json.h"
#include "trace/made_file.h"
#include "trace/queries.h"
#include "trace/text.h"
#include "trace/trace_file.h"

namespace warpwise::trace {
namespace {

// A value of its own, for loops over it.
template <class T>
T value_of(Result<T> result) {
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
  return std::move(result).value();
}

std::string code_of(std::string_view bytes) {
  auto file = TraceFile::read(bytes);
  return file.ok() ? "" : file.error().code;
}

TEST(TraceFile_, reads_what_was_written) {
  const std::string bytes = made_file(10'000);
  auto file = TraceFile::read(bytes).value();
  for (uint32_t w = 0; w < 2; ++w) {
    std::mt19937 random(w);
    uint64_t n = 0;
    for (const PlacedStep& placed : value_of(file->steps(w, 0, 10'000))) {
      const Step expected = made_step(n, w == 0 ? ~0u : 0xffffu, random);
      ASSERT_EQ(placed.number, n);
      ASSERT_EQ(placed.step.site, expected.site);
      ASSERT_EQ(placed.step.active, expected.active);
      ASSERT_EQ(placed.step.on, expected.on);
      ASSERT_EQ(placed.step.accesses.size(), expected.accesses.size()) << n;
      for (size_t a = 0; a < expected.accesses.size(); ++a) {
        ASSERT_EQ(placed.step.accesses[a].space, expected.accesses[a].space);
        ASSERT_EQ(placed.step.accesses[a].mask, expected.accesses[a].mask);
        ASSERT_EQ(placed.step.accesses[a].addresses, expected.accesses[a].addresses) << n;
      }
      ASSERT_EQ(placed.step.values.size(), expected.values.size());
      for (size_t v = 0; v < expected.values.size(); ++v)
        ASSERT_EQ(placed.step.values[v].bits, expected.values[v].bits);
      ++n;
    }
    EXPECT_EQ(n, 10'000u);
  }
  // Any window.
  const auto window = file->steps(1, 4000, 300).value();
  ASSERT_EQ(window.size(), 300u);
  EXPECT_EQ(window[0].number, 4000u);
  EXPECT_EQ(window[0].phase, 800u);
  EXPECT_TRUE(file->steps(1, 10'000, 5).value().empty());
  EXPECT_TRUE(file->steps(7, 0, 5).value().empty());
}

TEST(TraceFile_, ten_million_steps_open_in_less_than_a_second) {
  const std::string bytes = made_file(5'000'000);
  const auto begin = std::chrono::steady_clock::now();
  auto file = TraceFile::read(bytes).value();
  Queries ask(*file);
  EXPECT_EQ(ask.summary().value().recorded, 10'000'000u);
  EXPECT_EQ(ask.overview(0).value().warps.size(), 2u);
  EXPECT_EQ(ask.steps(1, 4'900'000, 100).value().size(), 100u);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(took.count(), 1);
  RecordProperty("seconds", std::to_string(took.count()));
  RecordProperty("bytes", std::to_string(bytes.size()));
}

TEST(TraceFile_, every_kind_of_damage_has_its_code) {
  const std::string good = made_file(5000);
  EXPECT_EQ(code_of(good), "");
  EXPECT_EQ(code_of(""), "V0001");
  EXPECT_EQ(code_of("{\"json\": true}, and more than a header"), "V0001");
  std::string other = good;
  other[8] = 2;
  EXPECT_EQ(code_of(other), "V0002");
  for (const size_t size : {good.size() - 1, good.size() / 2, kHeaderBytes + 3})
    EXPECT_EQ(code_of(good.substr(0, size)), "V0003") << size;
  std::string trailer = good;
  trailer[good.size() - kTrailerBytes] ^= 1;
  EXPECT_EQ(code_of(trailer), "V0004");

  // A byte of each chunk; chunks of steps are read later.
  auto whole = FileReader::read(good).value();
  for (const ChunkEntry& chunk : whole->chunks()) {
    std::string bad = good;
    bad[chunk.offset + kChunkHeaderBytes + 5] ^= 0x40;
    auto file = TraceFile::read(bad);
    std::string code = file.ok() ? "" : file.error().code;
    if (file.ok()) {
      for (uint32_t w = 0; w < 2; ++w)
        if (auto steps = (*file)->steps(w, 0, 5000); !steps.ok()) code = steps.error().code;
      for (const auto& error : {(*file)->overview().ok() ? "" : (*file)->overview().error().code,
                                (*file)->arrivals().ok() ? "" : (*file)->arrivals().error().code,
                                (*file)->sources().ok() ? "" : (*file)->sources().error().code})
        if (!error.empty()) code = error;
    }
    EXPECT_EQ(code, "V0004") << "chunk at " << chunk.offset;
  }
}

TEST(TraceFile_, contradictions_are_refused) {
  const auto code = [](const std::function<void(Recording&)>& change) { return code_of(made_file(100, change)); };
  EXPECT_EQ(code([](Recording&) {}), "");
  EXPECT_EQ(code([](Recording& r) { r.sites[2].line = 99; }), "V0005");
  EXPECT_EQ(code([](Recording& r) { r.sites[1].access.bytes = 3; }), "V0005");
  EXPECT_EQ(code([](Recording& r) { r.warps.clear(); }), "V0005");
  EXPECT_EQ(code([](Recording& r) { r.warps[1].threads = 40; }), "V0005");
  EXPECT_EQ(code([](Recording& r) { r.warps[0].count = 99; }), "V0005");
  EXPECT_EQ(code([](Recording& r) { r.warps.pop_back(); }), "V0005");
  // Steps of instructions that are not there, and lanes that the warp has not.
  for (const auto& change : {std::function<void(Recording&)>([](Recording& r) { r.sites.resize(2); }),
                             std::function<void(Recording&)>([](Recording& r) { r.warps[1].threads = 3; })}) {
    const std::string bytes = made_file(100, change);
    auto file = TraceFile::read(bytes).value();
    const auto steps = file->steps(1, 0, 100);
    ASSERT_FALSE(steps.ok());
    EXPECT_EQ(steps.error().code, "V0005");
  }
}

TEST(TraceFile_, a_truncated_payload_is_no_chunk_of_steps) {
  const Recording r = made_recording();
  std::mt19937 random(1);
  StepEncoder encoder;
  for (uint64_t n = 0; n < 50; ++n) {
    const Step step = made_step(n, ~0u, random);
    encoder.add(step, r.sites[step.site]);
  }
  const std::string payload = encoder.take();
  EXPECT_TRUE(decode_steps(payload, r.sites).ok());
  for (size_t size = 0; size < payload.size(); ++size)
    EXPECT_FALSE(decode_steps(std::string_view(payload).substr(0, size), r.sites).ok()) << size;
  EXPECT_FALSE(decode_steps(payload + "x", r.sites).ok());
}

TEST(TraceFile_, buckets_merge_and_keep_their_sums) {
  WarpOverview overview;
  constexpr uint64_t kSteps = 100'000;
  for (uint64_t n = 0; n < kSteps; ++n) {
    Bucket step;
    step[OverviewField::Steps] = 1, step[OverviewField::Sectors] = n;
    overview.add(step);
  }
  EXPECT_LE(overview.buckets().size(), WarpOverview::kMostBuckets);
  EXPECT_GT(overview.buckets().size(), WarpOverview::kMostBuckets / 4);
  uint64_t first = 0, sectors = 0;
  for (const Bucket& bucket : overview.buckets()) {
    const uint64_t size = std::min(uint64_t{1} << overview.shift(), kSteps - first);
    EXPECT_EQ(bucket[OverviewField::Steps], size);
    EXPECT_EQ(bucket[OverviewField::Sectors], size * first + size * (size - 1) / 2);
    first += size, sectors += bucket[OverviewField::Sectors];
  }
  EXPECT_EQ(first, kSteps);
  EXPECT_EQ(sectors, kSteps * (kSteps - 1) / 2);
  auto again = decode_overview(encode_overview({overview})).value();
  EXPECT_EQ(again[0].buckets(), overview.buckets());
  EXPECT_EQ(again[0].shift(), overview.shift());
}

// What fuzz/trace_file.cpp begins with. WARPWISE_BLESS=1 writes them anew.
TEST(Seeds, are_what_the_reader_reads) {
  const std::string folder = WARPWISE_SOURCE_DIR "/fuzz/seeds/trace_file/";
  if (std::getenv("WARPWISE_BLESS")) {
    const auto write = [&](const char* name, const std::string& bytes) {
      std::ofstream(folder + name, std::ios::binary) << bytes;
    };
    const std::string whole = made_file(60);
    write("whole.wwt", whole);
    auto file = TraceFile::read(whole).value();
    write("overview", "o" + encode_overview(file->overview().value()));
    write("arrivals", "b" + encode_arrivals(file->arrivals().value()));
    write("recording", "r" + to_json(file->recording()));
    write("findings", "f" + to_json(Findings{true, {make_finding("C0201", "a race")}, {}}));
    // The sites of the fuzz target: 2, 3 and 4 access memory, 3 with a guard.
    std::vector<Site> sites(6);
    sites[2].accesses = sites[3].accesses = sites[4].accesses = sites[1].guarded = sites[3].guarded = true;
    StepEncoder encoder;
    std::mt19937 random(1);
    for (uint64_t n = 0; n < 64; ++n) {
      Step step = made_step(n, ~0u, random);
      if (step.site == 1) step.accesses.clear(), step.values.clear();
      if (step.site == 3) step.on = 0;
      if (step.site == 4) step.on = step.active, step.accesses = {{Space::Shared, 3, {16, 20}}};
      encoder.add(step, sites[step.site]);
    }
    write("steps", "s" + encoder.take());
  }
  const std::string whole = content_of(folder + "whole.wwt");
  EXPECT_EQ(code_of(whole), "");
  EXPECT_TRUE(decode_overview(content_of(folder + "overview").substr(1)).ok());
  EXPECT_TRUE(decode_arrivals(content_of(folder + "arrivals").substr(1)).ok());
  EXPECT_TRUE(recording_from_json(content_of(folder + "recording").substr(1)).ok());
  EXPECT_EQ(findings_from_json(content_of(folder + "findings").substr(1)).value().findings.size(), 1u);
}

TEST(Answers, are_json_with_what_was_asked_for) {
  const std::string bytes = made_file(1000);
  auto file = TraceFile::read(bytes).value();
  Queries ask(*file);
  using nlohmann::json;
  const json summary = json::parse(to_json(ask.summary().value(), file->profile().value()));
  EXPECT_EQ(summary["format"], 1);
  EXPECT_EQ(summary["steps"], 2000);
  EXPECT_EQ(summary["sites"][1]["kind"], "load");
  EXPECT_EQ(summary["lines"][1][0]["line"], 7);
  EXPECT_EQ(summary["profile"], nullptr);
  const json overview = json::parse(to_json(ask.overview(6).value()));
  EXPECT_EQ(overview["zoom"], 6);
  EXPECT_EQ(overview["warps"][0]["steps"].size(), 16u);
  const json steps = json::parse(to_json(ask.steps(1, 10, 5).value(), 1, file->recording()));
  EXPECT_EQ(steps["steps"].size(), 5u);
  EXPECT_EQ(steps["steps"][0]["step"], 10);
  const auto next = ask.next(Event::Barrier, {0, 3}).value();
  EXPECT_EQ(json::parse(to_json(next, "barrier"))["place"]["step"], 8);
  const json step = json::parse(to_json(ask.step(0, 7).value(), 0, file->recording()));
  EXPECT_EQ(step["step"]["site"], 2);
  EXPECT_EQ(step["accesses"].size(), 2u);
  EXPECT_EQ(step["accesses"][1]["space"], "shared");
  EXPECT_TRUE(step["accesses"][1].contains("banks"));
}

TEST(Answers, are_text_with_lanes_and_banks) {
  const std::string bytes = made_file(1000);
  auto file = TraceFile::read(bytes).value();
  Queries ask(*file);
  const auto sources = file->sources().value();
  const std::string summary = to_text(ask.summary().value(), ask.overview(0).value(), ask.lines().value(), sources);
  for (const char* part : {"k(float*)", "warp 1", "made.cu:7", "x[i] = 0;"})
    EXPECT_NE(summary.find(part), summary.npos) << part << "\n" << summary;
  const std::string step = to_text(ask.step(0, 7).value(), 0, file->recording(), {}, sources);
  for (const char* part : {"step 7 of warp 0", "st.f32", "lane 31", "bank ", "sector 0x"})
    EXPECT_NE(step.find(part), step.npos) << part << "\n" << step;
}

TEST(Answers, put_banks_in_a_row_on_one_line) {
  const std::string bytes = made_file(1000);
  auto file = TraceFile::read(bytes).value();
  StepDetail detail = Queries(*file).step(0, 7).value();
  ASSERT_EQ(detail.accesses[1].access.space, Space::Shared);
  detail.accesses[1].touched = {{0, 1u << 4, 1}, {1, 1u << 5, 1}, {2, 1u << 6, 1}, {3, 1u << 8, 1}, {4, 3, 2}};
  const std::string step = to_text(detail, 0, file->recording(), {}, {});
  for (const char* line :
       {"  banks 0 to 2: 1 word each, lanes 4-6\n", "  bank  3: 1 word, lanes 8\n", "  bank  4: 2 words, lanes 0-1\n"})
    EXPECT_NE(step.find(line), step.npos) << line << step;
}

}  // namespace
}  // namespace warpwise::trace
