#include "exec/loading/loaded_kernel.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpwise::exec {

Result<std::unique_ptr<LoadedKernel>> LoadedKernel::load(simt::CompiledKernel compiled) {
  if (compiled.abi_version != simt::kAbiVersion)
    return Error{"R0404", fmt::format("compiled code has version {} of the interface, this is version {}",
                                      compiled.abi_version, simt::kAbiVersion)};
  LoadedCode code = TRY(LoadedCode::load(compiled.object));
  void* entry = const_cast<void*>(code.symbol(compiled.entry));
  if (!entry || !code.contains(reinterpret_cast<uint64_t>(entry)))
    return Error{"R0401", fmt::format("malformed object file: it has no function `{}`", compiled.entry)};
  if (!std::is_sorted(compiled.sites.begin(), compiled.sites.end(), [](auto& a, auto& b) { return a.code < b.code; }))
    return Error{"R0401", "malformed object file: its table of instructions is not sorted"};
  compiled.object = {};
  return std::unique_ptr<LoadedKernel>(new LoadedKernel(std::move(compiled), std::move(code), entry));
}

const simt::Site* LoadedKernel::site_at(uint64_t pc) const {
  if (!code_.contains(pc)) return nullptr;
  auto after = std::upper_bound(about_.sites.begin(), about_.sites.end(), pc - code_.text(),
                                [](uint64_t offset, const simt::Site& site) { return offset < site.code; });
  return after == about_.sites.begin() ? nullptr : &*std::prev(after);
}

std::vector<simt::InlinedCall> LoadedKernel::calls_around(uint32_t call) const {
  std::vector<simt::InlinedCall> calls;
  for (; call < about_.inlined_calls.size(); call = about_.inlined_calls[call].within)
    calls.push_back(about_.inlined_calls[call]);
  return calls;
}

}  // namespace warpwise::exec
