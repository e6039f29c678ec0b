#include "exec/device_runtime/device_runtime.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <set>
#include <utility>

#include "base/diagnostics.h"
#include "exec/memory/arena.h"
#include "exec/memory/device_heap.h"
#include "ptx/parse/parser.h"

namespace warpwise::exec {

namespace {

// device_runtime.cu, compiled by the build.
constexpr std::string_view kPtx =
#include "device_runtime.ptx.inc"
    ;

std::set<std::string, std::less<>> defined_in(std::string_view ptx) {
  Diagnostics diagnostics;
  const auto module = ptx::load(std::make_shared<SourceText>("device_runtime.ptx", std::string(ptx)), diagnostics);
  std::set<std::string, std::less<>> names;
  if (!module) return names;
  for (const ptx::Function& f : module->functions)
    if (!f.is_declaration) names.emplace(f.name);
  return names;
}

}  // namespace

std::string_view device_runtime_ptx() { return kPtx; }

bool needs_device_runtime(const ptx::Module& module) {
  static const std::set<std::string, std::less<>> defined = defined_in(kPtx);
  return std::any_of(module.functions.begin(), module.functions.end(),
                     [](const ptx::Function& f) { return f.is_declaration && defined.contains(f.name); });
}

bool needs_device_runtime(std::string_view ptx) {
  Diagnostics diagnostics;
  const auto module = ptx::load(std::make_shared<SourceText>("", std::string(ptx)), diagnostics);
  return module && needs_device_runtime(*module);
}

std::vector<ChildLaunch> take_child_launches(device::Address list, DeviceHeap& heap) {
  std::vector<ChildLaunch> children;
  auto* head = reinterpret_cast<uint64_t*>(engine_view(list));
  for (uint64_t at = std::exchange(*head, 0); at != 0;) {
    Record record;
    std::memcpy(&record, engine_view(at), sizeof record);
    ChildLaunch& child = children.emplace_back();
    child.kind = record.function == kCopyFunction   ? ChildLaunch::Kind::Copy
                 : record.function == kFillFunction ? ChildLaunch::Kind::Fill
                                                    : ChildLaunch::Kind::Kernel;
    child.function = record.function;
    child.grid = {record.grid[0], record.grid[1], record.grid[2]};
    child.block = {record.block[0], record.block[1], record.block[2]};
    child.dynamic_shared_bytes = record.dynamic_shared_bytes;
    child.parent_block = record.parent_block;
    child.tail = record.stream == kTailLaunchStream;
    const std::byte* parameters = engine_view(at) + sizeof record;
    child.parameters.assign(parameters, parameters + kChildParameterBytes);
    if (child.kind == ChildLaunch::Kind::Copy) std::memcpy(&child.copy, parameters, sizeof child.copy);
    if (child.kind == ChildLaunch::Kind::Fill) std::memcpy(&child.fill, parameters, sizeof child.fill);
    heap.free(at);
    at = record.next;
  }
  std::reverse(children.begin(), children.end());  // the newest was first
  std::stable_sort(children.begin(), children.end(), [](const ChildLaunch& a, const ChildLaunch& b) {
    return a.tail != b.tail ? b.tail : a.parent_block < b.parent_block;
  });
  return children;
}

}  // namespace warpwise::exec
