#include "cuda/runtime/module/fatbinary.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>
#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

namespace warpwise::cuda {

namespace {

struct ContainerHeader {
  uint32_t magic;
  uint16_t version;
  uint16_t header_bytes;
  uint64_t entries_bytes;
};
static_assert(sizeof(ContainerHeader) == 16);

struct EntryHeader {
  uint16_t kind, version;
  uint32_t header_bytes;
  uint64_t payload_bytes;
  uint32_t compressed_bytes, unknown;
  uint16_t minor, major;
  uint32_t architecture, name_offset, name_bytes;
  uint64_t flags, zero, unpacked_bytes;
};
static_assert(sizeof(EntryHeader) == 64);

constexpr uint64_t kFlagLz4 = 0x2000, kFlagZstd = 0x8000, kFlagExact = 0x100000, kFlagFamily = 0x200000;

template <class Header>
bool read(std::string_view bytes, size_t at, Header* out) {
  if (at > bytes.size() || bytes.size() - at < sizeof *out) return false;
  std::memcpy(out, bytes.data() + at, sizeof *out);
  return true;
}

Error damaged(std::string_view what) { return {"R0203", fmt::format("the program's fat binary is damaged: {}", what)}; }

}  // namespace

Result<std::vector<FatBinaryEntry>> parse_container(std::string_view bytes) {
  ContainerHeader container;
  if (!read(bytes, 0, &container) || container.magic != kContainerMagic) return damaged("it has no header");
  if (container.header_bytes < sizeof container || container.header_bytes > bytes.size() ||
      container.entries_bytes > bytes.size() - container.header_bytes)
    return damaged("its size is wrong");
  size_t at = container.header_bytes, end = at + container.entries_bytes;
  bytes = bytes.substr(0, end);

  std::vector<FatBinaryEntry> entries;
  while (at < end) {
    EntryHeader header;
    if (!read(bytes, at, &header)) return damaged("an entry is cut off");
    if (header.header_bytes < sizeof header || header.header_bytes > end - at)
      return damaged("an entry's header has a wrong size");
    size_t payload = at + header.header_bytes;
    if (header.payload_bytes > end - payload) return damaged("an entry's size is wrong");

    FatBinaryEntry entry;
    using enum FatBinaryEntry::Kind;
    entry.kind = header.kind == 1 ? Ptx : header.kind == 2 ? MachineCode : Other;
    using enum FatBinaryEntry::Packing;
    entry.packing = header.flags & kFlagZstd ? Zstd : header.flags & kFlagLz4 ? Lz4 : Plain;
    using enum FatBinaryEntry::Target;
    entry.target = header.flags & kFlagExact ? Exact : header.flags & kFlagFamily ? Family : Any;
    entry.architecture = header.architecture;
    size_t stored = entry.packing == Plain ? header.payload_bytes : header.compressed_bytes;
    if (stored > header.payload_bytes) return damaged("an entry exceeds its container");
    entry.payload = bytes.substr(payload, stored);
    entry.unpacked_size = entry.packing == Plain ? stored : header.unpacked_bytes;
    entries.push_back(entry);
    at = payload + header.payload_bytes;
  }
  return entries;
}

Result<std::string> unpack(const FatBinaryEntry& entry, size_t most_bytes) {
  if (entry.unpacked_size > most_bytes || entry.payload.size() > LZ4_MAX_INPUT_SIZE)
    return damaged("an entry claims to be larger than what a compiler writes");
  std::string text;
  if (entry.packing == FatBinaryEntry::Packing::Plain) {
    text = entry.payload;
  } else {
    text.resize(entry.unpacked_size);
    bool whole = false;
    if (entry.packing == FatBinaryEntry::Packing::Zstd) {
      size_t size = ZSTD_decompress(text.data(), text.size(), entry.payload.data(), entry.payload.size());
      whole = !ZSTD_isError(size) && size == text.size();
    } else {
      int size = LZ4_decompress_safe(entry.payload.data(), text.data(), static_cast<int>(entry.payload.size()),
                                     static_cast<int>(text.size()));
      whole = size >= 0 && static_cast<size_t>(size) == text.size();
    }
    if (!whole) return damaged("an entry does not decompress");
  }
  // Payloads are padded with zeros.
  text.resize(std::min(text.find('\0'), text.size()));
  return text;
}

namespace {

bool can_run(const FatBinaryEntry& entry, unsigned architecture) {
  switch (entry.target) {
    case FatBinaryEntry::Target::Any:
      return entry.architecture <= architecture;
    // A family consists of the devices of one major number from this one on (sm_100f runs on sm_103).
    case FatBinaryEntry::Target::Family:
      return entry.architecture <= architecture && entry.architecture / 10 == architecture / 10;
    case FatBinaryEntry::Target::Exact:
      return entry.architecture == architecture;
  }
  return false;
}

std::string name_of_target(const FatBinaryEntry& entry) {
  const char* suffix = entry.target == FatBinaryEntry::Target::Exact    ? "a"
                       : entry.target == FatBinaryEntry::Target::Family ? "f"
                                                                        : "";
  return fmt::format("sm_{}{}", entry.architecture, suffix);
}

}  // namespace

Result<std::string> choose_ptx(const std::vector<FatBinaryEntry>& entries, unsigned architecture, size_t most_bytes) {
  const FatBinaryEntry* best = nullptr;
  std::vector<std::string> too_new, machine_code;
  for (const FatBinaryEntry& entry : entries) {
    if (entry.kind == FatBinaryEntry::Kind::Ptx && can_run(entry, architecture)) {
      // For equal numbers, the entry made for exactly this device comes first.
      if (!best || std::pair(entry.architecture, entry.target) > std::pair(best->architecture, best->target))
        best = &entry;
    } else if (entry.kind != FatBinaryEntry::Kind::Other) {
      (entry.kind == FatBinaryEntry::Kind::Ptx ? too_new : machine_code).push_back(name_of_target(entry));
    }
  }
  if (best) return unpack(*best, most_bytes);
  if (!too_new.empty())
    return Error{"R0202", fmt::format("the program has PTX for {} and the device is sm_{}: choose another device, or "
                                      "rebuild with -gencode arch=compute_{},code=compute_{}",
                                      fmt::join(too_new, ", "), architecture, architecture, architecture)};
  std::string there =
      machine_code.empty() ? "no device code" : fmt::format("machine code for {}", fmt::join(machine_code, ", "));
  return Error{"R0201", fmt::format("the program has {} and no PTX: rebuild with "
                                    "-gencode arch=compute_{},code=compute_{}",
                                    there, architecture, architecture)};
}

namespace {

// Ends at the first byte that is not text, or at a second .version. Reads no byte past that: the length of the object
// is unknown.
std::string_view first_text(std::string_view text) {
  auto is_text = [](unsigned char c) { return c >= ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; };
  size_t end = 0;
  bool versioned = false;
  for (size_t line = 0; line < text.size(); line = end) {
    for (end = line; end < text.size() && is_text(text[end]);)
      if (text[end++] == '\n') break;
    bool directive = text.substr(line, end - line).starts_with(".version");
    if (directive && versioned) return text.substr(0, line);
    versioned |= directive;
    if (end == line) break;  // not text
  }
  return text.substr(0, end);
}

}  // namespace

std::string_view ptx_extent(std::string_view text) {
  text = first_text(text);  // first of all: the bytes after the text belong to something else
  return text.substr(0, text.find("\x50\xed\x55\xba"));  // the container of the next object
}

namespace {

// How many bytes can be read from `data` on: up to the end of the loaded segment that contains it.
size_t readable_bytes(const void* data) {
  struct Search {
    uintptr_t address;
    size_t bytes;
  } search{reinterpret_cast<uintptr_t>(data), 0};
  dl_iterate_phdr(
      [](dl_phdr_info* object, size_t, void* opaque) {
        auto& search = *static_cast<Search*>(opaque);
        for (int i = 0; i < object->dlpi_phnum; ++i) {
          const auto& segment = object->dlpi_phdr[i];
          uintptr_t start = object->dlpi_addr + segment.p_vaddr;
          if (segment.p_type != PT_LOAD || search.address - start >= segment.p_memsz) continue;
          search.bytes = segment.p_memsz - (search.address - start);
          return 1;
        }
        return 0;
      },
      &search);
  return search.bytes;
}

// The folder of the program or library that `address` belongs to; "" when it belongs to none.
std::string folder_of_object(const void* address) {
  Dl_info object{};
  if (!dladdr(address, &object) || !object.dli_fname) return "";
  return std::filesystem::path(object.dli_fname).parent_path().string();
}

// A program is started with the folder in its environment. A library, of which a process may load many, has its PTX
// beside it.
Result<std::string> read_referenced(std::string_view text) {
  std::string_view key = text.substr(kReferencePrefix.size());
  key = key.substr(0, key.find_first_of("\r\n"));
  bool plain = !key.empty() && std::all_of(key.begin(), key.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '-' || c == '.';
  });
  if (!plain || key.front() == '.') return damaged("its reference to PTX has no proper name");
  const std::string beside = fmt::format("{}/{}.ptx", folder_of_object(text.data()), key);
  const char* folder = std::getenv("WARPWISE_MODULES");
  std::string path = folder ? fmt::format("{}/{}.ptx", folder, key) : beside;
  std::ifstream file(path, std::ios::binary);
  if (!file && path != beside) file.open(beside, std::ios::binary);
  if (!file && !folder)
    return Error{"R0204", "the program's PTX is kept outside of it: start the program with `warpwise run`"};
  std::string ptx{std::istreambuf_iterator<char>(file), {}};
  if (!file)
    return Error{"R0204", fmt::format("the program's PTX, {}, cannot be read: {}", path, std::strerror(errno))};
  return ptx;
}

// How far a wrapper's data may be read. Memory that is not part of an object file (a program that makes its own
// wrapper) is trusted to be as long as its container's header says.
std::string_view bytes_at(const void* data) {
  auto* start = static_cast<const char*>(data);
  if (size_t bytes = readable_bytes(data)) return {start, bytes};
  ContainerHeader container;
  std::memcpy(&container, data, sizeof container.magic);
  if (container.magic != kContainerMagic) return {start, std::strlen(start)};
  std::memcpy(&container, data, sizeof container);
  return {start, container.header_bytes + container.entries_bytes};
}

// The PTX of each file of a program made with -rdc=true, one after the other: the device links them. (The result of
// nvcc's own link is machine code.)
Result<std::string> read_relocatable(const void* const* containers, unsigned architecture) {
  std::string all;
  std::optional<Error> first;
  for (; *containers; ++containers) {
    auto entries = TRY(parse_container(bytes_at(*containers)));
    auto ptx = choose_ptx(entries, architecture);
    if (!ptx.ok()) {  // libcudadevrt, for example; the device supplies those functions
      if (!first) first = ptx.error();
      continue;
    }
    all += *ptx;
    if (!all.ends_with('\n')) all += '\n';
  }
  if (all.empty())
    return Error{"R0205", fmt::format("no part of the program's linked device code (-rdc=true) can be used: {}",
                                      first ? first->message : "there is none")};
  return all;
}

}  // namespace

Result<std::string> read_wrapper(const FatBinaryWrapper& wrapper, unsigned architecture) {
  if (wrapper.magic != kWrapperMagic || !wrapper.data) return damaged("its wrapper is malformed");
  std::string_view bytes = bytes_at(wrapper.data);
  uint32_t magic = 0;
  if (read(bytes, 0, &magic) && magic == kContainerMagic) {
    if (wrapper.version == 2 && wrapper.prelinked) return read_relocatable(wrapper.prelinked, architecture);
    auto entries = TRY(parse_container(bytes));
    return choose_ptx(entries, architecture);
  }
  std::string_view text = ptx_extent(bytes);
  if (text.starts_with(kReferencePrefix)) return read_referenced(text);
  if (text.find(".version") == std::string_view::npos) return damaged("it is neither a container nor PTX");
  return std::string(text);
}

Result<std::string> read_image(const void* image, unsigned architecture) {
  uint32_t magic = 0;
  // Short text is not read past its end.
  auto* text = static_cast<const char*>(image);
  if (strnlen(text, sizeof magic) == sizeof magic) std::memcpy(&magic, image, sizeof magic);
  if (magic == kWrapperMagic) return read_wrapper(*static_cast<const FatBinaryWrapper*>(image), architecture);
  if (magic == kContainerMagic) return choose_ptx(TRY(parse_container(bytes_at(image))), architecture);
  constexpr uint32_t kElfMagic = 0x464c457f;
  if (magic == kElfMagic)
    return Error{"R0201",
                 "the module is machine code of a real GPU (a cubin): compile it to PTX (nvcc -ptx) or to a fat "
                 "binary with PTX in it (-gencode arch=compute_90,code=compute_90)"};
  std::string ptx(text);
  if (ptx.find(".version") == std::string::npos) return Error{"R0203", "the module is neither PTX nor a fat binary"};
  return ptx;
}

}  // namespace warpwise::cuda
