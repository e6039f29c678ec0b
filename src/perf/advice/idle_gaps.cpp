#include "perf/advice/idle_gaps.h"

#include <algorithm>
#include <map>
#include <unordered_set>

namespace warpwise::perf {
namespace {

std::vector<const HostEvent*> commands_in_time(const Profile& profile) {
  std::vector<const HostEvent*> commands;
  for (const HostEvent& e : profile.events)
    if (e.is_command()) commands.push_back(&e);
  std::stable_sort(commands.begin(), commands.end(),
                   [](const HostEvent* a, const HostEvent* b) { return a->device_begin_ns < b->device_begin_ns; });
  return commands;
}

}  // namespace

std::vector<IdleGap> idle_gaps(const Profile& profile) {
  std::map<uint64_t, std::vector<const HostEvent*>> waits;  // by thread, in the order of their ends
  std::unordered_set<uint64_t> copies;                      // by number
  for (const HostEvent& e : profile.events) {
    if (e.kind == HostEvent::Kind::Call && e.waited_ns > 0) waits[e.thread].push_back(&e);
    if (e.moves_to_or_from_host()) copies.insert(e.number);
  }
  std::vector<IdleGap> gaps;
  uint64_t busy_until = 0;
  for (const HostEvent* e : commands_in_time(profile)) {
    const uint64_t idle_from = busy_until;
    busy_until = std::max(busy_until, e->device_end_ns);
    if (idle_from == 0 || e->device_begin_ns <= idle_from) continue;
    const std::vector<const HostEvent*>& calls = waits[e->thread];
    auto after = std::upper_bound(calls.begin(), calls.end(), e->begin_ns,
                                  [](uint64_t time, const HostEvent* call) { return time < call->end_ns; });
    if (after == calls.begin() || (*(after - 1))->end_ns < idle_from) continue;
    const HostEvent* call = *(after - 1);
    gaps.push_back({double(e->device_begin_ns - idle_from) * 1e-9, call,
                    call->number <= call->last_number && copies.contains(call->last_number)});
  }
  return gaps;
}

double device_span(const Profile& profile) {
  uint64_t first = UINT64_MAX, last = 0;
  for (const HostEvent& e : profile.events)
    if (e.is_command()) first = std::min(first, e.device_begin_ns), last = std::max(last, e.device_end_ns);
  return last > first ? double(last - first) * 1e-9 : 0;
}

}  // namespace warpwise::perf
