// Trace files travel: a teacher opens a student's, a page reads what someone sent. Whatever the bytes are, the reader
// answers or refuses. The first byte says which part of a file the rest is; what was decoded is encoded and decoded
// again as the same.
#include "trace/trace_file.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "trace/json.h"
#include "trace/overview.h"
#include "trace/queries.h"
#include "trace/recording.h"
#include "trace/step_columns.h"
#include "trace/text.h"

using namespace warpwise;
using namespace warpwise::trace;

namespace {

std::vector<Site> sites() {
  std::vector<Site> sites(6);
  sites[1].guarded = true;
  for (size_t s : {size_t{2}, size_t{3}, size_t{4}}) sites[s].accesses = true;
  sites[2].kind = SiteKind::Load, sites[2].access = {simt::CountedKind::Load, simt::CountedSpace::Generic, 4, 0};
  sites[3].kind = SiteKind::Store, sites[3].access = {simt::CountedKind::Store, simt::CountedSpace::Shared, 16, 0};
  sites[3].guarded = true;
  sites[4].kind = SiteKind::Atomic, sites[4].access = {simt::CountedKind::Atomic, simt::CountedSpace::Global, 8, 0};
  sites[5].values = 2, sites[5].value_type = "f32";
  return sites;
}

void steps(std::string_view payload) {
  static const std::vector<Site> kSites = sites();
  const auto steps = decode_steps(payload, kSites);
  if (!steps) return;
  StepEncoder encoder;
  for (const Step& step : *steps) encoder.add(step, kSites[step.site]), (void)cost_of(kSites[step.site], step);
  const auto again = decode_steps(encoder.take(), kSites);
  if (!again || again->size() != steps->size()) std::abort();
  for (size_t n = 0; n < steps->size(); ++n) {
    const Step &a = (*steps)[n], &b = (*again)[n];
    if (a.site != b.site || a.active != b.active || a.on != b.on || a.accesses.size() != b.accesses.size() ||
        a.values.size() != b.values.size())
      std::abort();
    for (size_t k = 0; k < a.accesses.size(); ++k)
      if (a.accesses[k].mask != b.accesses[k].mask || a.accesses[k].addresses != b.accesses[k].addresses) std::abort();
  }
}

void ask_all(TraceFile& file) {
  Queries ask(file);
  const auto summary = ask.summary();
  if (summary) (void)to_json(*summary, "");
  const auto overview = ask.overview(3);
  if (overview) (void)to_json(*overview);
  const uint32_t first_warp[] = {0};
  (void)ask.window(first_warp, file.recording().warps[0].first, 0, 64);
  (void)ask.window(first_warp, ~uint64_t{0}, 63, ~size_t{0});
  (void)ask.next_of_lines(first_warp, {0, ~uint64_t{0}});
  const auto lines = ask.lines();
  const auto sources = file.sources();
  if (summary && overview && lines && sources) (void)to_text(*summary, *overview, *lines, *sources);
  for (uint32_t w = 0; w < file.recording().warps.size(); ++w) {
    const uint64_t first = file.recording().warps[w].first;
    if (const auto steps = ask.steps(w, first, 64)) (void)to_text(*steps, w, file.recording());
    if (const auto step = ask.step(w, first)) {
      (void)to_json(*step, w, file.recording());
      if (summary && sources) (void)to_text(*step, w, file.recording(), summary->findings, *sources);
    }
  }
  for (const std::string_view event : event_names()) {
    (void)ask.next(*event_named(event), {0, 0});
    (void)ask.next(*event_named(event), {~0u, ~uint64_t{0}}, true);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0]) {
    case 's':
      steps(rest);
      break;
    case 'o':
      if (const auto overview = decode_overview(rest)) (void)encode_overview(*overview);
      break;
    case 'b':
      if (const auto arrivals = decode_arrivals(rest)) (void)encode_arrivals(*arrivals);
      break;
    case 'r':
      if (const auto recording = recording_from_json(rest))
        if (!recording_from_json(to_json(*recording))) std::abort();
      break;
    case 'f':
      (void)findings_from_json(rest);
      break;
    default: {
      const std::string_view whole(reinterpret_cast<const char*>(data), size);
      if (const auto file = TraceFile::read(whole)) ask_all(**file);
    }
  }
  return 0;
}
