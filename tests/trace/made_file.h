// A trace file made by hand: sites of each kind and steps that use every form that columns have.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>

#include "trace/file_writer.h"
#include "trace/overview.h"
#include "trace/recording.h"
#include "trace/step_columns.h"

namespace warpwise::trace {

inline Recording made_recording() {
  Recording r;
  r.program = "made.cu", r.kernel = "k(float*)", r.symbol = "_Z1kPf", r.device = "h100", r.schedule = "in-order";
  r.grid = {4, 1, 1}, r.block_shape = {48, 1, 1}, r.limit = 1 << 20;
  r.lines = {{}, {{"made.cu", 7, 3, "k"}}};
  const auto site = [&](SiteKind kind, const char* ptx) -> Site& {
    Site& s = r.sites.emplace_back();
    s.kind = kind, s.ptx = ptx, s.line = 1, s.instruction = uint32_t(r.sites.size() - 1), s.clocks = 3;
    return s;
  };
  site(SiteKind::Arithmetic, "mov.u32 %r1, %tid.x;");
  Site& load = site(SiteKind::Load, "@%p1 ld.global.f32 %f1, [%rd1];");
  load.guarded = load.accesses = true, load.values = 1, load.value_type = "f32";
  load.access = {simt::CountedKind::Load, simt::CountedSpace::Global, 4, 0};
  Site& store = site(SiteKind::Store, "st.f32 [%rd2], %f1;");
  store.accesses = true, store.access = {simt::CountedKind::Store, simt::CountedSpace::Generic, 4, 0};
  site(SiteKind::Barrier, "bar.sync 0;");
  Site& branch = site(SiteKind::Branch, "@%p2 bra L;");
  branch.guarded = true;
  return r;
}

// Step `n` of a warp with these lanes.
inline Step made_step(uint64_t n, uint32_t lanes, std::mt19937& random) {
  Step step;
  step.begin(uint32_t(n % 5), n % 7 == 3 ? lanes & 0x0ff0ff0fu : lanes);
  const auto addresses = [&](Space space, uint32_t mask) {
    Access access{.space = space, .mask = mask};
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if (!(mask >> lane & 1)) continue;
      uint64_t at = 0x2000'0000'0000 + n * 64;
      if (n % 4 == 1) at += lane * 4;
      if (n % 4 == 2) at += (lane / 8) * 4096 + lane % 8 * 4;
      if (n % 4 == 3) at += random() % 100'000 * 4;
      access.addresses[lane] = at;
    }
    step.accesses.push_back(access);
  };
  if (step.site == 1) {
    step.on = n % 3 == 0 ? step.active : n % 3 == 1 ? 0 : step.active & 0x55555555u;
    if (step.on != 0) {
      addresses(Space::Global, step.on);
      LaneValues& values = step.values.emplace_back();
      values.mask = step.on;
      for (unsigned lane = 0; lane < kLanes; ++lane)
        if (step.on >> lane & 1) values.bits[lane] = n % 2 ? 42 : random();
    }
  } else if (step.site == 2) {
    addresses(Space::Global, step.on & 0xffffu);
    if (step.on & ~0xffffu) addresses(Space::Shared, step.on & ~0xffffu);
    std::erase_if(step.accesses, [](const Access& access) { return access.mask == 0; });
  } else if (step.site == 4) {
    step.on = step.active & 0xffu;
  }
  return step;
}

inline std::string content_of(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// `steps` of each of two warps, the second with 16 threads. `change` may spoil the recording, `alter` a step of a warp.
inline std::string made_file(uint64_t steps, const std::function<void(Recording&)>& change = {},
                             const std::function<void(uint32_t warp, uint64_t n, Step&)>& alter = {}) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("warpwise-made-" + std::to_string(getpid()) + ".wwt")).string();
  auto writer = FileWriter::create(path).value();
  Recording r = made_recording();
  std::vector<WarpOverview> overview(2);
  std::vector<std::vector<Arrival>> arrivals(2);
  for (uint32_t w = 0; w < 2; ++w) {
    std::mt19937 random(w);
    const uint32_t lanes = w == 0 ? ~0u : 0xffffu;
    StepEncoder encoder;
    ChunkEntry chunk{.kind = ChunkKind::Steps, .warp = w};
    uint64_t phase = 0, clock = 0;
    for (uint64_t n = 0; n < steps; ++n) {
      Step step = made_step(n, lanes, random);
      if (alter) alter(w, n, step);
      if (encoder.count() == 0) chunk.first = n, chunk.phase = phase, chunk.clock = clock;
      encoder.add(step, r.sites[step.site]);
      clock += r.sites[step.site].clocks;
      Bucket bucket;
      bucket[OverviewField::Steps] = 1;
      overview[w].add(bucket);
      if (step.site == 3) {
        if (arrivals[w].size() < kMostArrivals) arrivals[w].push_back({n, clock});
        ++phase;
      }
      if (encoder.count() == kChunkSteps || n + 1 == steps) {
        chunk.count = encoder.count();
        writer->add(chunk, encoder.take());
      }
    }
    r.warps.push_back({.threads = w == 0 ? 32u : 16u, .steps = steps, .count = steps, .clocks = clock});
  }
  if (change) change(r);
  writer->add({.kind = ChunkKind::Overview}, encode_overview(overview));
  writer->add({.kind = ChunkKind::Barriers}, encode_arrivals(arrivals));
  writer->add({.kind = ChunkKind::Recording}, to_json(r));
  writer->add({.kind = ChunkKind::Sources},
              to_json(std::vector<SourceFile>{{"made.cu", "1\n2\n3\n4\n5\n6\n  x[i] = 0;\n"}}));
  EXPECT_TRUE(writer->finish().ok());
  const std::string bytes = content_of(path);
  std::filesystem::remove(path);
  return bytes;
}

}  // namespace warpwise::trace
