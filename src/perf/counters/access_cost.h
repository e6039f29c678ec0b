// What one access of a warp costs the memory pipes, by the rules of the hardware.
//
// Global   The unit is the sector, 32 aligned bytes. A request touches each sector once, however many lanes access it
//          (Nsight Compute, Kernel Profiling Guide, "Memory Tables": sectors, requests).
// Shared   32 banks of 4 bytes (CUDA C++ Programming Guide, "Shared Memory" of compute capability 5.x). Up to 4 bytes
//          per lane, all lanes go in one wavefront unless two of them access different words of one bank; a word is
//          broadcast to all lanes that read it. Lanes of 8 bytes are served by half warps, of 16 bytes by quarters,
//          each by the same rule. Where all pairs of lanes (T, T^1), or all (T, T^2), have the same address, half as
//          many wavefronts do (NVIDIA, developer forum 77228). Measured (forum 359822): LDS.128 with lanes 16 bytes
//          apart takes 4 wavefronts and no conflict.
// Local    The words of the threads are interleaved: word w of lane l is at 32 w + l, so that lanes that use the same
//          variable fill sectors (CUDA C++ Programming Guide, "Local Memory").
#pragma once

#include <cstdint>

namespace warpwise::perf {

constexpr unsigned kWarpLanes = 32;

// Lanes of `mask`, their addresses, and the bytes of each; an access is aligned to its size. Addresses of other lanes
// are not read, but where it is known that all 32 have the same.
struct LaneAccess {
  uint32_t mask;
  const uint64_t* addresses;
  unsigned bytes;
  bool one_address = false;
};

// The sectors of global memory, as addresses / 32, in order, each once; returns how many. `out` has room for
// kWarpLanes.
unsigned sectors_of(const LaneAccess& access, uint64_t* out);
// The different bytes that lanes access: a word that several access counts once.
unsigned different_bytes(const LaneAccess& access);
// Both, in one look at the addresses.
struct GlobalCost {
  unsigned sectors = 0, bytes = 0;
};
GlobalCost global_cost(const LaneAccess& access, uint64_t* sectors);
// The number of sectors that hold so many bytes without gaps.
unsigned ideal_sectors(unsigned bytes);
// The sectors of a warp's local memory; addresses are offsets in that of each thread.
constexpr unsigned kMostLocalSectors = kWarpLanes * 8;
unsigned local_sectors(const LaneAccess& access, uint64_t* out);

struct SharedCost {
  unsigned wavefronts = 0;
  unsigned ideal = 0;  // without conflicts
  unsigned more = 0;   // instructions beyond one: those of a loop
};
SharedCost shared_cost(const LaneAccess& access);
// ldmatrix and stmatrix: the first `rows` lanes name rows of 16 bytes, a matrix of 8 rows after the other.
SharedCost matrix_cost(const LaneAccess& access, unsigned rows);
// How an atomic in shared memory is made, and in how many turns: clocks of an SM whose warps all do it, measured on an
// H200 (in parentheses: what SASS has for it). ncu counts as many wavefronts, within 5 %, and 70 instructions in a
// round of the loops (85 with 64 bits), and four more for each further word.
enum class SharedAtomic : uint8_t {
  Lanes,    // integers of 32 bits, exchanges (ATOMS.ADD, .EXCH): lanes of one bank take turns, also at one word
  Words,    // 1 is added and the old value is not used (ATOMS.POPC.INC): only different words of one bank take turns
  Swaps,    // compare and swap (ATOMS.CAS): two turns each
  Spins,    // sums of floats and all that has no instruction: a loop of compare and swap (ATOMS.CAST.SPIN), a round for
            // each lane of the busiest word: 43 turns, and 20 more for each further word of its bank
  Spins64,  // the same with 64 bits: 65 turns, and 18 more
};
constexpr unsigned kSharedAtomics = 5;
SharedCost shared_atomic_cost(const LaneAccess& access, SharedAtomic how);

// Lanes whose address a lower lane has, too.
unsigned collisions(const LaneAccess& access);
// Different words of constant memory: the cache serves one at a time (CUDA C++ Programming Guide, "Constant Memory").
unsigned different_words(const LaneAccess& access);

}  // namespace warpwise::perf
