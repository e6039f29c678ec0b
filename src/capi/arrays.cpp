#include "capi/arrays.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "device/tensor_map.h"

namespace warpwise::capi {
namespace {

uint64_t kind_of(const ww_argument& argument) { return argument.kind & WW_KIND; }
// Of what the function gets, in the array.
uint64_t offset_of(const ww_argument& argument) { return argument.kind >> WW_OFFSET_SHIFT; }

bool is_array(const ww_argument& argument) { return names_array(argument) && argument.bytes > 0; }

bool is_in_pages(uint64_t address) {
  const auto range = cuda::Process::instance().host_ranges.find(reinterpret_cast<const void*>(address));
  return range && range->registered;
}

device::CopyShape row_of(uint64_t bytes) { return {.width = bytes, .dst_pitch = bytes, .src_pitch = bytes}; }

}  // namespace

bool names_array(const ww_argument& argument) {
  const uint64_t kind = kind_of(argument);
  return kind == WW_READ || kind == WW_READ_WRITE || kind == WW_ADDRESSES;
}

Arrays::~Arrays() {
  for (const Copied& copied : copies_)
    if (copied.address) (void)gpu_.free(copied.address);
}

device::Status Arrays::bring(std::span<const ww_argument> arguments, const LibraryFunction& function) {
  std::vector<ww_argument> arrays(arguments.begin(), arguments.end());
  for (ww_argument& argument : arrays)
    if (kind_of(argument) == WW_TENSOR_MAP) argument = reinterpret_cast<const ww_tensor_map*>(argument.value)->array;
  if (auto status = bring_arrays(arrays, function); !status.ok()) return status;
  for (size_t i = 0; i < arguments.size(); ++i) {
    pointers_.push_back(&values_[i]);
    if (kind_of(arguments[i]) != WW_TENSOR_MAP) continue;
    const auto& map = *reinterpret_cast<const ww_tensor_map*>(arguments[i].value);
    if (auto status = encode(map, values_[i]); !status.ok()) return status;
    pointers_[i] = maps_.back().bytes.data();
  }
  return device::Status::success();
}

device::Status Arrays::encode(const ww_tensor_map& map, uint64_t address) {
  void* bytes = maps_.emplace_back().bytes.data();
  const device::TensorRequest request{int(map.type),       map.rank,         address,
                                      map.sizes,           map.strides,      map.element_strides,
                                      int(map.interleave), int(map.swizzle), int(map.promotion),
                                      int(map.fill)};
  if (auto status = device::encode_tiled(bytes, request, map.box); !status.ok()) return status;
  return gpu_.seal_tensor_map(bytes);
}

device::Status Arrays::bring_arrays(std::span<const ww_argument> arguments, const LibraryFunction& function) {
  values_.resize(arguments.size());
  std::vector<size_t> arrays;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const bool as_it_is = !is_array(arguments[i]) || is_in_pages(arguments[i].value);
    // An array without elements has no memory to point to.
    values_[i] = as_it_is ? arguments[i].value + offset_of(arguments[i]) : 0;
    if (!as_it_is) arrays.push_back(i);
  }
  std::sort(arrays.begin(), arrays.end(), [&](size_t a, size_t b) { return arguments[a].value < arguments[b].value; });
  std::vector<size_t> copy_of(arguments.size());
  for (size_t i : arrays) {
    const ww_argument& array = arguments[i];
    const uint64_t end = array.value + array.bytes;
    if (copies_.empty() || array.value >= copies_.back().end) copies_.push_back({array.value, end});
    copies_.back().end = std::max(copies_.back().end, end);
    copies_.back().written |= kind_of(array) != WW_READ;
    if (kind_of(array) == WW_ADDRESSES) tables_.push_back({array.value, end});
    copy_of[i] = copies_.size() - 1;
  }
  for (Copied& copied : copies_) {
    const uint64_t bytes = copied.end - copied.host;
    if (auto status = gpu_.allocate(bytes, device::MemoryKind::Device, &copied.address); !status.ok()) return status;
  }
  for (const Copied& copied : copies_)
    if (auto status = copy_in(copied); !status.ok()) return status;
  const bool checked = gpu_.findings() != nullptr;
  for (size_t i : arrays) {
    const Copied& copied = copies_[copy_of[i]];
    values_[i] = copied.address + (arguments[i].value - copied.host) + offset_of(arguments[i]);
    // Findings name the parameter.
    if (checked && i < function.parameter_names.size() && !function.parameter_names[i].empty())
      gpu_.annotate(
          {.kind = device::MemoryAnnotation::Kind::Name, .base = copied.address, .name = function.parameter_names[i]});
  }
  return device::Status::success();
}

device::Status Arrays::copy_in(const Copied& copied) {
  const uint64_t bytes = copied.end - copied.host;
  const void* source = reinterpret_cast<const void*>(copied.host);
  const bool has_table = std::any_of(tables_.begin(), tables_.end(), [&](const Table& table) {
    return table.host >= copied.host && table.end <= copied.end;
  });
  if (has_table) {
    const auto* begin = static_cast<const std::byte*>(source);
    std::vector<std::byte>& translated = translated_.emplace_back(begin, begin + bytes);
    translate_tables(copied.host, translated);
    source = translated.data();
  }
  return gpu_.submit(0, device::CopyToDevice{copied.address, source, row_of(bytes)});
}

template <class Change>
void change_words(std::span<std::byte> bytes, const Change& change) {
  for (size_t at = 0; at + sizeof(uint64_t) <= bytes.size(); at += sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, &bytes[at], sizeof word);
    word = change(word);
    std::memcpy(&bytes[at], &word, sizeof word);
  }
}

void Arrays::translate_tables(uint64_t host, std::span<std::byte> bytes) const {
  for (const Table& table : tables_)
    if (table.host >= host && table.end <= host + bytes.size())
      change_words(bytes.subspan(table.host - host, table.end - table.host),
                   [&](uint64_t word) { return on_gpu(word); });
}

uint64_t Arrays::on_gpu(uint64_t host) const {
  auto behind = std::upper_bound(copies_.begin(), copies_.end(), host,
                                 [](uint64_t address, const Copied& copied) { return address < copied.host; });
  if (behind == copies_.begin()) return host;
  const Copied& copied = *std::prev(behind);
  return host < copied.end ? copied.address + (host - copied.host) : host;
}

uint64_t Arrays::on_host(uint64_t address) const {
  for (const Copied& copied : copies_)
    if (address >= copied.address && address < copied.address + (copied.end - copied.host))
      return copied.host + (address - copied.address);
  return address;
}

device::Status Arrays::take_back() {
  for (const Copied& copied : copies_) {
    if (!copied.written) continue;
    const uint64_t bytes = copied.end - copied.host;
    const device::CopyFromDevice copy{reinterpret_cast<void*>(copied.host), copied.address, row_of(bytes)};
    if (auto status = gpu_.submit(0, copy); !status.ok()) return status;
  }
  if (auto status = gpu_.wait_all(); !status.ok()) return status;
  for (const Table& table : tables_)
    change_words({reinterpret_cast<std::byte*>(table.host), table.end - table.host},
                 [&](uint64_t word) { return on_host(word); });
  return device::Status::success();
}

}  // namespace warpwise::capi
