#include "check/memory/memory_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/demangled.h"
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
// The local memory of a block is painted anew for every block up to this size: 256 KiB for each of a thousand threads.
constexpr uint64_t kMostLocalBytes = 256 << 20;

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

uint64_t local_bytes(const simt::BlockContext& block) {
  return uint64_t{block.ntid[0]} * block.ntid[1] * block.ntid[2] * block.local_stride;
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
  const bool blank = region.owner == Owner::Program && region.kind == device::MemoryKind::Device;
  shadow_.paint(region.base, region.size, blank ? simt::kUninitialised : simt::kInitialised);
  std::lock_guard lock(mutex_);
  if (outputs_ && blank) may_be_unwritten_[region.base] = region.size;
}

// At the end of an allocation's life: has anybody written to it?
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
  written_.erase(region.base);
  ended_.erase(region.base);
  heap_.erase(heap_.lower_bound(region.base), heap_.lower_bound(region.base + region.size));
}

// A graph has its memory at one address, at every launch anew.
void MemoryChecker::lifetime(Address base, size_t bytes, bool ends, const HostPlace&) {
  if (!mapped_) return;
  std::lock_guard lock(mutex_);
  written_.erase(base);
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
  std::lock_guard lock(mutex_);
  heap_[base].bytes = bytes;
}

void MemoryChecker::heap_allocated_by(BlockRun& run, Address base, uint64_t pc) {
  const simt::Site* at = run.launch.kernel.site_at(pc);
  const exec::KernelLaunch& launch = run.launch.launch;
  CodePlace place =
      at ? code_place(*launch.image->module, at->function, at->instruction, run.launch.kernel.calls_around(at->call))
         : CodePlace{};
  std::lock_guard lock(mutex_);
  if (auto found = heap_.find(base); found != heap_.end())
    found->second.by = thread_party(launch, "malloc", run.block, run.running_thread, std::move(place));
}

void MemoryChecker::heap_freed(Address base, size_t bytes) {
  if (!mapped_) return;
  shadow_.clear(base, bytes);
  std::lock_guard lock(mutex_);
  heap_.erase(base);
}

void MemoryChecker::program_ends() {
  std::lock_guard lock(mutex_);
  for (const auto& [base, bytes] : may_be_unwritten_) report_unwritten(base, bytes);
  may_be_unwritten_.clear();
  if (!addresses_ || failed_) return;  // what a failed kernel leaves behind cannot be freed
  for (auto& [base, on_heap] : heap_) {
    Finding finding =
        make_finding("C0113", fmt::format("{} bytes that a kernel allocated are never freed", on_heap.bytes));
    finding.parties.push_back(std::move(on_heap.by));
    sink_.report(std::move(finding));
  }
  heap_.clear();
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
  forget_written();  // what was copied may be uninitialised
}

void MemoryChecker::launch_begins(const exec::KernelLaunch& launch) {
  if (!mapped_) return;
  if (annotations_.close_restricted()) forget_written();
  if (image_ == launch.image) return;
  image_ = launch.image;
  shared_variables_ = shared_variables(*image_);
}

void MemoryChecker::launch_ends(const exec::KernelLaunch&) {
  if (mapped_ && annotations_.open_restricted()) forget_written();
}

void MemoryChecker::annotated(const device::MemoryAnnotation& annotation, const HostPlace& host) {
  if (!mapped_) return;
  annotations_.take(annotation, host, *arena_, sink_);
  forget_written();
}

// What was written from the start of allocations on is less than it was.
void MemoryChecker::forget_written() {
  std::lock_guard lock(mutex_);
  written_.clear();
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

// How much of an allocation was written, from its start on. That never becomes less, but for copies of
// uninitialised memory: the search goes on where it ended the last time.
uint64_t MemoryChecker::written_bytes(const Region& region) {
  std::lock_guard lock(mutex_);
  uint64_t& bytes = written_[region.base];
  const uint8_t* shadow = ShadowMemory::at(region.base);
  uint64_t words;
  auto whole = [&] {
    return bytes + sizeof words <= region.size &&
           (std::memcpy(&words, shadow + bytes, sizeof words), words == ~uint64_t{0});
  };
  while (whole()) bytes += sizeof words;
  while (bytes < region.size && shadow[bytes] == simt::kInitialised) ++bytes;
  return bytes;
}

// What the parameters of the launch point to.
void MemoryChecker::find_pointers(BlockRun& run) {
  const uint64_t count = std::min<uint64_t>(simt::kPointers, run.launch.launch.parameters.size() / 8);
  for (uint64_t n = 0; n < count; ++n) {
    Address address;
    std::memcpy(&address, reinterpret_cast<const char*>(run.context.parameters) + n * 8, sizeof address);
    auto region = arena_->find(address);
    if (!region || region->owner != Owner::Program || !ShadowMemory::covers(region->base, region->size)) continue;
    (*run.pointer_provenance)[n].first = region->base + simt::kAliasOffset;
    (*run.pointer_provenance)[n].readable = written_bytes(*region);
  }
}

void MemoryChecker::block_memory(BlockRun& run) {
  if (!mapped_) return;
  find_pointers(run);
  // The pages of shared memory have a margin on either side, which no variable owns.
  const simt::BlockContext& c = run.context;
  if (auto region = arena_->find(c.shared - simt::kAliasOffset)) shadow_.clear(region->base, region->size);
  if (c.local_stride == 0) return;
  if (auto region = arena_->find(c.local - simt::kAliasOffset)) shadow_.clear(region->base, region->size);
  const bool blank = local_bytes(c) <= kMostLocalBytes;
  if (!blank) {
    shadow_.paint(c.local - simt::kAliasOffset, local_bytes(c), simt::kInitialised,
                  ShadowMemory::Use::Sparse);  // stacks, mostly
    paint_local_ends(run);
  }
  if (!blank && initialisation_)
    sink_.note_unchecked(
        fmt::format("reads of uninitialised local memory, in kernel `{}`: its threads have {} bytes each",
                    demangled(run.launch.launch.image->function().name), c.local_stride));
}

void MemoryChecker::block_begins(BlockRun& run) {
  if (!mapped_) return;
  const simt::BlockContext& c = run.context;
  const Address shared = c.shared - simt::kAliasOffset;
  if (c.total_shared_bytes != 0) {
    const ptx::KernelLayout& layout = image_->layout;
    shadow_.paint(shared, c.total_shared_bytes, simt::kNoMemory);
    if (!shared_variables_.empty())
      shadow_.paint(shared, shared_variables_.front().offset, simt::kInitialised);  // the system's own
    for (const SharedVariable& v : shared_variables_)
      shadow_.paint(shared + v.offset, v.variable->size, simt::kUninitialised);
    if (c.dynamic_shared_bytes != 0)
      shadow_.paint(shared + layout.dynamic_shared_offset, c.dynamic_shared_bytes, simt::kUninitialised);
  }
  if (c.local_stride != 0 && local_bytes(c) <= kMostLocalBytes) {
    shadow_.paint(c.local - simt::kAliasOffset, local_bytes(c), simt::kUninitialised,
                  ShadowMemory::Use::Sparse);  // stacks, where it is much
    paint_local_ends(run);
  }
}

// Behind the last of a thread's frames, where it is known, begins memory that no frame owns.
void MemoryChecker::paint_local_ends(BlockRun& run) {
  const simt::BlockContext& c = run.context;
  const uint64_t end = run.launch.launch.image->layout.local_bytes;
  if (run.launch.kernel.about().local_bytes != end + simt::variable_margin(simt::kWatchAddresses)) return;
  for (Address thread = c.local - simt::kAliasOffset, last = thread + local_bytes(c); thread < last;
       thread += c.local_stride)
    shadow_.paint(thread + end, c.local_stride - end, simt::kNoMemory);
}

// A thread that kept a pointer to a local variable of a function that has returned reads uninitialised memory.
void MemoryChecker::end_frames(const ObservedEvent& access) {
  const simt::BlockContext& c = access.run.context;
  if (c.local_stride == 0 || local_bytes(c) > kMostLocalBytes) return;
  const int64_t alone = access.run.running_thread;
  for (uint32_t left = access.mask; left != 0; left &= left - 1) {
    const unsigned lane = static_cast<unsigned>(std::countr_zero(left));
    const uint64_t thread = alone >= 0 ? static_cast<uint64_t>(alone) : uint64_t{access.warp} * simt::kLanes + lane;
    shadow_.paint(c.local - simt::kAliasOffset + thread * c.local_stride + access.addresses[lane], access.values[lane],
                  simt::kUninitialised, ShadowMemory::Use::Sparse);
  }
}

// --- findings -----------------------------------------------------------------------------------------

MemoryPlace MemoryChecker::place_of(Address address, uint64_t bytes, const BlockRun* run) const {
  MemoryPlace place = memory_place(*arena_, address, bytes, run);
  annotations_.find_suballocation(place);
  return place;
}

FindingSink::Cause* MemoryChecker::known(const Site& site) {
  auto found = sites_.find(site);
  return found == sites_.end() ? nullptr : &found->second;
}

std::string MemoryChecker::rule_of(Address address, uint64_t bytes, const BlockRun* run, bool reads,
                                   bool writes) const {
  if (address < kNullPage) return "C0110";
  if (is_host_address(address)) return "C0108";
  // Without a shadow faults alone come here, and those are of no memory.
  bool no_memory = !mapped_, blank = false, read_only = false;
  if (mapped_ && ShadowMemory::covers(address, bytes)) {
    for (const uint8_t* s = ShadowMemory::at(address); s != ShadowMemory::at(address) + bytes; ++s) {
      no_memory = no_memory || *s == simt::kNoMemory;
      blank = blank || *s == simt::kUninitialised;
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
  if (!blank || !reads) return "";
  return place.space == "shared" ? "C0302" : place.space == "local" ? "C0303" : "C0301";
}

// What happened, for a rule: "a read of 4 bytes, 8 bytes past the end of an allocation of 400".
std::string message_of(const std::string& rule, const char* role, Address address, uint64_t bytes,
                       const MemoryPlace& m) {
  std::string text = fmt::format("{} of {} byte{}", role, bytes, bytes == 1 ? "" : "s");
  if (rule == "C0110") return fmt::format("{} through a null pointer (address {:#x})", text, address);
  if (rule == "C0111")
    return fmt::format("{} at byte {} of {}, which kernels may only read", text, address - m.base, m.name);
  if (rule == "C0108") return fmt::format("{} at {:#x}, which is an address of the host", text, address);
  const std::string what = !m.name.empty()       ? m.name
                           : m.space == "shared" ? "the block's shared memory"
                           : m.space == "local"  ? "the thread's local memory"
                                                 : "an allocation";
  if (!m.allocated) return fmt::format("{} at {:#x}, where nothing is allocated", text, address);
  if (m.freed || rule == "C0103")
    return fmt::format("{} at byte {} of {} of {} bytes that was freed", text, address - m.base, what, m.size);
  if (address < m.base)
    return fmt::format("{}, {} bytes before the start of {} of {} bytes", text, m.base - address, what, m.size);
  if (address >= m.base + m.size) {
    const uint64_t past = address - m.base - m.size;
    return fmt::format("{}, {} past the end of {} of {} bytes", text, past ? fmt::format("{} bytes", past) : "just",
                       what, m.size);
  }
  if (address + bytes > m.base + m.size) return fmt::format("{} across the end of {} of {} bytes", text, what, m.size);
  if (rule == "C0117") return fmt::format("{} at byte {} of {} of {} bytes", text, address - m.base, what, m.size);
  if (rule == "C0107")
    return fmt::format("{} at byte {} of {} of {} bytes, where nothing is suballocated", text, address - m.base, what,
                       m.size);
  return fmt::format("{} at byte {} of {} of {} bytes, which is uninitialised", text, address - m.base, what, m.size);
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
      [&](const event::Uninitialised&) { forget_written(); },
      [&](const event::FrameEnd&) { end_frames(access); },
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
  const simt::Site* at = access.run.launch.kernel.site_at(access.pc);
  const Site site{launch.image->module.get(), at ? int64_t{at->function} : -1, at ? int64_t{at->instruction} : -1, rule,
                  at ? at->call : simt::InlinedCall::kNone};
  const auto lanes = static_cast<uint64_t>(std::popcount(access.mask));
  std::lock_guard lock(mutex_);
  if (FindingSink::Cause* cause = known(site)) return sink_.again(*cause, lanes);
  MemoryPlace place{.space = "parameter",
                    .address = address,
                    .bytes = bytes,
                    .name = fmt::format("parameter {} of the kernel", index + 1),
                    .base = parameter.offset,
                    .size = parameter.size,
                    .allocated = true};
  Finding finding = make_finding(
      rule, rule == "C0102" ? fmt::format("read of {} bytes at byte {} of the parameters, which is no multiple of {}",
                                          bytes, address, bytes)
                            : message_of(rule, "read", address, bytes, place));
  const int64_t thread =
      access.run.running_thread >= 0 ? access.run.running_thread : int64_t{access.warp} * simt::kLanes + lane;
  finding.parties.push_back(thread_party(launch, "read", access.run.block, thread,
                                         code_place(*launch.image->module, std::get<1>(site), std::get<2>(site),
                                                    access.run.launch.kernel.calls_around(std::get<4>(site)))));
  finding.threads = lanes;
  finding.memory = std::move(place);
  sites_[site] = sink_.report(std::move(finding));
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
  const exec::KernelLaunch& launch = access.run.launch.launch;
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
  const simt::Site* at = access.run.launch.kernel.site_at(access.pc);
  const Site site{launch.image->module.get(), at ? int64_t{at->function} : -1, at ? int64_t{at->instruction} : -1, rule,
                  at ? at->call : simt::InlinedCall::kNone};
  const int64_t thread =
      access.run.running_thread >= 0 ? access.run.running_thread : int64_t{access.warp} * simt::kLanes + lane;
  std::lock_guard lock(mutex_);
  if (FindingSink::Cause* cause = known(site)) return sink_.again(*cause);
  if (what.copied && rule.starts_with("C03") &&
      !copies_one_value(*launch.image->module, std::get<1>(site), std::get<2>(site)))
    return;
  const char* role = role_of(what.access.kind);
  MemoryPlace place = place_of(address, bytes, &access.run);
  if (place.name.empty()) place.name = annotations_.name_of(place.base);
  Finding finding = make_finding(rule, rule == "C0117" ? fmt::format("{}, where the program allows {}",
                                                                     message_of(rule, role, address, bytes, place),
                                                                     annotations_.allowed_at(address))
                                       : past != 0 ? fmt::format("{} of {} bytes at {:#x}, which is no multiple of {}",
                                                                 role, 1u << what.align, address, 1u << what.align)
                                                   : message_of(rule, role, address, bytes, place));
  finding.parties.push_back(thread_party(launch, role, access.run.block, thread,
                                         code_place(*launch.image->module, std::get<1>(site), std::get<2>(site),
                                                    access.run.launch.kernel.calls_around(std::get<4>(site)))));
  finding.memory = std::move(place);
  sites_[site] = sink_.report(std::move(finding));
}

// Whether the value that is copied is a variable's own, which ISO C++ forbids to read ([basic.indet]). Copies of whole
// objects may take along what was never set: padding, the rest of an array. They are several loads at one place of the
// source, or vectors.
bool MemoryChecker::copies_one_value(const ptx::Module& module, int64_t function, int64_t instruction) {
  if (function < 0 || instruction < 0) return false;
  auto [known, fresh] = copies_one_value_.try_emplace({&module, function, instruction}, false);
  if (!fresh) return known->second;
  const ptx::Function& body = module.functions[static_cast<size_t>(function)];
  auto place_of = [&](const ptx::Instruction& inst) {
    return inst.location == ptx::kNoLocation ? nullptr : &module.locations[static_cast<size_t>(inst.location)];
  };
  const ptx::Instruction& load = body.instructions[static_cast<size_t>(instruction)];
  const ptx::SourceLocation* place = place_of(load);
  if (!place || place->column == 0 || load.spec().opcode != "ld" || load.vector_length() != 1) return false;
  int loads = 0;
  for (const ptx::Instruction& other : body.instructions) {
    const ptx::SourceLocation* at =
        other.spec().opcode == "ld" && other.space() != ptx::Space::Param ? place_of(other) : nullptr;
    loads += at && at->file == place->file && at->line == place->line && at->column == place->column &&
             at->inlined_at == place->inlined_at;
  }
  return known->second = loads == 1;
}

void MemoryChecker::faulted(const exec::KernelLaunch& launch, const exec::KernelFault& fault) {
  failed_ = true;
  std::string rule, role = "access";
  uint64_t bytes = 1;
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
  auto reported = sites_.lower_bound({std::get<0>(site), std::get<1>(site), std::get<2>(site), "", 0});
  if (fault.instruction >= 0 && reported != sites_.end() && std::get<0>(reported->first) == std::get<0>(site) &&
      std::get<1>(reported->first) == std::get<1>(site) && std::get<2>(reported->first) == std::get<2>(site))
    return;
  if (known(site)) return;
  MemoryPlace place;
  if (fault.address) place = memory_place(*arena_, *fault.address, bytes, nullptr);
  Finding finding = make_finding(rule, !fault.what.empty() ? fault.what
                                       : fault.address     ? message_of(rule, "access", *fault.address, bytes, place)
                                                           : exec::describe(fault.failure));
  finding.parties.push_back(
      thread_party(launch, role, fault.block, fault.thread,
                   code_place(*launch.image->module, fault.function, fault.instruction, fault.calls)));
  if (rule == "C0114") finding.message = "a call through a pointer that points to no function of this shape";
  if (fault.address) finding.memory = std::move(place);
  finding.notes.push_back("the kernel was ended here");
  sites_[site] = sink_.report(std::move(finding));
}

}  // namespace warpwise::check
