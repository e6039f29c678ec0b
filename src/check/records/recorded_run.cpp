#include "check/records/recorded_run.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "base/json.h"
#include "check/records/record_json.h"

namespace warpwise::check {

namespace {

constexpr size_t kLongestLine = 1 << 20;

class Reader {
 public:
  void line(std::string_view text) {
    if (text.empty()) return;
    Json json = text.size() > kLongestLine ? Json() : parse_json<Json>(text);
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
    std::string type = text_at(json, "type");
    uint64_t pid = number_at(json, "pid");
    if (type == "start") {
      if (number_at(json, "v") != kRecordVersion) return false;
      ++run_.started;
    } else if (type == "finding") {
      auto finding = finding_of(json);
      if (!finding) return false;
      if (auto shown = sources_.find({pid, number_at(json, "id")}); shown != sources_.end()) {
        Finding& before = run_.findings[shown->second.finding];
        if (cause_of(before) != cause_of(*finding)) return false;
        finding->threads = before.threads;
        before = std::move(*finding);
        return true;
      }
      Source& source = sources_[{pid, number_at(json, "id")}];
      auto [at, is_new] = causes_.try_emplace(cause_of(*finding), run_.findings.size());
      source = {at->second, finding->threads};
      if (is_new)
        run_.findings.push_back(std::move(*finding));
      else
        run_.findings[at->second].threads += source.counted;
    } else if (type == "count") {
      auto source = sources_.find({pid, number_at(json, "id")});
      uint64_t threads = number_at(json, "threads");
      if (source == sources_.end()) return false;
      if (threads > source->second.counted) {
        run_.findings[source->second.finding].threads += threads - source->second.counted;
        source->second.counted = threads;
      }
    } else if (type == "not-checked") {
      std::string what = text_at(json, "what");
      if (std::find(run_.not_checked.begin(), run_.not_checked.end(), what) == run_.not_checked.end())
        run_.not_checked.push_back(what);
    } else if (type == "dropped") {
      run_.dropped += number_at(json, "count");
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
