// JSON from text and to text. The library's parser and its serialiser are compiled in one unit: in each unit that calls
// them they would take a second.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace warpwise {

// `Json`: nlohmann::json, or ordered_json, which keeps the order of members. Text that is not JSON gives a discarded
// value (is_discarded()), whose at() and get() throw as those of any value of a wrong type do.
template <typename Json = nlohmann::json>
Json parse_json(std::string_view text);

extern template nlohmann::json parse_json(std::string_view text);
extern template nlohmann::ordered_json parse_json(std::string_view text);

// On one line, or with `indent` spaces a level. Bytes that are no UTF-8 become U+FFFD.
std::string dump_json(const nlohmann::json& json, int indent = -1);
std::string dump_json(const nlohmann::ordered_json& json, int indent = -1);

}  // namespace warpwise
