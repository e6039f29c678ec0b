#include "perf/report/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/json.h"
#include "perf/report/format.h"
#include "perf/report/ranges.h"

namespace warpwise::perf {
namespace {

using nlohmann::json;
using Kind = HostEvent::Kind;

enum Row : int { kProgram = 1, kDevice, kRanges, kMultiprocessors };  // "processes" of the trace

// Viewers become slow beyond some hundred thousand events, and a launch has as many as there are SMs times waves.
constexpr size_t kMostBlockEvents = 40'000;
constexpr uint64_t kMostWaves = 24;  // of a launch; where there are more, one event stands for several

double microseconds(double ns) { return ns / 1e3; }

const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::CopyToDevice:
      return "copy to device";
    case Kind::CopyToHost:
      return "copy to host";
    case Kind::CopyOnDevice:
      return "copy on device";
    case Kind::Fill:
      return "fill";
    default:
      return "command";
  }
}

// The name of a kernel without its parameters: timelines are narrow.
std::string short_name(const std::string& kernel) { return kernel.substr(0, kernel.find('(')); }

json complete(Row process, uint64_t row, std::string name, double begin_ns, double end_ns, json details) {
  return {{"ph", "X"},
          {"pid", int{process}},
          {"tid", row},
          {"name", std::move(name)},
          {"ts", microseconds(begin_ns)},
          {"dur", microseconds(std::max(0.0, end_ns - begin_ns))},
          {"args", std::move(details)}};
}

class Trace {
 public:
  explicit Trace(const Analysis& analysis) : a_(analysis) {
    for (const LaunchCounts& launch : a_.profile->launches) launches_[launch.index] = &launch;
  }

  Timeline write() {
    for (const HostEvent& e : a_.profile->events) {
      if (e.is_command())
        command(e);
      else
        host(e);
    }
    device_ranges();
    name_rows();
    json trace = {{"traceEvents", std::move(events_)},
                  {"displayTimeUnit", "ns"},
                  {"otherData",
                   {{"program", a_.profile->program},
                    {"device", a_.device->id},
                    {"times", "modelled, not measured"},
                    {"launches_without_blocks", without_blocks_}}}};
    return {dump_json(trace, 1) + "\n", without_blocks_};
  }

 private:
  void host(const HostEvent& e) {
    threads_.insert(e.thread);
    const bool mark = e.kind == Kind::Range && e.begin_ns == e.end_ns && e.last_number < e.number;
    if (mark) {
      events_.push_back({{"ph", "i"},
                         {"pid", int{kProgram}},
                         {"tid", e.thread},
                         {"name", e.name},
                         {"ts", microseconds(double(e.begin_ns))},
                         {"s", "t"}});
      return;
    }
    json details = json::object();
    if (e.kind == Kind::Range) details["named by"] = "NVTX";
    if (e.waited_ns > 0) details["waited for the device, us"] = microseconds(double(e.waited_ns));
    if (e.times > 1) details["calls"] = e.times;
    events_.push_back(complete(kProgram, e.thread, e.name, double(e.begin_ns), double(e.end_ns), std::move(details)));
  }

  void command(const HostEvent& e) {
    std::string name = name_of(e.kind);
    json details = json::object();
    if (e.kind == Kind::Launch) {
      const auto found = launches_.find(e.launch);
      if (found == launches_.end()) return;
      const LaunchCounts& launch = *found->second;
      name = short_name(launch.kernel);
      details = {{"kernel", launch.kernel}, {"grid", size_text(launch.grid)}, {"block", size_text(launch.block)}};
      if (const std::optional<Prediction> p = predict(launch, *a_.device)) {
        details["limited by"] = perf::name_of(p->limiter);
        blocks(e, launch, *p, name);
      }
    } else {
      details["bytes"] = e.bytes;
      if (e.moves_to_or_from_host())
        details["host memory"] = e.pinned ? "pinned" : "pageable", details["the host waited"] = e.synchronous;
    }
    streams_.insert(e.stream);
    events_.push_back(complete(kDevice, e.stream, std::move(name), double(e.device_begin_ns), double(e.device_end_ns),
                               std::move(details)));
    flow(e);
  }

  // An arrow from the submission of a command to its begin.
  void flow(const HostEvent& e) {
    threads_.insert(e.thread);
    for (const char* end : {"s", "f"}) {
      const bool to = *end == 'f';
      json arrow = {{"ph", end},
                    {"pid", to ? int{kDevice} : int{kProgram}},
                    {"tid", to ? e.stream : e.thread},
                    {"name", "submitted"},
                    {"cat", "submitted"},
                    {"id", flows_},
                    {"ts", microseconds(double(to ? e.device_begin_ns : e.begin_ns))}};
      if (to) arrow["bp"] = "e";
      events_.push_back(std::move(arrow));
    }
    ++flows_;
  }

  // Blocks in the order of their indices, as many at a time as the GPU holds, assigned to the SMs in turn.
  void blocks(const HostEvent& e, const LaunchCounts& launch, const Prediction& p, const std::string& name) {
    const uint64_t sms = uint64_t(a_.device->sm_count), slots = sms * p.occupancy.blocks, n = launch.grid.count(),
                   waves = n / slots, rest = n % slots;
    const uint64_t pieces = std::min(waves, kMostWaves);
    const size_t needed = size_t(std::min(n, sms)) * (pieces + (rest > 0));
    if (block_events_ + needed > kMostBlockEvents) {
      ++without_blocks_;
      return;
    }
    block_events_ += needed;
    const double start = double(e.device_end_ns) - (p.seconds - p.launch_seconds) * 1e9, wave_ns = p.wave_seconds * 1e9;
    const auto add = [&](uint64_t sm, uint64_t first, uint64_t count, double begin, double end) {
      multiprocessors_.insert(sm);
      events_.push_back(complete(kMultiprocessors, sm,
                                 fmt::format("{} block{} of {}", count, count == 1 ? "" : "s", name), begin, end,
                                 {{"first block", first}, {"then every", sms}, {"launch", launch.index}}));
    };
    for (uint64_t k = 0; k < pieces; ++k) {
      const uint64_t from = waves * k / pieces, to = waves * (k + 1) / pieces;
      for (uint64_t sm = 0; sm < sms; ++sm)
        add(sm, from * slots + sm, (to - from) * p.occupancy.blocks, start + double(from) * wave_ns,
            start + double(to) * wave_ns);
    }
    for (uint64_t sm = 0; sm < std::min(rest, sms); ++sm) {
      const uint64_t count = (rest - sm + sms - 1) / sms;
      const double begin = start + double(waves) * wave_ns;
      add(sm, waves * slots + sm, count, begin, begin + p.last_wave_seconds * 1e9);
    }
  }

  // Ranges that overlap without one containing the other go to different rows.
  void device_ranges() {
    std::vector<RangeTime> ranges = ranges_of(*a_.profile);
    std::erase_if(ranges, [](const RangeTime& r) { return r.commands == 0; });
    std::stable_sort(ranges.begin(), ranges.end(), [](const RangeTime& a, const RangeTime& b) {
      return a.begin_ns != b.begin_ns ? a.begin_ns < b.begin_ns : a.end_ns > b.end_ns;
    });
    std::vector<std::vector<uint64_t>> rows;  // for each row, the ends of the open ranges
    for (const RangeTime& r : ranges) {
      size_t row = 0;
      for (;; ++row) {
        if (row == rows.size()) rows.emplace_back();
        std::erase_if(rows[row], [&](uint64_t end) { return end <= r.begin_ns; });
        if (rows[row].empty() || rows[row].back() >= r.end_ns) break;
      }
      rows[row].push_back(r.end_ns);
      events_.push_back(complete(kRanges, row, r.event->name, double(r.begin_ns), double(r.end_ns),
                                 {{"commands", r.commands}, {"kernels", r.kernels}}));
    }
    has_ranges_ = !ranges.empty();
  }

  void name_rows() {
    const auto named = [&](const char* what, Row process, uint64_t row, const std::string& name) {
      events_.push_back({{"ph", "M"}, {"pid", int{process}}, {"tid", row}, {"name", what}, {"args", {{"name", name}}}});
    };
    named("process_name", kProgram, 0, "program: " + a_.profile->program);
    for (uint64_t t : threads_)
      named("thread_name", kProgram, t, t == 0 ? "thread 0: CUDA calls" : fmt::format("thread {}", t));
    named("process_name", kDevice, 0, fmt::format("{}, modelled", a_.device->name));
    for (uint64_t s : streams_)
      named("thread_name", kDevice, s, s == 0 ? "default stream" : fmt::format("stream {}", s));
    if (has_ranges_) named("process_name", kRanges, 0, "ranges (NVTX) on the device");
    if (!multiprocessors_.empty())
      named("process_name", kMultiprocessors, 0, "multiprocessors, as the model places blocks");
    for (uint64_t sm : multiprocessors_) named("thread_name", kMultiprocessors, sm, fmt::format("SM {}", sm));
  }

  const Analysis& a_;
  std::map<uint64_t, const LaunchCounts*> launches_;
  std::set<uint64_t> streams_, threads_, multiprocessors_;
  json events_ = json::array();
  uint64_t flows_ = 0, without_blocks_ = 0;
  size_t block_events_ = 0;
  bool has_ranges_ = false;
};

}  // namespace

Timeline timeline_of(const Analysis& analysis) { return Trace(analysis).write(); }

}  // namespace warpwise::perf
