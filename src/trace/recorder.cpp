#include "trace/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <optional>

#include "base/demangled.h"
#include "exec/launch/block_run.h"
#include "exec/memory/arena.h"
#include "perf/counters/pricing.h"
#include "trace/block_recording.h"
#include "trace/thread_steps.h"
#include "trace/warp_steps.h"

namespace warpwise::trace {

namespace {

Index3 index_of(const device::Dim3& d) { return {d.x, d.y, d.z}; }

Space space_of(perf::Reached reached) {
  switch (reached) {
    case perf::Reached::Shared:
      return Space::Shared;
    case perf::Reached::Local:
      return Space::Local;
    case perf::Reached::Global:
      break;
  }
  return Space::Global;
}

// The memory of an address that an instruction names, and the address there.
Space resolve(const exec::BlockRun& run, simt::CountedSpace space, uint64_t* address) {
  switch (space) {
    case simt::CountedSpace::Global:
      return Space::Global;
    case simt::CountedSpace::Shared:
      return Space::Shared;
    case simt::CountedSpace::Local:
      return Space::Local;
    case simt::CountedSpace::Const:
      return Space::Const;
    case simt::CountedSpace::Generic:
      break;
  }
  return space_of(perf::resolve(run, *address, address));
}

// A launch that is recorded, from its begin to its end.
class LaunchRecording {
 public:
  LaunchRecording(const RecordRequest& request, const exec::KernelLaunch& launch, const device::Properties& device,
                  std::unique_ptr<FileWriter> file)
      : request_(request),
        launch_(launch),
        sites_(sites_of(*launch.image, request.value_lines, device)),
        file_(std::move(file)),
        block_(sites_, uint32_t(launch.block.count()), {request.first, request.limit}, *file_),
        clock_khz_(uint64_t(device.core_clock_khz)) {
    const uint32_t warps = uint32_t((launch.block.count() + kLanes - 1) / kLanes);
    for (uint32_t w = 0; w < warps; ++w)
      warps_.emplace_back(sites_, [this, w](const Step& step) { block_.add(w, step); });
  }
  LaunchRecording(const LaunchRecording&) = delete;

  const Sites& sites() const { return sites_; }
  bool is_recorded(const exec::BlockRun& run) const { return run.block == request_.block; }

  void find_memories(exec::Arena* arena, const std::map<uint64_t, Memory>& variables) {
    block_.on_global = [this, arena, &variables](const Access& access) {
      const uint64_t at = access.addresses[std::countr_zero(access.mask)];
      note_memory(arena, variables, at);
      note_memory(arena, variables, access.addresses[31 - std::countl_zero(access.mask)]);
    };
  }

  void counted(const exec::CountedLanes& mark) {
    WarpSteps& warp = warps_[mark.warp];
    switch (mark.what.kind) {
      case simt::CountedKind::Block:
        return warp.block(mark.cell, mark.mask);
      case simt::CountedKind::Guard: {
        uint32_t on = 0;
        for (uint32_t left = mark.mask; left != 0; left &= left - 1)
          if (mark.addresses[std::countr_zero(left)] != 0) on |= left & -left;
        return warp.guard(mark.cell, mark.mask, on);
      }
      case simt::CountedKind::Value: {
        LaneValues values{.mask = mark.mask};
        std::copy_n(mark.addresses, kLanes, values.bits.begin());
        return warp.value(mark.cell, mark.what.rows, values);
      }
      case simt::CountedKind::Switch:
        return;
      default:
        return access(warp, mark);
    }
  }

  void counted(const exec::CountedThread& mark) {
    independent_ = true;
    if (!threads_)
      threads_.emplace(sites_, uint32_t(launch_.block.count()),
                       [this](uint32_t warp, const Step& step) { block_.add(warp, step); });
    ThreadMark thread{mark.cell, uint8_t(mark.mark), mark.what.rows, {}, mark.value};
    if (mark.mark == simt::kMarkAccess) {
      if (!sites_.all[mark.cell].accesses) return;  // brx.idx
      thread.space = resolve(mark.run, mark.what.space, &thread.value);
    }
    threads_->mark(mark.thread, thread);
  }

  void end_block() {
    if (ended_) return;
    ended_ = true;
    for (WarpSteps& warp : warps_) warp.finish();
    if (threads_) threads_->finish();
  }
  void fail() { failed_ = true; }

  Result<void> finish() {
    end_block();
    Recording r;
    block_.finish(r);
    const ptx::Function& function = launch_.image->function();
    r.kernel = demangled(function.name), r.symbol = function.name;
    r.launch = request_.launch;
    r.independent = independent_, r.in_pieces = threads_ && threads_->in_pieces(), r.failed = failed_;
    r.grid = index_of(launch_.grid), r.block_shape = index_of(launch_.block), r.cluster = index_of(launch_.cluster);
    r.block = index_of(launch_.block_at(request_.block));
    r.dynamic_shared_bytes = launch_.dynamic_shared_bytes;
    r.limit = request_.limit, r.clock_khz = clock_khz_, r.value_lines = request_.value_lines;
    r.sites = sites_.all, r.lines = sites_.lines;
    r.memories = std::move(memories_);
    for (Memory& memory : r.memories) memory.argument = argument_at(memory);
    add_shared(r);
    add_notes(r);
    file_->add({.kind = ChunkKind::Recording}, to_json(r));
    return file_->finish();
  }

 private:
  void access(WarpSteps& warp, const exec::CountedLanes& mark) {
    std::array<Access, kSpaces> parts;
    for (uint32_t left = mark.mask; left != 0; left &= left - 1) {
      const unsigned lane = unsigned(std::countr_zero(left));
      uint64_t address = mark.addresses[lane];
      const Space space = resolve(mark.run, mark.what.space, &address);
      parts[size_t(space)].space = space;
      parts[size_t(space)].mask |= 1u << lane;
      parts[size_t(space)].addresses[lane] = address;
    }
    for (const Access& part : parts)
      if (part.mask != 0) warp.access(mark.cell, part);
  }

  void note_memory(exec::Arena* arena, const std::map<uint64_t, Memory>& variables, uint64_t address) {
    const auto has = [&](const Memory& m) { return address >= m.base && address - m.base < m.bytes; };
    if (last_memory_ < memories_.size() && has(memories_[last_memory_])) return;
    for (last_memory_ = 0; last_memory_ < memories_.size(); ++last_memory_)
      if (has(memories_[last_memory_])) return;
    if (memories_.size() == kMostMemories || !arena) return;
    if (auto variable = variables.upper_bound(address); variable != variables.begin())
      if (has((--variable)->second)) return memories_.push_back(variable->second);
    if (const auto region = arena->find(address)) memories_.push_back({region->base, region->size, "", -1});
  }

  // The first argument that points into the memory.
  int argument_at(const Memory& memory) const {
    const auto& parameters = launch_.image->function().parameters;
    for (size_t p = 0; p < parameters.size(); ++p) {
      uint64_t value = 0;
      if (parameters[p].size != sizeof value || parameters[p].offset + sizeof value > launch_.parameters.size())
        continue;
      std::memcpy(&value, launch_.parameters.data() + parameters[p].offset, sizeof value);
      if (value >= memory.base && value - memory.base < memory.bytes) return int(p);
    }
    return -1;
  }

  void add_shared(Recording& r) const {
    const ptx::Module& module = *launch_.image->module;
    const ptx::KernelLayout& layout = launch_.image->layout;
    const auto add = [&](const ptx::Variable& variable, uint64_t offset) {
      if (variable.space == ptx::Space::Shared && offset != ptx::kNotPlaced)
        r.shared.push_back({demangled(variable.name), offset, variable.size});
    };
    for (size_t v = 0; v < module.variables.size() && v < layout.module_shared.size(); ++v)
      add(module.variables[v], layout.module_shared[v]);
    for (size_t f = 0; f < module.functions.size() && f < layout.function_shared.size(); ++f)
      for (size_t v = 0; v < module.functions[f].variables.size() && v < layout.function_shared[f].size(); ++v)
        add(module.functions[f].variables[v], layout.function_shared[f][v]);
  }

  void add_notes(Recording& r) const {
    uint64_t made = 0, recorded = 0;
    for (const WarpInfo& warp : r.warps) made += warp.steps, recorded += warp.count;
    if (recorded < made)
      r.notes.push_back(fmt::format("{} of the block's {} steps are recorded: of each warp {} from step {} on",
                                    recorded, made, std::max<uint64_t>(r.limit / r.warps.size(), 1), request_.first));
    if (r.independent)
      r.notes.push_back(
          "threads ran one by one: which of them make a step together is decided as the interpreter does");
    if (r.in_pieces) r.notes.push_back("threads of a warp ran so far apart that some steps are in several parts");
    if (r.failed) r.notes.push_back("the launch failed: the last steps before the fault may be missing");
    if (std::any_of(r.sites.begin(), r.sites.end(), [](const Site& site) {
          return site.kind == SiteKind::Other && site.ptx.find("cp.async.bulk") != site.ptx.npos;
        }))
      r.notes.push_back("bulk copies are steps without addresses");
  }

  static constexpr size_t kMostMemories = 256;

  const RecordRequest request_;
  const exec::KernelLaunch launch_;
  const Sites sites_;
  std::unique_ptr<FileWriter> file_;
  BlockRecording block_;
  const uint64_t clock_khz_;
  std::vector<WarpSteps> warps_;
  std::optional<ThreadSteps> threads_;
  std::vector<Memory> memories_;
  size_t last_memory_ = 0;
  bool ended_ = false, independent_ = false, failed_ = false;
};

class LaunchRecorder final : public Recorder {
 public:
  explicit LaunchRecorder(const device::Properties& device) : device_(device) {}

  void arm(RecordRequest request) override {
    request_ = std::move(request);
    launches_ = 0;
    result_ = {};
    found_ = false;
  }

  Result<void> disarm() override {
    if (!request_) return {};
    const RecordRequest request = *std::exchange(request_, std::nullopt);
    if (found_) return result_;
    const std::string kernel = request.symbol.empty() ? request.kernel : demangled(request.symbol);
    return Error{"V0006", fmt::format("there is no launch {}{}: the program made {}", request.launch,
                                      kernel.empty() ? "" : fmt::format(" of `{}`", kernel), launches_)};
  }

  void report() override {
    const auto trouble = request_ ? request_->trouble : nullptr;
    const Result<void> done = disarm();
    if (done) return;
    if (trouble) return trouble(done.error());
    fmt::print(stderr, "warpwise: {}: {}\n", done.error().code, done.error().message);
  }
  void program_ends() override { report(); }

  void begin(exec::Arena& arena) override { arena_ = &arena; }

  void variables_placed(const ptx::Module& module, const ptx::GlobalsLayout& layout, device::Address base) override {
    for (size_t v = 0; v < module.variables.size() && v < layout.offset.size(); ++v)
      if (layout.offset[v] != ptx::kNotPlaced)
        variables_[base + layout.offset[v]] = {base + layout.offset[v], module.variables[v].size,
                                               demangled(module.variables[v].name), -1};
  }

  simt::Counting counting() const override { return simt::Counting::Steps; }
  simt::Counting counting_of(const exec::KernelLaunch&) const override {
    return current_ ? simt::Counting::Steps : simt::Counting::None;
  }
  simt::ReportedValues values_of(const exec::KernelImage&) const override {
    return current_ ? current_->sites().values : simt::ReportedValues{};
  }

  void launch_begins(const exec::KernelLaunch& launch) override {
    const std::string_view name = launch.image->function().name;
    if (!request_ || found_ || !is_asked_for(launch)) return;
    if (!request_->symbol.empty() && request_->symbol != name) return;
    found_ = true;
    if (request_->block >= launch.grid.count()) {
      result_ = Error{"V0007", fmt::format("the grid of `{}` has {} blocks", demangled(name), launch.grid.count())};
      return;
    }
    auto file = FileWriter::create(request_->path);
    if (!file) {
      result_ = file.error();
      return;
    }
    current_ = std::make_unique<LaunchRecording>(*request_, launch, device_, std::move(*file));
    current_->find_memories(arena_, variables_);
  }
  void launch_ends(const exec::KernelLaunch&) override {
    if (!current_) return;
    result_ = current_->finish();
    current_.reset();
  }
  void block_begins(exec::BlockRun&) override {}
  void faulted(const exec::KernelLaunch&, const exec::KernelFault&) override {
    if (current_) current_->fail();
  }

  bool count_block(exec::BlockRun& run) override { return current_ && current_->is_recorded(run); }
  void pilot_ended(const exec::KernelLaunch&) override {}
  void block_ends(exec::BlockRun& run) override {
    if (current_ && current_->is_recorded(run)) current_->end_block();
  }
  void counted(const exec::CountedLanes& mark) override {
    if (current_ && current_->is_recorded(mark.run)) current_->counted(mark);
  }
  void counted(const exec::CountedThread& mark) override {
    if (current_ && current_->is_recorded(mark.run)) current_->counted(mark);
  }
  void bulk_copied(exec::BlockRun&, const exec::BulkTraffic&) override {}
  void multiplied(exec::BlockRun&, numerics::Element, uint64_t) override {}

 private:
  bool is_asked_for(const exec::KernelLaunch& launch) {
    if (!request_->kernel.empty()) {
      const std::string kernel = demangled(launch.image->function().name);
      if (kernel != request_->kernel && !kernel.starts_with(request_->kernel + "(")) return false;
    }
    if (launches_++ != request_->launch) return false;
    if (const auto& at = request_->at) {
      const auto& grid = launch.grid;
      const bool inside = at->x < grid.x && at->y < grid.y && at->z < grid.z;
      request_->block = inside ? at->x + uint64_t{grid.x} * (at->y + uint64_t{grid.y} * at->z) : grid.count();
    }
    return true;
  }

  const device::Properties& device_;
  exec::Arena* arena_ = nullptr;
  std::map<uint64_t, Memory> variables_;  // by address
  std::optional<RecordRequest> request_;
  uint64_t launches_ = 0;
  bool found_ = false;
  Result<void> result_;
  std::unique_ptr<LaunchRecording> current_;
};

}  // namespace

RecordingObserver make_recorder(const device::Properties& device) {
  auto observer = std::make_shared<exec::Observer>();
  auto recorder = std::make_unique<LaunchRecorder>(device);
  Recorder* handle = recorder.get();
  observer->add(std::move(recorder));
  return {std::move(observer), handle};
}

}  // namespace warpwise::trace
