// A measurement as JSON and CSV, and the way back from JSON: a baseline.
#include "base/json.h"

#include <fmt/format.h>

#include "bench/report/report.h"

namespace warpwise::bench {
namespace {

constexpr int kFormat = 1;

nlohmann::ordered_json json_of(const Version& version, const Roof& roof, const Cell& cell) {
  nlohmann::ordered_json out{{"name", version.name}, {"file", version.file.string()}, {"idea", version.idea}};
  if (!version.peer.empty()) out["peer"] = version.peer;
  if (!version.flops.empty())
    out["calculates"] = {{"flops", roof.flops}, {"unit", name_of(version.unit)}, {"roof_seconds", roof.seconds()}};
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

// A baseline is a file that may hold anything: what is of another type is as good as missing.
std::string text_of(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}
std::optional<double> number_of(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}
// The objects of a list.
std::vector<const nlohmann::json*> objects_of(const nlohmann::json& object, const char* key) {
  std::vector<const nlohmann::json*> all;
  if (const auto found = object.find(key); found != object.end() && found->is_array())
    for (const nlohmann::json& item : *found)
      if (item.is_object()) all.push_back(&item);
  return all;
}

// What the baseline says of a version with a shape; none if it has no time for it.
std::optional<Estimate> estimate_of(const nlohmann::json& baseline, const Shape& shape, const Version& version) {
  for (const nlohmann::json* s : objects_of(baseline, "shapes")) {
    // The same name means the same work only with the same sizes.
    if (text_of(*s, "name") != shape.name || s->value("sizes", nlohmann::json()) != nlohmann::json(shape.sizes))
      continue;
    for (const nlohmann::json* v : objects_of(*s, "versions")) {
      const auto median = number_of(*v, "seconds"), low = number_of(*v, "low"), high = number_of(*v, "high");
      if (text_of(*v, "name") == version.name && median && low && high)
        return Estimate{.median = *median, .interval = {*low, *high}};
    }
  }
  return std::nullopt;
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
    for (size_t i = 0; i < s.cells.size(); ++i)
      shape["versions"].push_back(json_of(m.versions[i], s.roofs[i], s.cells[i]));
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
                                c.seconds.interval.high, s.roofs[i].seconds() / c.seconds.median, c.runs)
                  : ",,,,,\n";
    }
  return text;
}

Result<std::vector<Change>> compare_with(const Measurement& m, std::string_view baseline) {
  const nlohmann::json before = parse_json(baseline);
  if (!before.is_object() || number_of(before, "format") != kFormat || !before.contains("shapes"))
    return Error{"B0008", "the baseline is not what `warpwise bench --json` writes"};
  const struct {
    const char* key;
    std::string_view now;
  } same[] = {{"device", m.device->name},
              {"place", m.modelled() ? "modelled" : "gpu"},
              {"ladder", m.ladder->name},
              {"l2", m.warm ? "warm" : "flushed"}};
  for (const auto& [key, now] : same)
    if (const std::string then = text_of(before, key); then != now)
      return Error{"B0009", fmt::format("the baseline's {} is `{}`, and this one's `{}`", key, then, now)};
  if (before.contains("refused")) return Error{"B0009", "the baseline concludes nothing: it was refused"};
  std::vector<Change> changes;
  for (const ShapeResult& s : m.shapes)
    for (size_t i = 0; i < s.cells.size(); ++i) {
      if (s.cells[i].verdict != Verdict::Right) continue;
      const auto then = estimate_of(before, *s.shape, m.versions[i]);
      if (!then) continue;
      const Estimate& now = s.cells[i].seconds;
      changes.push_back({s.shape->name, m.versions[i].name, *then, now, compare(now, *then)});
    }
  if (changes.empty()) return Error{"B0009", "the baseline and this measurement have no version and shape in common"};
  return changes;
}

}  // namespace warpwise::bench
