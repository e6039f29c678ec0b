#include "perf/occupancy/json.h"

#include <algorithm>

#include "base/json.h"
#include "perf/occupancy/what_if.h"

namespace warpwise::perf {
namespace {

using device::OccupancyLimit;

std::string key_of(OccupancyLimit limit) {
  std::string key(name_of(limit));
  std::replace(key.begin(), key.end(), ' ', '_');
  return key;
}

nlohmann::json as_json(const device::Occupancy& o) {
  nlohmann::json limits;
  for (OccupancyLimit limit : device::kOccupancyLimits)
    limits[key_of(limit)] =
        o.by(limit) == device::Occupancy::kNoLimit ? nlohmann::json(nullptr) : nlohmann::json(o.by(limit));
  nlohmann::json limiters = nlohmann::json::array();
  for (OccupancyLimit limit : device::kOccupancyLimits)
    if (o.limited_by(limit)) limiters.push_back(key_of(limit));
  return {{"blocks_per_sm", o.blocks},
          {"warps_per_sm", o.warps()},
          {"occupancy", o.fraction},
          {"limits", limits},
          {"limited_by", limiters},
          {"registers_per_block", o.registers_per_block},
          {"shared_bytes_per_block", o.shared_per_block},
          {"shared_bytes_per_sm", o.shared_per_sm}};
}

nlohmann::json as_json(const std::vector<OccupancyStep>& steps) {
  nlohmann::json list = nlohmann::json::array();
  for (const OccupancyStep& step : steps)
    list.push_back({{"value", step.value},
                    {"blocks_per_sm", step.occupancy.blocks},
                    {"warps_per_sm", step.occupancy.warps()},
                    {"occupancy", step.occupancy.fraction}});
  return list;
}

}  // namespace

std::string occupancy_to_json(const device::Properties& p, const device::BlockResources& block) {
  nlohmann::json out = as_json(occupancy_of(p, block));
  out["device"] = p.id;
  out["block"] = {{"threads", block.threads},
                  {"registers", block.registers},
                  {"shared_bytes", block.dynamic_shared},
                  {"barriers", block.barriers}};
  out["what_if"] = {{"block", as_json(block_size_steps(p, block))},
                    {"registers", as_json(register_steps(p, block))},
                    {"shared_bytes", as_json(shared_steps(p, block))}};
  return dump_json(out, 2);
}

}  // namespace warpwise::perf
