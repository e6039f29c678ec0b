#include "check/records/finding_json.h"

#include <algorithm>
#include <optional>

#include "base/json.h"
#include "check/records/record_json.h"

namespace warpwise::check {
namespace {

constexpr size_t kLongestText = 16 << 10;
constexpr size_t kMostFrames = 64;
constexpr size_t kMostParties = 16;

std::string cut(const std::string& text) {
  return text.size() <= kLongestText ? text : text.substr(0, kLongestText) + "…";
}

// --- to JSON: fields that say nothing are left out -----------------------------------------------------------

void put(Json& out, const char* key, const std::string& text) {
  if (!text.empty()) out[key] = cut(text);
}
void put(Json& out, const char* key, uint64_t number) {
  if (number) out[key] = number;
}
void put(Json& out, const char* key, const std::optional<Index3>& index) {
  if (index) out[key] = Json::array({index->x, index->y, index->z});
}
void put(Json& out, const char* key, const HostPlace& place) {
  for (size_t i = 0; i < std::min(place.size(), kMostFrames); ++i)
    out[key].push_back({{"module", cut(place[i].module)}, {"offset", place[i].offset}});
}
void put(Json& out, const char* key, const std::vector<SourcePlace>& frames) {
  for (size_t i = 0; i < std::min(frames.size(), kMostFrames); ++i) {
    Json place = Json::object();
    put(place, "file", frames[i].file);
    put(place, "line", uint64_t{frames[i].line});
    put(place, "column", uint64_t{frames[i].column});
    put(place, "function", frames[i].function);
    out[key].push_back(std::move(place));
  }
}

Json to_json(const Party& party) {
  Json out = Json::object();
  put(out, "role", party.role);
  put(out, "detail", party.detail);
  put(out, "kernel", party.kernel);
  put(out, "block", party.block);
  put(out, "thread", party.thread);
  put(out, "frames", party.code.frames);
  put(out, "instruction", party.code.instruction);
  put(out, "host", party.host);
  put(out, "host_lines", party.host_lines);
  return out;
}

Json to_json(const MemoryPlace& memory) {
  Json out = Json::object();
  put(out, "space", memory.space);
  put(out, "address", memory.address);
  put(out, "bytes", memory.bytes);
  put(out, "name", memory.name);
  if (memory.allocated) out["base"] = memory.base, out["size"] = memory.size;
  if (memory.freed) out["freed"] = true;
  put(out, "allocated_at", memory.allocated_at);
  put(out, "freed_at", memory.freed_at);
  put(out, "allocated_by", memory.allocated_by);
  put(out, "allocated_lines", memory.allocated_lines);
  put(out, "freed_lines", memory.freed_lines);
  return out;
}

}  // namespace

Json to_json(const Finding& finding) {
  Json out = {{"code", finding.code},
              {"severity", name_of(finding.severity)},
              {"message", cut(finding.message)},
              {"threads", finding.threads}};
  for (size_t i = 0; i < std::min(finding.parties.size(), kMostParties); ++i)
    out["parties"].push_back(to_json(finding.parties[i]));
  if (finding.memory) out["memory"] = to_json(*finding.memory);
  for (const std::string& note : finding.notes) out["notes"].push_back(cut(note));
  put(out, "help", finding.help);
  return out;
}

namespace {

// --- from JSON: a member of another kind is as if it were not there ------------------------------------------

bool flag_of(const Json& json, const char* key) {
  auto at = json.find(key);
  return at != json.end() && at->is_boolean() && at->get<bool>();
}
const Json& list_of(const Json& json, const char* key) {
  static const Json none = Json::array();
  auto at = json.find(key);
  return at != json.end() && at->is_array() ? *at : none;
}
std::optional<Index3> index_of(const Json& json, const char* key) {
  const Json& list = list_of(json, key);
  if (list.size() != 3) return std::nullopt;
  for (const Json& item : list)
    if (!item.is_number_unsigned()) return std::nullopt;
  return Index3{list[0].get<uint32_t>(), list[1].get<uint32_t>(), list[2].get<uint32_t>()};
}
std::vector<SourcePlace> places_of(const Json& json, const char* key) {
  std::vector<SourcePlace> out;
  for (const Json& item : list_of(json, key)) {
    if (!item.is_object() || out.size() >= kMostFrames) continue;
    out.push_back({text_at(item, "file"), uint32_t(number_at(item, "line")), uint32_t(number_at(item, "column")),
                   text_at(item, "function")});
  }
  return out;
}
HostPlace host_of(const Json& json, const char* key) {
  HostPlace out;
  for (const Json& item : list_of(json, key))
    if (item.is_object() && out.size() < kMostFrames)
      out.push_back({text_at(item, "module"), number_at(item, "offset")});
  return out;
}

Party party_of(const Json& json) {
  Party party;
  party.role = text_at(json, "role");
  party.detail = text_at(json, "detail");
  party.kernel = text_at(json, "kernel");
  party.block = index_of(json, "block");
  party.thread = index_of(json, "thread");
  party.code = {places_of(json, "frames"), text_at(json, "instruction")};
  party.host = host_of(json, "host");
  party.host_lines = places_of(json, "host_lines");
  return party;
}

MemoryPlace memory_of(const Json& json) {
  MemoryPlace memory;
  memory.space = text_at(json, "space");
  memory.address = number_at(json, "address");
  memory.bytes = number_at(json, "bytes");
  memory.name = text_at(json, "name");
  memory.allocated = json.contains("base");
  memory.base = number_at(json, "base");
  memory.size = number_at(json, "size");
  memory.freed = flag_of(json, "freed");
  memory.allocated_at = host_of(json, "allocated_at");
  memory.freed_at = host_of(json, "freed_at");
  memory.allocated_by = text_at(json, "allocated_by");
  memory.allocated_lines = places_of(json, "allocated_lines");
  memory.freed_lines = places_of(json, "freed_lines");
  return memory;
}

}  // namespace

std::string text_at(const Json& json, const char* key) {
  auto at = json.find(key);
  return at != json.end() && at->is_string() ? at->get<std::string>() : "";
}

uint64_t number_at(const Json& json, const char* key) {
  auto at = json.find(key);
  return at != json.end() && at->is_number_unsigned() ? at->get<uint64_t>() : 0;
}

std::optional<Finding> finding_of(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  Finding finding;
  finding.code = text_at(json, "code");
  if (finding.code.empty()) return std::nullopt;
  std::string severity = text_at(json, "severity");
  for (Severity s : {Severity::Error, Severity::Warning, Severity::Note})
    if (severity == name_of(s)) finding.severity = s;
  finding.message = text_at(json, "message");
  finding.threads = number_at(json, "threads");
  for (const Json& party : list_of(json, "parties"))
    if (party.is_object() && finding.parties.size() < kMostParties) finding.parties.push_back(party_of(party));
  if (auto memory = json.find("memory"); memory != json.end() && memory->is_object())
    finding.memory = memory_of(*memory);
  for (const Json& note : list_of(json, "notes"))
    if (note.is_string()) finding.notes.push_back(note);
  finding.help = text_at(json, "help");
  return finding;
}

std::string dump(const Json& json) { return dump_json(json); }

std::string finding_to_json(const Finding& finding) { return dump(to_json(finding)); }

Result<Finding> finding_from_json(std::string_view text) {
  auto finding = finding_of(parse_json<Json>(text));
  if (!finding) return Error{"U0010", "not a finding of this version"};
  return std::move(*finding);
}

}  // namespace warpwise::check
