#include "perf/report/html_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/markup.h"
#include "perf/report/format.h"
#include "perf/report/hot_lines.h"
#include "perf/report/meters.h"

namespace warpwise::perf {
namespace {

using enum Counter;

constexpr std::string_view kStyle =
#include "perf/report/html_style.inc"
    ;
constexpr std::string_view kScript =
#include "perf/report/html_script.inc"
    ;

std::string upper(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

double quotient(uint64_t above, uint64_t below) { return below ? double(above) / double(below) : 0; }

}  // namespace

std::string page_begin(std::string_view title) {
  return fmt::format(
      "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport "
      "content='width=device-width,initial-scale=1'><title>{}</title><style>{}</style><main>",
      escape_markup(title), kStyle);
}
std::string provenance_html(const Provenance& p, std::string_view devices) {
  return fmt::format("<p class='soft small provenance'>Warpwise {} · {} · {} · <code>{}</code></p>",
                     escape_markup(p.version), escape_markup(p.date), escape_markup(devices), escape_markup(p.command));
}
std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }
std::string page_end() {
  return fmt::format("</main><div id=tip role=status></div><script>{}</script></html>\n", kScript);
}

std::string sorter(std::string_view title, bool sorted, Column column) {
  return fmt::format("<th{}{}><button>{}</button>", column == Column::Wide ? " class=wide" : "",
                     sorted ? " aria-sort=descending" : "", title);
}
std::string cell(double value, std::string_view text, Column column) {
  return fmt::format("<td{} data-value={}>{}", column == Column::Wide ? " class=wide" : "", value, text);
}

std::string meters_html(const Prediction& p) {
  std::string html;
  for (const Meter& m : meters_of(p))
    html += fmt::format(
        "<div class='meter{}'><span>{}</span><div class=track><div class='fill {}' "
        "style='width:{:.1f}%'></div></div><b>{}</b></div>",
        m.depth == 0   ? ""
        : m.depth == 1 ? " part"
                       : " part inner",
        m.name, m.group == Group::Memory ? "memory" : "compute", 100 * m.share, percent_text(m.share));
  return html +
         "<p class='soft small'>Compute and memory are each as busy as their busiest part, as in Nsight Compute's "
         "Speed "
         "of Light. Memory is all of L1, shared memory, L2 and DRAM. L1 and shared memory are served by one pipe, so "
         "their shares add up.</p>";
}

std::string advice_html(const Advice& item, std::string_view of) {
  return fmt::format(
      "<li><strong>{}</strong>{}{}<p>{}{}. {}.</p><p class='soft small'>More: <code>warpwise explain {}</code></p>",
      escape_markup(item.info->title),
      item.gain >= 1.05 ? fmt::format(" <span class=gain>up to {:.1f}× faster</span>", item.gain) : std::string(),
      of.empty() ? std::string() : fmt::format(" <span class=soft>in {}</span>", of),
      escape_markup(upper(item.evidence)),
      item.place ? fmt::format(" (<code>{}:{}</code>)", escape_markup(file_name(item.place->file)), item.place->line)
                 : std::string(),
      escape_markup(upper(item.remedy)), item.info->key);
}

std::string memory_svg(const KernelReport& k) {
  const Counts& c = k.launch.totals;
  struct Box {
    const char* name;
    std::string note;
  };
  double asked = double(c[GlobalLoadBytes] + c[GlobalStoreBytes]),
         l1 = 32.0 * double(c[GlobalLoadSectors] + c[GlobalStoreSectors]);
  bool cached = k.launch.cached_blocks > 0;
  auto hits = [&](Counter hit, Counter all) {
    return cached && c[all] ? fmt::format("hit rate {}", percent_text(ratio(c, hit, all))) : std::string();
  };
  Box boxes[] = {
      {"threads", ""}, {"L1", hits(L1ReadHits, L1ReadSectors)}, {"L2", hits(L2ReadHits, L2ReadSectors)}, {"DRAM", ""}};
  std::string flows[] = {fmt::format("{} requested, {} in sectors", bytes_text(asked), bytes_text(l1)),
                         cached ? bytes_text(32.0 * double(c[L2ReadSectors] + c[L2WriteSectors])) : "not known",
                         cached ? bytes_text(k.dram_bytes()) : "not known"};
  std::string svg = "<svg class=chart viewBox='0 0 360 236' role=img aria-label='Memory traffic'>";
  for (int i = 0; i < 4; ++i) {
    double y = 4 + 64 * i;
    fmt::format_to(std::back_inserter(svg),
                   "<rect class=box x=4 y={} width=140 height=36 rx=5 /><text x=14 y={}>{}</text><text class=soft "
                   "x=138 y={} text-anchor=end>{}</text>",
                   y, y + 22, boxes[i].name, y + 22, boxes[i].note);
    if (i < 3)
      fmt::format_to(std::back_inserter(svg),
                     "<path class=flow stroke-width=2 d='M64 {}v24m-5 -6l5 6l5 -6'/><text x=78 y={}>{}</text>", y + 38,
                     y + 54, flows[i]);
  }
  if (c[SharedLoads] + c[SharedStores] > 0) {
    double wavefronts = double(c[SharedLoadWavefronts] + c[SharedStoreWavefronts]),
           conflicts = double(c[SharedLoadConflicts] + c[SharedStoreConflicts]);
    fmt::format_to(
        std::back_inserter(svg),
        "<path class=flow stroke-width=2 d='M146 22h22m-6 -5l6 5l-6 5'/><rect class=box x=172 y=4 width=186 "
        "height=36 rx=5 /><text x=180 y=19>shared memory</text>"
        "<text class=soft x=180 y=34>{} wavefronts{}</text>",
        count_text(wavefronts),
        conflicts > 0.005 * wavefronts ? fmt::format(", {} conflicts", percent_text(conflicts / wavefronts)) : "");
  }
  return svg + "</svg>";
}

std::string source_table_html(std::string_view heading, const KernelReport& k, const device::Properties& device,
                              SourceText& sources, size_t most) {
  const std::vector<HotLine> lines = hot_lines(k, device);
  if (lines.empty()) return "";
  std::string html = fmt::format(
      "<h3>{}</h3><p class='soft small'>Sectors (32 bytes of global memory) and wavefronts (of shared memory) are for "
      "each request of a warp. Threads: active threads of a warp. Divergent: the share of branches at which a warp "
      "diverges.</p><div class=scroll><table class=lines><thead><tr>{}{}<th "
      "class=left>source{}{}{}{}{}</tr></thead><tbody>",
      heading, sorter("share", true), sorter("line"), sorter("instructions"), sorter("sectors"), sorter("wavefronts"),
      sorter("threads"), sorter("divergent"));
  for (size_t i = 0; i < lines.size() && i < most; ++i) {
    const Counts& c = lines[i].line->counts;
    const SourceFrame& place = lines[i].line->frames.front();
    const double sectors =
        quotient(c[GlobalLoadSectors] + c[GlobalStoreSectors], c[GlobalLoadRequests] + c[GlobalStoreRequests]);
    const double wavefronts =
        quotient(c[SharedLoadWavefronts] + c[SharedStoreWavefronts], c[SharedLoads] + c[SharedStores]);
    const double active = ratio(c, ThreadInstructions, Instructions), divergent = ratio(c, DivergentBranches, Branches);
    html += fmt::format(
        "<tr title=\"{}\">{}<td data-value={}>{}<td class='source mono'>{}{}{}{}{}{}",
        escape_markup(fmt::format("{}:{}", place.file, place.line)), cell(lines[i].share, percent_text(lines[i].share)),
        place.line, place.line, escape_markup(sources.line(place.file, place.line)),
        cell(double(c[Instructions]), count_text(double(c[Instructions]))),
        cell(sectors, sectors > 0 ? fmt::format("{:.1f}", sectors) : "–"),
        cell(wavefronts, wavefronts > 0 ? fmt::format("{:.1f}", wavefronts) : "–"),
        cell(active, fmt::format("{:.0f}", active)), cell(divergent, divergent > 0 ? percent_text(divergent) : "–"));
  }
  return html + "</tbody></table></div>";
}

}  // namespace warpwise::perf
