#include "exec/launch/signal_cause.h"

#include <algorithm>
#include <csignal>

#include "exec/fault/fault_report.h"
#include "exec/fault/memory_operand.h"
#include "exec/memory/arena.h"
#include "simt/instrument/race_cells.h"

namespace warpwise::exec {
namespace {

using device::Failure;

// Frames of kernel functions are smaller than this.
constexpr uint64_t kStackReach = 64 << 10;

// Bytes that one lane accesses, 0 when it is no plain load or store.
unsigned lane_bytes(const ptx::Module& module, const simt::Site& site) {
  if (site.function >= module.functions.size()) return 0;
  const auto& instructions = module.functions[site.function].instructions;
  if (site.instruction >= instructions.size()) return 0;
  const ptx::Instruction& instruction = instructions[site.instruction];
  return ptx::bytes_of(instruction.type()) * instruction.vector_length();
}

Failure failure_of(int signal) {
  switch (signal) {
    case SIGSEGV:
    case SIGBUS:
      return Failure::IllegalAddress;
    case SIGILL:
      return Failure::IllegalInstruction;
    default:
      return Failure::LaunchFailure;
  }
}

class SignalCause {
 public:
  explicit SignalCause(const BlockRun& run)
      : run_(run), signal_(run.guard.signal()), site_(run.launch.site_at(signal_.registers.rip)) {}

  std::optional<KernelFault> find() {
    begin();
    if (signal_.number == kLeaveSignal) {
      if (run_.launch.is_pointless(run_.place)) return std::nullopt;
      fault_.failure = Failure::LaunchTimeout;
      fault_.what = run_.launch.reason_to_stop().value_or("stopped");
      return fault_;
    }
    if (fault_.failure != Failure::IllegalAddress) return fault_;
    if (is_end_of_stack()) {
      fault_.failure = Failure::HardwareStackError;
      fault_.what = describe_stack_overflow(run_.launch.launch, fault_.function);
      return fault_;
    }
    view_ = distance_of_view();
    if (signal_.address_known) fault_.address = signal_.address - view_;
    const LoadedCode* around = run_.launch.code_at(signal_.registers.rip);
    if (!around) return fault_;  // inside memcpy or memset
    const auto* code = reinterpret_cast<const uint8_t*>(signal_.registers.rip);
    const size_t rest = around->text() + around->text_bytes() - signal_.registers.rip;
    const auto operand = decode_memory_operand({code, std::min<size_t>(rest, 15)}, signal_.registers);
    if (!operand || operand->elements.empty()) return fault_;
    name_thread(operand->indexed ? lane_of_gather(*operand) : lane_of_plain_access(*operand));
    return fault_;
  }

 private:
  // What is known without the address.
  void begin() {
    fault_.block = run_.block;
    fault_.failure = failure_of(signal_.number);
    fault_.thread = run_.running_thread;
    if (run_.running_thread < 0) fault_.warp = run_.running_warp();
    if (!site_) return;
    fault_.function = site_->function;
    fault_.instruction = site_->instruction;
    // Interleaved warps report the first one.
    if (fault_.warp >= 0) fault_.warp += first_lane() / simt::kLanes;
  }

  int64_t first_lane() const { return site_ ? site_->first_lane % simt::kLanesReversed : 0; }

  // A store just below the stack pointer, outside device memory: the guard page of a stack.
  bool is_end_of_stack() const {
    const uint64_t stack = signal_.registers.general[4];
    return signal_.address_known && signal_.address - (stack - kStackReach) < 2 * kStackReach;
  }

  // From the address that was accessed to the program's.
  uint64_t distance_of_view() const {
    // Lookups of shadows that LLVM has merged have lost what distinguished them (codegen.cpp, sites). Those of a null
    // pointer, and of an index before the first allocation, are known by where they are.
    constexpr uint64_t kNearlyNull = 4096, kShadowView = simt::kAliasOffset - simt::kShadowDistance;
    const uint64_t looked_up = signal_.address - kShadowView;
    if (run_.launch.machine.observer && signal_.address_known &&
        (looked_up < kNearlyNull || Arena::just_before_window(looked_up)))
      return kShadowView;
    return simt::kAliasOffset - (site_ ? simt::kShadowDistances[site_->shadow] : 0);
  }

  bool registers_tell() const { return site_ && (site_->first_lane & simt::kRegistersTell); }
  // Between neighbouring elements of a vector.
  int64_t lanes_apart() const { return site_ && (site_->first_lane & simt::kWarpsApart) ? simt::kLanes : 1; }

  // Gathers and scatters complete from the lowest element up, so the first one not done is the one that faulted.
  int64_t lane_of_gather(const MemoryOperand& operand) {
    const MemoryOperand::Element& element = operand.elements[0];
    fault_.address = element.address - view_ + (registers_tell() ? element.kept & 3 : 0);
    const bool reversed = site_ && (site_->first_lane & simt::kLanesReversed);
    return first_lane() + (reversed ? int64_t{simt::kScatterLanes} - 1 - element.index : element.index);
  }

  // -1: not known.
  int64_t lane_of_plain_access(const MemoryOperand& operand) {
    const uint64_t start = operand.elements[0].address;
    if (!signal_.address_known) fault_.address = start - view_;
    // Of an address that is no address at all the processor reports nothing, and the first lane's is as wrong as the
    // others'.
    const uint64_t reached = signal_.address_known ? signal_.address : start;
    if (registers_tell()) return lane_of_tag(operand, reached);
    // A vector of neighbouring lanes; the processor reports the first byte it could not reach.
    const unsigned bytes = site_ ? lane_bytes(*run_.launch.launch.image->module, *site_) : 0;
    if (operand.vector_bytes <= bytes || bytes == 0 || reached < start) return -1;
    return first_lane() + int64_t((reached - start) / bytes) * lanes_apart();
  }

  // An access of one lane that was taken apart from those of its warp.
  int64_t lane_of_tag(const MemoryOperand& operand, uint64_t reached) {
    // A loop's access adds two registers, either of which can be the index. One register is an access of the one lane
    // that its place names.
    const bool in_loop = operand.base && operand.index;
    const int64_t named = in_loop ? -1 : first_lane();
    const uint64_t number = in_loop ? std::min(*operand.base, *operand.index) : simt::LaneTag::kEnd;
    if (number >= simt::LaneTag::kEnd) return named;
    const simt::LaneTag tag(number);
    fault_.address = reached - view_ + tag.low_bits;
    return first_lane() + int64_t{tag.lane} * lanes_apart();
  }

  // Lanes from 32 on are those of the next interleaved warps.
  void name_thread(int64_t lane) {
    if (run_.running_thread >= 0 || run_.running_warp() < 0 || lane < 0) return;
    const auto thread = uint64_t(run_.running_warp() * simt::kLanes + lane);
    if (thread < run_.launch.launch.block.count()) fault_.thread = int64_t(thread);
  }

  const BlockRun& run_;
  const SignalRecord& signal_;
  const simt::Site* site_;
  uint64_t view_ = 0;
  KernelFault fault_;
};

}  // namespace

std::optional<KernelFault> cause_of_signal(const BlockRun& run) { return SignalCause(run).find(); }

}  // namespace warpwise::exec
