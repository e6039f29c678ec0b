#include "check/sync/sync_places.h"

#include <fmt/format.h>

#include <utility>

namespace warpwise::check {

std::string SyncBlock::name_of(uint32_t thread) const {
  const device::Dim3 t = launch->thread_at(thread);
  return fmt::format("thread ({},{},{})", t.x, t.y, t.z);
}

void SyncReporter::at_place(const char* rule, std::string message, const SyncBlock& block, const char* role,
                            const Arrival& by, std::string note, std::optional<Party> other) {
  const ptx::Module& module = *block.launch->image->module;
  FindingSink::Cause& cause = at_places_[{rule, &module, by.site->function, by.site->instruction, by.site->call}];
  if (cause != 0) return sink_.again(cause);
  Finding finding = make_finding(rule, std::move(message));
  finding.parties.push_back(block.party_of(role, by));
  if (other) finding.parties.push_back(std::move(*other));
  if (!note.empty()) finding.notes.push_back(std::move(note));
  cause = sink_.report(std::move(finding));
}

void SyncReporter::different_barriers(const SyncBlock& block, const Arrival& one, const Arrival& other) {
  const CodePlace at = block.place_of(*one.site), there = block.place_of(*other.site);
  if (at.frames == there.frames && !at.frames.empty())
    return;  // one barrier of the source that the compiler has copied
  auto text = [](const CodePlace& place) {
    return place.frames.empty() ? place.instruction : fmt::format("{}:{}", place.frames[0].file, place.frames[0].line);
  };
  FindingSink::Cause& cause = pairs_[{text(at), text(there)}];
  if (cause != 0) return sink_.again(cause);
  Finding finding = make_finding("C0402", "threads of a block wait at different barriers, as if they were one");
  finding.parties.push_back(block.party_of("barrier", one));
  finding.parties.push_back(block.party_of("barrier", other));
  cause = sink_.report(std::move(finding));
}

}  // namespace warpwise::check
