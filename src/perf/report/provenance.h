// Where a report comes from, as each page and each JSON file says: a page that is handed in can be traced.
//
//     Warpwise 0.9.0 · 2026-01-31 12:00 UTC · NVIDIA H100 · warpwise profile --html=r.html a.cu 1024
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace warpwise::perf {

struct Provenance {
  std::string version;  // of Warpwise
  std::string date;     // UTC, "2026-01-31 12:00 UTC"
  std::string command;  // as a shell takes it
};

// The time now, as Provenance::date has it.
std::string date_now();

nlohmann::ordered_json to_json(const Provenance& provenance);

}  // namespace warpwise::perf
