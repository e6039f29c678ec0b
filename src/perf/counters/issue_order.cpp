#include "perf/counters/issue_order.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "perf/counters/chains.h"
#include "perf/counters/one_of.h"
#include "perf/counters/operands.h"
#include "ptx/shapes/matrix.h"
#include "simt/instrument/counts.h"

namespace warpwise::perf {

namespace {

// How far ahead of the first instruction that has not been issued another may be.
constexpr uint32_t kWindow = 96;
// The words that a program may keep under way itself: an SM has room for 64 in each of a thousand threads.
constexpr unsigned kMostWordsKept = 64;
constexpr unsigned kLoadsInPairs = 12;

enum class Effect : uint8_t { None, Load, Store, Meet, Fence };

Effect effect_of(const ptx::Instruction& instruction) {
  const std::string_view opcode = instruction.spec().opcode, row = instruction.spec().name;
  if (row == "ld_param" || ptx::is_matrix_product(instruction.op)) return Effect::None;
  if (opcode == "ldmatrix" || (opcode == "ld" && !is_one_of(row, {"ld_volatile", "ld_sem", "ld_mmio"})))
    return Effect::Load;
  if ((opcode == "st" || opcode == "red") && row != "st_param") return Effect::Store;
  if (is_one_of(opcode, {"vote", "match", "redux", "elect", "activemask", "shfl"})) return Effect::Meet;
  if (is_one_of(opcode, {"nanosleep", "pmevent", "alloca", "stacksave", "stackrestore"}) || reads_clock(instruction))
    return Effect::Fence;
  switch (instruction.spec().unit) {
    case ptx::Unit::Alu:
    case ptx::Unit::Fp32:
    case ptx::Unit::Fp64:
    case ptx::Unit::Half:
    case ptx::Unit::Sfu:
      return Effect::None;
    default:
      return Effect::Fence;
  }
}

// The memory that an access reaches, as far as its operands show.
struct Place {
  ptx::Space space = ptx::Space::Generic;
  bool read_only = false;
  std::optional<ptx::RegisterId> base;
  uint32_t base_writer = 0;  // which value of the register
  int64_t offset = 0;
  uint32_t bytes = 0;
};

bool may_meet(const Place& a, const Place& b) {
  if (a.read_only || b.read_only) return false;
  if (a.space != ptx::Space::Generic && b.space != ptx::Space::Generic && a.space != b.space) return false;
  if (a.bytes == 0 || b.bytes == 0 || !a.base || a.base != b.base || a.base_writer != b.base_writer) return true;
  return a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
}

class List {
 public:
  List(const ptx::Function& function, const std::vector<InstructionClass>& classes, uint32_t first, uint32_t end)
      : function_(function),
        classes_(classes),
        first_(first),
        nodes_(end - first),
        under_way_(room_for_loads(function, first, end)) {
    for (uint32_t i = 0; i < nodes_.size(); ++i) add(i);
    for (uint32_t i = uint32_t(nodes_.size()); i-- > 0;) {
      nodes_[i].height += nodes_[i].latency;
      for (uint32_t before : nodes_[i].needs) nodes_[before].height = std::max(nodes_[before].height, nodes_[i].height);
      for (uint32_t before : nodes_[i].follows)
        nodes_[before].height = std::max(nodes_[before].height, nodes_[i].height);
    }
  }

  std::vector<uint32_t> order() {
    std::vector<uint32_t> result;
    uint32_t oldest = 0;
    while (oldest < nodes_.size()) {
      const uint32_t next = choose(oldest);
      issue(next);
      result.push_back(first_ + next);
      while (oldest < nodes_.size() && nodes_[oldest].issued) ++oldest;
    }
    return result;
  }

 private:
  struct Node {
    std::vector<uint32_t> needs, follows;  // whose results it reads; whom it only comes behind
    double latency = 0, height = 0, there = 0;
    unsigned words = 0;                 // of a load
    bool issued = false, free = false;  // free: no instruction of SASS
  };

  void add(uint32_t i);
  void order_memory(uint32_t i, const ptx::Instruction& instruction, Effect effect);
  uint32_t choose(uint32_t oldest) const;
  void issue(uint32_t i);
  // When all that it needs is there; nothing: something has not been issued.
  std::optional<double> ready(const Node& node) const;

  const ptx::Function& function_;
  const std::vector<InstructionClass>& classes_;
  const uint32_t first_;
  std::vector<Node> nodes_;
  struct Access {
    uint32_t node;
    Place place;
  };
  std::unordered_map<ptx::RegisterId, uint32_t> writer_;
  std::unordered_map<ptx::RegisterId, std::vector<uint32_t>> readers_;  // since it was written
  std::vector<Access> loads_, stores_;                                  // since the last fence
  std::optional<uint32_t> fence_, collective_;
  double now_ = 0;
  LoadsUnderWay under_way_;
};

void List::add(uint32_t i) {
  const ptx::Instruction& instruction = function_.instructions[first_ + i];
  const InstructionClass& cls = classes_[first_ + i];
  Node& node = nodes_[i];
  node.free = !cls.counted || cls.times == 0;
  node.latency = node.free ? 0 : cls.form ? cls.form->clocks : nominal_latency(cls.step);
  for_each_register_read(instruction, [&](ptx::RegisterId reg) {
    if (auto found = writer_.find(reg); found != writer_.end()) node.needs.push_back(found->second);
    readers_[reg].push_back(i);
  });
  // A branch around a predicated block is none.
  const bool branches = simt::ends_block(instruction) && !node.free;
  // A division that may have to call a function ends a block of SASS, so to speak: nothing moves across.
  if (cls.form && cls.form->branches > 0)
    order_memory(i, instruction, Effect::Fence);
  else if (branches || !simt::ends_block(instruction))
    order_memory(i, instruction, effect_of(instruction));
  if (branches)
    for (uint32_t before = 0; before < i; ++before) node.follows.push_back(before);
  // A register that is written anew is another one to ptxas; only what the guard leaves is needed, and a reader must
  // not come later.
  for_each_result(instruction, [&](ptx::RegisterId reg) {
    if (auto found = writer_.find(reg); found != writer_.end())
      (instruction.guard.present ? node.needs : node.follows).push_back(found->second);
    for (uint32_t reader : readers_[reg])
      if (reader != i) node.follows.push_back(reader);
    readers_[reg].clear();
    writer_[reg] = i;
  });
  node.words = words_loaded(instruction);
}

void List::order_memory(uint32_t i, const ptx::Instruction& instruction, Effect effect) {
  Node& node = nodes_[i];
  if (effect == Effect::None) return;
  if (fence_) node.follows.push_back(*fence_);
  if (effect == Effect::Meet) {
    if (collective_) node.follows.push_back(*collective_);
    collective_ = i;
    return;
  }
  if (effect == Effect::Fence) {
    for (const Access& access : loads_) node.follows.push_back(access.node);
    for (const Access& access : stores_) node.follows.push_back(access.node);
    if (collective_) node.follows.push_back(*collective_);
    loads_.clear(), stores_.clear();
    collective_.reset();
    fence_ = i;
    return;
  }
  Place place;
  if (const auto counted = simt::counted_operand(instruction)) {
    const ptx::Operand& address = instruction.operands[counted->operand];
    place.space = counted->space, place.bytes = counted->access.bytes;
    if (address.is(ptx::Operand::Kind::Address) && address.base == ptx::Operand::Base::Register) {
      place.base = address.reg, place.offset = address.offset;
      const auto found = writer_.find(address.reg);
      place.base_writer = found == writer_.end() ? 0 : found->second + 1;
    }
  }
  const bool matrix = instruction.spec().opcode == "ldmatrix";
  if (matrix) place.bytes = 0;  // rows that other lanes name
  place.read_only = instruction.spec().name == "ld_nc" || instruction.spec().name == "ld_const";
  for (const Access& store : stores_)
    if (effect == Effect::Store || may_meet(store.place, place)) node.follows.push_back(store.node);
  if (effect == Effect::Store)
    for (const Access& load : loads_)
      if (may_meet(load.place, place)) node.follows.push_back(load.node);
  (effect == Effect::Store ? stores_ : loads_).push_back({i, place});
}

std::optional<double> List::ready(const Node& node) const {
  double at = 0;
  for (uint32_t before : node.follows)
    if (!nodes_[before].issued) return std::nullopt;
  for (uint32_t before : node.needs) {
    if (!nodes_[before].issued) return std::nullopt;
    at = std::max(at, nodes_[before].there);
  }
  return at;
}

uint32_t List::choose(uint32_t oldest) const {
  std::optional<uint32_t> best, first;
  double first_at = 0;
  const uint32_t last = std::min<uint32_t>(uint32_t(nodes_.size()), oldest + kWindow);
  for (uint32_t i = oldest; i < last; ++i) {
    const Node& node = nodes_[i];
    if (node.issued) continue;
    const std::optional<double> needs = ready(node);
    if (!needs) continue;
    if (node.free) return i;
    const double at = std::max(*needs, under_way_.room(node.words, now_));
    if (!first || at < first_at) first = i, first_at = at;
    if (at > now_) continue;
    if (!best || node.height > nodes_[*best].height) best = i;
  }
  return best ? *best : *first;  // the oldest needs only what stands before it
}

void List::issue(uint32_t i) {
  Node& node = nodes_[i];
  const double at = ready(node).value_or(now_);
  node.issued = true;
  if (node.free) {
    node.there = std::max(at, 0.0);
    return;
  }
  now_ = std::max({now_, at, under_way_.room(node.words, now_)});
  node.there = now_ + std::max(1.0, node.latency);
  now_ += 1;
  under_way_.add(node.there, node.words, now_);
}

}  // namespace

unsigned words_loaded(const ptx::Instruction& instruction) {
  if (effect_of(instruction) != Effect::Load) return 0;
  const unsigned each = std::max(1u, unsigned(ptx::bytes_of(instruction.type())) / 4);
  unsigned words = 0;
  for_each_result(instruction, [&](ptx::RegisterId) { words += each; });
  return words;
}

RoomForLoads room_for_loads(const ptx::Function& function, uint32_t first, uint32_t end) {
  RoomForLoads kept{0, 0}, most{0, 0};
  unsigned uses = 0, pairs = 0;                          // instructions that need a load, or two
  std::unordered_map<ptx::RegisterId, uint32_t> wanted;  // of what load a register is the result
  std::unordered_map<uint32_t, unsigned> under_way;      // words of loads that nothing has needed yet
  for (uint32_t i = first; i < end; ++i) {
    const ptx::Instruction& instruction = function.instructions[i];
    unsigned needed = 0;
    for_each_register_read(instruction, [&](ptx::RegisterId reg) {
      const auto load = wanted.find(reg);
      if (load == wanted.end()) return;
      const auto words = under_way.find(load->second);
      if (words == under_way.end()) return;
      needed += 1;
      kept.loads -= 1, kept.words -= words->second;
      under_way.erase(words);
    });
    uses += needed > 0, pairs += needed > 1;
    const unsigned words = words_loaded(instruction);
    if (words == 0) continue;
    under_way[i] = words;
    kept.loads += 1, kept.words += words;
    for_each_result(instruction, [&](ptx::RegisterId reg) { wanted[reg] = i; });
    if (kept.words > kMostWordsKept) continue;
    most.loads = std::max(most.loads, kept.loads), most.words = std::max(most.words, kept.words);
  }
  RoomForLoads room;
  if (2 * pairs > uses) room.loads = kLoadsInPairs;
  return {std::max(room.loads, most.loads), std::max(room.words, most.words)};
}

double LoadsUnderWay::room(unsigned words, double now) const {
  if (words == 0) return 0;
  unsigned loads = 1;
  for (auto load = loads_.rbegin(); load != loads_.rend() && load->first > now; ++load) {
    words += load->second, loads += 1;
    if (words > room_.words || loads > room_.loads) return load->first;
  }
  return 0;
}

void LoadsUnderWay::add(double there, unsigned words, double now) {
  if (words == 0) return;
  std::erase_if(loads_, [&](const auto& load) { return load.first <= now; });
  const std::pair load{there, words};
  loads_.insert(std::upper_bound(loads_.begin(), loads_.end(), load), load);
}

double nominal_latency(Step step) {
  switch (step) {
    case Step::None:
      return 1;
    case Step::Fma:
      return 4;
    case Step::Fp64:
      return 8;
    case Step::Xu:
      return 18;
    case Step::Shared:
      return 29;
    case Step::Global:
      return 263;
    case Step::Atomic:
      return 479;
    case Step::Tensor:
      return 33;
    case Step::Barrier:
      return 20;
    case Step::Branch:
    case Step::Gap:
      return 1;
  }
  return 1;
}

std::vector<uint32_t> issue_order(const ptx::Function& function, const std::vector<InstructionClass>& classes,
                                  uint32_t first, uint32_t end) {
  return List(function, classes, first, end).order();
}

}  // namespace warpwise::perf
