#include "perf/report/ranges.h"

#include <algorithm>

namespace warpwise::perf {

using Kind = HostEvent::Kind;

std::vector<RangeTime> ranges_of(const Profile& profile) {
  std::vector<const HostEvent*> commands;
  for (const HostEvent& e : profile.events)
    if (e.is_command()) commands.push_back(&e);
  const auto earlier = [](const HostEvent* a, const HostEvent* b) { return a->number < b->number; };
  std::stable_sort(commands.begin(), commands.end(), earlier);
  std::vector<RangeTime> ranges;
  for (const HostEvent& range : profile.events) {
    if (range.kind != Kind::Range || (range.begin_ns == range.end_ns && range.last_number < range.number)) continue;
    RangeTime time{&range};
    for (auto at = std::lower_bound(commands.begin(), commands.end(), &range, earlier);
         at != commands.end() && (*at)->number <= range.last_number; ++at) {
      const HostEvent& e = **at;
      if (e.thread != range.thread) continue;
      time.begin_ns = time.commands == 0 ? e.device_begin_ns : std::min(time.begin_ns, e.device_begin_ns);
      time.end_ns = std::max(time.end_ns, e.device_end_ns);
      ++time.commands;
      time.kernels += e.kind == Kind::Launch;
    }
    ranges.push_back(time);
  }
  return ranges;
}

std::vector<RangeSum> sums_of(const std::vector<RangeTime>& ranges) {
  std::vector<RangeSum> sums;
  for (const RangeTime& r : ranges) {
    auto same = std::find_if(sums.begin(), sums.end(), [&](const RangeSum& s) { return s.name == r.event->name; });
    if (same == sums.end()) same = sums.insert(sums.end(), RangeSum{r.event->name});
    ++same->times;
    same->commands += r.commands, same->kernels += r.kernels;
    same->device_seconds += double(r.end_ns - r.begin_ns) * 1e-9;
    same->host_seconds += double(r.event->end_ns - r.event->begin_ns) * 1e-9;
  }
  return sums;
}

}  // namespace warpwise::perf
