#include "check/records/records.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/host_place.h"

namespace warpwise::check {
namespace {

using Json = nlohmann::json;

constexpr size_t kLongestText = 16 << 10;
constexpr size_t kMostFrames = 64;
constexpr size_t kMostParties = 16;
constexpr size_t kLongestLine = 1 << 20;

std::string cut(const std::string& text) {
  return text.size() <= kLongestText ? text : text.substr(0, kLongestText) + "…";
}

std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

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

// --- from JSON: a member of another kind is as if it were not there ------------------------------------------

std::string text_of(const Json& json, const char* key) {
  auto at = json.find(key);
  return at != json.end() && at->is_string() ? at->get<std::string>() : "";
}
uint64_t number_of(const Json& json, const char* key) {
  auto at = json.find(key);
  return at != json.end() && at->is_number_unsigned() ? at->get<uint64_t>() : 0;
}
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
    out.push_back({text_of(item, "file"), uint32_t(number_of(item, "line")), uint32_t(number_of(item, "column")),
                   text_of(item, "function")});
  }
  return out;
}
HostPlace host_of(const Json& json, const char* key) {
  HostPlace out;
  for (const Json& item : list_of(json, key))
    if (item.is_object() && out.size() < kMostFrames)
      out.push_back({text_of(item, "module"), number_of(item, "offset")});
  return out;
}

Party party_of(const Json& json) {
  Party party;
  party.role = text_of(json, "role");
  party.detail = text_of(json, "detail");
  party.kernel = text_of(json, "kernel");
  party.block = index_of(json, "block");
  party.thread = index_of(json, "thread");
  party.code = {places_of(json, "frames"), text_of(json, "instruction")};
  party.host = host_of(json, "host");
  party.host_lines = places_of(json, "host_lines");
  return party;
}

MemoryPlace memory_of(const Json& json) {
  MemoryPlace memory;
  memory.space = text_of(json, "space");
  memory.address = number_of(json, "address");
  memory.bytes = number_of(json, "bytes");
  memory.name = text_of(json, "name");
  memory.allocated = json.contains("base");
  memory.base = number_of(json, "base");
  memory.size = number_of(json, "size");
  memory.freed = flag_of(json, "freed");
  memory.allocated_at = host_of(json, "allocated_at");
  memory.freed_at = host_of(json, "freed_at");
  memory.allocated_by = text_of(json, "allocated_by");
  memory.allocated_lines = places_of(json, "allocated_lines");
  memory.freed_lines = places_of(json, "freed_lines");
  return memory;
}

std::optional<Finding> finding_of(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  Finding finding;
  finding.code = text_of(json, "code");
  if (finding.code.empty()) return std::nullopt;
  std::string severity = text_of(json, "severity");
  for (Severity s : {Severity::Error, Severity::Warning, Severity::Note})
    if (severity == name_of(s)) finding.severity = s;
  finding.message = text_of(json, "message");
  finding.threads = number_of(json, "threads");
  for (const Json& party : list_of(json, "parties"))
    if (party.is_object() && finding.parties.size() < kMostParties) finding.parties.push_back(party_of(party));
  if (auto memory = json.find("memory"); memory != json.end() && memory->is_object())
    finding.memory = memory_of(*memory);
  for (const Json& note : list_of(json, "notes"))
    if (note.is_string()) finding.notes.push_back(note);
  finding.help = text_of(json, "help");
  return finding;
}

}  // namespace

std::string finding_to_json(const Finding& finding) { return dump(to_json(finding)); }

Result<Finding> finding_from_json(std::string_view text) {
  auto finding = finding_of(Json::parse(text, nullptr, /*allow_exceptions=*/false));
  if (!finding) return Error{"U0010", "not a finding of this version"};
  return std::move(*finding);
}

// --- writing ---------------------------------------------------------------------------------------------------

Result<std::shared_ptr<RecordSink>> RecordSink::open(const std::string& path, CheckerSet checkers) {
  int fd = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return Error{"U0002", fmt::format("findings cannot be written to `{}`: {}", path, std::strerror(errno))};
  return std::shared_ptr<RecordSink>(new RecordSink(fd, checkers));
}

RecordSink::RecordSink(int fd, CheckerSet checkers) : fd_(fd), pid_(getpid()) {
  Json names = Json::array();
  for (unsigned i = 0; i < kCheckers; ++i)
    if (checkers.has(Checker(i))) names.push_back(name_of(Checker(i)));
  write(dump({{"v", kRecordVersion}, {"type", "start"}, {"pid", pid_}, {"checkers", names}}));
}

RecordSink::~RecordSink() {
  finish();
  close(fd_);
}

void RecordSink::write(const std::string& line) {
  std::string whole = line + "\n";
  const char* at = whole.data();
  size_t left = whole.size();
  while (left > 0) {
    ssize_t done = ::write(fd_, at, left);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) {
      // Without the record the command would take the silence for a clean run: the end is not written then, either.
      if (!write_failed_) fmt::print(stderr, "warpwise: findings cannot be written: {}\n", std::strerror(errno));
      write_failed_ = true;
      return;
    }
    at += done, left -= size_t(done);
  }
}

void RecordSink::write_count(Cause cause, Known& known) {
  known.written = known.threads;
  write(dump({{"type", "count"}, {"pid", pid_}, {"id", cause}, {"threads", known.threads}}));
}

void RecordSink::add_threads(Cause cause, uint64_t threads) {
  if (cause == 0 || cause > known_.size()) {
    dropped_ += threads;
    return;
  }
  Known& known = known_[cause - 1];
  known.threads += threads;
  if (known.threads >= 2 * known.written) write_count(cause, known);
}

FindingSink::Cause RecordSink::report(Finding finding) {
  // What is found while a call of the program runs (a copy) is that call's.
  auto placed = [](const Party& party) { return party.code.known() || !party.host.empty() || !party.kernel.empty(); };
  auto is_placed = [&] {
    return finding.parties.empty() || std::any_of(finding.parties.begin(), finding.parties.end(), placed);
  };
  std::lock_guard lock(mutex_);
  // What is said of an allocation stands where it was made.
  for (Party& party : finding.parties)
    if (party.role == "allocation" && party.host.empty() && finding.memory)
      if (auto made = allocations_.find(finding.memory->base); made != allocations_.end())
        party.host = made->second.note.at;
  if (!is_placed()) finding.parties[0].host = host_place();
  auto [entry, is_new] = causes_.try_emplace(cause_of(finding), 0);
  if (!is_new) {
    add_threads(entry->second, finding.threads);
    return entry->second;
  }
  if (known_.size() >= kMaxCauses) {
    causes_.erase(entry);
    ++dropped_;
    return 0;
  }
  if (finding.memory) fill_in_allocation(*finding.memory);
  Cause cause = entry->second = Cause(known_.size() + 1);
  known_.push_back({finding.threads, finding.threads});
  Json record = to_json(finding);
  record["type"] = "finding";
  record["pid"] = pid_;
  record["id"] = cause;
  write(dump(record));
  return cause;
}

void RecordSink::again(Cause cause, uint64_t threads) {
  std::lock_guard lock(mutex_);
  add_threads(cause, threads);
}

void RecordSink::note_unchecked(std::string_view what) {
  std::lock_guard lock(mutex_);
  if (std::find(not_watched_.begin(), not_watched_.end(), what) != not_watched_.end()) return;
  not_watched_.emplace_back(what);
  write(dump({{"type", "not-watched"}, {"pid", pid_}, {"what", what}}));
}

void RecordSink::note_allocation(AllocationNote note) {
  std::lock_guard lock(mutex_);
  // Freed ones whose addresses are used again are forgotten.
  auto at = allocations_.lower_bound(note.base);
  while (at != allocations_.end() && at->first < note.base + note.size) at = allocations_.erase(at);
  uint64_t base = note.base;
  allocations_.insert_or_assign(base, Noted{std::move(note), false, {}});
}

void RecordSink::note_free(uint64_t base, HostPlace at) {
  std::lock_guard lock(mutex_);
  auto found = allocations_.find(base);
  if (found == allocations_.end()) return;
  found->second.freed = true;
  found->second.freed_at = std::move(at);
}

void RecordSink::fill_in_allocation(MemoryPlace& memory) const {
  auto found = allocations_.find(memory.base);
  if (!memory.allocated || found == allocations_.end()) return;
  const Noted& noted = found->second;
  if (memory.allocated_at.empty()) memory.allocated_at = noted.note.at;
  if (memory.allocated_by.empty()) memory.allocated_by = noted.note.by;
  if (noted.freed && memory.freed && memory.freed_at.empty()) memory.freed_at = noted.freed_at;
}

void RecordSink::finish() {
  std::lock_guard lock(mutex_);
  for (size_t i = 0; i < known_.size(); ++i)
    if (known_[i].written != known_[i].threads) write_count(Cause(i + 1), known_[i]);
  if (dropped_ != dropped_written_) {
    write(dump({{"type", "dropped"}, {"pid", pid_}, {"count", dropped_ - dropped_written_}}));
    dropped_written_ = dropped_;
  }
  if (!write_failed_) write(dump({{"type", "end"}, {"pid", pid_}}));
}

// --- reading ---------------------------------------------------------------------------------------------------

namespace {

class Reader {
 public:
  void line(std::string_view text) {
    if (text.empty()) return;
    Json json = text.size() > kLongestLine ? Json() : Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object() || !take(json)) ++run_.damaged;
  }
  RecordedRun done() {
    run_.ended = unsigned(ended_.size());
    return std::move(run_);
  }

 private:
  struct Source {
    size_t finding = 0;
    uint64_t counted = 0;
  };

  bool take(const Json& json) {
    std::string type = text_of(json, "type");
    uint64_t pid = number_of(json, "pid");
    if (type == "start") {
      if (number_of(json, "v") != kRecordVersion) return false;
      ++run_.started;
    } else if (type == "finding") {
      auto finding = finding_of(json);
      if (!finding) return false;
      Source& source = sources_[{pid, number_of(json, "id")}];
      auto [at, is_new] = causes_.try_emplace(cause_of(*finding), run_.findings.size());
      source = {at->second, finding->threads};
      if (is_new)
        run_.findings.push_back(std::move(*finding));
      else
        run_.findings[at->second].threads += source.counted;
    } else if (type == "count") {
      auto source = sources_.find({pid, number_of(json, "id")});
      uint64_t threads = number_of(json, "threads");
      if (source == sources_.end()) return false;
      if (threads > source->second.counted) {
        run_.findings[source->second.finding].threads += threads - source->second.counted;
        source->second.counted = threads;
      }
    } else if (type == "not-watched") {
      std::string what = text_of(json, "what");
      if (std::find(run_.not_watched.begin(), run_.not_watched.end(), what) == run_.not_watched.end())
        run_.not_watched.push_back(what);
    } else if (type == "dropped") {
      run_.dropped += number_of(json, "count");
    } else if (type == "end") {
      if (std::find(ended_.begin(), ended_.end(), pid) == ended_.end()) ended_.push_back(pid);
    } else {
      return false;
    }
    return true;
  }

  RecordedRun run_;
  std::map<std::pair<uint64_t, uint64_t>, Source> sources_;  // by process and id
  std::unordered_map<std::string, size_t> causes_;
  std::vector<uint64_t> ended_;
};

}  // namespace

RecordedRun read_records(std::string_view text) {
  Reader reader;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    reader.line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.done();
}

}  // namespace warpwise::check
