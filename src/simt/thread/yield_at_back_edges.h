// Threads that may wait for others let them run: a call of Service::yield on the back edges of loops whose exit another
// thread may decide. Only on the way back: a thread that has what it waited for goes on, perhaps with a lock that
// others wait for.
#pragma once

#include "simt/thread/thread_builder.h"

namespace warpwise::simt {

void yield_at_back_edges(ThreadBuilder& t);

}  // namespace warpwise::simt
