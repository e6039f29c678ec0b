// The measurements of a user, by name: `warpwise bench --save=NAME` adds one to a database (database/database.h),
// --baseline=NAME compares with the last one of that name on the same device, --history draws them.
//
//     main   @1  3 days ago   1a2b3c4d    NVIDIA H200   gpu
//            @2  just now     5e6f7a8b+   NVIDIA H200   gpu
//     ▇▅  4096  02_warp  1.10 ms  -11 %
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "bench/measure/measurement.h"
#include "database/database.h"
#include "perf/history/history.h"

namespace warpwise::bench {

// A version with a shape in a measurement that was kept.
struct KeptTime {
  std::string shape, version;
  double seconds = 0;
};
struct KeptMeasurement {
  int64_t number = 0;
  std::string at;
  perf::Origin origin;
  std::string ladder, device, place;
  std::vector<KeptTime> times;
};
struct KeptName {
  std::string name, device, place;
  int64_t measurements = 0;
  std::string last_at;
};

class History {
 public:
  // The user's own. B0010 when it cannot be opened, and when the database says no.
  static Result<History> open();
  static Result<History> open(const std::filesystem::path& file);
  static std::filesystem::path default_file();

  // `report`: what to_json() gives. The answer is the measurement's number.
  Result<int64_t> add(std::string_view name, const Measurement& measurement, std::string_view report,
                      const perf::Origin& origin);
  // The report of the last measurement of this name in the same place on the same device, or of one by its number.
  // B0011 when there is none.
  Result<std::string> report(const perf::RunName& which, const Measurement& like) const;
  // Oldest first.
  Result<std::vector<KeptMeasurement>> measurements(std::string_view name) const;
  // By the time of their last measurement, the latest first.
  Result<std::vector<KeptName>> names() const;

 private:
  explicit History(database::Database database) : database_(std::move(database)) {}

  database::Database database_;
};

// `when` formats a time.
using WhenText = std::string (*)(const std::string& at);
std::string to_text(const std::vector<KeptName>& names, WhenText when);
std::string to_text(const std::vector<KeptMeasurement>& measurements, WhenText when);

}  // namespace warpwise::bench
