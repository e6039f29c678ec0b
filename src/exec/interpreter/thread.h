// One thread: its calls, its registers, and what it waits for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "device/device.h"
#include "exec/interpreter/async.h"
#include "exec/interpreter/value.h"
#include "ptx/module.h"

namespace warpwise::exec::interpreter {

// A variable of the parameter space: the bytes of one argument or result on their way.
using ParameterBytes = std::vector<std::byte>;

// A call of a function that has not returned yet.
struct Frame {
  uint32_t function = 0;                           // index into Module::functions
  uint32_t pc = 0;                                 // index into Function::instructions
  std::vector<Bits> registers;                     // Program::slot says where each is
  uint64_t local = 0;                              // offset of the function's frame in the thread's local memory
  uint64_t stack = 0;                              // offset of the first byte behind it; `alloca` moves it up
  std::vector<ParameterBytes> arguments, results;  // of a device function, by Function::parameters and returns
  std::vector<ParameterBytes> variables;           // by Function::variables; the .param ones, for calls it makes
};

// A .sync operation of a warp: threads that name the same members and do the same kind of thing
// take part together.
// What each brings:
struct Collective {
  enum class Kind : uint8_t {
    Sync,
    Shuffle,
    Vote,
    Match,
    Redux,
    ReduxF32,
    Elect,
    Activemask,
    Wgmma,
    Gather,
    TensorMemory
  };
  Kind kind = Kind::Sync;
  ptx::Mod mode = ptx::Mod::None;  // Shuffle: .up ...; Redux, ReduxF32: the operation
  bool is_signed = false;          // Redux
  bool of_active = false;  // without .sync: the members are those that stand at the same place, as of an Activemask
  bool nan_wins = false;   // ReduxF32: .NaN
  uint32_t members = 0;
  uint64_t value = 0;           // Vote: the predicate
  uint32_t b = 0, c = 0;        // Shuffle
  std::vector<uint32_t> words;  // Gather
};

// What the lanes of a Gather brought, one table for all of them: word w of lane l at [w * 32 + l]. The first lane to
// need it computes the result for all lanes.
struct Gathered {
  std::vector<uint32_t> words, result;
};

// What each lane of a collective takes away.
struct Outcome {
  uint32_t value = 0;
  bool flag = false;
  uint32_t present = 0;  // the lanes that were there
  std::shared_ptr<Gathered> gathered;
};

struct Thread {
  enum class State : uint8_t {
    Running,
    Collective,      // waits for other lanes of its warp
    Barrier,         // waits for other threads of its block
    Mbarrier,        // waits for a phase to end
    ClusterBarrier,  // waits for other threads of its cluster
    Columns,         // waits for columns of tensor memory
    Done,
  };
  State state = State::Running;
  uint32_t index = 0;  // linear in the block
  device::Dim3 tid;
  std::vector<Frame> frames;
  bool carry = false;  // CC.CF

  Collective collective;
  uint32_t barrier = 0;                    // which one it waits at
  std::vector<uint32_t> a_words, d_words;  // at a wgmma: its registers; d's come back changed
  uint64_t descriptor_b = 0;               // (Collective::value is that of a)
  bool answered = false;  // the wait is over and `outcome` is there: the instruction runs again and takes it
  Outcome outcome;
  device::Address awaited = 0;   // the mbarrier it waits at
  bool cluster_arrived = false;  // between barrier.cluster.arrive and .wait
  uint32_t cluster_phase = 0;
  CopyGroups copies, bulk_copies;
  uint8_t columns_phase = 0;  // of tcgen05.alloc and its kin: the warp has come together, one thread has done it
  bool polls = false;         // its last instruction may have asked for what another thread does
  uint32_t patience = 0;      // rounds an activemask has waited

  uint32_t lane() const { return index % 32; }
  uint32_t warp() const { return index / 32; }
  Frame& frame() { return frames.back(); }
  const Frame& frame() const { return frames.back(); }
};

}  // namespace warpwise::exec::interpreter
