#include "check/memory/memory_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/demangled.h"
#include "check/event_threads.h"
#include "check/memory/memory_message.h"
#include "check/source/copied_values.h"
#include "check/source/places.h"
#include "exec/fault/fault_report.h"

namespace warpwise::check {

using device::Address;
using exec::BlockRun;
using exec::ObservedEvent;
using exec::Owner;
using exec::Region;

namespace {

constexpr Address kNullPage = 64 << 10;
// Padding between the members of a struct is shorter than this (alignas(16) is the widest of CUDA's types): so many
// uninitialised bytes in a row are no padding.
constexpr size_t kMostPadding = 15;

const char* role_of(simt::AccessKind kind) {
  switch (kind) {
    case simt::AccessKind::Load:
      return "read";
    case simt::AccessKind::Store:
      return "write";
    case simt::AccessKind::Atomic:
      return "atomic";
  }
  return "access";
}

}  // namespace

uint32_t MemoryChecker::watch() const {
  if (!mapped_) return 0;
  return (addresses_ ? uint32_t{simt::kWatchAddresses} : 0) |
         (initialisation_ || outputs_ ? uint32_t{simt::kWatchInitialisation} : 0);
}

void MemoryChecker::begin(exec::Arena& arena) {
  arena_ = &arena;
  auto mapped = shadow_.map();
  mapped_ = mapped.ok();
  if (!mapped_) sink_.note_unchecked(fmt::format("accesses of kernels: {}", mapped.error().message));
}

// --- the shadow ---------------------------------------------------------------------------------------

void MemoryChecker::allocated(const Region& region) {
  if (!mapped_) return;
  if (region.what == exec::kSharedMemoryName || region.what == exec::kLocalMemoryName)
    return;  // block_memory() paints it
  // What the host can write by itself counts as written, and so does what the engine or a module's image fills.
  const bool uninitialised = region.owner == Owner::Program && region.kind == device::MemoryKind::Device;
  shadow_.paint(region.base, region.size, uninitialised ? simt::kUninitialised : simt::kInitialised);
  std::lock_guard lock(mutex_);
  if (outputs_ && uninitialised) may_be_unwritten_[region.base] = region.size;
}

// At the end of an allocation's life.
void MemoryChecker::report_unwritten(Address base, size_t bytes) {
  if (failed_ || bytes == 0 || !ShadowMemory::covers(base, bytes)) return;
  const uint8_t* shadow = ShadowMemory::at(base);
  if (std::any_of(shadow, shadow + bytes, [](uint8_t state) { return state != simt::kUninitialised; })) return;
  Finding finding = make_finding("C0305", fmt::format("an allocation of {} bytes is never written", bytes));
  finding.parties.push_back({.role = "allocation"});
  finding.memory =
      MemoryPlace{.space = "global", .address = base, .bytes = bytes, .base = base, .size = bytes, .allocated = true};
  sink_.report(std::move(finding));
}

void MemoryChecker::freed(const Region& region) {
  if (!mapped_) return;
  std::lock_guard lock(mutex_);
  if (may_be_unwritten_.erase(region.base) != 0) report_unwritten(region.base, region.size);
  annotations_.freed(region.base, region.size);
  shadow_.clear(region.base, region.size);
  written_prefixes_.forget(region.base);
  ended_.erase(region.base);
  heap_.freed(region.base, region.size);
}

// A graph has its memory at one address, at every launch anew.
void MemoryChecker::lifetime(Address base, size_t bytes, bool ends, const HostPlace&) {
  if (!mapped_) return;
  std::lock_guard lock(mutex_);
  written_prefixes_.forget(base);
  if (ends) {
    shadow_.clear(base, bytes);
    ended_[base] = bytes;
  } else {
    shadow_.paint(base, bytes, simt::kUninitialised);
    ended_.erase(base);
  }
}

bool MemoryChecker::has_ended(Address address) const {
  std::lock_guard lock(mutex_);
  auto found = ended_.upper_bound(address);
  return found != ended_.begin() && address - std::prev(found)->first < std::prev(found)->second;
}

void MemoryChecker::heap_allocated(Address base, size_t bytes) {
  if (!mapped_) return;
  shadow_.paint(base, bytes, simt::kUninitialised);
  heap_.allocated(base, bytes);
}

void MemoryChecker::heap_freed(Address base, size_t bytes) {
  if (!mapped_) return;
  shadow_.clear(base, bytes);
  heap_.freed(base, 1);
}

void MemoryChecker::program_ends() {
  std::lock_guard lock(mutex_);
  for (const auto& [base, bytes] : may_be_unwritten_) report_unwritten(base, bytes);
  may_be_unwritten_.clear();
  if (!addresses_ || failed_) return;  // what a failed kernel leaves behind cannot be freed
  heap_.report_leaks(sink_);
}

void MemoryChecker::variables_placed(const ptx::Module& module, const ptx::GlobalsLayout& layout, Address base) {
  if (!mapped_) return;
  shadow_.paint(base, layout.bytes, simt::kNoMemory);
  for (size_t v = 0; v < module.variables.size(); ++v) {
    const ptx::Variable& variable = module.variables[v];
    if (layout.offset[v] == ptx::kNotPlaced) continue;
    shadow_.paint(base + layout.offset[v], variable.size,
                  variable.space == ptx::Space::Const ? simt::kReadOnly : simt::kInitialised);
  }
}

// The host may write what kernels only read.
bool MemoryChecker::is_constant(Address address) const {
  return ShadowMemory::covers(address, 1) && *ShadowMemory::at(address) == simt::kReadOnly;
}

void MemoryChecker::written(Address to, size_t bytes) {
  if (!mapped_ || is_constant(to)) return;
  shadow_.paint(to, bytes, simt::kInitialised);
  annotations_.written(to, bytes);
}

void MemoryChecker::copies(Address to, Address from, size_t bytes) {
  if (!mapped_ || is_constant(to)) return;
  if (is_constant(from)) return shadow_.paint(to, bytes, simt::kInitialised);
  shadow_.copy(to, from, bytes);
  annotations_.copied(to, from, bytes);
  written_prefixes_.clear();  // what was copied may be uninitialised
}

void MemoryChecker::launch_begins(const exec::KernelLaunch& launch) {
  if (!mapped_) return;
  if (annotations_.close_restricted()) written_prefixes_.clear();
  blocks_.begin_launch(*launch.image);
}

void MemoryChecker::launch_ends(const exec::KernelLaunch&) {
  if (mapped_ && annotations_.open_restricted()) written_prefixes_.clear();
}

void MemoryChecker::annotated(const device::MemoryAnnotation& annotation, const HostPlace& host) {
  if (!mapped_) return;
  annotations_.take(annotation, host, *arena_, sink_);
  written_prefixes_.clear();
}

void MemoryChecker::host_reads(Address from, size_t bytes) {
  if (!mapped_ || !initialisation_ || bytes == 0 || !ShadowMemory::covers(from, bytes)) return;
  const uint8_t* shadow = ShadowMemory::at(from);
  size_t unwritten = 0, longest = 0, first = 0, run = 0;
  for (size_t k = 0; k < bytes; ++k) {
    run = shadow[k] == simt::kUninitialised ? run + 1 : 0;
    unwritten += run != 0;
    if (run > longest) longest = run, first = k + 1 - run;
  }
  if (longest <= kMostPadding && unwritten != bytes) return;
  if (unwritten == 0) return;
  Finding finding = make_finding(
      "C0304", fmt::format("{} of {} bytes that are copied to the host were never written, the first at byte {}",
                           unwritten, bytes, first));
  finding.parties.push_back({.role = "copy", .host = command_ ? command_->submitted_at : HostPlace()});
  finding.memory = place_of(from + first, longest, nullptr);
  sink_.report(std::move(finding));
}

void MemoryChecker::block_memory(BlockRun& run) {
  if (!mapped_) return;
  written_prefixes_.note_pointers(run, *arena_);
  const bool checked = blocks_.reserve(run, *arena_);
  if (!checked && initialisation_)
    sink_.note_unchecked(
        fmt::format("reads of uninitialised local memory, in kernel `{}`: its threads have {} bytes each",
                    demangled(run.launch.launch.image->function().name), run.context.local_stride));
}

void MemoryChecker::block_begins(BlockRun& run) {
  if (mapped_) blocks_.begin(run);
}

// --- findings -----------------------------------------------------------------------------------------

MemoryPlace MemoryChecker::place_of(Address address, uint64_t bytes, const BlockRun* run) const {
  MemoryPlace place = memory_place(*arena_, address, bytes, run);
  annotations_.find_suballocation(place);
  return place;
}

MemoryChecker::Site MemoryChecker::site_of(const ObservedEvent& event, std::string rule) {
  const ptx::Module* module = event.run.launch.launch.image->module.get();
  const simt::Site* at = event.run.launch.kernel.site_at(event.pc);
  if (!at) return {module, -1, -1, std::move(rule), simt::InlinedCall::kNone};
  return {module, at->function, at->instruction, std::move(rule), at->call};
}

Finding MemoryChecker::finding_of(const ObservedEvent& event, const Site& site, const char* role, uint32_t thread,
                                  std::string message, MemoryPlace place) const {
  Finding finding = make_finding(site.rule, std::move(message));
  finding.parties.push_back(thread_party(
      event.run.launch.launch, role, event.run.block, thread,
      code_place(*site.module, site.function, site.instruction, event.run.launch.kernel.calls_around(site.call))));
  finding.memory = std::move(place);
  finding.order = order_of(event.run);
  return finding;
}

const FindingSink::Cause* MemoryChecker::known(const Site& site, const LaunchOrder& order) const {
  auto found = sites_.find(site);
  return found == sites_.end() || order.before(found->second.order) ? nullptr : &found->second.cause;
}

void MemoryChecker::report(const Site& site, Finding finding) {
  const LaunchOrder order = finding.order;
  sites_.insert_or_assign(site, Shown{sink_.report(std::move(finding)), order});
}

std::string MemoryChecker::rule_of(Address address, uint64_t bytes, const BlockRun* run, bool reads,
                                   bool writes) const {
  if (address < kNullPage) return "C0110";
  if (is_host_address(address)) return "C0108";
  // Without a shadow faults alone come here, and those are of no memory.
  bool no_memory = !mapped_, uninitialised = false, read_only = false;
  if (mapped_ && ShadowMemory::covers(address, bytes)) {
    for (const uint8_t* s = ShadowMemory::at(address); s != ShadowMemory::at(address) + bytes; ++s) {
      no_memory = no_memory || *s == simt::kNoMemory;
      uninitialised = uninitialised || *s == simt::kUninitialised;
      read_only = read_only || *s == simt::kReadOnly;
    }
  }
  const MemoryPlace place = place_of(address, bytes, run);
  if (no_memory) {
    if (place.freed || has_ended(address)) return "C0103";
    if (place.space == "shared") return place.name.empty() ? "C0104" : "C0107";
    if (place.space == "local") return "C0105";
    if (place.space == "constant") return "C0106";
    return place.name.empty() || !place.allocated ? "C0101" : "C0107";
  }
  if (read_only && writes) return "C0111";
  if (!uninitialised || !reads) return "";
  return place.space == "shared" ? "C0302" : place.space == "local" ? "C0303" : "C0301";
}

void MemoryChecker::on_event(const ObservedEvent& access) {
  namespace event = simt::event;
  auto check_lanes = [&](const AccessToCheck& what) {
    for (uint32_t left = access.mask; left != 0; left &= left - 1)
      check_shadow(access, what, static_cast<unsigned>(std::countr_zero(left)));
  };
  const simt::Overloaded by_kind{
      [&](const event::Shadow& fault) { check_lanes(AccessToCheck::of(fault)); },
      [&](const event::Unchecked& left) { check_lanes(AccessToCheck::of(left)); },
      [&](const event::Rows& rows) { check_lanes(AccessToCheck::of(rows)); },
      [&](const event::Uninitialised& copy) {
        if (copy.shared)
          access.run.context.copied_unwritten = 1;
        else
          written_prefixes_.clear();
      },
      [&](const event::FrameEnd&) { blocks_.end_frames(access); },
      [&](const event::Parameter& load) { check_parameter(access, load.bytes); },
      [](const auto&) {},
  };
  simt::visit_event(access.what, by_kind);
}

void MemoryChecker::check_parameter(const ObservedEvent& access, uint8_t bytes) {
  if (access.mask == 0) return;
  const unsigned lane = static_cast<unsigned>(std::countr_zero(access.mask));
  const exec::KernelLaunch& launch = access.run.launch.launch;
  const auto index = static_cast<size_t>(access.values[lane]);
  const ptx::Parameter& parameter = launch.image->function().parameters[index];
  const Address address = access.addresses[lane];
  const std::string rule = address % bytes != 0 ? "C0102" : "C0106";
  const Site site = site_of(access, rule);
  const auto lanes = static_cast<uint64_t>(std::popcount(access.mask));
  std::lock_guard lock(mutex_);
  if (const FindingSink::Cause* cause = known(site, order_of(access.run))) return sink_.again(*cause, lanes);
  MemoryPlace place{.space = "parameter",
                    .address = address,
                    .bytes = bytes,
                    .name = fmt::format("parameter {} of the kernel", index + 1),
                    .base = parameter.offset,
                    .size = parameter.size,
                    .allocated = true};
  std::string message = rule == "C0102"
                            ? fmt::format("read of {} bytes at byte {} of the parameters, which is no multiple of {}",
                                          bytes, address, bytes)
                            : message_of(rule, "read", address, bytes, place);
  Finding finding =
      finding_of(access, site, "read", first_thread_of(access) + lane, std::move(message), std::move(place));
  finding.threads = lanes;
  report(site, std::move(finding));
}

// Compiled code marks what it has checked as written by itself. Rows of a matrix and accesses that it has not checked
// are marked here, and rows are reads or writes of 16 bytes. A fault is reported as the kind of access that it is.
MemoryChecker::AccessToCheck MemoryChecker::AccessToCheck::of(const simt::event::Shadow& fault) {
  return {fault.access, fault.align, fault.access.reads(), fault.access.kind == simt::AccessKind::Store,
          false,        fault.copied};
}
MemoryChecker::AccessToCheck MemoryChecker::AccessToCheck::of(const simt::event::Unchecked& left) {
  return {left.access, left.align, left.reads, left.access.writes(), true};
}
MemoryChecker::AccessToCheck MemoryChecker::AccessToCheck::of(const simt::event::Rows& rows) {
  return {rows.access(), 0, !rows.stores, rows.stores};
}

void MemoryChecker::check_shadow(const ObservedEvent& access, const AccessToCheck& what, unsigned lane) {
  const Address address = access.addresses[lane];
  const uint8_t bytes = what.access.bytes;
  const bool reads = what.reads && initialisation_;
  const uint64_t past = address & ((uint64_t{1} << what.align) - 1);
  std::string rule = "C0102";
  if (past == 0 || !addresses_) {
    auto by_permission = annotations_.rule_of(address, bytes, what.access.kind, reads);
    rule = by_permission ? *by_permission : rule_of(address, bytes, &access.run, reads, what.access.writes());
  }
  if (what.marks && (rule.empty() || what.marks_always)) shadow_.mark(address, bytes);
  if (rule.empty()) return;
  // What an atomic has changed is reported once: from now on something is there.
  if (what.access.kind == simt::AccessKind::Atomic && rule.starts_with("C03") && ShadowMemory::covers(address, bytes))
    shadow_.paint(address, bytes, simt::kInitialised);
  const Site site = site_of(access, rule);
  std::lock_guard lock(mutex_);
  if (const FindingSink::Cause* cause = known(site, order_of(access.run))) return sink_.again(*cause);
  if (what.copied && rule.starts_with("C03") && !copies_one_value(site)) return;
  const char* role = role_of(what.access.kind);
  MemoryPlace place = place_of(address, bytes, &access.run);
  name_allocation(place, *arena_);
  std::string message = message_of(rule, role, address, bytes, place);
  if (rule == "C0117")
    message += fmt::format(", where the program allows {}", annotations_.allowed_at(address));
  else if (past != 0)
    message = fmt::format("{} of {} bytes at {:#x}, which is no multiple of {}", role, 1u << what.align, address,
                          1u << what.align);
  Finding finding =
      finding_of(access, site, role, first_thread_of(access) + lane, std::move(message), std::move(place));
  report(site, std::move(finding));
}

bool MemoryChecker::copies_one_value(const Site& site) {
  auto [known, fresh] = copies_one_value_.try_emplace({site.module, site.function, site.instruction}, false);
  if (fresh) known->second = check::copies_one_value(*site.module, site.function, site.instruction);
  return known->second;
}

namespace {

struct Access {
  std::string role;
  uint64_t bytes;
};

// What the instruction that faults does to memory. Those that do more than a load or a store are "an access of a byte".
Access access_of(const ptx::Module& module, int64_t function, int64_t instruction) {
  const ptx::Instruction* inst = instruction_at(module, function, instruction);
  const std::string_view opcode = inst ? inst->spec().opcode : "";
  const char* role = opcode == "ld" || opcode == "ldu"     ? "read"
                     : opcode == "st"                      ? "write"
                     : opcode == "atom" || opcode == "red" ? "atomic"
                                                           : nullptr;
  if (!role) return {"access", 1};
  return {role, uint64_t{ptx::bytes_of(inst->type())} * inst->vector_length()};
}

}  // namespace

void MemoryChecker::faulted(const exec::KernelLaunch& launch, const exec::KernelFault& fault) {
  failed_ = true;
  std::string rule;
  auto [role, bytes] = access_of(*launch.image->module, fault.function, fault.instruction);
  switch (fault.failure) {
    case device::Failure::IllegalAddress:
      if (!fault.address) return;
      rule = rule_of(*fault.address, 1, nullptr, false, false);
      if (rule.empty()) rule = "C0101";
      break;
    case device::Failure::MisalignedAddress:
      rule = "C0102";
      break;
    case device::Failure::HardwareStackError:
      rule = "C0109";
      break;
    case device::Failure::LaunchFailure:
      if (fault.misuse == exec::Misuse::InvalidFree)
        rule = "C0112", role = "free";
      else if (is_call(*launch.image->module, fault.function, fault.instruction))
        rule = "C0114", role = "call";
      else
        return;
      break;
    default:
      return;
  }
  if (!addresses_) return;
  const Site site{launch.image->module.get(), fault.function, fault.instruction, rule, simt::InlinedCall::kNone};
  std::lock_guard lock(mutex_);
  // The access that the fault is about may have been reported already, by a checker that knew more of it.
  auto reported = sites_.lower_bound({site.module, site.function, site.instruction, "", 0});
  if (fault.instruction >= 0 && reported != sites_.end() && reported->first.module == site.module &&
      reported->first.function == site.function && reported->first.instruction == site.instruction)
    return;
  if (known(site, {})) return;
  MemoryPlace place;
  if (fault.address) place = memory_place(*arena_, *fault.address, bytes, nullptr);
  Finding finding = make_finding(rule, !fault.what.empty() ? fault.what
                                       : fault.address ? message_of(rule, role.c_str(), *fault.address, bytes, place)
                                                       : exec::describe(fault.failure));
  finding.parties.push_back(
      thread_party(launch, role, fault.block, fault.thread,
                   code_place(*launch.image->module, fault.function, fault.instruction, fault.calls)));
  if (rule == "C0114") finding.message = "a call through a pointer that points to no function of this shape";
  if (fault.address) finding.memory = std::move(place);
  finding.notes.push_back("the kernel was ended here");
  report(site, std::move(finding));
}

}  // namespace warpwise::check
