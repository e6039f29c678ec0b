#include "perf/counters/kernel_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/demangled.h"
#include "exec/launch/register_estimate.h"
#include "perf/counters/operands.h"
#include "perf/counters/order_of_work.h"
#include "perf/counters/predication.h"
#include "perf/counters/sass_forms.h"
#include "perf/counters/shared_runs.h"
#include "ptx/source_file.h"

namespace warpwise::perf {

namespace {

SourceFrame frame_of(const ptx::Module& module, const ptx::SourceLocation& at) {
  SourceFrame frame;
  frame.file = ptx::file_of(module, at);
  frame.line = at.line;
  frame.column = at.column;
  return frame;
}

// Which of the block's barriers an instruction uses, as text; "" for none. A number in a register may be any.
std::string barrier_of(const ptx::Instruction& i) {
  const std::string_view row = i.spec().name;
  if ((i.spec().opcode != "bar" && i.spec().opcode != "barrier") || row == "bar_warp_sync" ||
      row.find("cluster") != std::string_view::npos)
    return {};
  for (const ptx::Operand& operand : i.operands)
    if (operand.is(ptx::Operand::Kind::Immediate)) return fmt::format("{}", operand.bits);
  return "register";
}

// The registers that some instruction of the function reads.
std::set<ptx::RegisterId> registers_read(const ptx::Function& function) {
  std::set<ptx::RegisterId> read;
  for (const ptx::Instruction& i : function.instructions)
    for_each_register_read(i, [&](ptx::RegisterId reg) { read.insert(reg); });
  return read;
}

// An `atom` whose old value is not used is a reduction: ptxas makes RED of it, as nvcc's atomicAdd shows, which always
// says `atom`. Exchanges have no such form.
bool is_reduction(const ptx::Instruction& i, const std::set<ptx::RegisterId>& read) {
  const std::string_view row = i.spec().name;
  if (i.spec().opcode != "atom" || row == "atom_exch" || row == "atom_cas") return false;
  bool wanted = false;
  for_each_register(i.operands[0], [&](ptx::RegisterId reg) { wanted = wanted || read.contains(reg); });
  return !wanted;
}

bool falls_through(const ptx::Instruction& last) { return last.guard.present || !simt::ends_block(last); }

// `cells`: the cell of the function's first instruction; `start`: the loop's first instruction.
Loop loop_of(const ptx::Function& function, const std::vector<uint32_t>& starts,
             const std::vector<InstructionClass>& classes, uint32_t cells, uint32_t start) {
  const uint32_t end = end_of(starts, start);
  Loop loop{turns_at_once(function, classes, start, end), {}, {}};
  if (start > 0 && falls_through(function.instructions[start - 1])) loop.before = cells + starts[start - 1];
  if (end < starts.size() && falls_through(function.instructions[end - 1])) loop.after = cells + end;
  return loop;
}

}  // namespace

uint32_t KernelFacts::line_of(const ptx::Module& module, const ptx::Function& function,
                              const ptx::Instruction& instruction) {
  const auto& locations = module.locations;
  auto known = [&](int64_t at) { return at >= 0 && size_t(at) < locations.size(); };
  if (!known(instruction.location) || locations[size_t(instruction.location)].line == 0) return 0;
  // Bounded: a broken table must not make a loop.
  constexpr size_t kMostFrames = 16;
  std::vector<SourceFrame> frames;
  std::string key;
  for (int64_t at = instruction.location; known(at) && frames.size() < kMostFrames;
       at = locations[size_t(at)].inlined_at) {
    const ptx::SourceLocation& place = locations[size_t(at)];
    SourceFrame frame = frame_of(module, place);
    // A call of expf or a read of threadIdx belongs to the line of the program, not to a line of the header.
    if (frames.empty() && ptx::is_of_cuda(frame.file) && known(place.inlined_at)) continue;
    frames.push_back(std::move(frame));
    // A location names the function that was inlined there; the outermost is in the function itself.
    frames.back().function = demangled(known(place.inlined_at) ? place.function_name : function.name);
    key += fmt::format("{}\n{}\n{}\n", frames.back().file, place.line, frames.back().function);
  }
  auto at = std::lower_bound(known_lines_.begin(), known_lines_.end(), key,
                             [](const auto& entry, const std::string& k) { return entry.first < k; });
  if (at != known_lines_.end() && at->first == key) return at->second;
  const uint32_t index = uint32_t(lines_.size());
  known_lines_.insert(at, {key, index});
  lines_.push_back(std::move(frames));
  return index;
}

namespace {

// Clang's lines do not say through which calls code came: what is of CUDA belongs to the line of the next instruction
// that has a better one.
bool absence_means(const std::vector<SourceFrame>& frames) {
  return !frames.empty() && ptx::is_of_cuda(frames[0].file);
}

// The instructions of a function become cells.
void count_from(BlockChain& chain, uint32_t first) {
  for (LoadWait& wait : chain.load_waits)
    for (uint32_t& load : wait.loads) load += first;
}

}  // namespace

KernelFacts::KernelFacts(const exec::KernelImage& image)
    : module_(image.module),
      name_(demangled(image.function().name)),
      registers_(exec::estimate_registers(image.function())) {
  const ptx::Module& module = *image.module;
  const std::vector<uint32_t> first = simt::lay_out_cells(module, image.layout);
  cells_.resize(first.back());
  std::set<std::string> barriers;
  for (size_t f = 0; f < module.functions.size(); ++f) {
    if (!image.layout.reachable[f]) continue;
    const ptx::Function& function = module.functions[f];
    const std::vector<uint32_t> starts = simt::block_starts(function);
    const std::vector<InstructionClass> classes = classes_of(function, starts);
    const std::vector<uint32_t> started = started_with(function, starts, classes);
    for (uint32_t block = 0, end; block < starts.size(); block = end) {
      end = end_of(starts, block);
      if (loops_to_itself(function, block, end))
        loops_.emplace(first[f] + block, loop_of(function, starts, classes, first[f], block));
    }
    for (const LookedAt& pair : perf::swaps_after_looks(function))
      swaps_.push_back({first[f] + pair.load, first[f] + pair.swap});
    for (WaitLoop& loop : perf::wait_loops(function)) {
      for (uint32_t& load : loop.loads) load += first[f];
      wait_loops_.push_back({loop.first + first[f], loop.last + first[f], std::move(loop.loads)});
    }
    if (&function == &image.function())
      for (Phase& phase : perf::phases_of(function)) {
        for (uint32_t& branch : phase.back) branch += first[f];
        phases_.push_back({phase.first + first[f], phase.end + first[f], std::move(phase.back)});
      }
    by_order_ = by_order_ || perf::work_depends_on_order(function);
    const std::vector<uint8_t> words = words_of_loads(function, starts);
    const std::set<ptx::RegisterId> read = registers_read(function), varying = varying_registers(function);
    for (uint32_t i = 0; i < function.instructions.size(); ++i) {
      const ptx::Instruction& instruction = function.instructions[i];
      InstructionFacts& facts = cells_[first[f] + i];
      facts.cls = classes[i];
      facts.start = first[f] + starts[i], facts.started_with = first[f] + started[i];
      facts.line = line_of(module, function, instruction);
      if (starts[i] == i) lengths_.emplace_back(facts.start, 0);
      ++cells_[facts.start].block.instructions;
      cells_[facts.start].block.loads += simt::loads_from_afar(instruction);
      if (facts.cls.counted) ++lengths_.back().second;
      facts.words = words[i];
      facts.guarded = instruction.guard.present;
      facts.branches = instruction.spec().opcode == "bra" || instruction.spec().opcode == "brx";
      facts.waits_at_barrier = facts.cls.step == Step::Barrier;
      if (auto counted = simt::counted_operand(instruction)) {
        facts.access = counted->access;
        if (is_reduction(instruction, read)) facts.access.kind = simt::CountedKind::Reduction;
        facts.atomic = turns_of_atomic(instruction, varying, facts.access.kind == simt::CountedKind::Atomic);
        facts.by_register =
            std::any_of(instruction.operands.begin(), instruction.operands.end(), [](const ptx::Operand& operand) {
              return operand.is(ptx::Operand::Kind::Address) && operand.base == ptx::Operand::Base::Register;
            });
        facts.plain_load = counted->access.kind == simt::CountedKind::Load && instruction.spec().name != "ld_nc";
        facts.access_index = accesses_++;
      } else if (instruction.spec().name == "brx_idx") {
        facts.access.kind = simt::CountedKind::Switch;
        facts.access_index = accesses_++;
      }
      if (std::string barrier = barrier_of(instruction); !barrier.empty()) barriers.insert(barrier);
    }
    parts_.push_back({&function, first[f], starts, classes});
    uint32_t better = 0;
    for (uint32_t i = uint32_t(function.instructions.size()); i-- > 0;) {
      uint32_t& line = cells_[first[f] + i].line;
      if (absence_means(lines_[line]))
        line = better;
      else if (line != 0)
        better = line;
    }
  }
  for (InstructionFacts& facts : cells_) facts.phase = uint32_t(phases_.size());
  for (uint32_t p = 0; p < phases_.size(); ++p)
    for (uint32_t cell = phases_[p].first; cell < phases_[p].end; ++cell) cells_[cell].phase = p;
  constexpr uint32_t kBarriersOfBlock = 16;  // PTX ISA 9.7.13.1
  barriers_ = barriers.contains("register") ? kBarriersOfBlock : uint32_t(barriers.size());
}

std::shared_ptr<const Chains> KernelFacts::chains(const std::vector<double>& times) const {
  std::vector<uint32_t> joined, preceding;  // of all parts, each with the numbers of its function
  for (const Part& part : parts_) {
    const auto begin = times.begin() + part.first;
    const std::vector<double> of_part(begin, begin + int64_t(part.starts.size()));
    const auto starts = joined_starts(*part.function, part.starts, part.classes, of_part);
    const auto before = preceding_blocks(*part.function, starts, of_part);
    joined.insert(joined.end(), starts.begin(), starts.end());
    preceding.insert(preceding.end(), before.begin(), before.end());
  }
  const std::lock_guard lock(known_chains_->guard);
  auto& known = known_chains_->by_blocks;
  if (const auto found = known.find({joined, preceding}); found != known.end()) return found->second;
  auto all = std::make_shared<Chains>();
  size_t from = 0;
  for (const Part& part : parts_) {
    const size_t to = from + part.starts.size();
    const auto of_part = [&](const std::vector<uint32_t>& all_parts) {
      return std::vector<uint32_t>(all_parts.begin() + int64_t(from), all_parts.begin() + int64_t(to));
    };
    const std::vector<uint32_t> starts = of_part(joined);
    std::optional<ptx::Function> guarded;
    if (starts != part.starts) guarded = with_guards(*part.function, part.starts, part.classes, starts);
    Chains chains = chains_of(guarded ? *guarded : *part.function, starts, part.classes, of_part(preceding));
    from = to;
    for (auto& [start, chain] : chains.blocks) {
      count_from(chain, part.first);
      all->blocks.emplace(part.first + start, std::move(chain));
    }
    for (auto& [start, loop] : chains.loops) {
      for (BlockChain* chain : {&loop.single_turn, &loop.at_entry, &loop.at_entry_of_single_turn})
        count_from(*chain, part.first);
      all->loops.emplace(part.first + start, std::move(loop));
    }
  }
  constexpr size_t kMostKnown = 8;
  if (known.size() == kMostKnown) known.clear();
  return known[{std::move(joined), std::move(preceding)}] = all;
}

}  // namespace warpwise::perf
