#include "trace/sites.h"

#include <algorithm>

#include "perf/counters/chains.h"
#include "ptx/printer.h"

namespace warpwise::trace {

namespace {

SiteKind kind_of_access(simt::CountedKind kind) {
  switch (kind) {
    case simt::CountedKind::Store:
    case simt::CountedKind::StoreRows:
      return SiteKind::Store;
    case simt::CountedKind::Atomic:
      return SiteKind::Atomic;
    case simt::CountedKind::Reduction:
      return SiteKind::Reduction;
    case simt::CountedKind::AsyncCopy:
      return SiteKind::AsyncCopy;
    default:
      return SiteKind::Load;
  }
}

SiteKind kind_of(const ptx::Instruction& instruction) {
  const std::string_view opcode = instruction.spec().opcode, row = instruction.spec().name;
  const auto is = [](std::string_view word, auto... words) { return ((word == words) || ...); };
  if (row == "bar_warp_sync") return SiteKind::WarpSync;
  if (is(opcode, "bar", "barrier")) return row.find("cluster") == row.npos ? SiteKind::Barrier : SiteKind::Other;
  if (opcode == "shfl") return SiteKind::Shuffle;
  if (is(opcode, "vote", "match", "redux", "activemask", "elect")) return SiteKind::Vote;
  if (is(opcode, "mma", "wmma", "wgmma", "tcgen05")) return SiteKind::Matrix;
  if (is(opcode, "bra", "brx")) return SiteKind::Branch;
  if (opcode == "call") return SiteKind::Call;
  if (is(opcode, "ret", "exit")) return SiteKind::Return;
  if (is(opcode, "membar", "fence")) return SiteKind::Fence;
  if (is(opcode, "ld", "st", "mov", "cvta")) return SiteKind::Arithmetic;  // of parameters
  if (is(opcode, "tex", "tld4", "txq", "suld", "sust", "sured", "suq", "mbarrier", "cp", "trap", "brkpt", "nanosleep",
         "prefetch", "discard", "applypriority", "multimem", "griddepcontrol", "clusterlaunchcontrol", "setmaxnreg"))
    return SiteKind::Other;
  return SiteKind::Arithmetic;
}

std::string type_of_value(const ptx::Function& function, const ptx::Instruction& instruction) {
  const auto operands = simt::value_operands(instruction);
  if (operands.empty()) return {};
  const ptx::Type own = instruction.type();
  const unsigned bits = ptx::bits_of(function.registers[operands[0]->reg].type);
  // A register may be wider than what the instruction works on, or a predicate.
  const bool fits = own != ptx::Type::None && ptx::bits_of(own) == bits;
  return std::string(ptx::name_of(fits ? own : function.registers[operands[0]->reg].type));
}

int64_t callee_of(const ptx::Instruction& call, const std::vector<uint32_t>& first_cells) {
  for (const ptx::Operand& operand : call.operands)
    if (operand.is(ptx::Operand::Kind::Symbol) && operand.symbol.kind == ptx::SymbolRef::Kind::Function) {
      const uint32_t first = first_cells[operand.symbol.index];
      return first != first_cells[operand.symbol.index + 1] ? int64_t{first} : kNoCallee;
    }
  return kAnyCallee;
}

void add_function(const exec::KernelImage& image, uint32_t f, uint32_t first, const device::Properties& device,
                  const std::vector<uint32_t>& first_cells, Sites& sites) {
  const ptx::Module& module = *image.module;
  const ptx::Function& function = module.functions[f];
  const std::vector<uint32_t> starts = simt::block_starts(function);
  const std::vector<uint32_t> clocks = perf::clocks_before(function, starts, device.machine, /*at_barriers=*/true);
  sites.entries.push_back(first);
  for (uint32_t i = 0; i < function.instructions.size(); ++i) {
    const ptx::Instruction& instruction = function.instructions[i];
    const perf::InstructionFacts& facts = sites.facts.cells()[first + i];
    Site& site = sites.all[first + i];
    site.function = f, site.instruction = i;
    site.ptx = ptx::print(module, function, instruction);
    site.guarded = facts.guarded;
    if (simt::counted_operand(instruction)) {
      site.accesses = true;
      site.access = facts.access;
      site.lanes_combine = facts.atomic.combined, site.shared_atomic = facts.atomic.shared;
      site.kind = kind_of_access(facts.access.kind);
    } else {
      site.kind = kind_of(instruction);
    }
    site.line = facts.line;
    site.clocks = clocks[i];
    site.value_type = type_of_value(function, instruction);
    if (sites.values.has(f, i)) site.values = uint8_t(simt::value_operands(instruction).size());
    uint32_t end = i + 1;
    while (end < starts.size() && starts[end] == starts[i]) ++end;
    sites.ends[first + i] = first + end;
    if (site.kind == SiteKind::Call) sites.callees[first + i] = callee_of(instruction, first_cells);
  }
}

bool names(const std::vector<perf::SourceFrame>& frames, const std::vector<uint32_t>& lines) {
  return std::any_of(frames.begin(), frames.end(), [&](const perf::SourceFrame& frame) {
    return std::find(lines.begin(), lines.end(), frame.line) != lines.end();
  });
}

simt::ReportedValues values_of(const exec::KernelImage& image, const perf::KernelFacts& facts,
                               const std::vector<uint32_t>& value_lines) {
  simt::ReportedValues values;
  if (value_lines.empty()) return values;
  const ptx::Module& module = *image.module;
  const std::vector<uint32_t> first = simt::lay_out_cells(module, image.layout);
  values.of.resize(module.functions.size());
  for (size_t f = 0; f < module.functions.size(); ++f) {
    if (!image.layout.reachable[f]) continue;
    const auto& instructions = module.functions[f].instructions;
    for (size_t i = 0; i < instructions.size(); ++i)
      values.of[f].push_back(names(facts.lines()[facts.cells()[first[f] + i].line], value_lines) &&
                             !simt::value_operands(instructions[i]).empty());
  }
  return values;
}

}  // namespace

bool Sites::is_entry(uint32_t cell) const { return std::binary_search(entries.begin(), entries.end(), cell); }

simt::ReportedValues values_at(const exec::KernelImage& image, const std::vector<uint32_t>& value_lines) {
  return value_lines.empty() ? simt::ReportedValues{} : values_of(image, perf::KernelFacts(image), value_lines);
}

Sites sites_of(const exec::KernelImage& image, const std::vector<uint32_t>& value_lines,
               const device::Properties& device) {
  Sites sites(image);
  const std::vector<uint32_t> first = simt::lay_out_cells(*image.module, image.layout);
  sites.all.resize(first.back()), sites.ends.resize(first.back()), sites.callees.assign(first.back(), kNoCallee);
  sites.values = values_of(image, sites.facts, value_lines);
  for (uint32_t f = 0; f < image.module->functions.size(); ++f)
    if (image.layout.reachable[f]) add_function(image, f, first[f], device, first, sites);
  for (const auto& frames : sites.facts.lines()) {
    auto& line = sites.lines.emplace_back();
    for (const perf::SourceFrame& frame : frames)
      line.push_back({frame.file, frame.line, frame.column, frame.function});
  }
  return sites;
}

}  // namespace warpwise::trace
