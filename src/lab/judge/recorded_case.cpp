#include "lab/judge/recorded_case.h"

#include <charconv>

#include "base/json.h"

namespace warpwise::lab {

using CaseJson = nlohmann::ordered_json;

namespace {

std::optional<uint64_t> number_in(const std::string& text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::string to_json(const RecordedCase& recorded) {
  CaseJson sizes = CaseJson::object();
  for (const auto& [name, size] : recorded.sizes) sizes[name] = size;
  CaseJson json{{"case", recorded.name},
                {"sizes", std::move(sizes)},
                {"seed", std::to_string(recorded.seed)},
                {"block", {recorded.block.x, recorded.block.y, recorded.block.z}},
                {"kernel", recorded.kernel},
                {"lines", recorded.lines}};
  if (recorded.order) json["order"] = *recorded.order;
  return dump_json(json);
}

Result<RecordedCase> recorded_case_from_json(std::string_view text) {
  const auto bad = [] { return Error{"U0005", "--like takes what a recording of the lab says of its case"}; };
  const auto json = parse_json<nlohmann::json>(text);
  if (!json.is_object()) return bad();
  const auto is_natural = [](const nlohmann::json& number) { return number.is_number_unsigned(); };
  const auto at = [&](const char* name) { return json.contains(name) ? json[name] : nlohmann::json(); };
  const auto name = at("case"), sizes = at("sizes"), seed = at("seed"), block = at("block"), kernel = at("kernel"),
             lines = at("lines"), order = at("order");
  const auto of_seed = seed.is_string() ? number_in(seed.get<std::string>()) : std::nullopt;
  if (!name.is_string() || !sizes.is_object() || !of_seed || !block.is_array() || block.size() != 3 ||
      !kernel.is_string() || !lines.is_array() || (!order.is_null() && !is_natural(order)))
    return bad();
  for (const auto& part : block)
    if (!is_natural(part)) return bad();
  RecordedCase recorded{.name = name,
                        .sizes = {},
                        .seed = *of_seed,
                        .block = {block[0], block[1], block[2]},
                        .kernel = kernel,
                        .lines = {}};
  for (const auto& [of, size] : sizes.items()) {
    if (!size.is_number_integer()) return bad();
    recorded.sizes[of] = size;
  }
  for (const auto& line : lines) {
    if (!is_natural(line)) return bad();
    recorded.lines.push_back(line);
  }
  if (!order.is_null()) recorded.order = order;
  return recorded;
}

}  // namespace warpwise::lab
