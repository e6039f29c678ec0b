#include "cli/support/ptxas_registers.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include "base/elf_file.h"
#include "cli/support/device_option.h"
#include "toolchain/device_code.h"
#include "toolchain/files.h"
#include "toolchain/installation.h"
#include "toolchain/process.h"

namespace warpwise::cli {

namespace fs = std::filesystem;

namespace {

// Modules larger than this take ptxas longer than a report is worth waiting for.
constexpr size_t kLargestModule = 4 << 20;

std::optional<fs::path> find_ptxas() {
  if (auto nvcc = toolchain::find_nvcc()) {
    std::error_code error;
    fs::path beside = fs::canonical(nvcc->path, error).parent_path() / "ptxas";
    if (!error && fs::exists(beside, error)) return beside;
  }
  return toolchain::find_on_path("ptxas");
}

// Code for sm_90a is for that architecture alone; other code is for the device's, where that is later.
std::string architecture_for(std::string_view ptx, unsigned device) {
  const size_t at = ptx.find(".target sm_");
  if (at == std::string_view::npos) return fmt::format("sm_{}", device);
  std::string_view name = ptx.substr(at + 8);
  name = name.substr(0, name.find_first_of(", \t\r\n"));
  if (name.ends_with('a') || name.ends_with('f')) return std::string(name);
  unsigned target = 0;
  std::from_chars(name.data() + 3, name.data() + name.size(), target);
  return fmt::format("sm_{}", std::max(target, device));
}

}  // namespace

std::map<std::string, PtxasUse> uses_in(std::string_view output) {
  // ptxas info    : Compiling entry function '_Z4axpyifPKfPf' for 'sm_90a'
  // ptxas info    : Function properties for _Z4axpyifPKfPf
  //     0 bytes stack frame, 8 bytes spill stores, 16 bytes spill loads
  // ptxas info    : Used 15 registers, used 0 barriers
  constexpr std::string_view kEntry = "Compiling entry function '", kUsed = ": Used ", kStores = " bytes spill stores",
                             kLoads = " bytes spill loads", kFrame = " bytes stack frame";
  auto number_before = [](std::string_view line, std::string_view words) -> uint32_t {
    const size_t at = line.find(words);
    if (at == std::string_view::npos) return 0;
    size_t begin = at;
    while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9') --begin;
    uint32_t count = 0;
    std::from_chars(line.data() + begin, line.data() + at, count);
    return count;
  };
  std::map<std::string, PtxasUse> uses;
  std::string kernel;
  PtxasUse use;
  while (!output.empty()) {
    const size_t end = std::min(output.find('\n'), output.size());
    std::string_view line = output.substr(0, end);
    output.remove_prefix(std::min(end + 1, output.size()));
    if (size_t at = line.find(kEntry); at != std::string_view::npos) {
      line.remove_prefix(at + kEntry.size());
      kernel = line.substr(0, line.find('\''));
      use = {};
    } else if (line.find(kStores) != std::string_view::npos) {
      use.stack_frame += number_before(line, kFrame);
      use.spill_stores = number_before(line, kStores), use.spill_loads = number_before(line, kLoads);
    } else if (line.find(kUsed) != std::string_view::npos && !kernel.empty()) {
      use.registers = number_before(line, " registers");
      if (use.registers > 0) uses[kernel] = use;
      kernel.clear();
    }
  }
  return uses;
}

void ask_ptxas_for_registers(perf::Profile& profile, const std::string& program, const fs::path& modules,
                             const device::Properties& device) {
  const auto ptxas = find_ptxas();
  auto file = ElfFile::open(program);
  if (!ptxas || !file.ok() || profile.launches.empty()) return;
  std::error_code error;
  auto folder = toolchain::TemporaryFolder::create(fs::temp_directory_path(error));
  if (!folder.ok()) return;
  std::vector<toolchain::Job> jobs;
  for (const std::string& ptx : toolchain::device_code_of(*file, architecture_of(device), modules).ptx) {
    const bool launched =
        std::any_of(profile.launches.begin(), profile.launches.end(),
                    [&](const perf::LaunchCounts& l) { return ptx.find(l.symbol) != std::string::npos; });
    if (!launched || ptx.size() > kLargestModule) continue;
    const fs::path text = folder->path() / fmt::format("{}.ptx", jobs.size());
    if (!toolchain::write_file(text, ptx).ok()) return;
    jobs.push_back({{ptxas->string(), "-v", "-arch=" + architecture_for(ptx, architecture_of(device)), text.string(),
                     "-o", (folder->path() / fmt::format("{}.cubin", jobs.size())).string()}});
  }
  if (jobs.empty()) return;
  auto results = toolchain::run_jobs(jobs);
  if (!results.ok()) return;
  for (const toolchain::JobResult& result : *results) {
    if (result.exit_code != 0) continue;
    const auto uses = uses_in(result.output);
    for (perf::LaunchCounts& launch : profile.launches)
      if (auto found = uses.find(launch.symbol); found != uses.end()) {
        const PtxasUse& use = found->second;
        launch.registers = use.registers;
        launch.register_source = perf::RegisterSource::Ptxas;
        if (use.stack_frame == 0) {
          perf::drop_local_memory(launch.totals);
          for (perf::LineCounts& line : launch.lines) perf::drop_local_memory(line.counts);
        }
        if (use.spill_stores + use.spill_loads > 0)
          launch.notes.push_back(
              fmt::format("ptxas spills registers of this kernel to local memory: its code stores {} bytes a thread "
                          "and loads {}. The counts and the time do not include "
                          "that traffic; fewer values alive at once, or larger __launch_bounds__, avoid it",
                          use.spill_stores, use.spill_loads));
      }
  }
}

}  // namespace warpwise::cli
