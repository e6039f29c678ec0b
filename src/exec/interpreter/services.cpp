#include "exec/interpreter/services.h"

#include <fmt/format.h>

#include "exec/memory/device_heap.h"
#include "exec/services/printf.h"

namespace warpwise::exec::interpreter {

int32_t print(Step& s, device::Address format, device::Address arguments) {
  std::string text;
  int32_t result = format_printf(*s.block.run.machine.arena, format, arguments, text);
  s.block.run.output.print(s.block.index, text);
  return result;
}

device::Address allocate(Step& s, uint64_t size) { return s.block.run.machine.heap->allocate(size); }

void release(Step& s, device::Address address) {
  if (s.block.run.machine.heap->free(address)) return;
  s.fail(device::Failure::LaunchFailure, "free() of an address that malloc() of a kernel did not return", address);
}

void assertion_failed(Step& s, device::Address message, device::Address file, uint32_t line, device::Address function) {
  const Arena& arena = *s.block.run.machine.arena;
  auto text = [&](device::Address address) {
    std::string out;
    return read_string(arena, address, out) ? out : std::string("?");
  };
  s.fail(device::Failure::Assert,
         fmt::format("{}:{}: {}: assertion `{}` failed", text(file), line, text(function), text(message)));
}

}  // namespace warpwise::exec::interpreter
