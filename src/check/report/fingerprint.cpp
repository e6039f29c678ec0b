#include "check/report/fingerprint.h"

#include <fmt/format.h>

#include "check/report/report.h"

namespace warpwise::check::report {
namespace {

// FNV-1a (Fowler, Noll, Vo), 64 bits: short, and the same everywhere.
class Hash {
 public:
  void add(std::string_view text) {
    for (unsigned char c : text) mix(c);
    mix(0xff);  // "ab" + "c" is not "a" + "bc"
  }
  std::string hex() const { return fmt::format("{:016x}", value_); }

 private:
  void mix(unsigned char c) { value_ = (value_ ^ c) * 0x100000001b3; }
  uint64_t value_ = 0xcbf29ce484222325;
};

std::string_view trimmed(std::string_view text) {
  size_t first = text.find_first_not_of(" \t\r");
  if (first == text.npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

void add(Hash& hash, const SourcePlace* place, SourceFiles& sources) {
  if (!place) return;
  std::string_view line = trimmed(sources.line(place->file, place->line));
  hash.add(place->file.substr(place->file.rfind('/') + 1));
  hash.add(place->function);
  hash.add(line.empty() ? fmt::format("line {}", place->line) : std::string(line));
}

}  // namespace

std::string fingerprint_of(const Finding& finding, SourceFiles& sources) {
  Hash hash;
  hash.add(finding.code);
  for (const Party& party : finding.parties) {
    hash.add(party.role);
    hash.add(party.kernel);
    const SourcePlace* place = place_of(party);
    if (!place) hash.add(party.code.instruction);
    add(hash, place, sources);
  }
  if (finding.parties.empty()) {
    add(hash, place_of(finding), sources);
    if (finding.memory) hash.add(finding.memory->name);
  }
  return hash.hex();
}

}  // namespace warpwise::check::report
