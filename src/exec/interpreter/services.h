// What the device offers to kernels as functions: printf, malloc, free and assert.
#pragma once

#include "exec/interpreter/step.h"

namespace warpwise::exec::interpreter {

// All addresses are generic.
int32_t print(Step& s, device::Address format, device::Address arguments);
device::Address allocate(Step& s, uint64_t size);
void release(Step& s, device::Address address);
void assertion_failed(Step& s, device::Address message, device::Address file, uint32_t line, device::Address function);

}  // namespace warpwise::exec::interpreter
