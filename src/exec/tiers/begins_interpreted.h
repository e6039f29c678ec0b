// Which kernels may begin in the interpreter while they are compiled: those of which nothing can tell where they began.
//
// Blocks are independent of each other, and the interpreter gives the same bits as compiled code, so most kernels may.
// Those that may not wait for the compiler:
//
//   results that depend on the order of threads   an atomic operation whose result is used, or on floats; exch, cas
//   what others see before the block has ended    volatile and stronger accesses to memory that blocks share, fences
//   what cannot be undone                         malloc() and free() of kernels, stores to surfaces
//   the clock                                     the interpreter's passes differently
//   what depends on who has come together         activemask, votes and shuffles without .sync
//   an order of their own                         mbarriers, clusters, bulk copies, tensor memory, wgmma
//
// The decision is the module's code alone: the same in every run.
#pragma once

#include "exec/engine.h"

namespace warpwise::exec {

// What is known of a kernel besides its code.
enum class Order : uint8_t {
  MayMatter,      // its atomic operations decide
  DoesNotMatter,  // it is a test that gives the same results in every order of its threads
};

bool may_begin_interpreted(const KernelImage& image, Order order = Order::MayMatter);

}  // namespace warpwise::exec
