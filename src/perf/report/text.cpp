#include "perf/report/text.h"

#include <fmt/format.h>

#include <algorithm>

#include "perf/report/format.h"
#include "perf/report/hot_lines.h"
#include "perf/report/limited_by.h"
#include "perf/report/meters.h"
#include "perf/report/ranges.h"
#include "perf/report/source_text.h"

namespace warpwise::perf {
namespace {

using enum Counter;

constexpr unsigned kBar = 24;
constexpr size_t kMostRanges = 12;

class Text {
 public:
  Text(const Analysis& analysis, const TextOptions& options) : a_(analysis), options_(options) {}

  std::string write() {
    head();
    size_t shown = std::min(options_.kernels, a_.kernels.size());
    for (size_t i = 0; i < shown; ++i) kernel(a_.kernels[i]);
    if (shown < a_.kernels.size())
      line("… and {} more kernels, {} of the time", a_.kernels.size() - shown, percent_text(rest(shown)));
    ranges();
    program();
    return std::move(out_);
  }

 private:
  template <class... A>
  void line(fmt::format_string<A...> format, A&&... arguments) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<A>(arguments)...);
    out_ += '\n';
  }
  std::string strong(std::string_view text) const { return styled("1", text); }
  std::string faint(std::string_view text) const { return styled("2", text); }
  std::string styled(const char* sgr, std::string_view text) const {
    return options_.color ? fmt::format("\x1b[{}m{}\x1b[0m", sgr, text) : std::string(text);
  }

  double rest(size_t shown) const {
    double seconds = 0;
    for (size_t i = shown; i < a_.kernels.size(); ++i) seconds += a_.kernels[i].seconds;
    return a_.seconds > 0 ? seconds / a_.seconds : 0;
  }

  void head() {
    line("{}", strong(fmt::format("profile of {} on {}", a_.profile->program, a_.device->name)));
    if (a_.profile->measured_on.empty())
      line(
          "Times are modelled, not measured, and so are those that cudaEventElapsedTime gives the program "
          "(docs/model.md).");
    else
      line(
          "Times are modelled (docs/model.md). Beside them: what {} needed, with caches that were empty before each "
          "launch. The program's own times have the emptying in them.",
          a_.profile->measured_on);
    if (!a_.profile->why_no_hardware.empty()) line("{}", a_.profile->why_no_hardware);
    for (const std::string& launch : a_.not_matched) line("not compared: {}", launch);
    if (!a_.profile->complete)
      line(
          "The program ended before its record was complete (a signal, _exit, or no use of the device). This is what "
          "was counted until then.");
    for (const std::string& note : a_.profile->not_counted) line("not counted: {}", note);
    if (a_.kernels.empty()) line("\nNo kernel of the program ran.");
    if (a_.kernels.size() > 1) overview();
  }

  void overview() {
    line("");
    for (const KernelReport& k : a_.kernels) {
      if (&k - a_.kernels.data() >= static_cast<ptrdiff_t>(options_.kernels)) break;
      double share = a_.seconds > 0 ? k.seconds / a_.seconds : 0;
      line("{:>6} {} {:>9}  {:>5}×  {}", percent_text(share), bar(share, 12), seconds_text(k.seconds), k.launches,
           k.launch.kernel);
    }
    std::string copies =
        a_.copy_seconds > 0 ? fmt::format("; copies between host and device {}", seconds_text(a_.copy_seconds)) : "";
    line("kernels {} in all{}", seconds_text(a_.seconds), copies);
  }

  void kernel(const KernelReport& k) {
    const LaunchCounts& l = k.launch;
    line("");
    line("{}", strong(l.kernel));
    line("  {}{} block{} of {} thread{}, {} registers per thread{}, {} of shared memory per block",
         k.launches > 1 ? fmt::format("{} launches, ", k.launches) : "", size_text(l.grid),
         l.grid.count() == 1 ? "" : "s", size_text(l.block), l.block.count() == 1 ? "" : "s", l.registers,
         l.register_source == RegisterSource::Estimate ? " (an estimate)" : "",
         bytes_text(l.static_shared_bytes + l.dynamic_shared_bytes));
    if (l.failed) line("  The launch failed; these are the counts until then.");
    if (!k.predicted) {
      line("  Such a block cannot run on {}: no time can be modelled.", a_.device->name);
      return;
    }
    verdict(k);
    measured(k);
    speed_of_light(k);
    occupancy(k);
    memory(k);
    hot_lines(k);
    advice(k.advice);
    for (const std::string& note : l.notes) line("  {}", faint("note: " + note));
  }

  void verdict(const KernelReport& k) {
    const Prediction& p = k.prediction;
    std::string rate = k.flops() > 0 ? fmt::format(", {}", rate_text(k.flops() / k.seconds, "FLOP")) : std::string();
    line("  {}  between {} and {}{}", strong("takes " + seconds_text(k.seconds)), seconds_text(k.low),
         seconds_text(k.high), rate);
    line("  {} {}", strong("limited by"), limited_by(k));
    if (p.seconds_without_limiter < 0.97 * p.seconds && !(p.next == p.limiter))
      line("  {}", faint(fmt::format("without that limit it would take {} and be limited by {}",
                                     seconds_text(p.seconds_without_limiter * double(k.launches)), name_of(p.next))));
  }

  void measured(const KernelReport& k) {
    if (!k.measured) return;
    const KernelMeasurement& m = *k.measured;
    const std::string spread = spread_text(m);
    line("");
    line("  {}{}", strong("measured " + seconds_text(m.seconds)), spread.empty() ? "" : "  " + spread);
    line("    {}", verdict_text(m));
    for (const std::string& sentence : m.difference) line("    {}", sentence);
    if (m.counters.empty()) return;
    line("    counters of {} launch{}", m.counted_launches, m.counted_launches == 1 ? "" : "es");
    line("      {:60} {:>10} {:>10}  {}", "", "GPU", "here", "here / GPU");
    for (const CounterPair& pair : m.counters)
      line("      {:60} {:>10} {:>10}  {}", info_of(pair.counter).name, count_text(pair.gpu), count_text(pair.here),
           pair.gpu > 0 ? fmt::format("{:.3f}", pair.here / pair.gpu) : "–");
  }

  void speed_of_light(const KernelReport& k) {
    const Prediction& p = k.prediction;
    line("");
    line("  how busy the GPU is: each group as its busiest part, as in ncu's Speed of Light");
    const std::vector<Meter> meters = meters_of(p);
    for (size_t i = 0; i < meters.size();) {
      line("    {:8} {:>5} {}", meters[i].name, percent_text(meters[i].share), bar(meters[i].share, kBar));
      std::string parts;
      for (++i; i < meters.size() && meters[i].depth > 0; ++i) {
        const bool first_inner = meters[i].depth == 2 && meters[i - 1].depth == 1;
        const bool last_inner = meters[i].depth == 2 && (i + 1 == meters.size() || meters[i + 1].depth != 2);
        parts += fmt::format("{}{} {}{}",
                             parts.empty() ? ""
                             : first_inner ? " (one pipe: "
                                           : ", ",
                             meters[i].name, percent_text(meters[i].share), last_inner ? ")" : "");
      }
      if (!parts.empty()) line("             {}", faint(parts));
    }
  }

  void occupancy(const KernelReport& k) {
    const Prediction& p = k.prediction;
    std::string limits;
    for (device::OccupancyLimit limit : device::kOccupancyLimits)
      if (p.occupancy.limited_by(limit)) limits += fmt::format("{}{}", limits.empty() ? "" : " and ", name_of(limit));
    line("");
    line("  occupancy  {} of the warps that an SM can hold ({} of {}){}", percent_text(p.occupancy.fraction),
         p.occupancy.warps(), a_.device->warps_per_sm(), p.occupancy.fraction < 1 ? "; the limit is " + limits : "");
    line("             {}", waves_text(k, *a_.device));
  }

  void memory(const KernelReport& k) {
    const Counts& c = k.launch.totals;
    double asked = double(c[GlobalLoadBytes] + c[GlobalStoreBytes]);
    if (asked + double(c[SharedLoadBytes] + c[SharedStoreBytes]) == 0) return;
    line("");
    line("  memory");
    if (asked > 0) {
      line("    threads request   {:>9} of global memory, in {} requests of warps", bytes_text(asked),
           count_text(double(c[GlobalLoadRequests] + c[GlobalStoreRequests])));
      line("    L1 moves          {:>9}{}", bytes_text(32.0 * double(c[GlobalLoadSectors] + c[GlobalStoreSectors])),
           waste(c) > 1.05 ? fmt::format("  ({:.1f} times the bytes requested: whole sectors)", waste(c)) : "");
    }
    if (k.launch.cached_blocks > 0 && asked > 0) {
      line("    L2 moves          {:>9}  (L1 hit rate {})",
           bytes_text(32.0 * double(c[L2ReadSectors] + c[L2WriteSectors])),
           percent_text(ratio(c, L1ReadHits, L1ReadSectors)));
      line("    DRAM moves        {:>9}  (L2 hit rate {})", bytes_text(k.dram_bytes()),
           percent_text(ratio(c, L2ReadHits, L2ReadSectors)));
    }
    if (c[SharedLoads] + c[SharedStores] > 0) {
      double wavefronts = double(c[SharedLoadWavefronts] + c[SharedStoreWavefronts]),
             conflicts = double(c[SharedLoadConflicts] + c[SharedStoreConflicts]);
      line("    shared memory     {:>9} wavefronts{}", count_text(wavefronts),
           conflicts > 0.005 * wavefronts
               ? fmt::format(", {} of them bank conflicts", percent_text(conflicts / wavefronts))
               : "");
    }
  }

  static double waste(const Counts& c) {
    double bytes = double(c[GlobalLoadBytes] + c[GlobalStoreBytes]);
    return bytes > 0 ? 32.0 * double(c[GlobalLoadSectors] + c[GlobalStoreSectors]) / bytes : 1;
  }

  void hot_lines(const KernelReport& k) {
    const std::vector<HotLine> lines = perf::hot_lines(k, *a_.device);
    if (lines.empty() || options_.lines == 0) return;
    line("");
    line("  where the time goes");
    for (size_t i = 0; i < lines.size() && i < options_.lines; ++i) {
      const auto& [share, counts] = lines[i];
      if (share < 0.005) break;
      const SourceFrame& place = counts->frames.front();
      std::string_view text = sources_.line(place.file, place.line);
      size_t begin = text.find_first_not_of(" \t");
      line("    {:>5}  {}:{}  {}", percent_text(share), base_name(place.file), place.line,
           begin == text.npos ? std::string_view() : text.substr(begin));
      std::string cost = cost_of(counts->counts);
      if (counts->frames.size() > 1)
        cost += fmt::format("{}called at {}:{}", cost.empty() ? "" : "; ", base_name(counts->frames.back().file),
                            counts->frames.back().line);
      if (!cost.empty()) line("           {}", faint(cost));
    }
  }

  static std::string_view base_name(std::string_view file) { return file.substr(file.rfind('/') + 1); }

  void advice(const std::vector<Advice>& list) {
    if (list.empty()) return;
    line("");
    line("  what to do");
    for (size_t i = 0; i < list.size() && i < options_.advice; ++i) {
      const Advice& advice = list[i];
      line("    {}. {} {}", i + 1, strong(advice.info->title),
           advice.gain >= 1.05 ? fmt::format("— up to {:.1f} times faster", advice.gain) : std::string());
      line("       {}{}", advice.evidence,
           advice.place ? fmt::format(" ({}:{})", base_name(advice.place->file), advice.place->line) : "");
      line("       {}", advice.remedy);
      line("       {}", faint(fmt::format("more: warpwise explain {}", advice.info->key)));
    }
  }

  // Names that the program gives its parts (NVTX).
  void ranges() {
    const std::vector<RangeSum> sums = sums_of(ranges_of(*a_.profile));
    if (sums.empty()) return;
    line("");
    line("{}", strong("ranges that the program names"));
    for (size_t i = 0; i < sums.size() && i < kMostRanges; ++i) {
      const RangeSum& s = sums[i];
      line("  {:32} {:>9}  {:>5}×  {} kernel{}", s.name, s.commands > 0 ? seconds_text(s.device_seconds) : "–", s.times,
           s.kernels, s.kernels == 1 ? "" : "s");
    }
    if (sums.size() > kMostRanges) line("  … and {} more", sums.size() - kMostRanges);
  }

  void program() {
    if (a_.advice.empty()) return;
    line("");
    line("{}", strong("the program"));
    advice(a_.advice);
  }

  const Analysis& a_;
  const TextOptions& options_;
  SourceText sources_;
  std::string out_;
};

}  // namespace

std::string to_text(const Analysis& analysis, const TextOptions& options) { return Text(analysis, options).write(); }

}  // namespace warpwise::perf
