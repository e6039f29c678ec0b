// The traffic of a launch at L2 and DRAM, from the sectors that some of its blocks read and write.
//
// Blocks of a grid share data by their place in it: a row of A by the blocks side by side, a column of B by those above
// each other, a table by all. How much is measured on a few blocks and their neighbours: with p, x, y and g the parts
// of a block's sectors that are its own, shared along x, along y, and by all, a rectangle of X by Y blocks touches
//
//     f (p X Y + x Y + y X + g)
//
// different sectors, f of them a block. (Neighbours that overlap at their edges, as stencils do, obey the same
// formula. In a grid of one dimension those that share are not all side by side: row_reuse.h.) What is read for the
// first time comes from memory. L2 keeps what it holds until it is full: as many blocks as touch no more than it holds
// share what they read, but at least those that run at the same time, since they go through it together. Before the
// launch the caches are empty, as Nsight Compute makes them; what is written stays in L2 as far as it fits. (Of a
// launch that uses much more than L2 all that it writes counts: what stays there at last is written when the next one
// needs the room.)
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "device/device.h"
#include "perf/counters/row_reuse.h"
#include "perf/counters/traffic.h"

namespace warpwise::perf {

// A block and its neighbours in the grid, as linear indices.
struct Neighbours {
  uint64_t block;
  std::optional<uint64_t> right, below;
};
// A few blocks, spread over the grid; the same ones for the same grid.
std::vector<Neighbours> neighbours_of(const device::Dim3& grid);

// The share of the sectors of a block that other blocks use, too.
struct Sharing {
  double along_x = 0, along_y = 0, by_all = 0;
  std::vector<Return> returns;  // of a grid of one dimension, where it is known; then along_x says nothing new
};

class Reuse {
 public:
  // Sets of the blocks of neighbours_of, in order; nothing for those that are not there.
  void add(const std::vector<uint64_t>& block, const std::vector<uint64_t>* right, const std::vector<uint64_t>* below);
  Sharing sharing() const;

 private:
  uint64_t with_right_ = 0, with_below_ = 0, with_both_ = 0;  // sectors of blocks that have such a neighbour
  uint64_t x_ = 0, y_ = 0, g_ = 0;
};

// Of sectors, in order, the part that others have as well.
double common_part(const std::vector<uint64_t>& sectors, const std::vector<uint64_t>& others);

// Hits in L1 on data that all blocks of the grid read: a vector, a table of weights. The blocks of a multiprocessor run
// side by side and reach the data together. If L1 holds the data beside what each block reads alone, later blocks hit,
// too.
struct L1Sharing {
  double together = 0;  // of the reads of what all share, those for which a block waits with another one
  double later = 0;     // ... and those that find what is there already
};
// `by_all`: of the sectors of a block; `of_sm`: blocks of a multiprocessor.
L1Sharing l1_sharing(double by_all, double per_block, double blocks, double of_sm, double together, uint64_t l1_bytes);

// Different sectors that a number of consecutive blocks of a grid touch, of `per_block` each.
double different_sectors(const Sharing& sharing, double per_block, const device::Dim3& grid, double blocks);

struct MemoryTraffic {
  double read_sectors = 0, written_sectors = 0;
};
struct Footprint {
  Sharing sharing;
  double per_block = 0;       // different sectors of one block, on average
  std::optional<double> all;  // of the whole launch, where it is known
};
// `together`: blocks that run at the same time. `bytes_of_place`: the footprints and the traffic may be in larger
// places than sectors.
MemoryTraffic memory_traffic(const Footprint& read, const Footprint& written, const device::Dim3& grid,
                             uint64_t together, uint64_t l2_bytes, double bytes_of_place = 32);

// Different places of all blocks; and the same where only what neighbours share is there once, since it is used at the
// same time.
double different_places(const Footprint& f, const device::Dim3& grid);
double opened(const Footprint& f, const device::Dim3& grid);

// Sectors of blocks, in order, as places of 2^shift of them, each once.
std::vector<uint64_t> places_of(const std::vector<uint64_t>& sectors, unsigned shift);
uint64_t count_places(const std::vector<uint64_t>& sectors, unsigned shift);

// Local memory is that of the threads that run at the same time: later ones use it again. Where it exceeds L2, what is
// stored there goes to memory, and what L1 has evicted comes from there.
//
//     264 blocks of 1024 threads with an array of 660 bytes: 178 MB, of which an L2 of 50 MB keeps little
//
// `stored`: different sectors of each block, and `missed`: those read at L2; of all blocks.
MemoryTraffic local_traffic(double stored, double missed, const device::Dim3& grid, uint64_t together,
                            uint64_t l2_bytes);

// Sectors that blocks read at L2 again after L2 has evicted them. Between the two reads of a block, all blocks that run
// with it continue. If together they touch more than L2 holds, each has its share of L2. Sectors that neighbours read,
// too, stay.
//
//     a softmax of rows of 32 KB, 48 blocks at once, L2 of 1 MB: the second pass over a row finds nothing
//
// `rereads`: of all blocks, by their distance in sectors that the block has read and written (traffic.h).
double lost_rereads(const std::array<double, kDistanceClasses>& rereads, const Footprint& read,
                    const Footprint& written, const device::Dim3& grid, uint64_t together, uint64_t l2_bytes);

}  // namespace warpwise::perf
