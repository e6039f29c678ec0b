#include "trace/json.h"

#include <fmt/format.h>

#include <bit>

#include "base/json.h"
#include "check/records/finding_json.h"

namespace warpwise::trace {

using Json = nlohmann::ordered_json;

namespace {

Json answer(std::string_view query) { return {{"format", kAnswerFormat}, {"query", query}}; }
std::string pretty(const Json& json) { return dump_json(json, 2) + "\n"; }

Json of(const Index3& index) { return Json::array({index.x, index.y, index.z}); }

Json of(const Cost& cost) {
  Json json = Json::object();
  const auto add = [&](const char* name, uint64_t value) {
    if (value != 0) json[name] = value;
  };
  add("requests", cost.requests), add("sectors", cost.sectors), add("ideal_sectors", cost.ideal_sectors);
  add("wavefronts", cost.wavefronts), add("ideal_wavefronts", cost.ideal_wavefronts);
  add("words", cost.words), add("bytes", cost.bytes);
  return json;
}

Json of(const std::vector<SourceFrame>& frames) {
  Json json = Json::array();
  for (const SourceFrame& f : frames)
    json.push_back({{"file", f.file}, {"line", f.line}, {"column", f.column}, {"function", f.function}});
  return json;
}

// How an atomic is made in shared memory, by perf::SharedAtomic.
constexpr const char* kSharedAtomics[perf::kSharedAtomics] = {"lanes", "words", "swaps", "spins", "spins64"};

Json of(const Site& site) {
  Json json{{"function", site.function},
            {"instruction", site.instruction},
            {"ptx", site.ptx},
            {"kind", name_of(site.kind)},
            {"line", site.line}};
  if (site.accesses) json["bytes"] = site.access.bytes;
  if (site.shared_atomic != perf::SharedAtomic::Lanes)
    json["shared_atomic"] = kSharedAtomics[size_t(site.shared_atomic)];
  if (site.values != 0) json["type"] = site.value_type;
  return json;
}

// The addresses of the lanes of `mask`, in order.
Json of(const Access& access) {
  Json json{{"space", name_of(access.space)}, {"mask", access.mask}};
  Json addresses = Json::array();
  for (uint32_t left = access.mask; left != 0; left &= left - 1)
    addresses.push_back(access.addresses[size_t(std::countr_zero(left))]);
  json["addresses"] = std::move(addresses);
  return json;
}

Json of(const StepView& view, const Recording& recording) {
  const PlacedStep& placed = view.placed;
  Json json{{"step", placed.number},    {"phase", placed.phase},
            {"clock", placed.clock},    {"modelled_clock", view.modelled_clock},
            {"site", placed.step.site}, {"active", placed.step.active},
            {"on", placed.step.on}};
  if (view.waits != 0) json["waits"] = view.waits;
  if (!placed.step.accesses.empty()) {
    json["accesses"] = Json::array();
    for (const Access& access : placed.step.accesses) json["accesses"].push_back(of(access));
    json["cost"] = of(view.cost);
  }
  const std::string& type = recording.sites[placed.step.site].value_type;
  for (const LaneValues& values : placed.step.values) {
    Json lanes = Json::array();
    for (uint32_t left = values.mask; left != 0; left &= left - 1)
      lanes.push_back(value_text(values.bits[size_t(std::countr_zero(left))], type));
    json["values"].push_back({{"mask", values.mask}, {"lanes", std::move(lanes)}});
  }
  return json;
}

Json of(const Mark& mark) {
  return {
      {"finding", mark.finding}, {"party", mark.party}, {"warp", mark.warp}, {"lane", mark.lane}, {"step", mark.step}};
}

Json of(const Findings& findings) {
  Json json{{"checked", findings.checked}, {"list", Json::array()}, {"marks", Json::array()}};
  for (const Finding& finding : findings.findings)
    json["list"].push_back(parse_json<Json>(check::finding_to_json(finding)));
  for (const Mark& mark : findings.marks) json["marks"].push_back(of(mark));
  return json;
}

Json of(const AccessView& view) {
  Json json = of(view.access);
  json["cost"] = of(view.cost);
  if (view.stride) json["stride"] = *view.stride;
  if (view.memory)
    json["memory"] = {{"base", view.memory->base},
                      {"bytes", view.memory->bytes},
                      {"name", view.memory->name},
                      {"argument", view.memory->argument}};
  if (view.variable) json["variable"] = {{"name", view.variable->name}, {"offset", view.variable->offset}};
  Json touched = Json::array();
  for (const Touched& t : view.touched) {
    Json entry{{"at", t.at}, {"lanes", t.lanes}};
    if (view.access.space == Space::Shared) entry["words"] = t.words;
    touched.push_back(std::move(entry));
  }
  json[view.access.space == Space::Shared  ? "banks"
       : view.access.space == Space::Const ? "words"
                                           : "sectors"] = std::move(touched);
  return json;
}

}  // namespace

std::string value_text(uint64_t bits, std::string_view type) {
  if (type == "f32") return fmt::format("{}", std::bit_cast<float>(uint32_t(bits)));
  if (type == "f64") return fmt::format("{}", std::bit_cast<double>(bits));
  if (type == "s64") return fmt::format("{}", int64_t(bits));
  if (type == "s32") return fmt::format("{}", int32_t(bits));
  if (type == "s16") return fmt::format("{}", int16_t(bits));
  if (type == "pred") return bits & 1 ? "true" : "false";
  if (type.starts_with("u")) return fmt::format("{}", bits);
  return fmt::format("{:#x}", bits);
}

std::string to_json(const Summary& summary, std::string_view profile) {
  const Recording& r = *summary.recording;
  Json json = answer("summary");
  json["program"] = r.program, json["command"] = r.command, json["warpwise"] = r.tool;
  json["device"] = r.device, json["schedule"] = r.schedule;
  json["kernel"] = r.kernel, json["symbol"] = r.symbol, json["launch"] = r.launch;
  json["grid"] = of(r.grid), json["block_shape"] = of(r.block_shape), json["cluster"] = of(r.cluster);
  json["block"] = of(r.block), json["chosen_by"] = name_of(r.choice);
  json["dynamic_shared_bytes"] = r.dynamic_shared_bytes;
  json["threads_one_by_one"] = r.independent, json["failed"] = r.failed, json["clock_khz"] = r.clock_khz;
  json["steps"] = summary.steps, json["recorded"] = summary.recorded;
  json["open"] = {{"warp", r.open_warp}, {"step", r.open_step}};
  json["value_lines"] = r.value_lines;
  const Json input = parse_json<Json>(r.input);
  json["input"] = input.is_object() ? input : Json();
  Json warps = Json::array(), folds = Json::array(), sites = Json::array(), lines = Json::array();
  for (const WarpInfo& warp : r.warps)
    warps.push_back({{"threads", warp.threads},
                     {"steps", warp.steps},
                     {"first", warp.first},
                     {"count", warp.count},
                     {"clocks", warp.clocks}});
  for (const Fold& fold : summary.folds) folds.push_back(fold.warps);
  for (const Site& site : r.sites) sites.push_back(of(site));
  for (const auto& frames : r.lines) lines.push_back(of(frames));
  json["warps"] = std::move(warps), json["folds"] = std::move(folds);
  json["sites"] = std::move(sites), json["lines"] = std::move(lines);
  json["findings"] = of(summary.findings);
  json["notes"] = r.notes;
  Json counts = parse_json<Json>(profile);
  json["profile"] = counts.is_discarded() ? Json() : std::move(counts);
  return pretty(json);
}

std::string to_json(const Overview& overview) {
  Json json = answer("overview");
  json["zoom"] = overview.shift;
  json["warps"] = Json::array();
  // By column: a bucket is a number of each.
  for (const auto& buckets : overview.warps) {
    Json warp = Json::object();
    for (unsigned f = 0; f < kOverviewFields; ++f) {
      Json column = Json::array();
      for (const PlacedBucket& bucket : buckets) column.push_back(bucket.sums.value[f]);
      warp[std::string(name_of(OverviewField(f)))] = std::move(column);
    }
    Json waits = Json::array();
    for (const PlacedBucket& bucket : buckets) waits.push_back(bucket.waits);
    warp["waits"] = std::move(waits);
    json["warps"].push_back(std::move(warp));
  }
  return pretty(json);
}

std::string to_json(const std::vector<LineSums>& lines, const Recording& recording) {
  Json json = answer("lines");
  json["lines"] = Json::array();
  for (const LineSums& line : lines)
    json["lines"].push_back({{"line", line.line},
                             {"frames", of(recording.lines[line.line])},
                             {"steps", line.steps},
                             {"lanes", line.lanes},
                             {"on_lanes", line.on_lanes},
                             {"diverging", line.diverging},
                             {"cost", of(line.cost)}});
  return pretty(json);
}

std::string to_json(std::span<const StepView> steps, uint32_t warp, const Recording& recording) {
  Json json = answer("steps");
  json["warp"] = warp;
  json["steps"] = Json::array();
  for (const StepView& step : steps) json["steps"].push_back(of(step, recording));
  return pretty(json);
}

std::string to_json(const StepDetail& detail, uint32_t warp, const Recording& recording) {
  Json json = answer("step");
  json["warp"] = warp;
  const Site& site = recording.sites[detail.view.placed.step.site];
  json["step"] = of(detail.view, recording);
  json["site"] = of(site), json["frames"] = of(recording.lines[site.line]);
  json["accesses"] = Json::array(), json["marks"] = Json::array();
  for (const AccessView& access : detail.accesses) json["accesses"].push_back(of(access));
  for (const Mark& mark : detail.marks) json["marks"].push_back(of(mark));
  return pretty(json);
}

std::string to_json(const std::optional<Place>& place, std::string_view event) {
  Json json = answer("next");
  json["event"] = event;
  json["place"] = place ? Json{{"warp", place->warp}, {"step", place->step}} : Json();
  return pretty(json);
}

std::string sources_answer(const std::vector<SourceFile>& files) {
  Json json = answer("sources");
  json["files"] = Json::array();
  for (const SourceFile& file : files) json["files"].push_back({{"name", file.name}, {"text", file.text}});
  return pretty(json);
}

}  // namespace warpwise::trace
