#include "perf/report/html_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "perf/report/format.h"
#include "perf/report/hot_lines.h"

namespace warpwise::perf {
namespace {

using enum Counter;

constexpr std::string_view kStyle =
#include "perf/report/html_style.inc"
    ;
constexpr std::string_view kScript =
#include "perf/report/html_script.inc"
    ;

std::string meter(std::string_view name, double share, Group group, bool part) {
  return fmt::format(
      "<div class='meter{}'><span>{}</span><div class=track><div class='fill {}' "
      "style='width:{:.1f}%'></div></div><b>{}</b></div>",
      part ? " part" : "", name, group == Group::Memory ? "memory" : "compute", 100 * share, percent_text(share));
}

double quotient(uint64_t above, uint64_t below) { return below ? double(above) / double(below) : 0; }

}  // namespace

std::string html_text(std::string_view text) {
  std::string out;
  for (char c : text) switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  return out;
}

std::string page_begin(std::string_view title) {
  return fmt::format(
      "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport "
      "content='width=device-width,initial-scale=1'><title>{}</title><style>{}</style><main>",
      html_text(title), kStyle);
}
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
  for (Group group : {Group::Compute, Group::Memory}) {
    html += meter(group == Group::Compute ? "compute" : "memory",
                  group == Group::Compute ? p.compute_of_peak : p.memory_of_peak, group, false);
    for (unsigned i = 0; i < kResources; ++i)
      if (const ResourceInfo& info = info_of(static_cast<Resource>(i)); info.group == group && p.utilization[i] >= 0.02)
        html += meter(info.name, p.utilization[i], group, true);
  }
  return html;
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
    return cached && c[all] ? fmt::format("has {}", percent_text(ratio(c, hit, all))) : std::string();
  };
  Box boxes[] = {{"threads", ""},
                 {"L1", hits(L1ReadHits, L1ReadSectors)},
                 {"L2", hits(L2ReadHits, L2ReadSectors)},
                 {"memory", ""}};
  std::string flows[] = {fmt::format("{} wanted, {} moved", bytes_text(asked), bytes_text(l1)),
                         cached ? bytes_text(32.0 * double(c[L2ReadSectors] + c[L2WriteSectors])) : "not known",
                         cached ? bytes_text(k.dram_bytes()) : "not known"};
  std::string svg = "<svg class=chart viewBox='0 0 360 236' role=img aria-label='Memory traffic'>";
  for (int i = 0; i < 4; ++i) {
    double y = 4 + 64 * i;
    fmt::format_to(std::back_inserter(svg),
                   "<rect class=box x=4 y={} width=120 height=36 rx=5 /><text x=14 y={}>{}</text><text class=soft "
                   "x=118 y={} text-anchor=end>{}</text>",
                   y, y + 22, boxes[i].name, y + 22, boxes[i].note);
    if (i < 3)
      fmt::format_to(std::back_inserter(svg),
                     "<path class=flow stroke-width=2 d='M64 {}v24m-5 -6l5 6l5 -6'/><text x=78 y={}>{}</text>", y + 38,
                     y + 54, flows[i]);
  }
  if (c[SharedLoads] + c[SharedStores] > 0) {
    double passes = double(c[SharedLoadWavefronts] + c[SharedStoreWavefronts]),
           conflicts = double(c[SharedLoadConflicts] + c[SharedStoreConflicts]);
    fmt::format_to(std::back_inserter(svg),
                   "<path class=flow stroke-width=2 d='M126 22h30m-6 -5l6 5l-6 5'/><rect class=box x=160 y=4 width=198 "
                   "height=36 rx=5 /><text x=168 y=19>shared memory</text>"
                   "<text class=soft x=168 y=34>{} passes{}</text>",
                   count_text(passes),
                   conflicts > 0.005 * passes ? fmt::format(", {} conflicts", percent_text(conflicts / passes)) : "");
  }
  return svg + "</svg>";
}

std::string source_table_html(std::string_view heading, const KernelReport& k, const device::Properties& device,
                              SourceText& sources, size_t most) {
  const std::vector<HotLine> lines = hot_lines(k, device);
  if (lines.empty()) return "";
  std::string html = fmt::format(
      "<h3>{}</h3><p class='soft small'>For each access of a warp: sectors of 32 bytes of global memory, passes of "
      "shared memory. Lanes: threads of a warp that take part; divergent: of its branches, those at which warps "
      "part.</p><div class=scroll><table class=lines><thead><tr>{}{}<th "
      "class=left>source{}{}{}{}{}</tr></thead><tbody>",
      heading, sorter("share", true), sorter("line"), sorter("instructions"), sorter("sectors"), sorter("passes"),
      sorter("lanes"), sorter("divergent"));
  for (size_t i = 0; i < lines.size() && i < most; ++i) {
    const Counts& c = lines[i].line->counts;
    const SourceFrame& place = lines[i].line->frames.front();
    const double sectors =
        quotient(c[GlobalLoadSectors] + c[GlobalStoreSectors], c[GlobalLoadRequests] + c[GlobalStoreRequests]);
    const double passes =
        quotient(c[SharedLoadWavefronts] + c[SharedStoreWavefronts], c[SharedLoads] + c[SharedStores]);
    const double lanes = ratio(c, ThreadInstructions, Instructions), divergent = ratio(c, DivergentBranches, Branches);
    html += fmt::format(
        "<tr title=\"{}\">{}<td data-value={}>{}<td class='source mono'>{}{}{}{}{}{}",
        html_text(fmt::format("{}:{}", place.file, place.line)), cell(lines[i].share, percent_text(lines[i].share)),
        place.line, place.line, html_text(sources.line(place.file, place.line)),
        cell(double(c[Instructions]), count_text(double(c[Instructions]))),
        cell(sectors, sectors > 0 ? fmt::format("{:.1f}", sectors) : "–"),
        cell(passes, passes > 0 ? fmt::format("{:.1f}", passes) : "–"), cell(lanes, fmt::format("{:.0f}", lanes)),
        cell(divergent, divergent > 0 ? percent_text(divergent) : "–"));
  }
  return html + "</tbody></table></div>";
}

}  // namespace warpwise::perf
