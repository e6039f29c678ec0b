// What compiled code calls: the table behind BlockContext::services (simt/abi.h says what each entry does).
// The first half serves both modes and is in services.cpp. The second half, in which threads wait for each other,
// belongs to independent-thread mode (thread_services.cpp).
#pragma once

#include "simt/abi.h"

namespace warpwise::exec {

const simt::Services& services();

// Fills in mbarriers, asynchronous copies and the addresses of clusters (async_services.cpp).
void add_async_services(simt::Services& table);
// Fills in tensor memory (tensor_services.cpp).
void add_tensor_services(simt::Services& table);
// Fills in the entries of independent-thread mode.
void add_split_services(simt::Services& table);

}  // namespace warpwise::exec
