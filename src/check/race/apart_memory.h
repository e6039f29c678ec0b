// Whether no two threads of a launch share a byte of what a parameter points to (simt/apart_accesses.h). Compiled code
// then notes its accesses there without comparing them.
#pragma once

#include "exec/engine.h"
#include "simt/apart_accesses.h"

namespace warpwise::check {

bool are_apart(const simt::ApartAccesses& accesses, const exec::KernelLaunch& launch);

}  // namespace warpwise::check
