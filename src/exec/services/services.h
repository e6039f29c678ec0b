// What compiled code calls: the table behind BlockContext::services. simt/services.inc says what each service does, and
// makes the declarations here. The bodies stand in the files of this folder, by topic:
//
//     services.cpp          faults, printf, clocks, the device's heap, counts and instrumentation events
//     rounding.cpp          arithmetic with a directed rounding
//     thread_services.cpp   barriers and warp collectives of independent-thread mode
//     warp_services.cpp     barriers and mbarriers of independent-warp mode
//     async_services.cpp    mbarriers, bulk copies, wgmma, addresses in clusters
//     tensor_services.cpp   tensor memory
//     image_services.cpp    textures and surfaces
#pragma once

#include "simt/abi.h"

namespace warpwise::exec {

namespace service {

using simt::BlockContext;
using simt::ThreadContext;
#define SERVICE(name, result, parameters) result name parameters;
#include "simt/services.inc"
#undef SERVICE

}  // namespace service

const simt::Services& services();

}  // namespace warpwise::exec
