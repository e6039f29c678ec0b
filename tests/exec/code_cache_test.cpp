// Compiled kernels as bytes and back; damaged bytes are errors (exec/loading/code_cache.h).
#include "exec/loading/code_cache.h"

#include <gtest/gtest.h>

#include <map>

#include "fake_compiler.h"

namespace warpwise::exec {
namespace {

simt::CompiledKernel sample() {
  simt::CompiledKernel kernel;
  kernel.abi_version = simt::kAbiVersion;
  kernel.mode = simt::Mode::Independent;
  kernel.object = {std::byte{1}, std::byte{2}};
  kernel.entry = "entry";
  kernel.frame_bytes = 1, kernel.local_bytes = 2, kernel.static_shared_bytes = 3;
  kernel.order_sensitive = true, kernel.spins = true, kernel.any_order = true;
  kernel.sites = {{1, 2, 3, 4}, {5, 6, 7, 8}};
  kernel.why_independent = "because";
  kernel.assumed.distinct_pointers.add({16, 8});
  kernel.assumed.distinct_pointers.add({0, simt::DistinctPointers::kVariables});
  kernel.assumed.ranges.add({simt::LaunchRange::Of::Parameter, 4, 16, 5, 6});
  kernel.assumed.ranges.add({simt::LaunchRange::Of::GridY, 0, 0, 0, 7});
  kernel.accessed_pointers = 5;
  kernel.plain_pointers = 4;
  simt::ApartAccesses apart;
  apart.pointer = 3, apart.bytes = 8, apart.modulus = 1 << 20, apart.threads[0] = 32;
  apart.reach = {{{4, 4, 8}, {-4, 0, 0}}}, apart.wrap = uint64_t{1} << 34;
  apart.by_thread[0] = {{{4, 0, 0}}};
  apart.by_block[1] = {{{-4, 4, 16}, {12, 0, 0}}};
  apart.offsets = {{}, {{{1, 8, 24}}}};
  apart.assumed = kernel.assumed.ranges;
  kernel.apart_accesses = {apart, simt::ApartAccesses{}};
  return kernel;
}

TEST(CodeCache, keeps_every_field) {
  auto read = kernel_from_bytes(to_bytes(sample()));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->abi_version, simt::kAbiVersion);
  EXPECT_EQ(read->mode, simt::Mode::Independent);
  EXPECT_EQ(read->object.size(), 2u);
  EXPECT_EQ(read->entry, "entry");
  EXPECT_EQ(read->frame_bytes, 1u);
  EXPECT_EQ(read->local_bytes, 2u);
  EXPECT_EQ(read->static_shared_bytes, 3u);
  EXPECT_TRUE(read->order_sensitive && read->spins && read->any_order);
  EXPECT_EQ(read->why_independent, "because");
  EXPECT_EQ(read->assumed.distinct_pointers, sample().assumed.distinct_pointers);
  EXPECT_EQ(read->assumed.ranges, sample().assumed.ranges);
  EXPECT_EQ(read->accessed_pointers, 5u);
  EXPECT_EQ(read->plain_pointers, 4u);
  EXPECT_EQ(read->apart_accesses, sample().apart_accesses);
  ASSERT_EQ(read->sites.size(), 2u);
  EXPECT_EQ(read->sites[1].code, 5u);
  EXPECT_EQ(read->sites[1].first_lane, 8u);
}

TEST(CodeCache, refuses_every_cut) {
  auto bytes = to_bytes(sample());
  for (size_t cut = 0; cut < bytes.size(); ++cut)
    EXPECT_FALSE(kernel_from_bytes(std::span(bytes).first(cut)).ok()) << cut;
  for (size_t at = 0; at < bytes.size(); ++at) {
    auto damaged = bytes;
    damaged[at] = std::byte{0xff};
    (void)kernel_from_bytes(damaged);  // must not crash
  }
}

struct MemoryCache : CodeCache {
  std::optional<std::vector<std::byte>> load(const std::string& key) override {
    auto found = entries.find(key);
    if (found == entries.end()) return std::nullopt;
    return found->second;
  }
  void store(const std::string& key, std::span<const std::byte> bytes) override {
    entries[key].assign(bytes.begin(), bytes.end());
  }
  std::map<std::string, std::vector<std::byte>> entries;
};

TEST(CodeCache, spares_the_compiler_and_survives_damage) {
  auto cache = std::make_shared<MemoryCache>();
  int compiled = 0;
  for (int round = 0; round < 3; ++round) {
    TestMachine m;
    m.engine = std::make_unique<JitEngine>(m.machine, source_of(m.compiler), cache);
    EXPECT_TRUE(m.run("empty_kernel", {1}, {32}).ok());
    compiled += m.compiler.compiled;
    EXPECT_EQ(cache->entries.size(), 1u);
    if (round == 1) cache->entries.begin()->second.resize(40);
  }
  EXPECT_EQ(compiled, 2);
}

// Code for the usual order of warps serves shuffled schedules too, if it says so.
TEST(CodeCache, shares_code_that_is_right_in_any_order) {
  for (const bool any_order : {true, false}) {
    auto cache = std::make_shared<MemoryCache>();
    int compiled = 0;
    for (const bool shuffle : {false, true}) {
      Options options;
      options.schedule = {shuffle, 7};
      TestMachine m(options);
      m.compiler.any_order = any_order;
      m.engine = std::make_unique<JitEngine>(m.machine, source_of(m.compiler), cache);
      EXPECT_TRUE(m.run("empty_kernel", {4}, {64}).ok());
      compiled += m.compiler.compiled;
    }
    EXPECT_EQ(compiled, any_order ? 1 : 2);
  }
}

}  // namespace
}  // namespace warpwise::exec
