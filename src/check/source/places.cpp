#include "check/source/places.h"

#include <algorithm>

#include "base/demangled.h"
#include "ptx/source_file.h"

namespace warpwise::check {

using device::Address;

namespace {

// How far from its memory an access may be taken for one that was meant for it.
constexpr uint64_t kJustBefore = 4096, kJustBehind = 1 << 20;

// One line with single blanks.
std::string flattened(std::string_view text) {
  std::string line;
  for (char c : text) {
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!blank)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  return line;
}

SourcePlace source_place(const ptx::Module& module, const ptx::SourceLocation& at) {
  SourcePlace place;
  place.file = ptx::file_of(module, at);
  place.line = at.line;
  place.column = at.column;
  return place;
}

// Makes the place that of a variable that begins at `base`.
void name_variable(MemoryPlace& place, const ptx::Variable& variable, Address base) {
  place.name = demangled(variable.name);
  place.base = base;
  place.size = variable.size;
  if (variable.space == ptx::Space::Const) place.space = "constant";
}

// Special registers as objects, which Clang declares where it does not optimise: no array of the program's.
bool is_of_the_compiler(std::string_view name) {
  return name == "threadIdx" || name == "blockIdx" || name == "blockDim" || name == "gridDim" || name == "warpSize";
}

// False: no variable of the program begins before the address.
bool find_global(MemoryPlace& place, const exec::KernelImage& image) {
  const std::vector<uint64_t>& offsets = image.globals_layout->offset;
  size_t best = offsets.size();
  for (size_t v = 0; v < offsets.size(); ++v) {
    if (offsets[v] == ptx::kNotPlaced || image.globals + offsets[v] > place.address ||
        is_of_the_compiler(image.module->variables[v].name))
      continue;
    if (best == offsets.size() || offsets[v] >= offsets[best]) best = v;
  }
  if (best == offsets.size()) return false;
  name_variable(place, image.module->variables[best], image.globals + offsets[best]);
  return true;
}

// The variable that an address of the block's shared memory is in or behind. Past all of them it is the block's end
// that counts, and dynamic shared memory has no names.
void find_shared(MemoryPlace& place, const exec::BlockRun& run) {
  const exec::KernelLaunch& launch = run.launch.launch;
  const uint64_t offset = place.address - place.base;
  const SharedVariable* best = nullptr;
  const std::vector<SharedVariable> variables = shared_variables(*launch.image);
  // What the program has of it. Behind its arrays a checked block has more, which stays empty.
  place.size = 0;
  for (const SharedVariable& v : variables) place.size = std::max(place.size, v.offset + v.variable->size);
  if (launch.dynamic_shared_bytes != 0)
    place.size = launch.image->layout.dynamic_shared_offset + launch.dynamic_shared_bytes;
  for (const SharedVariable& v : variables)
    if (v.offset <= offset) best = &v;
  const bool is_last = best == (variables.empty() ? nullptr : &variables.back());
  const bool in_dynamic = launch.dynamic_shared_bytes != 0 && offset >= launch.image->layout.dynamic_shared_offset;
  if (!best || in_dynamic ||
      (is_last && offset >= best->offset + best->variable->size && launch.dynamic_shared_bytes == 0))
    return;
  name_variable(place, *best->variable, place.base + best->offset);
}

}  // namespace

bool is_host_address(Address address) {
  return !exec::Arena::in_window(address) && !exec::Arena::just_before_window(address);
}

std::vector<SharedVariable> shared_variables(const exec::KernelImage& image) {
  std::vector<SharedVariable> found;
  const ptx::Module& module = *image.module;
  auto add = [&](const ptx::Variable& variable, uint64_t offset) {
    if (variable.space == ptx::Space::Shared && variable.size != 0 && offset != ptx::kNotPlaced)
      found.push_back({&variable, offset});
  };
  for (size_t v = 0; v < image.layout.module_shared.size(); ++v)
    add(module.variables[v], image.layout.module_shared[v]);
  for (size_t f = 0; f < image.layout.function_shared.size(); ++f)
    for (size_t v = 0; v < image.layout.function_shared[f].size(); ++v)
      add(module.functions[f].variables[v], image.layout.function_shared[f][v]);
  std::sort(found.begin(), found.end(),
            [](const SharedVariable& a, const SharedVariable& b) { return a.offset < b.offset; });
  return found;
}

namespace {

// Of one function; without lines of the program where there are none.
CodePlace own_place(const ptx::Module& module, int64_t function, int64_t instruction) {
  CodePlace place;
  if (function < 0 || static_cast<size_t>(function) >= module.functions.size()) return place;
  const ptx::Function& f = module.functions[function];
  if (instruction < 0 || static_cast<size_t>(instruction) >= f.instructions.size()) return place;
  const ptx::Instruction& i = f.instructions[instruction];
  place.instruction = flattened(i.span);
  const auto& locations = module.locations;
  auto known = [&](int64_t at) { return at >= 0 && static_cast<size_t>(at) < locations.size(); };
  // Line 0 is a compiler's "no line in particular": of a loop that it makes of memcpy, say, which stands where the code
  // before it does.
  auto has_line = [&](int64_t at) { return known(at) && locations[at].line != 0; };
  int64_t location = i.location;
  for (int64_t before = instruction; before > 0 && !has_line(location);) location = f.instructions[--before].location;
  // Bounded: a broken table must not make a loop.
  constexpr size_t kMostFrames = 16;
  if (has_line(location)) {
    for (int64_t at = location; known(at) && place.frames.size() < kMostFrames; at = locations[at].inlined_at) {
      place.frames.push_back(source_place(module, locations[at]));
      // A location names the function that was inlined there; the outermost is in the function itself.
      place.frames.back().function =
          known(locations[at].inlined_at) ? demangled(locations[at].function_name) : demangled(f.name);
    }
  }
  return place;
}

// Of the PTX itself.
void add_text_line(CodePlace& place, const ptx::Module& module, const ptx::Function& function,
                   const ptx::Instruction& instruction) {
  if (!module.source) return;
  const auto at = module.source->locate(instruction.span);
  if (at.line)
    place.frames.push_back(
        {std::string(module.source->name()), static_cast<uint32_t>(at.line), 0, demangled(function.name)});
}

}  // namespace

CodePlace code_place(const ptx::Module& module, int64_t function, int64_t instruction,
                     const std::vector<simt::InlinedCall>& calls) {
  CodePlace place = own_place(module, function, instruction);
  for (const simt::InlinedCall& call : calls) {
    const CodePlace caller = own_place(module, call.function, call.instruction);
    place.frames.insert(place.frames.end(), caller.frames.begin(), caller.frames.end());
  }
  // What a compiler adds of its own has no line; that of its call is the one to show.
  if (place.frames.empty() && !place.instruction.empty())
    add_text_line(place, module, module.functions[function], module.functions[function].instructions[instruction]);
  return place;
}

const ptx::Instruction* instruction_at(const ptx::Module& module, int64_t function, int64_t instruction) {
  if (function < 0 || static_cast<size_t>(function) >= module.functions.size()) return nullptr;
  const auto& instructions = module.functions[function].instructions;
  if (instruction < 0 || static_cast<size_t>(instruction) >= instructions.size()) return nullptr;
  return &instructions[instruction];
}

bool is_call(const ptx::Module& module, int64_t function, int64_t instruction) {
  const ptx::Instruction* inst = instruction_at(module, function, instruction);
  return inst && inst->spec().opcode == "call";
}

Party thread_party(const exec::KernelLaunch& launch, std::string role, uint64_t block, int64_t thread, CodePlace code) {
  Party party;
  party.role = std::move(role);
  party.kernel = demangled(launch.image->function().name);
  const device::Dim3 b = launch.block_at(block);
  party.block = Index3{b.x, b.y, b.z};
  if (thread >= 0) {
    const device::Dim3 t = launch.thread_at(static_cast<uint32_t>(thread));
    party.thread = Index3{t.x, t.y, t.z};
  }
  party.code = std::move(code);
  return party;
}

void name_allocation(MemoryPlace& place, const exec::Arena& arena) {
  if (place.name.empty() && place.space == "global") place.name = arena.name_of(place.base);
}

LaunchOrder order_of(const exec::BlockRun& run) { return {run.launch.launch.grid_id, run.place}; }

MemoryPlace memory_place(const exec::Arena& arena, Address address, uint64_t bytes, const exec::BlockRun* run) {
  MemoryPlace place;
  place.space = "global";
  place.address = address;
  place.bytes = bytes;
  bool is_unowned = false;  // in a module's region, before all of its variables
  auto describe = [&](const exec::Region& region) {
    place.base = region.base;
    place.size = region.size;
    place.allocated = true;
    if (region.owner == exec::Owner::Module) place.name = "the module's variables";
    if (region.owner == exec::Owner::Module && run && region.base == run->launch.launch.image->globals)
      is_unowned = !find_global(place, *run->launch.launch.image);
    if (region.owner == exec::Owner::Engine) place.name = std::string(region.what);
    if (region.what == exec::kSharedMemoryName) place.space = "shared";  // of another block of the cluster
    if (region.what == exec::kLocalMemoryName) place.space = "local";
  };
  if (run) {
    const simt::BlockContext* block = &run->context;
    const Address shared = block->shared - simt::kAliasOffset;
    auto region = arena.find(shared);
    if (region && region->contains(address, 1)) {
      place.space = "shared";
      place.base = shared;
      place.allocated = true;
      find_shared(place, *run);
      return place;
    }
    const uint64_t threads = uint64_t{block->ntid[0]} * block->ntid[1] * block->ntid[2];
    const Address local = block->local - simt::kAliasOffset;
    if (address - local < threads * block->local_stride) {
      place.space = "local";
      place.base = local + (address - local) / block->local_stride * block->local_stride;
      place.size = block->local_stride;
      place.allocated = true;
      return place;
    }
  }
  if (auto region = arena.find(address)) {
    describe(*region);
  } else if (auto grave = arena.freed(address)) {
    describe(*grave);
    place.freed = true;
  } else if (run && run->context.local_stride != 0 && run->context.local - simt::kAliasOffset - address < kJustBefore) {
    place.space = "local";  // before the first thread's
    place.base = run->context.local - simt::kAliasOffset;
    place.size = run->context.local_stride;
    place.allocated = true;
  } else if (auto near = arena.nearest(address)) {
    describe(*near);
    if (address - place.base > place.size + kJustBehind) place.name.clear();  // too far for an index of that variable
  }
  if (is_unowned) place.name.clear(), place.allocated = false;
  if (is_host_address(address)) place.space = "host", place.allocated = false;
  return place;
}

void name_global(MemoryPlace& place, const exec::KernelImage& image) {
  if (place.allocated && place.base == image.globals) find_global(place, image);
}

}  // namespace warpwise::check
