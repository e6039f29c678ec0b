// What is recorded is what the kernel does: compared, for kernels of examples/ and problems/, with the log of the
// interpreter, which shares no code with the compiler, and with the profile's counters.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <set>

#include "exec/interpreter/step_log.h"
#include "perf/counters/pricing.h"
#include "perf/counters/profiler.h"
#include "perf/counters/records.h"
#include "perf/counters/sums.h"
#include "trace/queries.h"
#include "trace/trace_file.h"
#include "trace/traced_kernel.h"

namespace warpwise::trace {
namespace {

// A value of its own, for loops over it.
template <class T>
T value_of(Result<T> result) {
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
  return std::move(result).value();
}

namespace fs = std::filesystem;

// One instruction of one thread.
struct Did {
  uint32_t function, instruction;
  bool on;
  int space;         // ptx::Space's shared or local, else 0; -1: no access
  uint64_t address;  // global memory: from the begin of the launch's
  bool operator==(const Did&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Did& did) {
  return out << did.function << ":" << did.instruction << (did.on ? "" : " off") << " space " << did.space << " "
             << did.address;
}

// What a warp does together.
struct Together {
  uint64_t phase;
  uint32_t function, instruction, lanes;
  auto operator<=>(const Together&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Together& t) {
  return out << "phase " << t.phase << " " << t.function << ":" << t.instruction << " " << std::hex << t.lanes
             << std::dec;
}

struct Log {
  std::vector<std::vector<Did>> threads;
  std::vector<std::vector<Together>> warps;
};

std::string path_of(const char* name) {
  return (fs::temp_directory_path() / ("warpwise-trace-" + std::to_string(getpid()) + "-" + name)).string();
}

class Facts : public exec::ObserverClient, public exec::LaunchObserver {
 public:
  explicit Facts(std::unique_ptr<perf::KernelFacts>& facts) : facts_(facts) {}
  void launch_begins(const exec::KernelLaunch& launch) override {
    facts_ = std::make_unique<perf::KernelFacts>(*launch.image);
  }
  void launch_ends(const exec::KernelLaunch&) override {}

 private:
  std::unique_ptr<perf::KernelFacts>& facts_;
};

struct Recorded {
  std::unique_ptr<TraceFile> file;
  std::unique_ptr<perf::KernelFacts> facts;
  device::Address base = 0;
};

Recorded record(const TracedKernel& row, exec::ModeChoice mode, RecordRequest request = {}) {
  const std::string path = path_of("x.wwt");
  Recorded recorded;
  exec::DeviceSetup setup;
  setup.options.mode = mode;
  RecordingObserver recording = make_recorder(*device::find_device("h100"));
  recording.observer->add(std::make_unique<Facts>(recorded.facts));
  setup.observer = recording.observer;
  request.path = path;
  if (request.limit == kUsualSteps) request.limit = kMostSteps;
  recorded.base = launch(row, std::move(setup), [&](device::Device&) { recording.recorder->arm(request); });
  const auto done = recording.recorder->disarm();
  EXPECT_TRUE(done.ok()) << (done.ok() ? "" : done.error().message);
  auto file = TraceFile::open(path);
  EXPECT_TRUE(file.ok()) << (file.ok() ? "" : file.error().message);
  if (file.ok()) recorded.file = std::move(*file);
  fs::remove(path);
  return recorded;
}

bool is_collective(SiteKind kind) {
  return kind == SiteKind::Barrier || kind == SiteKind::WarpSync || kind == SiteKind::Shuffle ||
         kind == SiteKind::Vote || kind == SiteKind::Matrix;
}

constexpr int kGlobal = 0;
int space_of(Space space) {
  return space == Space::Shared ? int(ptx::Space::Shared) : space == Space::Local ? int(ptx::Space::Local) : kGlobal;
}

Log log_of(const Recorded& recorded, uint32_t threads) {
  const Recording& r = recorded.file->recording();
  Log log;
  log.threads.resize(threads), log.warps.resize(r.warps.size());
  for (uint32_t w = 0; w < r.warps.size(); ++w)
    for (const PlacedStep& placed : value_of(recorded.file->steps(w, 0, r.warps[w].steps))) {
      const Step& step = placed.step;
      const Site& site = r.sites[step.site];
      if (!is_collective(site.kind))
        log.warps[w].push_back({placed.phase, site.function, site.instruction, step.active});
      for (uint32_t left = step.active; left != 0; left &= left - 1) {
        const unsigned lane = unsigned(std::countr_zero(left));
        Did did{site.function, site.instruction, (step.on >> lane & 1) != 0, -1, 0};
        for (const Access& access : step.accesses)
          if (access.mask >> lane & 1) {
            did.space = space_of(access.space), did.address = access.addresses[lane];
            if (did.space == kGlobal) did.address -= recorded.base;
          }
        log.threads[w * kLanes + lane].push_back(did);
      }
    }
  return log;
}

Log log_of_interpreter(const TracedKernel& row, const Recording& r, uint32_t threads) {
  const std::string path = path_of("steps");
  fs::remove(path);
  exec::DeviceSetup setup;
  setup.options.engine = exec::EngineKind::Interpreter;
  setup.options.step_log = path;
  const device::Address base = launch(row, std::move(setup));
  std::ifstream in(path, std::ios::binary);
  Log log;
  log.threads.resize(threads), log.warps.resize((threads + kLanes - 1) / kLanes);
  std::map<std::pair<uint32_t, uint32_t>, const Site*> sites;
  for (const Site& site : r.sites) sites[{site.function, site.instruction}] = &site;
  std::vector<uint64_t> phases(threads);
  uint64_t turn = 0;
  exec::interpreter::StepRecord record;
  while (in.read(reinterpret_cast<char*>(&record), sizeof record)) {
    const Site& site = *sites.at({record.function, record.instruction});
    Did did{record.function, record.instruction, record.on != 0, -1, 0};
    if (record.accesses) {
      const bool elsewhere = record.space == uint8_t(ptx::Space::Shared) || record.space == uint8_t(ptx::Space::Local);
      did.space = elsewhere ? record.space : kGlobal;
      did.address = elsewhere ? record.address : record.address - base;
    }
    log.threads[record.thread].push_back(did);
    uint64_t& phase = phases[record.thread];
    auto& warp = log.warps[record.thread / kLanes];
    if (!is_collective(site.kind)) {
      if (record.turn != turn || warp.empty()) warp.push_back({phase, record.function, record.instruction, 0});
      warp.back().lanes |= 1u << record.thread % kLanes;
      turn = record.turn;
    } else if (site.kind == SiteKind::Barrier && record.on) {
      ++phase;
    }
  }
  fs::remove(path);
  return log;
}

class Recorded_ : public testing::TestWithParam<TracedKernel> {};

// Where lanes leave a loop at different times, compiled SIMT code may bring them together earlier than the interpreter,
// which lets those that stand earliest go first. Then the lanes still do the same, in fewer steps.
bool reconverges_earlier(const TracedKernel& row) {
  static const std::set<std::pair<std::string_view, std::string_view>> kEarlier = {
      {"examples/conv1d.cu", "conv_tiled"},
      {"examples/conv2d.cu", "conv_naive"},
      {"examples/conv2d.cu", "conv_tiled"},
      {"problems/challenges/spmv/solutions/1-one-thread-per-row.cu", "multiply"},
      {"problems/challenges/top-k/solutions/1-count-those-before.cu", "top_k"},
  };
  return kEarlier.contains({row.file, row.kernel});
}

void expect_like_interpreter(const TracedKernel& row, exec::ModeChoice mode) {
  const Recorded recorded = record(row, mode);
  ASSERT_TRUE(recorded.file);
  const Recording& r = recorded.file->recording();
  EXPECT_EQ(r.independent, mode == exec::ModeChoice::Independent);
  for (const WarpInfo& warp : r.warps) EXPECT_EQ(warp.count, warp.steps);
  const uint32_t threads = row.block_x * row.block_y;
  Log ours = log_of(recorded, threads), theirs = log_of_interpreter(row, r, threads);
  for (uint32_t t = 0; t < threads; ++t) {
    ASSERT_FALSE(theirs.threads[t].empty());
    const auto [a, b] = std::mismatch(ours.threads[t].begin(), ours.threads[t].end(), theirs.threads[t].begin(),
                                      theirs.threads[t].end());
    if (a == ours.threads[t].end() && b == theirs.threads[t].end()) continue;
    std::ostringstream here, there;
    if (a != ours.threads[t].end()) here << *a;
    if (b != theirs.threads[t].end()) there << *b;
    FAIL() << "thread " << t << ", instruction " << a - ours.threads[t].begin() << ": recorded `" << here.str()
           << "`, interpreted `" << there.str() << "`";
  }
  if (mode == exec::ModeChoice::Simt && reconverges_earlier(row)) {
    size_t here = 0, there = 0;
    for (size_t w = 0; w < ours.warps.size(); ++w) here += ours.warps[w].size(), there += theirs.warps[w].size();
    EXPECT_LT(here, there);
    return;
  }
  for (size_t w = 0; w < ours.warps.size(); ++w) {
    // What lanes of a warp do after they diverged has no order among them.
    std::sort(ours.warps[w].begin(), ours.warps[w].end());
    std::sort(theirs.warps[w].begin(), theirs.warps[w].end());
    const auto [a, b] =
        std::mismatch(ours.warps[w].begin(), ours.warps[w].end(), theirs.warps[w].begin(), theirs.warps[w].end());
    if (a == ours.warps[w].end() && b == theirs.warps[w].end()) continue;
    std::ostringstream here, there;
    if (a != ours.warps[w].end()) here << *a;
    if (b != theirs.warps[w].end()) there << *b;
    FAIL() << "warp " << w << ": recorded `" << here.str() << "`, interpreted `" << there.str() << "`";
  }
}

TEST_P(Recorded_, as_interpreted_in_simt_mode) { expect_like_interpreter(GetParam(), exec::ModeChoice::Simt); }
TEST_P(Recorded_, as_interpreted_thread_by_thread) {
  expect_like_interpreter(GetParam(), exec::ModeChoice::Independent);
}

// What the profile counts of the same steps (perf/counters/profiler.cpp, Profiler::counted).
void add(const perf::KernelFacts& facts, const Step& step, perf::CellSums<uint64_t>& sums) {
  const perf::InstructionFacts& here = facts.cells()[step.site];
  uint64_t* words = &sums.words[size_t{step.site} * simt::kCellWords];
  const auto lanes = [](uint32_t mask) { return uint64_t(std::popcount(mask)); };
  if (here.start == step.site) words[simt::kCellWarps] += 1, words[simt::kCellLanes] += lanes(step.active);
  if (here.guarded) {
    words[simt::kCellOnWarps] += step.on != 0, words[simt::kCellOnLanes] += lanes(step.on);
    if (here.branches) words[simt::kCellDivergent] += step.on != 0 && step.on != step.active;
  }
  if (here.access_index == perf::kNoAccess || step.on == 0) return;
  simt::CountedAccess what = here.access;
  what.bytes = uint8_t(what.bytes * std::max<unsigned>(here.words, 1));
  auto& access_sums = sums.accesses[here.access_index];
  for (const Access& access : step.accesses) {
    const auto before = access_sums[size_t(perf::Reached::Shared)];
    const auto where = access.space == Space::Shared  ? perf::Reached::Shared
                       : access.space == Space::Local ? perf::Reached::Local
                                                      : perf::Reached::Global;
    perf::price_in(where, what, here.words == 1 ? here.atomic : perf::AtomicTurns(),
                   {access.mask, access.addresses.data(), what.bytes}, 0, access_sums, nullptr);
    auto& after = access_sums[size_t(perf::Reached::Shared)];
    if (here.words == 0) after.cost = before.cost, after.ideal = before.ideal, after.bytes = before.bytes;
  }
}

TEST_P(Recorded_, sums_are_the_profile_s) {
  TracedKernel row = GetParam();
  row.grid_x = row.grid_y = 1;
  const std::string path = path_of("counts");
  fs::remove(path);
  {
    exec::DeviceSetup setup;
    setup.options.mode = exec::ModeChoice::Simt;
    setup.observer = exec::Observer::of(perf::make_profiler({path, true}, *device::find_device("h100")).value());
    launch(row, std::move(setup));
  }
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  fs::remove(path);
  const perf::Profile profile = perf::read_records(text.str());
  ASSERT_EQ(profile.launches.size(), 1u);

  const Recorded recorded = record(row, exec::ModeChoice::Simt);
  ASSERT_TRUE(recorded.file);
  const Recording& r = recorded.file->recording();
  perf::CellSums<uint64_t> cells(*recorded.facts);
  for (uint32_t w = 0; w < r.warps.size(); ++w)
    for (const PlacedStep& placed : value_of(recorded.file->steps(w, 0, r.warps[w].steps)))
      add(*recorded.facts, placed.step, cells);
  perf::CellSums<double> sums(*recorded.facts);
  sums.add(cells);
  const auto lines = perf::lines_of(*recorded.facts, sums);
  size_t compared = 0;
  for (const perf::LineCounts& line : profile.launches[0].lines) {
    const auto& known = recorded.facts->lines();
    const size_t at = size_t(std::find(known.begin(), known.end(), line.frames) - known.begin());
    ASSERT_LT(at, known.size());
    const perf::Counts ours = perf::rounded(lines[at]);
    for (unsigned c = 0; c < perf::kCounters; ++c)
      EXPECT_EQ(ours.value[c], line.counts.value[c])
          << perf::info_of(perf::Counter(c)).name << " of line " << (line.frames.empty() ? 0 : line.frames[0].line);
    ++compared;
  }
  EXPECT_GT(compared, 0u);

  // The overview has the whole block, too.
  const auto overview = recorded.file->overview().value();
  for (size_t w = 0; w < overview.size(); ++w) {
    Bucket all;
    for (const Bucket& bucket : overview[w].buckets()) all += bucket;
    EXPECT_EQ(all[OverviewField::Steps], r.warps[w].steps);
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Recorded_, testing::ValuesIn(traced_kernels()), [](const auto& info) {
  std::string name;
  for (const char* c = info.param.file; *c; ++c) name += std::isalnum(static_cast<unsigned char>(*c)) ? *c : '_';
  return name + "_" + info.param.kernel;
});

const TracedKernel kTiled{"examples/matmul.cu", "matmul_tiled", 2, 2, 16, 16, 0, "f1024 f1024 f1024 i32 i32 i32"};

TEST(Recording, says_what_is_not_in_it) {
  const Recorded all = record(kTiled, exec::ModeChoice::Simt);
  const Recorded some = record(kTiled, exec::ModeChoice::Simt, {.block = 3, .first = 10, .limit = 8 * 100});
  ASSERT_TRUE(all.file && some.file);
  const Recording& r = some.file->recording();
  EXPECT_EQ(r.block, (Index3{1, 1, 0}));
  ASSERT_EQ(r.warps.size(), 8u);
  for (uint32_t w = 0; w < 8; ++w) {
    EXPECT_EQ(r.warps[w].steps, all.file->recording().warps[w].steps);
    EXPECT_EQ(r.warps[w].first, 10u);
    EXPECT_EQ(r.warps[w].count, 100u);
    const auto whole = all.file->steps(w, 10, 100).value(), window = some.file->steps(w, 0, ~uint64_t{0}).value();
    ASSERT_EQ(window.size(), 100u);
    for (size_t n = 0; n < window.size(); ++n) {
      EXPECT_EQ(window[n].number, whole[n].number);
      EXPECT_EQ(window[n].phase, whole[n].phase);
      EXPECT_EQ(window[n].clock, whole[n].clock);
      EXPECT_EQ(window[n].step.site, whole[n].step.site);
    }
  }
  ASSERT_FALSE(r.notes.empty());
  EXPECT_NE(r.notes[0].find("800 of the block's"), std::string::npos) << r.notes[0];
  Queries ask(*some.file);
  const auto outside = ask.step(0, 5);
  ASSERT_FALSE(outside.ok());
  EXPECT_EQ(outside.error().code, "V0008");
}

TEST(Recording, has_the_values_of_a_line) {
  // `sum += tile_a[…][i] * tile_b[i][…]`, whichever line it is: that with most steps.
  const Recorded all = record(kTiled, exec::ModeChoice::Simt);
  ASSERT_TRUE(all.file);
  const auto lines = Queries(*all.file).lines().value();
  const auto most =
      std::max_element(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.steps < b.steps; });
  const uint32_t line = all.file->recording().lines[most->line].at(0).line;
  for (const exec::ModeChoice mode : {exec::ModeChoice::Simt, exec::ModeChoice::Independent}) {
    const Recorded recorded = record(kTiled, mode, {.value_lines = {line}});
    ASSERT_TRUE(recorded.file);
    const Recording& r = recorded.file->recording();
    size_t with_values = 0;
    for (const PlacedStep& placed : value_of(recorded.file->steps(0, 0, r.warps[0].steps))) {
      const Site& site = r.sites[placed.step.site];
      EXPECT_EQ(placed.step.values.size(), placed.step.on ? site.values : 0u) << site.ptx;
      for (const LaneValues& values : placed.step.values) {
        EXPECT_EQ(values.mask, placed.step.on) << site.ptx;
        ++with_values;
        if (site.value_type != "f32") continue;
        for (unsigned lane = 0; lane < kLanes; ++lane) {
          const float value = std::bit_cast<float>(uint32_t(values.bits[lane]));
          EXPECT_TRUE(value >= 0 && value <= 1024) << site.ptx << ": " << value;
        }
      }
    }
    EXPECT_GT(with_values, 0u);
  }
}

TEST(Recording, warps_that_do_the_same_are_one_fold) {
  const Recorded even = record(kTiled, exec::ModeChoice::Simt);
  ASSERT_TRUE(even.file);
  EXPECT_EQ(Queries(*even.file).summary().value().folds.size(), 1u);
  // 300 of 512 elements: in the second block warp 1 is cut, and those behind it have nothing to do.
  const TracedKernel cut{"examples/vecadd.cu", "add", 2, 1, 256, 1, 0, "f512 f512 f512 i300"};
  const Recorded partial = record(cut, exec::ModeChoice::Simt, {.block = 1});
  ASSERT_TRUE(partial.file);
  const auto folds = Queries(*partial.file).summary().value().folds;
  ASSERT_EQ(folds.size(), 3u);
  EXPECT_EQ(folds[0].warps, (std::vector<uint32_t>{0}));
  EXPECT_EQ(folds[1].warps, (std::vector<uint32_t>{1}));
  EXPECT_EQ(folds[2].warps.size(), 6u);
}

TEST(Recording, next_finds_what_the_steps_have) {
  const TracedKernel naive{"examples/transpose.cu", "transpose_naive", 2, 2, 32, 8, 0, "f4096 f4096 i64 i64"};
  const Recorded recorded = record(naive, exec::ModeChoice::Simt);
  ASSERT_TRUE(recorded.file);
  Queries ask(*recorded.file);
  const auto place = ask.next(Event::Uncoalesced, {0, 0}).value();
  ASSERT_TRUE(place);
  const StepDetail detail = ask.step(place->warp, place->step).value();
  EXPECT_EQ(detail.view.cost.sectors, 32u);
  EXPECT_EQ(detail.view.cost.ideal_sectors, 4u);
  ASSERT_EQ(detail.accesses.size(), 1u);
  EXPECT_EQ(detail.accesses[0].stride, 64 * 4);
  EXPECT_EQ(detail.accesses[0].touched.size(), 32u);
  // Backwards from behind it is the same.
  const auto back = ask.next(Event::Uncoalesced, {place->warp, place->step + 1}, true).value();
  ASSERT_TRUE(back);
  EXPECT_EQ(back->step, place->step);
  EXPECT_FALSE(ask.next(Event::Barrier, {0, 0}).value());
}

TEST(Recording, warps_wait_at_barriers_for_the_last) {
  const Recorded recorded = record(kTiled, exec::ModeChoice::Simt);
  ASSERT_TRUE(recorded.file);
  Queries ask(*recorded.file);
  // All arrive alike, so none waits, and clocks go on.
  uint64_t last = 0;
  for (const StepView& view : value_of(ask.steps(3, 0, 10'000))) {
    EXPECT_GE(view.modelled_clock, last);
    EXPECT_EQ(view.waits, 0u);
    last = view.modelled_clock;
  }
  // A tree: the longer a warp has work, the later it comes.
  const TracedKernel tree{"examples/reduction.cu", "sequential", 2, 1, 256, 1, 0, "n1000 n16 i500"};
  const Recorded uneven = record(tree, exec::ModeChoice::Simt);
  Queries ask_uneven(*uneven.file);
  uint64_t waits = 0;
  for (const StepView& view : value_of(ask_uneven.steps(7, 0, 10'000))) waits += view.waits;
  EXPECT_GT(waits, 0u);
}

TEST(Recording, launches_and_blocks_that_are_not_there) {
  RecordingObserver recording = make_recorder(*device::find_device("h100"));
  exec::DeviceSetup setup;
  setup.observer = recording.observer;
  Recorder& recorder = *recording.recorder;
  launch(kTiled, std::move(setup), [&](device::Device&) { recorder.arm({.path = path_of("none"), .launch = 1}); });
  const auto missing = recorder.disarm();
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, "V0006");
  exec::DeviceSetup again;
  RecordingObserver second = make_recorder(*device::find_device("h100"));
  again.observer = second.observer;
  launch(kTiled, std::move(again),
         [&](device::Device&) { second.recorder->arm({.path = path_of("none"), .block = 4}); });
  const auto outside = second.recorder->disarm();
  ASSERT_FALSE(outside.ok());
  EXPECT_EQ(outside.error().code, "V0007");
}

}  // namespace
}  // namespace warpwise::trace
