// A measurement as a page: the plot, a table for each shape, and what was noticed.
#include <fmt/format.h>

#include "base/markup.h"
#include "bench/report/plot.h"
#include "bench/report/report.h"
#include "perf/report/format.h"
#include "perf/report/html_parts.h"

namespace warpwise::bench {
namespace {

std::string row_html(const Measurement& m, const ShapeResult& s, size_t index) {
  const Cell& cell = s.cells[index];
  const Version& version = m.versions[index];
  const double seconds = cell.seconds.median;
  std::string out = fmt::format("<tr><td class=name><code>{}</code> <span class=soft>{}</span>",
                                escape_markup(label_of(version)), escape_markup(version.idea));
  if (!version.flops.empty()) out += fmt::format(" <span class=soft>({})</span>", name_of(version.unit));
  if (cell.verdict != Verdict::Right || seconds <= 0)
    return out + fmt::format("<td colspan=4 class='left loss'>{}: {}", name_of(cell.verdict), escape_markup(cell.why));
  out += perf::cell(seconds, perf::seconds_text(seconds));
  out += fmt::format("<td>{} to {}", perf::seconds_text(cell.seconds.interval.low),
                     perf::seconds_text(cell.seconds.interval.high));
  const double share = s.roofs[index].seconds() / seconds;
  out += perf::cell(share, perf::percent_text(share));
  if (m.copy_bytes_per_second > 0 && m.leaves_l2(s.roof)) {
    const double of_copy = s.roof.bytes / seconds / m.copy_bytes_per_second;
    return out + perf::cell(of_copy, perf::percent_text(of_copy));
  }
  return out + "<td>";
}

}  // namespace

std::string to_html(const Measurement& m, const perf::Provenance& provenance) {
  std::string out = perf::page_begin(m.ladder->title);
  out += fmt::format("<h1>{}</h1><p>{} on {}{}</p>", escape_markup(m.ladder->title),
                     m.modelled() ? "Modelled" : "Measured", escape_markup(m.device->name),
                     m.modelled() ? ""
                     : m.warm     ? ", L2 warm"
                                  : ", L2 flushed");
  out += perf::provenance_html(provenance, m.device->name);
  if (!m.refusal.empty())
    out += fmt::format("<p class=verdict>Nothing was concluded: {} ({})</p>", escape_markup(m.refusal), m.refusal_code);
  out += fmt::format("<section><h2>Share of the roof</h2>{}</section>", plot_svg(m));
  for (const ShapeResult& s : m.shapes) {
    out += fmt::format("<section><h2>{}</h2><p class=soft>roof: {}, by {}</p><div class=scroll><table><tr>",
                       escape_markup(s.shape->name), perf::seconds_text(s.roof.seconds()),
                       s.roof.by_memory() ? "memory" : name_of(m.ladder->unit));
    out += "<th>step" + perf::sorter("time") + fmt::format("<th>{}", m.modelled() ? "range" : "95 % interval");
    out += perf::sorter("of the roof") + perf::sorter("of copying");
    for (size_t i = 0; i < s.cells.size(); ++i) out += row_html(m, s, i);
    out += "</table></div></section>";
  }
  for (const std::string& note : m.notes) out += fmt::format("<p class='soft small'>{}</p>", escape_markup(note));
  return out + perf::page_end();
}

}  // namespace warpwise::bench
