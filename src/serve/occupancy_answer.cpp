#include "serve/occupancy_answer.h"

#include <fmt/format.h>

#include <charconv>

#include "base/json.h"
#include "perf/occupancy/json.h"

namespace warpwise::serve {

namespace {

constexpr size_t kMostThreads = 1024, kMostRegisters = 255;

// A number of the query from `least` to `most`.
Result<size_t> number_from(const Parameters& query, std::string_view name, size_t least, size_t most) {
  const auto at = query.find(name);
  const std::string text = at == query.end() ? "" : at->second;
  size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < least || value > most)
    return Error{"W0005", fmt::format("`{}` is a number from {} to {}", name, least, most)};
  return value;
}

Result<std::string> occupancy_asked(const Parameters& query) {
  const auto id = query.find("device");
  const device::Properties* device = id == query.end() ? &device::default_device() : device::find_device(id->second);
  if (!device) return Error{"W0005", fmt::format("there is no device `{}`", id->second)};
  const size_t most_shared = device->shared_per_block_optin_bytes;
  device::BlockResources block;
  block.threads = unsigned(TRY(number_from(query, "block", 1, kMostThreads)));
  block.registers = unsigned(TRY(number_from(query, "registers", 0, kMostRegisters)));
  block.dynamic_shared = TRY(number_from(query, "shared", 0, most_shared));
  block.shared_limit = most_shared;
  auto json = parse_json<nlohmann::ordered_json>(perf::occupancy_to_json(*device, block));
  json["warps_of_sm"] = device->warps_per_sm();
  json["most_shared_bytes"] = most_shared;
  json["devices"] = nlohmann::ordered_json::array();
  for (const device::Properties& one : device::all_devices())
    json["devices"].push_back({{"id", one.id}, {"name", one.name}});
  return dump_json(json) + "\n";
}

}  // namespace

Response answer_occupancy(const Parameters& query) {
  auto answer = occupancy_asked(query);
  return answer ? Response{.body = std::move(*answer)} : refuse(400, answer.error());
}

}  // namespace warpwise::serve
