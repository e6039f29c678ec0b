// Whether how much a block does depends on what other blocks have done before it.
//
//     while ((i = atomicAdd(&next, 1)) < n) …        blocks take work until there is no more: those of a GPU get equal
//                                                    parts, but the first one to run here gets all of it
//     while (list[i].next != NIL) { … list[i] = … }  threads go through what others change at the same time: the first
//                                                    has the longest way to go here
//
// Blocks run one after the other here, and side by side on a GPU. So which block of such a kernel has most to do says
// nothing about the GPU, while how much all of them do together says something.
//
// Such a kernel has a loop whose end depends on the old value of an atomic, or on a load through a pointer through
// which it also stores. Values are followed through registers and shared memory. A compare-and-swap does not count: its
// loops repeat what has failed, they do not share out work.
#pragma once

#include "ptx/module.h"

namespace warpwise::perf {

bool work_depends_on_order(const ptx::Function& function);

}  // namespace warpwise::perf
