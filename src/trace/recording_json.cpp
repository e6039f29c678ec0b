// The chunks of a trace file that are JSON. Readers take whatever comes: a member of another kind is as if it were not
// there, and numbers that name something are compared with what there is.

#include "base/json.h"
#include "check/records/finding_json.h"
#include "trace/recording.h"

namespace warpwise::trace {

using Json = nlohmann::ordered_json;

namespace {

constexpr size_t kMostSites = 1 << 20, kMostFrames = 16;

std::string dump(const Json& json) { return dump_json(json); }

std::optional<Json> parse(std::string_view text) {
  Json json = parse_json<Json>(text);
  if (!json.is_object()) return std::nullopt;
  return json;
}

std::string text_at(const Json& json, const char* key) {
  const auto at = json.find(key);
  return at != json.end() && at->is_string() ? at->get<std::string>() : std::string();
}
uint64_t number_at(const Json& json, const char* key) {
  const auto at = json.find(key);
  return at != json.end() && at->is_number_unsigned() ? at->get<uint64_t>() : 0;
}
bool flag_at(const Json& json, const char* key) {
  const auto at = json.find(key);
  return at != json.end() && at->is_boolean() && at->get<bool>();
}
// The objects of an array.
template <class Body>
void for_each_at(const Json& json, const char* key, size_t most, Body&& body) {
  const auto at = json.find(key);
  if (at == json.end() || !at->is_array()) return;
  size_t count = 0;
  for (const Json& element : *at)
    if (count++ < most) body(element);
}

Json to_json(const Index3& index) { return Json::array({index.x, index.y, index.z}); }
Index3 index_at(const Json& json, const char* key, uint32_t otherwise) {
  std::array<uint32_t, 3> part{otherwise, otherwise, otherwise};
  size_t n = 0;
  for_each_at(json, key, 3, [&](const Json& number) {
    if (number.is_number_unsigned()) part[n] = uint32_t(number.get<uint64_t>());
    ++n;
  });
  return {part[0], part[1], part[2]};
}

Json to_json(const Site& site) {
  Json json{{"function", site.function}, {"instruction", site.instruction},
            {"ptx", site.ptx},           {"kind", uint8_t(site.kind)},
            {"line", site.line},         {"clocks", site.clocks}};
  if (site.guarded) json["guarded"] = true;
  if (site.accesses) {
    json["access"] = site.access.pack();
    if (site.lanes_combine) json["lanes_combine"] = true;
    if (site.shared_atomic != perf::SharedAtomic::Lanes) json["shared_atomic"] = uint8_t(site.shared_atomic);
  }
  if (site.values != 0) json["values"] = site.values;
  if (!site.value_type.empty()) json["type"] = site.value_type;
  return json;
}

Site site_of(const Json& json) {
  Site site;
  if (!json.is_object()) return site;
  site.function = uint32_t(number_at(json, "function")), site.instruction = uint32_t(number_at(json, "instruction"));
  site.ptx = text_at(json, "ptx"), site.value_type = text_at(json, "type");
  site.kind = SiteKind(std::min<uint64_t>(number_at(json, "kind"), kSiteKinds - 1));
  site.line = uint32_t(number_at(json, "line")), site.clocks = uint32_t(number_at(json, "clocks"));
  site.guarded = flag_at(json, "guarded"), site.lanes_combine = flag_at(json, "lanes_combine");
  site.accesses = json.contains("access");
  if (site.accesses) site.access = simt::CountedAccess::unpack(uint32_t(number_at(json, "access")));
  site.shared_atomic =
      perf::SharedAtomic(std::min<uint64_t>(number_at(json, "shared_atomic"), perf::kSharedAtomics - 1));
  site.values = uint8_t(std::min<uint64_t>(number_at(json, "values"), simt::kMostValues));
  return site;
}

Json to_json(const WarpInfo& warp) {
  return {{"threads", warp.threads}, {"steps", warp.steps},   {"first", warp.first},
          {"count", warp.count},     {"clocks", warp.clocks}, {"fingerprint", warp.fingerprint}};
}

Json to_json(const SourceFrame& frame) {
  return {{"file", frame.file}, {"line", frame.line}, {"column", frame.column}, {"function", frame.function}};
}

std::vector<SourceFrame> frames_of(const Json& json) {
  std::vector<SourceFrame> frames;
  if (!json.is_array()) return frames;
  for (const Json& frame : json) {
    if (!frame.is_object() || frames.size() == kMostFrames) break;
    frames.push_back({text_at(frame, "file"), uint32_t(number_at(frame, "line")), uint32_t(number_at(frame, "column")),
                      text_at(frame, "function")});
  }
  return frames;
}

Error contradicts(const char* what) { return {"V0005", std::string("the recording contradicts itself: ") + what}; }

Result<void> check(const Recording& r) {
  if (r.lines.empty()) return contradicts("it has no table of lines");
  if (r.warps.empty()) return contradicts("it has no warps");
  for (const Site& site : r.sites) {
    if (site.line >= r.lines.size()) return contradicts("a line is not in its table");
    if (site.access.kind > simt::CountedKind::Value || site.access.space > simt::CountedSpace::Const)
      return contradicts("an access is of no known kind");
    constexpr uint8_t kMostBytes = 32;
    const uint8_t bytes = site.access.bytes;
    if (bytes > kMostBytes || (bytes & (bytes - 1)) != 0) return contradicts("an access has no possible size");
  }
  for (const WarpInfo& warp : r.warps)
    if (warp.threads == 0 || warp.threads > kLanes || warp.first + warp.count < warp.first ||
        (warp.count != 0 && warp.first + warp.count > warp.steps))
      return contradicts("a warp cannot be so");
  return {};
}

}  // namespace

std::string to_json(const Recording& r) {
  Json json{{"program", r.program},
            {"command", r.command},
            {"tool", r.tool},
            {"device", r.device},
            {"schedule", r.schedule},
            {"input", r.input},
            {"kernel", r.kernel},
            {"symbol", r.symbol},
            {"launch", r.launch},
            {"independent", r.independent},
            {"in_pieces", r.in_pieces},
            {"failed", r.failed},
            {"grid", to_json(r.grid)},
            {"block_shape", to_json(r.block_shape)},
            {"cluster", to_json(r.cluster)},
            {"block", to_json(r.block)},
            {"dynamic_shared_bytes", r.dynamic_shared_bytes},
            {"choice", uint8_t(r.choice)},
            {"limit", r.limit},
            {"clock_khz", r.clock_khz},
            {"value_lines", r.value_lines},
            {"open_warp", r.open_warp},
            {"open_step", r.open_step}};
  Json warps = Json::array(), sites = Json::array(), lines = Json::array(), memories = Json::array(),
       shared = Json::array();
  for (const WarpInfo& warp : r.warps) warps.push_back(to_json(warp));
  for (const Site& site : r.sites) sites.push_back(to_json(site));
  for (const auto& frames : r.lines) {
    Json line = Json::array();
    for (const SourceFrame& frame : frames) line.push_back(to_json(frame));
    lines.push_back(std::move(line));
  }
  for (const Memory& m : r.memories)
    memories.push_back({{"base", m.base}, {"bytes", m.bytes}, {"name", m.name}, {"argument", m.argument + 1}});
  for (const SharedVariable& v : r.shared)
    shared.push_back({{"name", v.name}, {"offset", v.offset}, {"bytes", v.bytes}});
  json["warps"] = std::move(warps), json["sites"] = std::move(sites), json["lines"] = std::move(lines);
  json["memories"] = std::move(memories), json["shared"] = std::move(shared), json["notes"] = r.notes;
  return dump(json);
}

Result<Recording> recording_from_json(std::string_view text) {
  const auto json = parse(text);
  if (!json) return contradicts("it is no JSON object");
  Recording r;
  r.program = text_at(*json, "program"), r.command = text_at(*json, "command"), r.tool = text_at(*json, "tool");
  r.device = text_at(*json, "device"), r.schedule = text_at(*json, "schedule");
  r.input = text_at(*json, "input");
  r.kernel = text_at(*json, "kernel"), r.symbol = text_at(*json, "symbol");
  r.launch = number_at(*json, "launch"), r.dynamic_shared_bytes = number_at(*json, "dynamic_shared_bytes");
  r.independent = flag_at(*json, "independent"), r.in_pieces = flag_at(*json, "in_pieces");
  r.failed = flag_at(*json, "failed");
  r.grid = index_at(*json, "grid", 1), r.block_shape = index_at(*json, "block_shape", 1);
  r.cluster = index_at(*json, "cluster", 1), r.block = index_at(*json, "block", 0);
  r.choice = Choice(std::min<uint64_t>(number_at(*json, "choice"), uint64_t(Choice::First)));
  r.limit = number_at(*json, "limit"), r.clock_khz = number_at(*json, "clock_khz");
  r.open_warp = uint32_t(number_at(*json, "open_warp")), r.open_step = number_at(*json, "open_step");
  for_each_at(*json, "value_lines", kMostSites, [&](const Json& line) {
    if (line.is_number_unsigned()) r.value_lines.push_back(uint32_t(line.get<uint64_t>()));
  });
  for_each_at(*json, "warps", kMostWarps, [&](const Json& warp) {
    if (warp.is_object())
      r.warps.push_back({uint32_t(number_at(warp, "threads")), number_at(warp, "steps"), number_at(warp, "first"),
                         number_at(warp, "count"), number_at(warp, "clocks"), number_at(warp, "fingerprint")});
  });
  for_each_at(*json, "sites", kMostSites, [&](const Json& site) { r.sites.push_back(site_of(site)); });
  for_each_at(*json, "lines", kMostSites, [&](const Json& line) { r.lines.push_back(frames_of(line)); });
  for_each_at(*json, "memories", kMostSites, [&](const Json& m) {
    if (m.is_object())
      r.memories.push_back({number_at(m, "base"), number_at(m, "bytes"), text_at(m, "name"),
                            int(number_at(m, "argument") & 0xffff) - 1});
  });
  for_each_at(*json, "shared", kMostSites, [&](const Json& v) {
    if (v.is_object()) r.shared.push_back({text_at(v, "name"), number_at(v, "offset"), number_at(v, "bytes")});
  });
  for_each_at(*json, "notes", kMostSites, [&](const Json& note) {
    if (note.is_string()) r.notes.push_back(note.get<std::string>());
  });
  TRY(check(r));
  return r;
}

std::string to_json(const Findings& findings) {
  Json json{{"checked", findings.checked}, {"findings", Json::array()}, {"marks", Json::array()}};
  for (const Finding& finding : findings.findings)
    json["findings"].push_back(parse_json<Json>(check::finding_to_json(finding)));
  for (const Mark& mark : findings.marks)
    json["marks"].push_back({{"finding", mark.finding},
                             {"party", mark.party},
                             {"warp", mark.warp},
                             {"lane", mark.lane},
                             {"step", mark.step}});
  return dump(json);
}

Result<Findings> findings_from_json(std::string_view text) {
  const auto json = parse(text);
  if (!json) return contradicts("the findings are no JSON object");
  Findings findings;
  findings.checked = flag_at(*json, "checked");
  for_each_at(*json, "findings", kMostSites, [&](const Json& finding) {
    // One that cannot be read stays as an empty one: marks count findings.
    auto read = check::finding_from_json(dump(finding));
    findings.findings.push_back(read ? std::move(*read) : Finding{});
  });
  for_each_at(*json, "marks", kMostSites, [&](const Json& m) {
    if (!m.is_object()) return;
    const Mark mark{uint32_t(number_at(m, "finding")), uint32_t(number_at(m, "party")), uint32_t(number_at(m, "warp")),
                    uint32_t(number_at(m, "lane")), number_at(m, "step")};
    if (mark.finding < findings.findings.size() && mark.party < findings.findings[mark.finding].parties.size() &&
        mark.lane < kLanes)
      findings.marks.push_back(mark);
  });
  return findings;
}

std::string to_json(const std::vector<SourceFile>& files) {
  Json json{{"files", Json::array()}};
  for (const SourceFile& file : files) json["files"].push_back({{"name", file.name}, {"text", file.text}});
  return dump(json);
}

Result<std::vector<SourceFile>> sources_from_json(std::string_view text) {
  const auto json = parse(text);
  if (!json) return contradicts("the sources are no JSON object");
  std::vector<SourceFile> files;
  for_each_at(*json, "files", kMostSites, [&](const Json& file) {
    if (file.is_object()) files.push_back({text_at(file, "name"), text_at(file, "text")});
  });
  return files;
}

}  // namespace warpwise::trace
