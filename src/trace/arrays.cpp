#include "trace/arrays.h"

#include <algorithm>
#include <bit>

#include "base/json.h"
#include "trace/json.h"

namespace warpwise::trace {

namespace {

// Where the sums of an address are kept: memories, then shared variables, then what is in none, global and shared.
class ArrayTable {
 public:
  explicit ArrayTable(const Recording& recording) : recording_(recording) {
    for (const Memory& m : recording.memories) sums_.push_back({Space::Global, m.name, m.argument, m.bytes, {}, {}});
    for (const SharedVariable& v : recording.shared) sums_.push_back({Space::Shared, v.name, -1, v.bytes, {}, {}});
    sums_.push_back({}), sums_.push_back({.space = Space::Shared});
  }

  ArraySums& of(Space space, uint64_t address) {
    const auto& memories = recording_.memories;
    const auto& shared = recording_.shared;
    const size_t known = memories.size() + shared.size();
    if (space == Space::Shared) {
      for (size_t n = 0; n < shared.size(); ++n)
        if (address >= shared[n].offset && (shared[n].bytes == 0 || address - shared[n].offset < shared[n].bytes))
          return sums_[memories.size() + n];
      return sums_[known + 1];
    }
    for (size_t n = 0; n < memories.size(); ++n)
      if (address >= memories[n].base && address - memories[n].base < memories[n].bytes) return sums_[n];
    return sums_[known];
  }

  std::vector<ArraySums> take() {
    std::erase_if(sums_, [](const ArraySums& sums) { return sums.loads.requests + sums.stores.requests == 0; });
    return std::move(sums_);
  }

 private:
  const Recording& recording_;
  std::vector<ArraySums> sums_;
};

nlohmann::ordered_json cost_json(const Cost& cost) {
  return {{"sectors", cost.sectors}, {"wavefronts", cost.wavefronts}, {"bytes", cost.bytes}};
}

}  // namespace

Result<std::vector<ArraySums>> sums_of_arrays(TraceFile& file) {
  constexpr uint64_t kStepsAtOnce = 16'384;
  const Recording& r = file.recording();
  ArrayTable table(r);
  for (uint32_t w = 0; w < r.warps.size(); ++w)
    for (uint64_t at = r.warps[w].first, end = at + r.warps[w].count; at < end; at += kStepsAtOnce)
      for (const PlacedStep& placed : TRY(file.steps(w, at, std::min(kStepsAtOnce, end - at)))) {
        const Site& site = r.sites[placed.step.site];
        if (site.kind != SiteKind::Load && site.kind != SiteKind::Store) continue;
        for (const Access& access : placed.step.accesses) {
          if (access.mask == 0 || (access.space != Space::Global && access.space != Space::Shared)) continue;
          ArraySums& sums = table.of(access.space, access.addresses[size_t(std::countr_zero(access.mask))]);
          (site.kind == SiteKind::Load ? sums.loads : sums.stores) += cost_of(site, access);
        }
      }
  return table.take();
}

std::string to_json(const std::vector<ArraySums>& arrays) {
  nlohmann::ordered_json json{{"format", kAnswerFormat}, {"query", "arrays"}};
  json["arrays"] = nlohmann::ordered_json::array();
  for (const ArraySums& sums : arrays)
    json["arrays"].push_back({{"space", name_of(sums.space)},
                              {"name", sums.name},
                              {"argument", sums.argument},
                              {"bytes", sums.bytes},
                              {"loads", cost_json(sums.loads)},
                              {"stores", cost_json(sums.stores)}});
  return dump_json(json) + "\n";
}

}  // namespace warpwise::trace
