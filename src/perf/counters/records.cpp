#include "perf/counters/records.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <unordered_map>

#include "base/json.h"

namespace warpwise::perf {

using Json = nlohmann::json;

namespace {

std::string dump(const Json& json) { return dump_json(json); }

Json to_json(const device::Dim3& d) { return Json::array({d.x, d.y, d.z}); }

Json to_json(const WarpShare& w) { return {{"instructions", w.instructions}, {"loads", w.loads}}; }

Json to_json(const std::optional<WaitedLoads>& w) {
  return w ? Json({{"in_l1", w->in_l1}, {"missed", w->missed}, {"first", w->first}}) : Json();
}

Json to_json(const Counts& counts) {
  Json json = Json::object();
  for (unsigned c = 0; c < kCounters; ++c)
    if (counts.value[c] != 0) json[std::string(info_of(Counter(c)).id)] = counts.value[c];
  return json;
}

Json to_json(const LineCounts& line) {
  Json frames = Json::array();
  for (const SourceFrame& f : line.frames)
    frames.push_back({{"file", f.file}, {"line", f.line}, {"column", f.column}, {"function", f.function}});
  return {{"frames", frames}, {"counts", to_json(line.counts)}};
}

// By HostEvent::Kind.
constexpr const char* kKinds[] = {"launch", "copy to device", "copy to host", "copy on device",
                                  "fill",   "call",           "range"};

Json to_json(const HostEvent& e) {
  Json json{{"kind", kKinds[size_t(e.kind)]}, {"number", e.number}, {"thread", e.thread}, {"begin", e.begin_ns}};
  if (e.is_command()) {
    json.update({{"stream", e.stream}, {"device_begin", e.device_begin_ns}, {"device_end", e.device_end_ns}});
    if (e.kind == HostEvent::Kind::Launch)
      json["launch"] = e.launch;
    else
      json.update({{"bytes", e.bytes}, {"pinned", e.pinned}});
  } else {
    json.update({{"name", e.name},
                 {"last_number", e.last_number},
                 {"times", e.times},
                 {"end", e.end_ns},
                 {"waited", e.waited_ns}});
  }
  return json;
}

// The fields of ChainSteps, once.
template <class Steps, class Visit>
void for_each_step(Steps& steps, Visit visit) {
  visit("fma", steps.fma), visit("fp64", steps.fp64), visit("xu", steps.xu), visit("shared", steps.shared);
  visit("global", steps.global), visit("atomic", steps.atomic), visit("tensor", steps.tensor),
      visit("barrier", steps.barrier), visit("branch", steps.branch), visit("gap", steps.gap);
}

Json to_json(const LaunchCounts& l) {
  Json lines = Json::array(), phases = Json::array(), errors = Json::object(), chain = Json::object();
  for (const LineCounts& line : l.lines) lines.push_back(to_json(line));
  for (const Counts& phase : l.phases) phases.push_back(to_json(phase));
  for (unsigned c = 0; c < kCounters; ++c)
    if (l.error[c] != 0) errors[std::string(info_of(Counter(c)).id)] = l.error[c];
  for_each_step(l.latency.chain, [&](const char* name, double v) { chain[name] = v; });
  return {{"index", l.index},
          {"kernel", l.kernel},
          {"symbol", l.symbol},
          {"grid", to_json(l.grid)},
          {"block", to_json(l.block)},
          {"cluster", to_json(l.cluster)},
          {"registers", l.registers},
          {"registers_by_ptxas", l.register_source == RegisterSource::Ptxas},
          {"static_shared", l.static_shared_bytes},
          {"dynamic_shared", l.dynamic_shared_bytes},
          {"local", l.local_bytes},
          {"barriers", l.barriers_used},
          {"stream", l.stream},
          {"cooperative", l.cooperative},
          {"failed", l.failed},
          {"blocks", l.blocks},
          {"counted_blocks", l.counted_blocks},
          {"idle_blocks", l.idle_blocks},
          {"idle_instructions", l.idle_instructions},
          {"cached_blocks", l.cached_blocks},
          {"longest_block", l.longest_block},
          {"longest_warp", to_json(l.longest_warp)},
          {"longest_warp_of_all", to_json(l.longest_warp_of_all)},
          {"block_spread", l.block_spread},
          {"counts", to_json(l.totals)},
          {"errors", errors},
          {"lines", lines},
          {"phases", phases},
          {"chain", chain},
          {"chain_in_l1", l.latency.in_l1},
          {"chain_from_memory", l.latency.from_memory},
          {"loads_in_flight", l.latency.loads_in_flight},
          {"late_hits", l.latency.late_hits},
          {"waited", to_json(l.latency.waited)},
          {"first_reads", l.latency.first_reads},
          {"code_blocks", l.latency.code_blocks},
          {"code_instructions", l.latency.code_instructions},
          {"code_again", l.latency.code_again},
          {"block_waits", l.latency.block_waits},
          {"late_atomics", l.latency.late_atomics},
          {"notes", l.notes}};
}

Json to_json(const MeasuredLaunch& m) {
  return {{"symbol", m.key.symbol},
          {"grid", to_json(m.key.grid)},
          {"block", to_json(m.key.block)},
          {"dynamic_shared", m.dynamic_shared_bytes},
          {"seconds", m.seconds}};
}

Json to_json(const HardwareCounts& h) {
  Json counts = Json::object();
  for (unsigned c = 0; c < kCounters; ++c)
    if (!std::isnan(h.value[c])) counts[std::string(info_of(Counter(c)).id)] = h.value[c];
  return {{"symbol", h.key.symbol}, {"grid", to_json(h.key.grid)}, {"block", to_json(h.key.block)}, {"counts", counts}};
}

// --- reading: whatever is not there or of another kind is left as it is

template <class T>
void read(const Json& json, const char* key, T& out) {
  auto found = json.find(key);
  if (found == json.end()) return;
  if constexpr (std::is_same_v<T, std::string>) {
    if (found->is_string()) out = found->get<std::string>();
  } else if constexpr (std::is_same_v<T, bool>) {
    if (found->is_boolean()) out = found->get<bool>();
  } else {
    if (found->is_number()) out = found->get<T>();
  }
}

void read(const Json& json, const char* key, device::Dim3& out) {
  auto found = json.find(key);
  if (found == json.end() || !found->is_array() || found->size() != 3) return;
  for (const Json& n : *found)
    if (!n.is_number_unsigned()) return;
  out = {(*found)[0].get<uint32_t>(), (*found)[1].get<uint32_t>(), (*found)[2].get<uint32_t>()};
}

const Json& child(const Json& json, const char* key) {
  static const Json kNone = Json::object();
  auto found = json.find(key);
  return found == json.end() ? kNone : *found;
}

// One number in records of version 4.
void read(const Json& json, const char* key, WarpShare& out) {
  read(json, key, out.instructions);
  out.loads = out.instructions;
  read(child(json, key), "instructions", out.instructions), read(child(json, key), "loads", out.loads);
}

void read(const Json& json, const char* key, std::optional<WaitedLoads>& out) {
  const Json& entry = child(json, key);
  if (!entry.contains("in_l1")) return;
  WaitedLoads found;
  read(entry, "in_l1", found.in_l1), read(entry, "missed", found.missed), read(entry, "first", found.first);
  out = found;
}

// A record has a few of many counters, and a file thousands of records: its names are looked up, not all that there
// are.
template <class T>
void read_counters(const Json& json, std::array<T, kCounters>& out) {
  static const auto kPlaces = [] {
    std::unordered_map<std::string_view, unsigned> places;
    for (unsigned c = 0; c < kCounters; ++c) places[info_of(Counter(c)).id] = c;
    return places;
  }();
  if (!json.is_object()) return;
  for (const auto& [name, value] : json.items())
    if (const auto place = kPlaces.find(name); place != kPlaces.end() && value.is_number())
      out[place->second] = value.template get<T>();
}

// The counts of an earlier launch, which stand for another one. False: there are none.
bool add_again(const Json& json, std::vector<LaunchCounts>& launches) {
  uint64_t of = 0, index = 0;
  if (!json.contains("of") || !json.contains("index")) return false;
  read(json, "of", of), read(json, "index", index);
  const auto found =
      std::find_if(launches.rbegin(), launches.rend(), [&](const LaunchCounts& l) { return l.index == of; });
  if (found == launches.rend()) return false;
  launches.push_back(LaunchCounts(*found));
  launches.back().index = index, launches.back().counts_of = of;
  return true;
}

LaunchCounts launch_of(const Json& json) {
  LaunchCounts l;
  read(json, "index", l.index), read(json, "kernel", l.kernel), read(json, "symbol", l.symbol);
  read(json, "grid", l.grid), read(json, "block", l.block), read(json, "cluster", l.cluster);
  read(json, "registers", l.registers);
  bool by_ptxas = false;
  read(json, "registers_by_ptxas", by_ptxas);
  if (by_ptxas) l.register_source = RegisterSource::Ptxas;
  read(json, "static_shared", l.static_shared_bytes), read(json, "dynamic_shared", l.dynamic_shared_bytes);
  read(json, "local", l.local_bytes), read(json, "barriers", l.barriers_used), read(json, "stream", l.stream);
  read(json, "cooperative", l.cooperative), read(json, "failed", l.failed), read(json, "blocks", l.blocks);
  read(json, "counted_blocks", l.counted_blocks), read(json, "cached_blocks", l.cached_blocks);
  read(json, "idle_blocks", l.idle_blocks), read(json, "idle_instructions", l.idle_instructions);
  read(json, "longest_block", l.longest_block), read(json, "block_spread", l.block_spread);
  read(json, "longest_warp", l.longest_warp), read(json, "longest_warp_of_all", l.longest_warp_of_all);
  read_counters(child(json, "counts"), l.totals.value);
  read_counters(child(json, "errors"), l.error);
  for_each_step(l.latency.chain, [&](const char* name, double& v) { read(child(json, "chain"), name, v); });
  read(json, "waited", l.latency.waited);
  read(json, "chain_in_l1", l.latency.in_l1), read(json, "chain_from_memory", l.latency.from_memory);
  read(json, "loads_in_flight", l.latency.loads_in_flight), read(json, "late_hits", l.latency.late_hits),
      read(json, "first_reads", l.latency.first_reads), read(json, "late_atomics", l.latency.late_atomics),
      read(json, "block_waits", l.latency.block_waits), read(json, "code_blocks", l.latency.code_blocks),
      read(json, "code_instructions", l.latency.code_instructions), read(json, "code_again", l.latency.code_again);
  for (const Json& note : child(json, "notes"))
    if (note.is_string()) l.notes.push_back(note);
  for (const Json& phase : child(json, "phases")) read_counters(phase, l.phases.emplace_back().value);
  for (const Json& entry : child(json, "lines")) {
    if (!entry.is_object()) continue;
    LineCounts line;
    for (const Json& f : child(entry, "frames")) {
      if (!f.is_object()) continue;
      SourceFrame frame;
      read(f, "file", frame.file), read(f, "line", frame.line), read(f, "column", frame.column),
          read(f, "function", frame.function);
      line.frames.push_back(std::move(frame));
    }
    read_counters(child(entry, "counts"), line.counts.value);
    l.lines.push_back(std::move(line));
  }
  return l;
}

void read(const Json& json, LaunchKey& key) {
  read(json, "symbol", key.symbol), read(json, "grid", key.grid), read(json, "block", key.block);
}

MeasuredLaunch measured_of(const Json& json) {
  MeasuredLaunch m;
  read(json, m.key);
  read(json, "dynamic_shared", m.dynamic_shared_bytes), read(json, "seconds", m.seconds);
  return m;
}

HardwareCounts hardware_of(const Json& json) {
  HardwareCounts h;
  h.value.fill(std::nan(""));
  read(json, h.key);
  read_counters(child(json, "counts"), h.value);
  return h;
}

std::optional<HostEvent> event_of(const Json& json) {
  HostEvent e;
  std::string kind;
  read(json, "kind", kind);
  const auto found = std::find(std::begin(kKinds), std::end(kKinds), kind);
  if (found == std::end(kKinds)) return std::nullopt;
  e.kind = HostEvent::Kind(found - std::begin(kKinds));
  read(json, "number", e.number), read(json, "last_number", e.last_number);
  read(json, "stream", e.stream), read(json, "thread", e.thread), read(json, "bytes", e.bytes),
      read(json, "pinned", e.pinned);
  read(json, "launch", e.launch), read(json, "name", e.name), read(json, "times", e.times),
      read(json, "begin", e.begin_ns);
  read(json, "end", e.end_ns), read(json, "waited", e.waited_ns);
  read(json, "device_begin", e.device_begin_ns), read(json, "device_end", e.device_end_ns);
  return e;
}

// A command is synchronous when its call waited, which is known only when that ends: after the command's own record.
void mark_synchronous(std::vector<HostEvent>& events) {
  std::map<std::pair<uint64_t, uint64_t>, const HostEvent*> calls;  // that waited, by thread and last command
  for (const HostEvent& e : events)
    if (e.kind == HostEvent::Kind::Call && e.waited_ns > 0 && e.number <= e.last_number)
      calls[{e.thread, e.last_number}] = &e;
  for (HostEvent& e : events) {
    if (!e.is_command()) continue;
    auto call = calls.lower_bound({e.thread, e.number});
    e.synchronous = call != calls.end() && call->first.first == e.thread && call->second->number <= e.number;
  }
}

}  // namespace

std::string launch_to_json(const LaunchCounts& launch) { return dump(to_json(launch)); }

Result<LaunchCounts> launch_from_json(std::string_view text) {
  const Json json = parse_json<Json>(text);
  if (!json.is_object() || !json.contains("kernel")) return Error{"U0010", "not the counts of a launch"};
  return launch_of(json);
}

Result<std::unique_ptr<RecordWriter>> RecordWriter::open(const std::string& path, const device::Properties& device) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return Error{"U0002", fmt::format("counts cannot be written to `{}`: {}", path, std::strerror(errno))};
  std::unique_ptr<RecordWriter> writer(new RecordWriter(fd));
  writer->write_line(
      dump({{"v", kRecordsVersion}, {"type", "start"}, {"pid", writer->pid_}, {"device", std::string(device.id)}}));
  return writer;
}

RecordWriter::RecordWriter(int fd) : fd_(fd), pid_(getpid()) {}

RecordWriter::~RecordWriter() {
  finish();
  close(fd_);
}

void RecordWriter::finish() {
  if (!finished_) write_line(dump({{"type", "end"}, {"pid", pid_}}));
  finished_ = true;
}

void RecordWriter::write_line(std::string line) {
  line += '\n';
  for (std::string_view left = line; !left.empty();) {
    const ssize_t done = ::write(fd_, left.data(), left.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) {
      fmt::print(stderr, "warpwise: counts cannot be written: {}\n", std::strerror(errno));
      return;
    }
    left.remove_prefix(size_t(done));
  }
}

void RecordWriter::write(const LaunchCounts& launch) {
  Json record = to_json(launch);
  record["type"] = "launch";
  record["pid"] = pid_;
  write_line(dump(record));
}

void RecordWriter::write_again(uint64_t of, uint64_t index) {
  write_line(dump({{"type", "again"}, {"pid", pid_}, {"of", of}, {"index", index}}));
}

void RecordWriter::write(const HostEvent& event) {
  Json record = to_json(event);
  record["type"] = "event";
  record["pid"] = pid_;
  write_line(dump(record));
}

void RecordWriter::write(const MeasuredLaunch& launch) {
  Json record = to_json(launch);
  record["type"] = "measured";
  record["pid"] = pid_;
  write_line(dump(record));
}

std::string to_records(const Profile& profile) {
  std::string text;
  auto add = [&](Json record, const char* type) {
    record["type"] = type;
    text += dump(record) + "\n";
  };
  add({{"v", kRecordsVersion}, {"device", profile.device}}, "start");
  add({{"name", profile.program}}, "program");
  for (const LaunchCounts& launch : profile.launches) add(to_json(launch), "launch");
  for (const HostEvent& event : profile.events) add(to_json(event), "event");
  if (!profile.measured_on.empty())
    add({{"name", profile.measured_on}, {"why_no_hardware", profile.why_no_hardware}}, "measured on");
  for (const MeasuredLaunch& launch : profile.measured) add(to_json(launch), "measured");
  for (const HardwareCounts& counts : profile.hardware) add(to_json(counts), "hardware");
  if (profile.complete) add(Json::object(), "end");
  return text;
}

Profile read_records(std::string_view text) {
  Profile profile;
  unsigned started = 0, ended = 0, damaged = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const Json json = parse_json<Json>(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    std::string type;
    if (json.is_object()) read(json, "type", type);
    if (type == "start")
      ++started, read(json, "device", profile.device), read(json, "v", profile.version);
    else if (type == "end")
      ++ended;
    else if (type == "program")
      read(json, "name", profile.program);
    else if (type == "launch")
      profile.launches.push_back(launch_of(json));
    else if (type == "again") {
      if (!add_again(json, profile.launches)) ++damaged;
    } else if (type == "measured on")
      read(json, "name", profile.measured_on), read(json, "why_no_hardware", profile.why_no_hardware);
    else if (type == "measured")
      profile.measured.push_back(measured_of(json));
    else if (type == "hardware")
      profile.hardware.push_back(hardware_of(json));
    else if (type == "event") {
      if (std::optional<HostEvent> event = event_of(json))
        profile.events.push_back(std::move(*event));
      else
        ++damaged;
    } else {
      ++damaged;
    }
  }
  mark_synchronous(profile.events);
  if (damaged != 0) profile.not_counted.push_back(fmt::format("{} damaged records", damaged));
  profile.complete = started > 0 && started == ended && damaged == 0;
  return profile;
}

}  // namespace warpwise::perf
