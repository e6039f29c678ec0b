// The page of a comparison: for each kernel what changed and why, and the two runs side by side.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "base/markup.h"
#include "perf/report/compare.h"
#include "perf/report/format.h"
#include "perf/report/html_parts.h"
#include "perf/report/limited_by.h"
#include "perf/report/roofline.h"

namespace warpwise::perf {
namespace {

constexpr size_t kMostComparedLines = 12;

class ComparisonPage {
 public:
  ComparisonPage(const Comparison& c, const Provenance& provenance) : c_(c), provenance_(provenance) {}

  std::string write() {
    const std::string &before = c_.before->profile->program, &after = c_.after->profile->program;
    out_ = page_begin(fmt::format("{} and {}: comparison", before, after));
    head(before, after);
    if (c_.kernels.size() != 1) kernels();
    for (size_t i = 0; i < c_.kernels.size(); ++i) pair(c_.kernels[i], i);
    return std::move(out_) + page_end();
  }

 private:
  template <class... A>
  void put(fmt::format_string<A...> format, A&&... arguments) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<A>(arguments)...);
  }

  void head(const std::string& before, const std::string& after) {
    put("<h1>{} <span class=soft>→</span> {}</h1>", escape_markup(file_name(before)), escape_markup(file_name(after)));
    const bool same = c_.before->device->id == c_.after->device->id;
    out_ += provenance_html(provenance_,
                            same ? c_.after->device->name
                                 : fmt::format("{} before, {} after", c_.before->device->name, c_.after->device->name));
    put("<p class=soft>Times are modelled, not measured{}.</p>",
        c_.before->copy_seconds + c_.after->copy_seconds > 0
            ? fmt::format("; copies between host and device take {} before and {} after",
                          seconds_text(c_.before->copy_seconds), seconds_text(c_.after->copy_seconds))
            : std::string());
  }

  void kernels() {
    put("<div class=verdict>{}<p class=soft>all kernels</p></div>", times(c_.before->time(), c_.after->time()));
    put("<section><h2>Kernels</h2><div class=scroll><table><thead><tr><th>kernel{}{}{}<th class=left>limited "
        "by</tr></thead><tbody>",
        sorter("before"), sorter("after"), sorter("times faster", false, Column::Wide));
    for (size_t i = 0; i < c_.kernels.size(); ++i) {
      const KernelPair& p = c_.kernels[i];
      put("<tr><td class=name><a href='#kernel{}'>{}</a>{}{}{}<td class=left>{}", i, escape_markup(name_of(p)),
          side(p.before), side(p.after), cell(p.speedup(), speedup_text(p), Column::Wide), limiters(p));
    }
    put("</tbody></table></div>");
    roofline();
    put("</section>");
  }

  void roofline() {
    if (std::string svg = roofline_svg(c_); !svg.empty())
      put("<h3>Roofline</h3>{}<p class='soft small'>Each line leads from a kernel before (open circle) to the same "
          "kernel "
          "after. Left of the bend, memory bandwidth is the limit; right of it, arithmetic. Hover to read values.</p>",
          svg);
  }

  static std::string speedup_text(const KernelPair& p) {
    if (p.speedup() <= 0) return "–";
    const std::string text = fmt::format("{:.2f}", p.speedup());
    return p.difference() == Difference::Unclear
               ? fmt::format("<span class=soft title='The ranges of the two times overlap'>≈ {}</span>", text)
               : text;
  }

  static std::string side(const KernelReport* k) {
    return cell(k ? k->seconds : 0, k ? seconds_text(k->seconds) : "–");
  }
  static std::string limiter_of(const KernelReport* k) {
    return k && k->predicted ? std::string(perf::name_of(k->prediction.limiter)) : "–";
  }
  static std::string limiters(const KernelPair& p) {
    const std::string before = limiter_of(p.before), after = limiter_of(p.after);
    return before == after ? before : before + " → " + after;
  }
  static std::string name_of(const KernelPair& p) {
    if (p.before && p.after && p.before->launch.kernel != p.after->launch.kernel)
      return p.before->launch.kernel + " → " + p.after->launch.kernel;
    return (p.after ? p.after : p.before)->launch.kernel;
  }
  // Both times with their ranges, and what the model can say of the two.
  static std::string times(const TimeRange& before, const TimeRange& after) {
    const Difference difference = difference_of(before, after);
    const char* kind = difference == Difference::Faster ? "gain" : difference == Difference::Slower ? "loss" : "soft";
    return fmt::format(
        "<p><strong class=time>{} → {}</strong> <span class={}>{}</span></p><p class=soft>between {} and {} before, "
        "between {} and {} after</p>",
        seconds_text(before.seconds), seconds_text(after.seconds), kind, difference_words(before, after),
        seconds_text(before.low), seconds_text(before.high), seconds_text(after.low), seconds_text(after.high));
  }

  void pair(const KernelPair& p, size_t index) {
    put("<section id=kernel{}><h2 class=mono>{}</h2>", index, escape_markup(name_of(p)));
    if (!p.before || !p.after) {
      put("<p>This kernel runs only {}. It takes {}.</p></section>", p.before ? "before" : "after",
          seconds_text((p.before ? p.before : p.after)->seconds));
      return;
    }
    // The only kernel of the page has the roofline at its side.
    const bool only = c_.kernels.size() == 1;
    if (only) put("<div class=lead><div>");
    if (p.before->predicted && p.after->predicted) {
      put("<div class=verdict>{}", times(p.before->time(), p.after->time()));
      for (const std::string& sentence : why(p)) put("<p>{}</p>", escape_markup(sentence));
      put("</div>");
    }
    if (only) {
      next_steps(*p.after);
      put("</div><div>");
      roofline();
      put("</div></div>");
    } else {
      next_steps(*p.after);
    }
    changes(p);
    put("<div class=columns>");
    run("Before", *p.before, *c_.before);
    run("After", *p.after, *c_.after);
    put("</div>");
    // Source lines need the whole width: one table below the other.
    for (const auto& [title, k, analysis] :
         {std::tuple("Source lines before", p.before, c_.before), std::tuple("Source lines after", p.after, c_.after)})
      if (k->predicted) out_ += source_table_html(title, *k, *analysis->device, sources_, kMostComparedLines);
    put("</section>");
  }

  void next_steps(const KernelReport& after) {
    constexpr size_t kMost = 2;
    if (after.advice.empty()) return;
    put("<h3>What to do next</h3><ol class=advice>");
    for (size_t i = 0; i < after.advice.size() && i < kMost; ++i) out_ += advice_html(after.advice[i]);
    put("</ol>");
  }

  void changes(const KernelPair& p) {
    if (p.parts.empty() && p.figures.empty()) return put("<p>No counter changed by more than 1 %.</p>");
    put("<h3>What changed</h3><div class=scroll><table><thead><tr><th><th>before<th>after<th "
        "class=left>change</tr></thead><tbody>");
    for (const Change& part : p.parts) row(part, fmt::format("{}: busy for", part.name));
    for (const Change& figure : p.figures) row(figure, figure.name);
    put("</tbody></table></div>");
  }
  void row(const Change& c, std::string_view name) {
    put("<tr><td class=name>{}<td>{}<td>{}<td class=left><span class={}>{}</span>", name, value_text(c.before, c.unit),
        value_text(c.after, c.unit),
        !c.costs || !c.felt  ? "soft"
        : c.after < c.before ? "gain"
                             : "loss",
        growth_text(c));
  }

  // One of the two, in a column.
  void run(std::string_view title, const KernelReport& k, const Analysis& analysis) {
    const LaunchCounts& l = k.launch;
    put("<div><h3>{}</h3><p class='soft small'>{}{} blocks of {} threads, {} registers per thread{}, {} of shared "
        "memory "
        "per block</p>",
        title, k.launches > 1 ? fmt::format("{} launches, ", k.launches) : "", size_text(l.grid), size_text(l.block),
        l.registers, l.register_source == RegisterSource::Estimate ? " (an estimate)" : "",
        bytes_text(l.static_shared_bytes + l.dynamic_shared_bytes));
    if (!k.predicted) return put("<p>Such a block cannot run on {}.</p></div>", escape_markup(analysis.device->name));
    put("<p>Takes {}, limited by {}.</p>{}{}</div>", seconds_text(k.seconds), escape_markup(limited_by(k)),
        meters_html(k.prediction), memory_svg(k));
  }

  const Comparison& c_;
  const Provenance& provenance_;
  SourceText sources_;
  std::string out_;
};

}  // namespace

std::string to_html(const Comparison& comparison, const Provenance& provenance) {
  return ComparisonPage(comparison, provenance).write();
}

}  // namespace warpwise::perf
