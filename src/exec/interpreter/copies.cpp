// cp.async (PTX ISA 9.7.9.25.3): what is copied is decided at the issue, when is not (async.h).
#include <array>
#include <cstring>

#include "exec/interpreter/dispatch.h"

namespace warpwise::exec::interpreter {

using ptx::Operand;
using ptx::Space;
using ptx::Type;

// [dst], [src], size {, bytes to read, or a predicate that says "none"}: what is not read is zero.
void run_cp_async(Step& s) {
  const unsigned size = static_cast<unsigned>(s.operand(2).bits);
  unsigned read = size;
  if (s.present(3)) {
    const Operand& source = s.operand(3);
    bool ignore = source.is(Operand::Kind::Register) && s.function().registers[source.reg].type == Type::Pred;
    read = ignore ? (s.predicate(3) ? 0 : size) : std::min(s.u32(3), size);
  }
  std::byte* to = s.memory(0, Space::Shared, size);
  if (!to) return;
  const std::byte* from = nullptr;
  // All of a whole copy is checked, its alignment too; of a partial one the bytes that are read.
  if (read == size)
    from = s.memory(1, Space::Global, size);
  else if (read > 0)
    from = s.bytes(s.operand(1), Space::Global, read);
  if (read > 0 && !from) return;
  Copy copy = [=, &block = s.block, &thread = s.thread] {
    std::array<std::byte, 16> value{};  // the most that is copied at once
    if (read > 0) std::memcpy(value.data(), from, read);
    block.store(thread, to, value.data(), size);
  };
  if (s.block.run.now_rather_than_late())
    copy();
  else
    s.thread.copies.issue(std::move(copy));
}

void run_cp_async_commit_group(Step& s) { s.thread.copies.commit(); }
void run_cp_async_wait_group(Step& s) { s.thread.copies.wait(s.operand(0).bits); }
void run_cp_async_wait_all(Step& s) { s.thread.copies.finish(); }

}  // namespace warpwise::exec::interpreter
