#include "exec/loading/loader.h"

#include <elf.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/host_page.h"
#include "base/round_up.h"

extern "C" {
__int128 __divti3(__int128, __int128);
__int128 __modti3(__int128, __int128);
unsigned __int128 __udivti3(unsigned __int128, unsigned __int128);
unsigned __int128 __umodti3(unsigned __int128, unsigned __int128);
void __extendhfsf2();  // in libgcc; only the address is taken, the signatures use _Float16
void __truncdfhf2();
void __truncsfhf2();
double roundeven(double) noexcept;
float roundevenf(float) noexcept;
}

namespace warpwise::exec {
namespace {

constexpr size_t kMaxImage = size_t{1} << 30;
constexpr unsigned kStubBytes = 16;  // jmp *[rip + 2]; ud2; .quad target

Error malformed(std::string_view what) { return {"R0401", fmt::format("malformed object file: {}", what)}; }

// Types that pick one of C++'s overloads.
using Copy = void* (*)(void*, const void*, size_t);
using Set = void* (*)(void*, int, size_t);
using Wide = __int128 (*)(__int128, __int128);
using UnsignedWide = unsigned __int128 (*)(unsigned __int128, unsigned __int128);
using Double = double (*)(double);
using Double3 = double (*)(double, double, double);
using Float = float (*)(float);
using Float2 = float (*)(float, float);
using Float3 = float (*)(float, float, float);
using Plain = void (*)();

std::optional<uint64_t> external_symbol(std::string_view wanted) {
#define EXTERNAL(name, type) \
  if (wanted == #name) return std::bit_cast<uint64_t>(static_cast<type>(&::name));
#include "exec/loading/external_symbols.inc"
#undef EXTERNAL
  return std::nullopt;
}

}  // namespace

// One loading. Sections are placed in three groups of pages: code, constants, data.
class ObjectLoader {
 public:
  explicit ObjectLoader(std::span<const std::byte> object) : object_(object) {}

  Result<LoadedCode> run() {
    TRY(read_headers());
    TRY(read_symbols());
    TRY(place_sections());
    TRY(map());
    TRY(relocate());
    TRY(protect());
    TRY(publish());
    return std::move(code_);
  }

 private:
  enum Group { kCode, kConstants, kData, kGroups, kNowhere };

  struct Section {
    Elf64_Shdr header;
    std::string_view name;
    Group group = kNowhere;
    uint64_t offset = 0;   // in the mapping
    uint64_t address = 0;  // once mapped
  };

  template <class T>
  Result<T> read(uint64_t offset) const {
    if (offset > object_.size() || object_.size() - offset < sizeof(T)) return malformed("it is cut short");
    T value;
    std::memcpy(&value, object_.data() + offset, sizeof(T));
    return value;
  }

  Result<std::string_view> string_at(const Elf64_Shdr& table, uint64_t index) const {
    if (index >= table.sh_size) return malformed("a name lies outside the string table");
    const char* start = reinterpret_cast<const char*>(object_.data()) + table.sh_offset + index;
    size_t length = strnlen(start, table.sh_size - index);
    if (length == table.sh_size - index) return malformed("a name has no end");
    return std::string_view(start, length);
  }

  Result<void> read_headers() {
    auto header = TRY(read<Elf64_Ehdr>(0));
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
        header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_type != ET_REL || header.e_machine != EM_X86_64)
      return malformed("not a relocatable ELF file for x86-64");
    if (header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shoff > object_.size() ||
        (object_.size() - header.e_shoff) / sizeof(Elf64_Shdr) < header.e_shnum || header.e_shstrndx >= header.e_shnum)
      return malformed("the section headers do not fit");
    for (unsigned i = 0; i < header.e_shnum; ++i) {
      Section section{TRY(read<Elf64_Shdr>(header.e_shoff + i * sizeof(Elf64_Shdr)))};
      const Elf64_Shdr& h = section.header;
      if (h.sh_type != SHT_NOBITS && (h.sh_offset > object_.size() || h.sh_size > object_.size() - h.sh_offset))
        return malformed("a section does not fit");
      sections_.push_back(section);
    }
    for (Section& section : sections_)
      section.name = TRY(string_at(sections_[header.e_shstrndx].header, section.header.sh_name));
    return {};
  }

  Result<void> read_symbols() {
    for (const Section& section : sections_) {
      if (section.header.sh_type != SHT_SYMTAB) continue;
      if (section.header.sh_link >= sections_.size()) return malformed("the symbol table has no names");
      names_ = sections_[section.header.sh_link].header;
      for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= section.header.sh_size; at += sizeof(Elf64_Sym))
        symbols_.push_back(TRY(read<Elf64_Sym>(section.header.sh_offset + at)));
    }
    return {};
  }

  // Unwind tables are left out: nothing unwinds through kernels (a fault leaves by longjmp).
  static bool is_loaded(const Section& section) {
    return (section.header.sh_flags & SHF_ALLOC) && section.name != ".eh_frame" && section.header.sh_type != SHT_NOTE;
  }

  Result<void> place_sections() {
    size_t at = 0;
    for (int group = kCode; group < kGroups; ++group) {
      group_start_[group] = at;
      for (Section& section : sections_) {
        if (!is_loaded(section)) continue;
        uint64_t flags = section.header.sh_flags;
        Group mine = flags & SHF_EXECINSTR ? kCode : flags & SHF_WRITE ? kData : kConstants;
        if (mine != group) continue;
        uint64_t align = std::max<uint64_t>(section.header.sh_addralign, 1);
        if (align > kHostPage || (align & (align - 1)))
          return malformed("a section's alignment is no small power of two");
        at = round_up(at, align);
        section.group = mine;
        section.offset = at;
        if (section.header.sh_size > kMaxImage - at) return malformed("it is larger than 1 GiB");
        at += section.header.sh_size;
      }
      if (group == kCode) {
        code_end_ = at;
        // A stub and a slot for each symbol that may need one; few, so count all.
        stubs_ = at = round_up(at, kStubBytes);
        at += symbols_.size() * kStubBytes;
      }
      if (group == kConstants) {
        slots_ = at = round_up(at, 8);
        at += symbols_.size() * 8;
      }
      at = round_up(at, kHostPage);
      if (at > kMaxImage) return malformed("it is larger than 1 GiB");
    }
    group_start_[kGroups] = at;
    return {};
  }

  bool wants_low_addresses() const {
    for (const Section& section : sections_) {
      if (section.header.sh_type != SHT_RELA) continue;
      for (uint64_t at = 0; at + sizeof(Elf64_Rela) <= section.header.sh_size; at += sizeof(Elf64_Rela)) {
        auto rela = read<Elf64_Rela>(section.header.sh_offset + at);
        uint32_t type = rela.ok() ? ELF64_R_TYPE(rela->r_info) : 0;
        if (type == R_X86_64_32 || type == R_X86_64_32S) return true;
      }
    }
    return false;
  }

  Result<void> map() {
    size_t bytes = group_start_[kGroups];
    if (bytes == 0) return malformed("it holds no code");
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | (wants_low_addresses() ? MAP_32BIT : 0);
    void* mapping = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (mapping == MAP_FAILED) return Error{"R0402", fmt::format("no memory for {} bytes of compiled code", bytes)};
    code_.mapping_ = static_cast<std::byte*>(mapping);
    code_.mapping_bytes_ = bytes;
    for (Section& section : sections_) {
      if (section.group == kNowhere) continue;
      section.address = reinterpret_cast<uint64_t>(mapping) + section.offset;
      if (section.header.sh_type != SHT_NOBITS)
        std::memcpy(code_.mapping_ + section.offset, object_.data() + section.header.sh_offset, section.header.sh_size);
      if (section.group == kCode && section.header.sh_size != 0 && code_.text_ == 0) code_.text_ = section.address;
    }
    if (code_.text_ == 0) return malformed("it holds no code");
    code_.text_bytes_ = reinterpret_cast<uint64_t>(mapping) + code_end_ - code_.text_;
    return {};
  }

  // The value of a symbol: an address in the mapping, or one of the functions we offer.
  Result<uint64_t> value_of(uint64_t index) const {
    if (index >= symbols_.size()) return malformed("a relocation names a symbol that does not exist");
    const Elf64_Sym& symbol = symbols_[index];
    if (symbol.st_shndx == SHN_ABS) return symbol.st_value;
    if (symbol.st_shndx == SHN_UNDEF) {
      auto name = TRY(string_at(names_, symbol.st_name));
      if (auto address = external_symbol(name)) return *address;
      return malformed(fmt::format("it needs `{}`, which is not provided", name));
    }
    if (symbol.st_shndx >= sections_.size() || sections_[symbol.st_shndx].group == kNowhere)
      return malformed("a symbol lies in a section that is not loaded");
    const Section& section = sections_[symbol.st_shndx];
    if (symbol.st_value > section.header.sh_size) return malformed("a symbol lies outside its section");
    return section.address + symbol.st_value;
  }

  // A jump through an absolute address, for a function further than 2 GiB away.
  uint64_t stub_for(uint64_t index, uint64_t target) {
    std::byte* stub = code_.mapping_ + stubs_ + index * kStubBytes;
    constexpr uint8_t kJump[8] = {0xff, 0x25, 0x02, 0x00, 0x00, 0x00, 0x0f, 0x0b};
    std::memcpy(stub, kJump, sizeof kJump);
    std::memcpy(stub + 8, &target, 8);
    return reinterpret_cast<uint64_t>(stub);
  }

  uint64_t slot_for(uint64_t index, uint64_t target) {
    std::byte* slot = code_.mapping_ + slots_ + index * 8;
    std::memcpy(slot, &target, 8);
    return reinterpret_cast<uint64_t>(slot);
  }

  Result<void> relocate() {
    for (const Section& section : sections_) {
      if (section.header.sh_type == SHT_REL) return malformed("REL relocations are not used on x86-64");
      if (section.header.sh_type != SHT_RELA) continue;
      if (section.header.sh_info >= sections_.size()) return malformed("relocations for a section that does not exist");
      const Section& target = sections_[section.header.sh_info];
      if (target.group == kNowhere) continue;
      if (target.header.sh_type == SHT_NOBITS) return malformed("relocations for a section without bytes");
      for (uint64_t at = 0; at + sizeof(Elf64_Rela) <= section.header.sh_size; at += sizeof(Elf64_Rela))
        TRY(relocate_one(target, TRY(read<Elf64_Rela>(section.header.sh_offset + at))));
    }
    return {};
  }

  Result<void> relocate_one(const Section& target, const Elf64_Rela& rela) {
    uint32_t type = ELF64_R_TYPE(rela.r_info);
    if (type == R_X86_64_NONE) return {};
    uint64_t index = ELF64_R_SYM(rela.r_info);
    uint64_t symbol = TRY(value_of(index));
    size_t bytes = type == R_X86_64_64 || type == R_X86_64_PC64 ? 8 : 4;
    if (rela.r_offset > target.header.sh_size || target.header.sh_size - rela.r_offset < bytes)
      return malformed("a relocation lies outside its section");
    uint64_t place = target.address + rela.r_offset;
    std::byte* where = code_.mapping_ + target.offset + rela.r_offset;
    uint64_t addend = static_cast<uint64_t>(rela.r_addend);
    uint64_t value;
    switch (type) {
      case R_X86_64_64:
        value = symbol + addend;
        break;
      case R_X86_64_PC64:
        value = symbol + addend - place;
        break;
      case R_X86_64_32:
      case R_X86_64_32S:
        value = symbol + addend;
        break;
      case R_X86_64_PC32:
      case R_X86_64_PLT32:
        if (symbols_[index].st_shndx == SHN_UNDEF) symbol = stub_for(index, symbol);
        value = symbol + addend - place;
        break;
      case R_X86_64_GOTPCREL:
      case R_X86_64_GOTPCRELX:
      case R_X86_64_REX_GOTPCRELX:
        value = slot_for(index, symbol) + addend - place;
        break;
      default:
        return malformed(fmt::format("relocation type {} is not known", type));
    }
    if (bytes == 4) {
      bool fits = type == R_X86_64_32 ? value <= std::numeric_limits<uint32_t>::max()
                                      : static_cast<int64_t>(value) == static_cast<int32_t>(value);
      if (!fits) return malformed("a relocation does not reach its target");
    }
    std::memcpy(where, &value, bytes);
    return {};
  }

  Result<void> protect() {
    constexpr int kProtection[kGroups] = {PROT_READ | PROT_EXEC, PROT_READ, PROT_READ | PROT_WRITE};
    for (int group = kCode; group < kData; ++group) {
      size_t bytes = group_start_[group + 1] - group_start_[group];
      if (bytes != 0 && mprotect(code_.mapping_ + group_start_[group], bytes, kProtection[group]) != 0)
        return Error{"R0402", "the system refuses executable memory, which compiled kernels need"};
    }
    return {};
  }

  Result<void> publish() {
    for (size_t i = 0; i < symbols_.size(); ++i) {
      const Elf64_Sym& symbol = symbols_[i];
      if (ELF64_ST_BIND(symbol.st_info) == STB_LOCAL || symbol.st_shndx == SHN_UNDEF) continue;
      code_.symbols_.emplace(TRY(string_at(names_, symbol.st_name)), TRY(value_of(i)));
    }
    return {};
  }

  std::span<const std::byte> object_;
  std::vector<Section> sections_;
  std::vector<Elf64_Sym> symbols_;
  Elf64_Shdr names_{};
  size_t group_start_[kGroups + 1] = {};
  size_t code_end_ = 0, stubs_ = 0, slots_ = 0;
  LoadedCode code_;
};

Result<LoadedCode> LoadedCode::load(std::span<const std::byte> object) { return ObjectLoader(object).run(); }

LoadedCode::~LoadedCode() {
  if (mapping_) munmap(mapping_, mapping_bytes_);
}

void LoadedCode::swap(LoadedCode& other) noexcept {
  std::swap(mapping_, other.mapping_);
  std::swap(mapping_bytes_, other.mapping_bytes_);
  std::swap(text_, other.text_);
  std::swap(text_bytes_, other.text_bytes_);
  std::swap(symbols_, other.symbols_);
}

const void* LoadedCode::symbol(std::string_view name) const {
  auto found = symbols_.find(std::string(name));
  return found == symbols_.end() ? nullptr : reinterpret_cast<const void*>(found->second);
}

}  // namespace warpwise::exec
