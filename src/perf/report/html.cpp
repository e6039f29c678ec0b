#include "perf/report/html.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/markup.h"
#include "perf/occupancy/what_if.h"
#include "perf/report/format.h"
#include "perf/report/html_parts.h"
#include "perf/report/limited_by.h"
#include "perf/report/ranges.h"
#include "perf/report/roofline.h"
#include "perf/report/source_text.h"

namespace warpwise::perf {
namespace {

constexpr size_t kMostLines = 200;

class Page {
 public:
  Page(const Analysis& a, const Provenance& provenance) : a_(a), provenance_(provenance) {}

  std::string write() {
    out_ = page_begin(fmt::format("{}: profile", a_.profile->program));
    head();
    if (a_.kernels.size() > 1) kernels();
    for (size_t i = 0; i < a_.kernels.size(); ++i) kernel(a_.kernels[i], i);
    ranges();
    if (!a_.advice.empty()) {
      put("<section><h2>The program</h2>");
      advice(a_.advice);
      put("</section>");
    }
    return std::move(out_) + page_end();
  }

 private:
  template <class... A>
  void put(fmt::format_string<A...> format, A&&... arguments) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<A>(arguments)...);
  }

  void head() {
    put("<h1>{} on {}</h1>{}<p class=soft>Kernels take {}{}. {}</p>", escape_markup(file_name(a_.profile->program)),
        escape_markup(a_.device->name), provenance_html(provenance_, a_.device->name), seconds_text(a_.seconds),
        a_.copy_seconds > 0 ? fmt::format(", copies between host and device {}", seconds_text(a_.copy_seconds))
                            : std::string(),
        a_.profile->measured_on.empty()
            ? "Times are modelled, not measured."
            : fmt::format("Times are modelled; beside them stands what {} needed, with caches that were empty before "
                          "each launch.",
                          escape_markup(a_.profile->measured_on)));
    if (!a_.profile->why_no_hardware.empty()) put("<p class=soft>{}</p>", escape_markup(a_.profile->why_no_hardware));
    for (const std::string& launch : a_.not_matched) put("<p>Not compared: {}</p>", escape_markup(launch));
    for (const std::string& note : a_.profile->not_counted) put("<p>Not counted: {}</p>", escape_markup(note));
    if (a_.kernels.empty()) put("<p>No kernel of the program ran.</p>");
  }

  // Of several kernels: what takes most of the time and what to do first, then each in a row.
  void kernels() {
    put("<section><h2>Kernels</h2>");
    lead([&] {
      const KernelReport& first = a_.kernels[0];
      put("<div class=verdict><p><strong class=time>{}</strong> <span class=soft>between {} and {}, {} "
          "kernels</span></p>"
          "<p><a href='#kernel0'>{}</a> takes {} of it{}.</p></div>",
          seconds_text(a_.seconds), seconds_text(a_.time().low), seconds_text(a_.time().high), a_.kernels.size(),
          escape_markup(first.launch.kernel), percent_text(share_of(first)),
          first.predicted ? ", limited by " + escape_markup(limited_by(first)) : std::string());
      first_advice();
    });
    put("<div class=scroll><table><thead><tr><th>kernel{}{}{}{}{}</tr></thead><tbody>",
        sorter("launches", false, Column::Wide), sorter("time", true), sorter("share", false, Column::Wide),
        sorter("arithmetic", false, Column::Wide), "<th class=left>limited by");
    for (size_t i = 0; i < a_.kernels.size(); ++i) {
      const KernelReport& k = a_.kernels[i];
      const double share = share_of(k), rate = k.seconds > 0 ? k.flops() / k.seconds : 0;
      put("<tr><td class=name><a href='#kernel{}'>{}</a>{}{}{}{}<td class=left>{}", i, escape_markup(k.launch.kernel),
          cell(double(k.launches), fmt::format("{}", k.launches), Column::Wide),
          cell(k.seconds, seconds_text(k.seconds)), cell(share, percent_text(share), Column::Wide),
          cell(rate, rate > 0 ? rate_text(rate, "FLOP") : "–", Column::Wide),
          k.predicted ? name_of(k.prediction.limiter) : "cannot run on this device");
    }
    put("</tbody></table></div></section>");
  }

  // What comes first on the page: `write` fills the left column, the roofline the right one, if there is one.
  template <class Write>
  void lead(Write write) {
    const std::string svg = roofline_svg(a_);
    put("<div{}><div>", svg.empty() ? "" : " class=lead");
    write();
    put("</div>");
    if (!svg.empty())
      put("<div><h3>Roofline</h3>{}<p class='soft small'>Each circle is a kernel; the more of the time it takes, the "
          "larger the circle. Left of the bend, memory bandwidth is the limit; right of it, arithmetic. Hover to read "
          "values.</p></div>",
          svg);
    put("</div>");
  }

  // The advice that saves most, of all kernels.
  void first_advice() {
    constexpr size_t kMost = 3;
    std::vector<std::pair<const Advice*, size_t>> all;
    for (size_t i = 0; i < a_.kernels.size(); ++i)
      for (const Advice& item : a_.kernels[i].advice) all.emplace_back(&item, i);
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& a, const auto& b) { return a.first->saved_seconds > b.first->saved_seconds; });
    if (all.empty()) return;
    if (all.size() > kMost) all.resize(kMost);
    put("<h3>What to do first</h3><ol class=advice>");
    for (const auto& [item, kernel] : all) {
      const std::string& name = a_.kernels[kernel].launch.kernel;
      out_ += advice_html(
          *item, fmt::format("<a href='#kernel{}'>{}</a>", kernel, escape_markup(name.substr(0, name.find('(')))));
    }
    put("</ol>");
  }

  double share_of(const KernelReport& k) const { return a_.seconds > 0 ? k.seconds / a_.seconds : 0; }

  void kernel(const KernelReport& k, size_t index) {
    const LaunchCounts& l = k.launch;
    put("<section id=kernel{}><h2 class=mono>{}</h2><p class=soft>{}{} blocks of {} threads, {} registers per "
        "thread{}, "
        "{} of shared memory per block</p>",
        index, escape_markup(l.kernel), k.launches > 1 ? fmt::format("{} launches, ", k.launches) : "",
        size_text(l.grid), size_text(l.block), l.registers,
        l.register_source == RegisterSource::Estimate ? " (an estimate)" : "",
        bytes_text(l.static_shared_bytes + l.dynamic_shared_bytes));
    if (!k.predicted) {
      put("<p>Such a block cannot run on {}.</p></section>", escape_markup(a_.device->name));
      return;
    }
    const auto first = [&] {
      verdict(k);
      measured(k);
      if (!k.advice.empty()) {
        put("<h3>What to do</h3>");
        advice(k.advice);
      }
    };
    if (a_.kernels.size() == 1)
      lead(first);
    else
      first();
    counters(k);
    put("<div class=columns><div><h3>How busy the GPU is</h3>");
    put("{}</div><div><h3>Memory</h3>{}</div></div>", meters_html(k.prediction), memory_svg(k));
    put("{}", source_table_html("Source lines", k, *a_.device, sources_, kMostLines));
    occupancy(k);
    for (const std::string& note : l.notes) put("<p class='soft small'>{}</p>", escape_markup(note));
    put("</section>");
  }

  void verdict(const KernelReport& k) {
    const Prediction& p = k.prediction;
    put("<div class=verdict><p><strong class=time>{}</strong> <span class=soft>between {} and "
        "{}{}</span></p><p>Limited by {}.</p>",
        seconds_text(k.seconds), seconds_text(k.low), seconds_text(k.high),
        k.flops() > 0 ? ", " + rate_text(k.flops() / k.seconds, "FLOP") : std::string(), limited_by(k));
    if (p.seconds_without_limiter < 0.97 * p.seconds && !(p.next == p.limiter))
      put("<p class=soft>Without that limit it would take {} and be limited by {}.</p>",
          seconds_text(p.seconds_without_limiter * double(k.launches)), name_of(p.next));
    put("</div>");
  }

  void measured(const KernelReport& k) {
    if (!k.measured) return;
    const KernelMeasurement& m = *k.measured;
    put("<div class=verdict><p><strong>measured {}</strong> <span class=soft>{}</span></p><p>{}.</p>",
        seconds_text(m.seconds), spread_text(m), capital(verdict_text(m)));
    for (const std::string& sentence : m.difference) put("<p class=soft>{}.</p>", capital(escape_markup(sentence)));
    put("</div>");
  }
  // The GPU's counters beside ours.
  void counters(const KernelReport& k) {
    if (!k.measured || k.measured->counters.empty()) return;
    put("<details><summary>The GPU's counters beside ours ({} of {} launches)</summary><div class=scroll><table><thead>"
        "<tr><th>counter{}{}{}</tr></thead><tbody>",
        k.measured->counted_launches, k.launches, sorter("GPU"), sorter("here"), sorter("here / GPU"));
    for (const CounterPair& pair : k.measured->counters) {
      const double quotient = pair.gpu > 0 ? pair.here / pair.gpu : 0;
      put("<tr><td class=name>{}{}{}{}", info_of(pair.counter).name, cell(pair.gpu, count_text(pair.gpu)),
          cell(pair.here, count_text(pair.here)), cell(quotient, pair.gpu > 0 ? fmt::format("{:.3f}", quotient) : "–"));
    }
    put("</tbody></table></div></details>");
  }
  static std::string capital(std::string text) {
    if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return text;
  }

  void occupancy(const KernelReport& k) {
    const device::Occupancy& o = k.prediction.occupancy;
    std::string limits;
    for (device::OccupancyLimit limit : device::kOccupancyLimits)
      if (o.limited_by(limit)) limits += fmt::format("{}{}", limits.empty() ? "" : " and ", name_of(limit));
    put("<h3>Occupancy</h3><p>Each SM has room for {} of {} warps ({}){}; {}.</p><p class='soft small'>Occupancy with "
        "another block size, or with more or fewer registers and less or more shared memory:</p>",
        o.warps(), a_.device->warps_per_sm(), percent_text(o.fraction),
        o.fraction < 1 ? ", and the limit is " + limits : "", waves_text(k, *a_.device));
    device::BlockResources block = resources_of(k.launch, *a_.device);
    put("<div class=columns>");
    steps("threads per block", block_size_steps(*a_.device, block), block.threads);
    steps("registers up to", register_steps(*a_.device, block), block.registers);
    steps("shared bytes up to", shared_steps(*a_.device, block), block.static_shared + block.dynamic_shared);
    put("</div>");
  }
  // The row of the present value is marked.
  void steps(std::string_view title, const std::vector<OccupancyStep>& list, size_t now) {
    put("<div class=scroll><table><thead><tr><th>{}<th>blocks per SM<th>occupancy</tr></thead><tbody>", title);
    const OccupancyStep* marked = nullptr;
    for (const OccupancyStep& step : list)
      if (step.value >= now && (!marked || step.value < marked->value)) marked = &step;
    for (const OccupancyStep& step : list)
      put("<tr{}><td>{}<td>{}<td>{}", &step == marked ? " class=now" : "", step.value, step.occupancy.blocks,
          percent_text(step.occupancy.fraction));
    put("</tbody></table></div>");
  }

  void ranges() {
    const std::vector<RangeSum> sums = sums_of(ranges_of(*a_.profile));
    if (sums.empty()) return;
    put("<section><h2>NVTX ranges of the program</h2><div "
        "class=scroll><table><thead><tr><th>range{}{}{}</tr></thead><tbody>",
        sorter("times"), sorter("time on the device"), sorter("kernels"));
    for (const RangeSum& s : sums)
      put("<tr><td class=name>{}{}{}{}", escape_markup(s.name), cell(double(s.times), fmt::format("{}", s.times)),
          cell(s.device_seconds, seconds_text(s.device_seconds)),
          cell(double(s.kernels), fmt::format("{}", s.kernels)));
    put("</tbody></table></div></section>");
  }

  void advice(const std::vector<Advice>& list) {
    put("<ol class=advice>");
    for (const Advice& item : list) out_ += advice_html(item);
    put("</ol>");
  }

  const Analysis& a_;
  const Provenance& provenance_;
  SourceText sources_;
  std::string out_;
};

}  // namespace

std::string to_html(const Analysis& analysis, const Provenance& provenance) {
  return Page(analysis, provenance).write();
}

}  // namespace warpwise::perf
