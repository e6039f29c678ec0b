#include "lab/trial/host_fault.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "lab/sandbox/sandbox.h"
#include "toolchain/installation.h"

namespace warpwise::lab {

namespace fs = std::filesystem;

// Offsets are those of calls: a return address is one byte after its call. The handler and the timer come before the
// constructors of the submission's static objects, which may be what fails, or does not end.
std::string host_fault_source(const char* descriptor, const char* milliseconds) {
  return fmt::format(R"(
#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <signal.h>
#include <sys/time.h>
#include <ucontext.h>

namespace {{

struct HostFault {{
  uint64_t signal = 0, address = 0, stack = 0, count = 0, places[14] = {{}};
}};

void take_place(HostFault& fault, void* address, uint64_t before) {{
  dl_find_object found;
  if (fault.count < 14 && _dl_find_object(address, &found) == 0 && !*found.dlfo_link_map->l_name)
    fault.places[fault.count++] = reinterpret_cast<uint64_t>(address) - found.dlfo_link_map->l_addr - before;
}}

void report_fault(int signal, siginfo_t* info, void* context) {{
  HostFault fault;
  fault.signal = signal;
  fault.address = signal == SIGSEGV ? reinterpret_cast<uint64_t>(info->si_addr) : 0;
  const auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  void* at = reinterpret_cast<void*>(registers[REG_RIP]);
  fault.stack = static_cast<uint64_t>(registers[REG_RSP]);
  take_place(fault, at, 0);
  void* frames[24];
  const int count = backtrace(frames, 24);
  for (int i = 2; i < count; ++i)
    if (frames[i] != at) take_place(fault, frames[i], 1);
  const char* judge = getenv("{}");
  if (info->si_code > 0 && judge && write(atoi(judge), &fault, sizeof fault) < 0) {{
  }}
  // An access that is repeated faults again. The timer does not.
  if (signal == SIGVTALRM) raise(signal);
}}

// For what uses up its stack: nothing is left of it for the handler.
alignas(16) char handlers_stack[1 << 16];

struct Installs {{
  Installs() {{
    stack_t other = {{}};
    other.ss_sp = handlers_stack;
    other.ss_size = sizeof handlers_stack;
    sigaltstack(&other, nullptr);
    struct sigaction action = {{}};
    action.sa_sigaction = report_fault;
    action.sa_flags = SA_SIGINFO | SA_RESETHAND | SA_ONSTACK;
    sigaction(SIGSEGV, &action, nullptr);
    sigaction(SIGVTALRM, &action, nullptr);
    if (const char* milliseconds = getenv("{}")) {{
      itimerval timer = {{}};
      timer.it_value.tv_sec = atoi(milliseconds) / 1000;
      timer.it_value.tv_usec = atoi(milliseconds) % 1000 * 1000;
      setitimer(ITIMER_VIRTUAL, &timer, nullptr);
    }}
  }}
}} installs __attribute__((init_priority(101)));

}}  // namespace
)",
                     descriptor, milliseconds);
}

std::optional<SourcePlace> place_of(const HostFault& fault, const fs::path& program,
                                    const std::vector<std::string>& sources, bool sandbox) {
  const auto tool = toolchain::find_object_tool("addr2line");
  if (!tool) return std::nullopt;
  sandbox::Job job;
  job.command = {*tool, "-a", "-i", "-e", program.string()};
  for (size_t i = 0; i < std::min<size_t>(fault.count, fault.places.size()); ++i)
    job.command.push_back(fmt::format("{:#x}", fault.places[i]));
  job.readable = sandbox::system_folders();
  job.readable.push_back(program.parent_path());
  // A bundled tool is beside its libraries.
  job.readable.push_back(toolchain::Installation::find().libraries);
  job.folder = program.parent_path();
  job.limits.wall_seconds = job.limits.processor_seconds = 5;
  job.isolation = sandbox ? sandbox::Isolation::Best : sandbox::Isolation::None;
  auto outcome = sandbox::run(job);
  if (!outcome || !outcome->ok()) return std::nullopt;
  // Lines are "0x…", and "FILE:LINE (discriminator 3)" for each function that is inlined there.
  for (std::string_view text = outcome->output; !text.empty();) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    line = line.substr(0, line.find(" (discriminator"));
    const size_t colon = line.rfind(':');
    if (colon == line.npos) continue;
    SourcePlace place;
    place.file = fs::path(line.substr(0, colon)).lexically_normal();
    std::from_chars(line.data() + colon + 1, line.data() + line.size(), place.line);
    if (place.line && std::find(sources.begin(), sources.end(), place.file) != sources.end()) return place;
  }
  return std::nullopt;
}

}  // namespace warpwise::lab
