#include "trace/complete.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "trace/cost.h"
#include "trace/file_writer.h"
#include "trace/trace_file.h"

namespace warpwise::trace {

namespace {

// What is kept of sources: a file may be generated, and large.
constexpr size_t kMostSourceBytes = size_t{4} << 20;

bool does(const std::string& role, SiteKind kind) {
  if (role == "read") return kind == SiteKind::Load || kind == SiteKind::Atomic || kind == SiteKind::AsyncCopy;
  if (role == "write") return kind == SiteKind::Store || kind == SiteKind::Atomic || kind == SiteKind::Reduction;
  if (role == "atomic") return kind == SiteKind::Atomic || kind == SiteKind::Reduction;
  if (role == "barrier") return kind == SiteKind::Barrier;
  return true;
}

bool is_at(const Party& party, const std::vector<SourceFrame>& frames) {
  return !party.code.frames.empty() && !frames.empty() && party.code.frames[0].line == frames[0].line &&
         party.code.frames[0].file == frames[0].file;
}

// The sites at which a party may have done it: by its instruction, else by its line.
std::set<uint32_t> sites_of_party(const Recording& r, const Party& party) {
  std::set<uint32_t> by_text, by_line;
  for (uint32_t s = 0; s < r.sites.size(); ++s) {
    const Site& site = r.sites[s];
    if (!does(party.role, site.kind) || !is_at(party, r.lines[site.line])) continue;
    if (site.accesses || site.kind == SiteKind::Barrier || party.role != "read") by_line.insert(s);
    if (!party.code.instruction.empty() && site.ptx.find(party.code.instruction) != site.ptx.npos) by_text.insert(s);
  }
  return by_text.empty() ? by_line : by_text;
}

bool names(const Step& step, unsigned lane, const std::optional<MemoryPlace>& memory, unsigned bytes) {
  if (!memory) return true;
  return std::any_of(step.accesses.begin(), step.accesses.end(), [&](const Access& access) {
    if (!(access.mask >> lane & 1)) return false;
    const uint64_t at = access.addresses[lane];
    return at < memory->address + std::max<uint64_t>(memory->bytes, 1) && memory->address < at + std::max(bytes, 1u);
  });
}

// The first step at which the lane names the finding's memory there, else the first at all.
Result<std::optional<uint64_t>> step_of(TraceFile& file, const Finding& finding, const Party& party, uint32_t warp,
                                        unsigned lane) {
  const Recording& r = file.recording();
  const std::set<uint32_t> sites = sites_of_party(r, party);
  std::optional<uint64_t> first;
  if (sites.empty()) return first;
  constexpr uint64_t kPiece = 16'384;
  for (uint64_t at = r.warps[warp].first, end = at + r.warps[warp].count; at < end; at += kPiece)
    for (const PlacedStep& placed : TRY(file.steps(warp, at, std::min(kPiece, end - at)))) {
      if (!(placed.step.on >> lane & 1) || !sites.contains(placed.step.site)) continue;
      if (!first) first = placed.number;
      if (names(placed.step, lane, finding.memory, r.sites[placed.step.site].access.bytes))
        return std::optional(placed.number);
    }
  return first;
}

// The step of a source line that costs most; the first of several.
Result<std::optional<Mark>> costliest_step(TraceFile& file, const SourceFrame& line) {
  const Recording& r = file.recording();
  std::optional<Mark> best;
  uint64_t most = 0;
  constexpr uint64_t kPiece = 4096;
  for (uint32_t w = 0; w < r.warps.size(); ++w) {
    // Warps mostly do alike: the first piece of each that has the line is enough.
    bool found = false;
    for (uint64_t at = r.warps[w].first, end = at + r.warps[w].count; at < end && !found; at += kPiece)
      for (const PlacedStep& placed : TRY(file.steps(w, at, std::min(kPiece, end - at)))) {
        const Site& site = r.sites[placed.step.site];
        const auto& frames = r.lines[site.line];
        if (frames.empty() || frames[0].line != line.line || frames[0].file != line.file) continue;
        found = true;
        const Cost cost = cost_of(site, placed.step);
        const uint64_t weight = 1 + cost.sectors + cost.wavefronts;
        if (weight > most) most = weight, best = Mark{.warp = w, .step = placed.number};
      }
  }
  return best;
}

Result<std::vector<SourceFile>> sources_of(const Recording& r, const Completion& completion,
                                           std::vector<std::string>& notes) {
  std::set<std::string> names;
  for (const auto& frames : r.lines)
    for (const SourceFrame& frame : frames) names.insert(frame.file);
  std::vector<SourceFile> files;
  size_t bytes = 0;
  for (const std::string& name : names) {
    if (name.empty() || !completion.read_source) continue;
    std::optional<std::string> text = completion.read_source(name);
    if (!text) continue;
    bytes += text->size();
    if (bytes > kMostSourceBytes) {
      notes.push_back(fmt::format("the text of `{}` and what follows is not in the file: it is too long", name));
      break;
    }
    files.push_back({name, std::move(*text)});
  }
  return files;
}

}  // namespace

Result<std::vector<Mark>> marks_of(TraceFile& file, const std::vector<Finding>& findings) {
  const Recording& r = file.recording();
  std::vector<Mark> marks;
  for (uint32_t f = 0; f < findings.size(); ++f)
    for (uint32_t p = 0; p < findings[f].parties.size(); ++p) {
      const Party& party = findings[f].parties[p];
      if (party.kernel != r.kernel || party.block != r.block || !party.thread) continue;
      const Index3 t = *party.thread, &shape = r.block_shape;
      const uint64_t thread = t.x + uint64_t{shape.x} * (t.y + uint64_t{shape.y} * t.z);
      const uint32_t warp = uint32_t(thread / kLanes), lane = uint32_t(thread % kLanes);
      if (warp >= r.warps.size()) continue;
      if (const auto step = TRY(step_of(file, findings[f], party, warp, lane)))
        marks.push_back({f, p, warp, lane, *step});
    }
  return marks;
}

Result<void> complete(const std::string& from, const std::string& to, const Completion& c) {
  const auto file = TRY(TraceFile::open(from));
  Recording r = file->recording();
  r.program = c.program, r.command = c.command, r.tool = c.tool, r.device = c.device, r.schedule = c.schedule;
  r.choice = c.choice, r.launch = c.launch, r.input = c.input;
  r.notes.insert(r.notes.end(), c.notes.begin(), c.notes.end());

  Findings findings{c.checked, c.findings, TRY(marks_of(*file, c.findings))};
  if (!findings.marks.empty()) {
    r.open_warp = findings.marks[0].warp, r.open_step = findings.marks[0].step;
  } else if (c.costly_line) {
    if (const auto place = TRY(costliest_step(*file, *c.costly_line)))
      r.open_warp = place->warp, r.open_step = place->step;
    else
      r.notes.push_back(fmt::format("the costliest line, {}:{}, is not among the recorded steps", c.costly_line->file,
                                    c.costly_line->line));
  }
  const std::vector<SourceFile> sources = TRY(sources_of(r, c, r.notes));

  auto writer = TRY(FileWriter::create(to));
  writer->add({.kind = ChunkKind::Recording}, to_json(r));
  writer->add({.kind = ChunkKind::Findings}, to_json(findings));
  writer->add({.kind = ChunkKind::Sources}, to_json(sources));
  if (!c.profile.empty()) writer->add({.kind = ChunkKind::Profile}, c.profile);
  for (const ChunkEntry& chunk : file->container().chunks())
    if (chunk.kind != ChunkKind::Recording) writer->add_stored(chunk, TRY(file->container().stored(chunk)));
  return writer->finish();
}

}  // namespace warpwise::trace
