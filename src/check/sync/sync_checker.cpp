#include "check/sync/sync_checker.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "check/source/places.h"
#include "exec/fault/fault_report.h"
#include "simt/instrument/events.h"

namespace warpwise::check {

using exec::Misuse;
using exec::ObservedEvent;
using simt::EventKind;
using simt::event::Barrier;
using simt::event::Reconvergence;

uint32_t SyncChecker::watch() const { return simt::kWatchBarriers; }

void SyncChecker::launch_begins(const exec::KernelLaunch&) {
  std::lock_guard lock(mutex_);
  blocks_.clear();
  barriers_.begin_launch();
}

void SyncChecker::launch_ends(const exec::KernelLaunch&) {
  std::lock_guard lock(mutex_);
  for (auto& [run, block] : blocks_) collectives_.finish(block.about, block.collectives);
  blocks_.clear();
}

void SyncChecker::block_begins(exec::BlockRun& run) {
  std::lock_guard lock(mutex_);
  Block& block = blocks_[&run];
  collectives_.finish(block.about, block.collectives);
  block.about = {&run.launch.launch, &run.launch.kernel, run.block};
  const uint64_t threads = run.launch.launch.block.count();
  block.barriers.begin(threads);
  block.collectives.begin(static_cast<uint32_t>(threads));
}

void SyncChecker::on_event(const ObservedEvent& event) {
  const EventKind kind = simt::kind_of(event.what);
  if (kind == EventKind::Barrier && simt::unpack<Barrier>(event.what).of == Barrier::Of::Block) return;
  std::lock_guard lock(mutex_);
  auto found = blocks_.find(&event.run);
  if (found == blocks_.end()) return;
  Block& block = found->second;
  if (kind != EventKind::Collective) CollectiveChecks::go_on(block.collectives, event);
  auto site = [&] { return event.run.launch.kernel.site_at(event.pc); };
  const simt::Overloaded by_kind{
      [&](const Barrier&) { barriers_.arrive(block.about, block.barriers, event, site()); },
      [&](const simt::event::Collective& what) {
        collectives_.arrive(block.about, block.collectives, event, what, site());
      },
      [&](const simt::event::Undefined& what) {
        collectives_.use(block.about, block.collectives, event, what, site(), *arena_);
      },
      [&](const Reconvergence& what) {
        if (what.of == Reconvergence::Of::Collectives)
          collectives_.pass(block.about, block.collectives, event);
        else
          barriers_.pass(block.about, block.barriers, event, what.of == Reconvergence::Of::End);
      },
      [](const auto&) {},
  };
  simt::visit_event(event.what, by_kind);
}

namespace {

// The rule that a kernel which was ended has broken; null: none of synchronisation.
const char* rule_of(const exec::KernelFault& fault) {
  switch (fault.misuse) {
    case Misuse::None:
      return fault.failure == device::Failure::LaunchTimeout && fault.what != "interrupted" ? "C0407" : nullptr;
    case Misuse::InvalidFree:
    case Misuse::Trap:
    case Misuse::TensorMemory:
      return nullptr;
    case Misuse::Deadlock:
      return "C0407";
    case Misuse::Mbarrier:
      return "C0406";
  }
  return nullptr;
}

// What a thread that waits in vain waits at, and what opens it.
struct Wait {
  const char* role;
  const char* help;
};
Wait wait_at(const ptx::Instruction* instruction) {
  constexpr Wait kBarrier{"barrier", ""};  // the rule's own help
  if (!instruction) return kBarrier;
  const std::string_view opcode = instruction->spec().opcode;
  if (opcode == "mbarrier")
    return {
        "mbarrier",
        "compare the number of arrivals that the mbarrier expects with the threads that arrive, and the parity that "
        "the waiting threads pass with the phase that ends"};
  if (opcode == "tcgen05")
    return {"allocation of tensor memory", "free columns of tensor memory that are not used any more"};
  if (instruction->spec().name != "bar_warp_sync" && (opcode == "bar" || opcode == "barrier")) return kBarrier;
  return {"warp function",
          "let every lane that the mask names call the function, or name only the lanes that do (__ballot_sync before "
          "the branch)"};
}

// Lines without the blanks before them.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const size_t begin = text.find_first_not_of(' ', at);
    if (begin < end) lines.push_back(text.substr(begin, end - begin));
    at = end + 1;
  }
  return lines;
}

}  // namespace

void SyncChecker::faulted(const exec::KernelLaunch& launch, const exec::KernelFault& fault) {
  const char* rule = rule_of(fault);
  if (!rule) return;
  // What follows the first line says which threads wait where.
  const std::vector<std::string> lines = lines_of(fault.what);
  Finding finding = make_finding(rule, lines.empty() ? "" : lines.front());
  if (!lines.empty()) finding.notes.assign(lines.begin() + 1, lines.end());
  const bool is_out_of_time = fault.misuse == Misuse::None;
  const char* role = "last seen";
  if (!is_out_of_time) {
    const Wait wait = wait_at(instruction_at(*launch.image->module, fault.function, fault.instruction));
    role = wait.role;
    if (*wait.help) finding.help = wait.help;
  }
  if (is_out_of_time) {
    finding.notes.push_back(
        "it may wait for what never comes, or only need longer: --timeout=SECONDS gives it more time");
    finding.help =
        "look at the loop that this line stands in: what makes its condition false for this thread, and which thread "
        "writes what it waits for?";
  }
  finding.parties.push_back(
      thread_party(launch, role, fault.block, fault.thread,
                   code_place(*launch.image->module, fault.function, fault.instruction, fault.calls)));
  finding.notes.push_back("the kernel was ended here");
  sink_.report(std::move(finding));
}

}  // namespace warpwise::check
