// A measurement as JSON and CSV, and the way back from JSON: a baseline.
#include "base/json.h"

#include <fmt/format.h>

#include "bench/report/report.h"

namespace warpwise::bench {
namespace {

constexpr int kFormat = 1;

nlohmann::ordered_json json_of(const Version& version, const Cell& cell) {
  nlohmann::ordered_json out{{"name", version.name}, {"file", version.file.string()}, {"idea", version.idea}};
  if (!version.peer.empty()) out["peer"] = version.peer;
  out["verdict"] = name_of(cell.verdict);
  if (!cell.why.empty()) out["why"] = cell.why;
  if (cell.verdict != Verdict::Right) return out;
  out["modelled"] = cell.modelled;
  out["seconds"] = cell.seconds.median;
  out["low"] = cell.seconds.interval.low;
  out["high"] = cell.seconds.interval.high;
  if (cell.modelled) return out;
  out["confident"] = cell.confident;
  out["runs"] = cell.runs;
  out["rounds"] = cell.rounds;
  return out;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

}  // namespace

nlohmann::ordered_json to_json(const Measurement& m, const perf::Provenance& provenance) {
  nlohmann::ordered_json out{{"format", kFormat},
                             {"ladder", m.ladder->name},
                             {"title", m.ladder->title},
                             {"place", m.modelled() ? "modelled" : "gpu"},
                             {"device", m.device->name},
                             {"driver", m.driver},
                             {"l2", m.warm ? "warm" : "flushed"},
                             {"dram_bytes_per_second", m.device->dram_bytes_per_second()},
                             {"copy_bytes_per_second", m.copy_bytes_per_second},
                             {"event_seconds", m.event_seconds},
                             {"shapes", nlohmann::ordered_json::array()},
                             {"notes", m.notes}};
  if (!m.refusal.empty()) out["refused"] = {{"code", m.refusal_code}, {"why", m.refusal}};
  for (const ShapeResult& s : m.shapes) {
    nlohmann::ordered_json shape{{"name", s.shape->name},
                                 {"sizes", s.shape->sizes},
                                 {"bytes", s.roof.bytes},
                                 {"flops", s.roof.flops},
                                 {"roof_seconds", s.roof.seconds()},
                                 {"roof", s.roof.by_memory() ? "memory" : "compute"},
                                 {"versions", nlohmann::ordered_json::array()}};
    for (size_t i = 0; i < s.cells.size(); ++i) shape["versions"].push_back(json_of(m.versions[i], s.cells[i]));
    out["shapes"].push_back(std::move(shape));
  }
  out["report"] = perf::to_json(provenance);
  return out;
}

std::string to_csv(const Measurement& m) {
  std::string text = "ladder,device,place,shape,version,verdict,seconds,low,high,share_of_roof,runs\n";
  for (const ShapeResult& s : m.shapes)
    for (size_t i = 0; i < s.cells.size(); ++i) {
      const Cell& c = s.cells[i];
      text += fmt::format("{},{},{},{},{},{}", quoted(m.ladder->name), quoted(std::string(m.device->name)), m.place,
                          quoted(s.shape->name), quoted(m.versions[i].name), name_of(c.verdict));
      text += c.verdict == Verdict::Right
                  ? fmt::format(",{:.9g},{:.9g},{:.9g},{:.4f},{}\n", c.seconds.median, c.seconds.interval.low,
                                c.seconds.interval.high, s.roof.seconds() / c.seconds.median, c.runs)
                  : ",,,,,\n";
    }
  return text;
}

Result<std::vector<Change>> compare_with(const Measurement& m, std::string_view baseline) {
  const nlohmann::json before = parse_json(baseline);
  if (!before.is_object() || before.value("format", nlohmann::json(0)) != kFormat || !before.contains("shapes"))
    return Error{"B0008", "the baseline is not what `warpwise bench --json` writes"};
  auto text = [&](const char* key) {
    const auto found = before.find(key);
    return found != before.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  const struct {
    const char* key;
    std::string_view now;
  } same[] = {{"device", m.device->name},
              {"place", m.modelled() ? "modelled" : "gpu"},
              {"ladder", m.ladder->name},
              {"l2", m.warm ? "warm" : "flushed"}};
  for (const auto& [key, now] : same)
    if (text(key) != now)
      return Error{"B0009", fmt::format("the baseline's {} is `{}`, and this one's `{}`", key, text(key), now)};
  if (before.contains("refused")) return Error{"B0009", "the baseline concludes nothing: it was refused"};
  std::vector<Change> changes;
  for (const ShapeResult& s : m.shapes)
    for (size_t i = 0; i < s.cells.size(); ++i) {
      if (s.cells[i].verdict != Verdict::Right) continue;
      for (const nlohmann::json& shape : before["shapes"]) {
        if (!shape.is_object() || shape.value("name", "") != s.shape->name || !shape.contains("versions")) continue;
        // The same name means the same work only with the same sizes.
        if (shape.value("sizes", nlohmann::json()) != nlohmann::json(s.shape->sizes)) continue;
        for (const nlohmann::json& v : shape["versions"]) {
          if (!v.is_object() || v.value("name", "") != m.versions[i].name || !v.contains("seconds")) continue;
          Change change{s.shape->name, m.versions[i].name, {}, s.cells[i].seconds};
          change.before.median = v.value("seconds", 0.0);
          change.before.interval = {v.value("low", 0.0), v.value("high", 0.0)};
          change.difference = compare(change.now, change.before);
          changes.push_back(std::move(change));
        }
      }
    }
  if (changes.empty()) return Error{"B0009", "the baseline and this measurement have no version and shape in common"};
  return changes;
}

}  // namespace warpwise::bench
