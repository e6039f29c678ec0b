#include "check/memory/memory_message.h"

#include <fmt/format.h>

namespace warpwise::check {

std::string message_of(const std::string& rule, const char* role, uint64_t address, uint64_t bytes,
                       const MemoryPlace& m) {
  std::string text = fmt::format("{} of {} byte{}", role, bytes, bytes == 1 ? "" : "s");
  if (rule == "C0110") return fmt::format("{} through a null pointer (address {:#x})", text, address);
  if (rule == "C0111")
    return fmt::format("{} at byte {} of {}, which kernels may only read", text, address - m.base, m.name);
  if (rule == "C0108") return fmt::format("{} at {:#x}, which is a host address", text, address);
  const std::string what = !m.name.empty()       ? m.name
                           : m.space == "shared" ? "the block's shared memory"
                           : m.space == "local"  ? "the thread's local memory"
                                                 : "an allocation";
  if (!m.allocated) return fmt::format("{} at {:#x}, where nothing is allocated", text, address);
  if (m.freed || rule == "C0103")
    return fmt::format("{} at byte {} of {} of {} bytes that was freed", text, address - m.base, what, m.size);
  if (address < m.base)
    return fmt::format("{}, {} bytes before the start of {} of {} bytes", text, m.base - address, what, m.size);
  if (address >= m.base + m.size) {
    const uint64_t past = address - m.base - m.size;
    return fmt::format("{}, {} past the end of {} of {} bytes", text, past ? fmt::format("{} bytes", past) : "just",
                       what, m.size);
  }
  if (address + bytes > m.base + m.size) return fmt::format("{} across the end of {} of {} bytes", text, what, m.size);
  if (rule == "C0117") return fmt::format("{} at byte {} of {} of {} bytes", text, address - m.base, what, m.size);
  if (rule == "C0107")
    return fmt::format("{} at byte {} of {} of {} bytes, where nothing is suballocated", text, address - m.base, what,
                       m.size);
  return fmt::format("{} at byte {} of {} of {} bytes, which is uninitialised", text, address - m.base, what, m.size);
}

}  // namespace warpwise::check
