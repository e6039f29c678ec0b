// The container of a trace file: chunks, an index of them, and a trailer that says where the index is.
//
//     "WWTRACE1"  version, 4 bytes  0, 4 bytes
//     chunk       kind, stored bytes, bytes, checksum of the stored ones (4 bytes each); then a frame of zstd
//     ...
//     chunk       the index: for each other chunk its kind, place, warp, steps, phase, clock
//     trailer     where the index begins, 8 bytes; checksum of these, 4 bytes; "WWTREND1"
//
// Numbers are little-endian. The index comes last, so that a recording is written as it is made, in memory that does
// not grow with it; and chunks are read one by one, so that a large file opens as fast as a small one.
// docs/trace_format.md describes the contents.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warpwise::trace {

constexpr std::string_view kFileMagic = "WWTRACE1", kTrailerMagic = "WWTREND1";
constexpr uint32_t kFileVersion = 1;
constexpr size_t kHeaderBytes = 16, kChunkHeaderBytes = 16, kTrailerBytes = 20;

constexpr uint32_t fourcc(const char (&name)[5]) {
  return uint32_t(uint8_t(name[0])) | uint32_t(uint8_t(name[1])) << 8 | uint32_t(uint8_t(name[2])) << 16 |
         uint32_t(uint8_t(name[3])) << 24;
}

// Kinds of chunks. All but Steps occur once at most; a reader skips kinds that it does not know.
enum class ChunkKind : uint32_t {
  Index = fourcc("INDX"),
  Recording = fourcc("RECD"),  // JSON: what was recorded, sites, source lines
  Steps = fourcc("STEP"),      // some steps of one warp
  Overview = fourcc("OVER"),   // the whole block, in buckets
  Barriers = fourcc("BARR"),   // when each warp arrived at barriers
  Profile = fourcc("PROF"),    // JSON: what `profile` counted in all launches
  Findings = fourcc("FIND"),   // JSON: what the checkers found, and at which steps
  Sources = fourcc("SRCS"),    // JSON: the text of the files that lines are of
};

// A chunk, as the index has it. The last four are of Steps.
struct ChunkEntry {
  ChunkKind kind{};
  uint64_t offset = 0;
  uint32_t warp = 0;
  uint64_t first = 0;  // step
  uint32_t count = 0;
  uint64_t phase = 0, clock = 0;  // before the first step
};

// What a reader accepts at most.
constexpr uint64_t kMostChunks = 1 << 20;
constexpr size_t kMostChunkBytes = size_t{64} << 20;

// CRC-32 (ISO-HDLC, that of zlib and PNG): damage, not malice, is what it has to find.
uint32_t checksum(std::string_view bytes);

}  // namespace warpwise::trace
