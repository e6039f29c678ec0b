#include "check/race/launch_sites.h"

#include <algorithm>

#include "exec/launch/block_run.h"
#include "ptx/isa/isa.h"

namespace warpwise::check {

void LaunchSites::begin_launch(const exec::LoadedKernel& kernel, const std::shared_ptr<const ptx::Module>& module) {
  module_ = module;
  fences_.clear();
  of_launch_.clear();
  for (auto& by_number : by_number_) by_number.clear();
  accesses_ = kernel.about().race_sites;
  has_atomics_of_block_scope_ = false;
  for (const simt::RaceSite& access : accesses_) {
    const uint32_t index = sites_.index_of(module, access, kernel.calls_around(access.call));
    of_launch_.push_back(index);
    has_atomics_of_block_scope_ |= sites_[index].atomic && sites_[index].block_scope;
    for (unsigned space = 0; space < kSpaces; ++space) {
      const uint32_t number = access.number[space];
      if (number == simt::RaceSite::kNone) continue;
      std::vector<uint32_t>& by_number = by_number_[space];
      by_number.resize(std::max<size_t>(by_number.size(), number + 1));
      by_number[number] = index;
    }
  }
}

bool LaunchSites::has_block_scope(const exec::ObservedEvent& fence) {
  auto [found, fresh] = fences_.try_emplace(fence.pc, false);
  if (!fresh) return found->second;
  if (const simt::Site* at = fence.run.launch.kernel.site_at(fence.pc))
    found->second = module_->functions[at->function].instructions[at->instruction].has(ptx::Mod::Cta);
  return found->second;
}

}  // namespace warpwise::check
