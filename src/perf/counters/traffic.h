// The traffic that the global and local accesses of a block cause: in its own part of L1, and beyond it.
//
// The engine runs one warp after the other from barrier to barrier; a multiprocessor runs them side by side. So the
// accesses of a block are recorded by warp and put through L1 when the block has ended, one access of each warp in
// turn. Blocks that share a multiprocessor divide its L1: they rarely read the same data, since neighbours in the grid
// run on different multiprocessors. Data that all blocks of a grid read are treated separately (L1Sharing, reuse.h).
//
// L1 has lines of 128 bytes in sectors of 32, sixteen ways, least recently used out first; stores pass it, and so do
// atomics and loads that ask for it (.cg, .volatile, .relaxed and stronger) and bulk copies. Local memory is kept in L1
// too, stores included; these go on to L2 as well (ncu on an H200: L2 is written what local stores are, in kernels of
// HeCBench that read it all from L1).
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace warpwise::exec {
class Arena;
}

namespace warpwise::perf {

enum class Traffic : uint8_t { Load, LoadPastL1, BulkLoad, Store, Atomic, Reduction, LocalLoad, LocalStore };

// For sectors that a block requests from L2 again: how many sectors it has read and written there in between, in
// classes, four classes to an octave. The least distance of a class; the next one's is the end.
//
//     class    0    4    6    8    9   10   11   12   13
//     from     1    2    3    4    5    6    7    8   10
constexpr size_t kDistanceClasses = 128;
using RereadDistances = std::array<uint64_t, kDistanceClasses>;
size_t class_of_distance(size_t distance);  // at least 1
double least_distance(size_t of_class);

// Of the sectors that a load of the kernel asks L1 for: those that are there, and those that its block reads at L2 for
// the first time.
struct SiteReads {
  uint64_t asked = 0, hits = 0, first = 0;
};
constexpr uint32_t kNoSite = ~0u;

struct BlockTraffic {
  uint64_t l1_reads = 0, l1_hits = 0;
  uint64_t l1_late =
      0;  // of the hits, those on what another warp has asked for in the same turn, and which is still under way
  uint64_t l2_read_lines = 0;                        // entries of l2_reads by line
  uint64_t constant_lines = 0, constant_visits = 0;  // of constant memory: different, and how often a warp goes on
  uint64_t l2_reads = 0, l2_writes = 0, l2_atomics = 0, l2_reductions = 0;
  // Different sectors of global memory, in order: those read at L2 (but for what the block wrote before), and those
  // written there.
  std::vector<uint64_t> read, written;
  RereadDistances rereads{};
  std::vector<uint64_t> kept;                                  // of those read, what loads brought that L1 keeps
  std::vector<uint64_t> local;                                 // different sectors of local memory that were stored
  uint64_t local_misses = 0;                                   // of the reads at L2, those of local memory
  uint64_t host_reads = 0, host_writes = 0;                    // of l2_reads and l2_writes, those of the host's memory
  uint64_t bulk_copies = 0, bulk_loaded = 0, bulk_stored = 0;  // bytes of shared memory
  // Turns that atomics take at L2; and the same by 512 bytes, with those that wait for each other by sector
  // (kOneSector).
  uint64_t atomic_turns = 0;
  std::unordered_map<uint64_t, uint64_t> contention;
  std::vector<SiteReads> sites;                         // by InstructionFacts::access_index
  std::vector<std::pair<uint64_t, uint32_t>> first_at;  // sectors of `read`, with the access that was first
};

// A sectored cache.
class SectorCache {
 public:
  explicit SectorCache(uint64_t bytes);
  struct Found {
    unsigned there;  // of the sectors that were asked for
    unsigned late;   // of these, those that came in the same turn
  };
  // Looks up sectors of one line (a mask of four), which are there afterwards.
  Found access(uint64_t line, unsigned sectors, uint32_t turn);
  void clear();

 private:
  static constexpr unsigned kWays = 16;
  // Each field of all ways together, so that one comparison looks at all of them.
  struct Set {
    Set() { lines.fill(~uint64_t{0}); }
    std::array<uint64_t, kWays> lines;
    std::array<uint32_t, kWays> used{}, turns{};
    std::array<uint8_t, kWays> valid{}, fresh{};  // fresh: since its turn
  };
  Found look_up(unsigned sectors, uint32_t turn);
  static unsigned way_of(const Set& set, uint64_t line, uint32_t cleared);
  static unsigned oldest_way(const Set& set);

  std::vector<Set> sets_;
  // What was accessed last: the warps of a block mostly follow each other through one line.
  size_t last_set_ = 0;
  unsigned last_way_ = 0;
  uint32_t clock_ = 0, cleared_ = 0;  // the time, in accesses, and that of the last clear()
};

// What is host memory, which kernels read and write in place: page-locked (cudaMallocHost, cudaHostRegister).
class HostMemory {
 public:
  explicit HostMemory(const exec::Arena* arena) : arena_(arena) {}
  bool contains(uint64_t sector);

 private:
  // Sectors of an allocation, or one outside of all.
  struct Known {
    uint64_t first = 1, last = 0;
    bool host = false;
  };
  const exec::Arena* arena_;  // null: nothing is
  // Those asked for last: a kernel goes from array to array.
  std::array<Known, 4> known_;
  size_t oldest_ = 0;
};

class BlockTrace {
 public:
  explicit BlockTrace(const exec::Arena* arena = nullptr) : host_(arena) {}

  // `sectors`: addresses / 32, in order, each once; of local memory, any numbers that distinguish them.
  void add(uint32_t warp, Traffic kind, const uint64_t* sectors, unsigned count);
  // What is added from now on is of this access (InstructionFacts::access_index).
  void at_site(uint32_t site) { site_ = site; }
  // A bulk copy has brought so many bytes to shared memory, or taken them from there.
  void copied(bool store, uint64_t bytes);
  // A warp reads constants in a line of 64 bytes.
  void constant(uint32_t warp, uint64_t line);
  // An atomic takes so many turns at a line of L2.
  void contend(uint64_t piece, unsigned turns);
  // ... and those at one of its sectors wait for each other for so many, whatever the others do.
  void follow(uint64_t sector, unsigned turns);
  // The block has ended.
  BlockTraffic finish(uint64_t l1_bytes);

 private:
  // Sectors of a line that an access asks for, a bit each, and in how many entries.
  struct LineAccess {
    uint64_t line;
    unsigned sectors;
    uint64_t count;
  };
  void replay(SectorCache& l1);
  void replay_access(SectorCache& l1, size_t warp);
  void replay_line(SectorCache& l1, Traffic kind, uint32_t site, const LineAccess& access);
  void tidy();  // of the different sectors, each once
  void read_at_l2(uint64_t sector, uint32_t site);
  SiteReads& reads_of(uint32_t site);
  void note_rereads();
  void index_written();
  void store(size_t warp, size_t first, size_t end);
  bool wrote(uint64_t sector);

  // The most entries that are kept before they are put through the cache.
  static constexpr size_t kMostEntries = size_t{1} << 21;
  static constexpr unsigned kFirstBit = 63, kKindShift = 60;
  static constexpr uint64_t kSectorMask = (uint64_t{1} << kKindShift) - 1;
  // Where atomics use more such pieces than this, few contend for each.
  static constexpr size_t kMostLines = 4096;
  static constexpr uint64_t kOneSector = uint64_t{1} << 63;
  void note_contention(uint64_t place, unsigned turns);

  std::vector<std::vector<uint64_t>> warps_;  // sectors, with the kind and whether an access begins
  std::vector<std::vector<uint32_t>> sites_;  // the access of each that begins there
  std::vector<size_t> next_, next_site_;
  std::vector<std::array<size_t, 2>> stored_;  // by warp: where the entries of its last store are
  std::unordered_set<uint64_t> written_;       // of traffic_.written the first indexed_
  size_t indexed_ = 0;
  size_t tidied_ = 0;  // of traffic_.read the first, which are in order
  struct Moment {
    size_t at;  // how many sectors the block had read and written by then
    uint32_t site;
  };
  std::vector<Moment> moments_;  // of those behind
  size_t entries_ = 0;
  uint32_t site_ = kNoSite;
  SiteReads nowhere_;  // of what has no site
  static constexpr size_t kConstantLines = 1024;
  std::bitset<kConstantLines> constant_lines_;
  std::vector<uint64_t> last_constant_;  // by warp: the line, and one
  uint32_t turn_ = 0;                    // of all warps, an access of each
  std::vector<SectorCache> l1_;          // none or one, of bytes_
  uint64_t bytes_ = 0;
  HostMemory host_;
  BlockTraffic traffic_;
};

// Sorts, and drops what is there twice.
void keep_different(std::vector<uint64_t>& sectors);

}  // namespace warpwise::perf
