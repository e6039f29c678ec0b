#include "simt/instrument/read_sites.h"

#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/Object/ObjectFile.h>

#include <algorithm>
#include <map>
#include <string>

namespace warpwise::simt {

using namespace llvm;

namespace {

// Of a file of the line table.
uint32_t function_of(const DWARFDebugLine::LineTable& table, uint64_t file) {
  std::string name;
  unsigned function = 0;
  if (table.getFileNameByIndex(file, "", DILineInfoSpecifier::FileLineInfoKind::RawValue, name))
    StringRef(name).getAsInteger(10, function);
  return function;
}

void read_lines(const DWARFDebugLine::LineTable& table, std::vector<Site>& sites) {
  for (const auto& row : table.Rows) {
    if (row.EndSequence || row.Line == 0) continue;
    Site site;
    site.code = uint32_t(row.Address.Address);
    site.function = function_of(table, row.File);
    site.instruction = row.Line - 1;
    site.shadow = row.Column ? uint8_t((row.Column - 1) / kShadowColumn) : 0;
    site.first_lane = row.Column ? uint16_t((row.Column - 1) % kShadowColumn) : 0;
    sites.push_back(site);
  }
}

class CallReader {
 public:
  CallReader(const DWARFDebugLine::LineTable& table, std::vector<Site>& sites, std::vector<InlinedCall>& calls)
      : table_(table), sites_(sites), calls_(calls) {
    for (uint32_t index = 0; index < calls.size(); ++index) numbers_.try_emplace(calls[index], index);
  }

  // What is inlined below an entry; inner calls overwrite what outer ones have said of their code.
  void read(const DWARFDie& entry, uint32_t within) {
    for (const DWARFDie& child : entry.children()) {
      uint32_t call = within;
      if (child.getTag() == dwarf::DW_TAG_inlined_subroutine) mark(child, call = number_of(child, within));
      read(child, call);
    }
  }

 private:
  uint32_t number_of(const DWARFDie& entry, uint32_t within) {
    const uint64_t line = dwarf::toUnsigned(entry.find(dwarf::DW_AT_call_line), 1);
    const InlinedCall call{function_of(table_, dwarf::toUnsigned(entry.find(dwarf::DW_AT_call_file), 0)),
                           uint32_t(line) - 1, within};
    const auto [known, fresh] = numbers_.try_emplace(call, uint32_t(calls_.size()));
    if (fresh) calls_.push_back(call);
    return known->second;
  }

  void mark(const DWARFDie& entry, uint32_t call) {
    Expected<DWARFAddressRangesVector> ranges = entry.getAddressRanges();
    if (!ranges) return consumeError(ranges.takeError());
    for (const DWARFAddressRange& range : *ranges) {
      auto site =
          std::partition_point(sites_.begin(), sites_.end(), [&](const Site& s) { return s.code < range.LowPC; });
      for (; site != sites_.end() && site->code < range.HighPC; ++site) site->call = call;
    }
  }

  const DWARFDebugLine::LineTable& table_;
  std::vector<Site>& sites_;
  std::vector<InlinedCall>& calls_;
  std::map<InlinedCall, uint32_t> numbers_;
};

}  // namespace

std::vector<Site> read_sites(const std::vector<std::byte>& object, std::vector<InlinedCall>* calls) {
  std::vector<Site> sites;
  MemoryBufferRef memory(StringRef(reinterpret_cast<const char*>(object.data()), object.size()), "kernel.o");
  auto file = object::ObjectFile::createObjectFile(memory);
  if (!file) {
    consumeError(file.takeError());
    return sites;
  }
  auto context = DWARFContext::create(**file);
  for (auto& unit : context->compile_units())
    if (const auto* table = context->getLineTableForUnit(unit.get())) read_lines(*table, sites);
  std::stable_sort(sites.begin(), sites.end(), [](const Site& a, const Site& b) { return a.code < b.code; });
  if (!calls) return sites;
  for (auto& unit : context->compile_units())
    if (const auto* table = context->getLineTableForUnit(unit.get()))
      CallReader(*table, sites, *calls).read(unit->getUnitDIE(false), InlinedCall::kNone);
  return sites;
}

}  // namespace warpwise::simt
