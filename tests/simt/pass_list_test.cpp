// The list of passes (simt/passes.inc) and the runner behind it: the order in which passes run, their switches, their
// dumps and times, and the table in docs/internals/compiler.md.
//
//   WARPWISE_BLESS=1 test_simt_passes    rewrites the table
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <vector>

#include "exec/loading/compiler_plugin.h"
#include "ptx/parse/parser.h"
#include "simt/instrument/events.h"
#include "simt/pass_names.h"

namespace warpwise::simt {
namespace {

// A kernel that gives many passes something to do: a guard, a barrier, shared memory, a sum, a loop.
constexpr const char* kKernel = R"(.version 8.5
.target sm_90a
.address_size 64
.visible .entry t(.param .u64 a, .param .u32 n) {
  .shared .align 4 .b8 s[1024];
  .reg .b64 %a, %at;
  .reg .b32 %i, %n, %v, %w;
  .reg .pred %p;
  ld.param.u64 %a, [a];
  ld.param.u32 %n, [n];
  mov.u32 %i, %tid.x;
  mul.wide.u32 %at, %i, 4;
  add.u64 %at, %a, %at;
  ld.global.u32 %v, [%at];
  shl.b32 %w, %i, 2;
  mov.u32 %n, s;
  add.u32 %w, %w, %n;
  st.shared.u32 [%w], %v;
  bar.sync 0;
  ld.shared.u32 %v, [s];
  st.global.u32 [%at], %v;
  red.global.add.u32 [%a+4096], 1;
  ret;
}
)";

struct Compiled {
  Result<CompiledKernel> kernel = Error{};
  std::vector<std::string> dumped;
  std::string times;
};

Compiled compile(CompileOptions options) {
  Diagnostics diagnostics;
  auto module = ptx::load(std::make_shared<SourceText>("test.ptx", kKernel), diagnostics);
  auto compiler = exec::compiler_plugin("").open();
  Compiled result;
  if (!module || !compiler.ok()) {
    ADD_FAILURE() << (module ? compiler.error().message : render_text(diagnostics, false));
    return result;
  }
  options.block = {256, 1, 1};
  options.on_dump = [&](std::string_view pass, std::string_view text) {
    if (pass == "time")
      result.times += text;
    else
      result.dumped.emplace_back(pass);
  };
  result.kernel = (*compiler)->compile(*module, 0, options);
  return result;
}

TEST(PassList, is_in_the_order_in_which_passes_run) {
  for (const Mode mode : {Mode::Simt, Mode::Independent})
    for (const uint32_t watch : {0u, kWatchAddresses | kWatchBarriers, uint32_t{kWatchOrder}}) {
      CompileOptions options;
      options.mode = mode;
      options.watch = watch;
      options.count = watch == 0 ? Counting::Sums : Counting::None;
      options.dump_after = {"all"};
      const Compiled compiled = compile(options);
      ASSERT_TRUE(compiled.kernel.ok()) << compiled.kernel.error().message;
      size_t last = 0;
      for (const std::string& name : compiled.dumped) {
        const PassName* pass = is_pass(name) ? &kPasses[place_of_pass(name)] : nullptr;
        ASSERT_NE(pass, nullptr) << name;
        const size_t place = size_t(pass - kPasses.data()) + 1;
        EXPECT_GT(place, last) << name << " runs behind " << (last ? kPasses[last - 1].name : "");
        last = place;
        EXPECT_NE(pass->stage, mode == Mode::Simt ? PassStage::Thread : PassStage::Block) << name;
      }
      EXPECT_GT(compiled.dumped.size(), 20u);
    }
}

TEST(PassList, independent_warps_are_vectors_and_never_cut) {
  CompileOptions options;
  options.mode = Mode::Warps;
  options.dump_after = {"all"};
  const Compiled compiled = compile(options);
  ASSERT_TRUE(compiled.kernel.ok()) << compiled.kernel.error().message;
  const std::set<std::string> ran(compiled.dumped.begin(), compiled.dumped.end());
  EXPECT_TRUE(ran.contains("vectorise") && ran.contains("bind_warp"));
  EXPECT_FALSE(ran.contains("split_at_barriers") || ran.contains("bind_thread"));
}

TEST(PassList, has_no_pass_that_never_runs) {
  std::set<std::string> ran;
  for (const Mode mode : {Mode::Simt, Mode::Warps, Mode::Independent})
    for (const uint32_t watch : {0u, kWatchAddresses | kWatchBarriers | kWatchOrder})
      for (const Counting count : {Counting::None, Counting::Sums}) {
        CompileOptions options;
        options.mode = mode;
        options.watch = watch;
        options.count = count;
        options.dump_after = {"all"};
        for (const std::string& name : compile(options).dumped) ran.insert(name);
      }
  for (const PassName& pass : kPasses) EXPECT_TRUE(ran.contains(std::string(pass.name))) << pass.name;
}

TEST(PassList, passes_that_can_be_off_do_not_run_when_they_are) {
  for (const PassName& pass : kPasses) {
    CompileOptions options;
    options.off = {std::string(pass.name)};
    options.dump_after = {"all"};
    const Compiled compiled = compile(options);
    if (pass.can_be_off()) {
      ASSERT_TRUE(compiled.kernel.ok()) << pass.name << ": " << compiled.kernel.error().message;
      EXPECT_EQ(std::count(compiled.dumped.begin(), compiled.dumped.end(), pass.name), 0) << pass.name;
    } else {
      ASSERT_FALSE(compiled.kernel.ok()) << pass.name;
      EXPECT_EQ(compiled.kernel.error().code, "U0005");
      EXPECT_NE(compiled.kernel.error().message.find(fmt::format("the pass `{}` must run", pass.name)),
                std::string::npos)
          << compiled.kernel.error().message;
    }
  }
}

TEST(PassList, passes_that_copy_code_do_not_run_in_the_quick_tier) {
  std::set<std::string_view> longer;
  for (const PassName& pass : kPasses)
    if (pass.use == PassUse::Longer) longer.insert(pass.name);
  ASSERT_TRUE(longer.contains("unroll_barrier_loops"));
  for (const Tier tier : {Tier::Optimised, Tier::Quick}) {
    CompileOptions options;
    options.tier = tier;
    options.dump_after = {"all"};
    const Compiled compiled = compile(options);
    ASSERT_TRUE(compiled.kernel.ok()) << compiled.kernel.error().message;
    for (const std::string_view pass : longer)
      EXPECT_EQ(std::ranges::count(compiled.dumped, pass) != 0, tier == Tier::Optimised) << pass;
  }
}

TEST(PassList, unknown_names_are_named) {
  EXPECT_NE(check_off("nonsense").error().message.find("has no pass `nonsense`"), std::string::npos);
  EXPECT_NE(check_off("nonsense").error().message.find("; there are "), std::string::npos);
  EXPECT_EQ(read_dump("after:nonsense").error().code, "U0005");
  EXPECT_TRUE(read_dump("after:vectorize").error().message.ends_with("of the compiler; did you mean `vectorise`?"));
  EXPECT_EQ(*read_dump("after:lower"), "lower");
  EXPECT_EQ(*read_dump("all"), "all");
}

TEST(PassList, one_pass_is_dumped_and_all_are_timed) {
  CompileOptions options;
  options.dump_after = {"split_at_barriers"};
  options.time_passes = true;
  const Compiled compiled = compile(options);
  EXPECT_EQ(compiled.dumped, std::vector<std::string>{"split_at_barriers"});
  for (const char* name : {"lower ", "split_at_barriers ", "freeze_extended_logic ", "emit "})
    EXPECT_NE(compiled.times.find(name), std::string::npos) << name;
}

const char* name_of(PassStage stage) {
  switch (stage) {
    case PassStage::Lower:
      return "lower";
    case PassStage::Scalar:
      return "scalar";
    case PassStage::Instrument:
      return "instrument";
    case PassStage::Block:
      return "block";
    case PassStage::Warp:
      return "warp";
    case PassStage::Thread:
      return "thread";
    case PassStage::Codegen:
      break;
  }
  return "codegen";
}

std::string table() {
  std::string text = "| Stage | Pass | What it does | Can be off |\n|---|---|---|---|\n";
  for (const PassName& pass : kPasses)
    text += fmt::format("| {} | {} | {} | {} |\n", name_of(pass.stage), pass.name, pass.help,
                        pass.use == PassUse::Longer   ? "yes; not in the quick tier"
                        : pass.use == PassUse::Faster ? "yes"
                                                      : "");
  return text;
}

TEST(PassList, the_page_is_current) {
  const std::string path = WARPWISE_SOURCE_DIR "/docs/internals/compiler.md";
  const std::string begin = "<!-- passes -->\n", end = "<!-- end of passes -->\n";
  std::ifstream file(path);
  const std::string written{std::istreambuf_iterator<char>(file), {}};
  const size_t first = written.find(begin), last = written.find(end);
  ASSERT_TRUE(first != written.npos && last != written.npos) << path;
  const std::string current = written.substr(0, first) + begin + table() + written.substr(last);
  if (std::getenv("WARPWISE_BLESS"))
    std::ofstream(path) << current;
  else
    EXPECT_TRUE(written == current) << path << " is not current: run this test with WARPWISE_BLESS=1";
}

}  // namespace
}  // namespace warpwise::simt
