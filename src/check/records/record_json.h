// The JSON of records, for what writes them (record_sink.h) and what reads them (recorded_run.h):
//
//     {"v":1,"type":"start","pid":71,...}       the process is checked from here on
//     {"type":"finding","pid":71,"id":1,...}    a cause, when it occurs for the first time; with an id that was
//                                               there before: to be shown instead
//     {"type":"count","pid":71,"id":1,"threads":4096}
//     {"type":"not-checked","pid":71,"what":"..."}
//     {"type":"dropped","pid":71,"count":3}     further causes that are not kept
//     {"type":"end","pid":71}                   the process ended by itself: counts are final
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/finding.h"

namespace warpwise::check {

constexpr int kRecordVersion = 1;

using Json = nlohmann::json;

// One line, without its end.
std::string dump(const Json& json);
Json to_json(const Finding& finding);
// Nothing where it is no finding.
std::optional<Finding> finding_of(const Json& json);
// A member; "" or 0 where there is none of that kind.
std::string text_at(const Json& json, const char* key);
uint64_t number_at(const Json& json, const char* key);

}  // namespace warpwise::check
