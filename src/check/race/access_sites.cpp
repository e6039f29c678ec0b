#include "check/race/access_sites.h"

#include "check/source/places.h"
#include "ptx/isa/isa.h"
#include "simt/instrument/events.h"

namespace warpwise::check {

CodePlace AccessSite::place() const { return module ? code_place(*module, function, instruction, calls) : CodePlace{}; }

uint32_t AccessSites::index_of(const std::shared_ptr<const ptx::Module>& module, const simt::RaceSite& access,
                               std::vector<simt::InlinedCall> calls) {
  CallPlaces called_at;
  for (const simt::InlinedCall& call : calls) called_at.push_back({call.function, call.instruction});
  auto [known, fresh] =
      known_.try_emplace({module.get(), access.function, access.instruction, access.access, std::move(called_at)}, 0);
  if (!fresh) return known->second;
  AccessSite site;
  site.module = module;
  site.calls = std::move(calls);
  site.strong = access.strong != 0;
  site.atomic = access.access == static_cast<uint8_t>(simt::AccessKind::Atomic);
  site.strong = site.strong || site.atomic;
  if (access.function < module->functions.size() &&
      access.instruction < module->functions[access.function].instructions.size()) {
    site.function = access.function;
    site.instruction = access.instruction;
    const ptx::Function& function = module->functions[access.function];
    const ptx::Instruction& inst = function.instructions[access.instruction];
    site.block_scope = inst.has(ptx::Mod::Cta);
    site.acquires = inst.has(ptx::Mod::Acquire) || inst.has(ptx::Mod::AcqRel);
    site.releases = inst.has(ptx::Mod::Release) || inst.has(ptx::Mod::AcqRel);
    site.compares = inst.has(ptx::Mod::Cas);
    site.exchanges = inst.has(ptx::Mod::Exch);
    site.copies_later = inst.spec().name == "cp_async";
    site.is_volatile = inst.has(ptx::Mod::Volatile);
    if (site.is_volatile || inst.spec().opcode == "atom")
      site.use = use_of_result(*module, access.function, access.instruction);
    site.polled = site.is_volatile && site.use == ValueUse::Decision &&
                  may_be_polled(*module, access.function, access.instruction);
  }
  site.index = known->second = static_cast<uint32_t>(sites_.size());
  sites_.push_back(std::move(site));
  return known->second;
}

}  // namespace warpwise::check
