#include "perf/report/provenance.h"

#include <fmt/format.h>

#include <ctime>

namespace warpwise::perf {

std::string date_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02} UTC", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday, utc.tm_hour,
                     utc.tm_min);
}

nlohmann::ordered_json to_json(const Provenance& provenance) {
  return {{"version", provenance.version}, {"date", provenance.date}, {"command", provenance.command}};
}

}  // namespace warpwise::perf
