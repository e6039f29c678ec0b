#include "base/elf_file.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace warpwise {

namespace {

template <class Record>
bool read_record(std::string_view bytes, uint64_t at, Record* out) {
  if (at > bytes.size() || bytes.size() - at < sizeof *out) return false;
  std::memcpy(out, bytes.data() + at, sizeof *out);
  return true;
}

// A string of a string table, up to its terminating zero.
std::string_view text_at(std::string_view table, uint64_t at) {
  if (at >= table.size()) return {};
  std::string_view rest = table.substr(at);
  return rest.substr(0, std::min(rest.find('\0'), rest.size()));
}

}  // namespace

Result<ElfFile> ElfFile::open(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (is_directory(status)) return Error{"U0009", fmt::format("`{}` is a folder", path)};
  if (exists(status) && !is_regular_file(status))
    return Error{"U0009", fmt::format("`{}` is not a regular file", path)};
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad())
    return Error{"U0001", fmt::format("cannot read `{}`: {}", path, std::strerror(errno ? errno : EIO))};
  auto elf = from_bytes(std::move(bytes));
  if (!elf) return Error{elf.error().code, fmt::format("`{}` {}", path, elf.error().message)};
  return elf;
}

Result<ElfFile> ElfFile::from_bytes(std::string bytes) {
  ElfFile elf(std::move(bytes));
  if (!elf.read_sections()) return Error{"U0009", "is neither a program nor a library for this machine"};
  return elf;
}

bool ElfFile::read_sections() {
  Elf64_Ehdr head;
  if (!read_record(bytes_, 0, &head) || std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0) return false;
  if (head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_ident[EI_DATA] != ELFDATA2LSB) return false;
  if (head.e_shentsize != sizeof(Elf64_Shdr)) return head.e_shnum == 0;
  uint64_t names_offset = 0;
  std::vector<uint32_t> names;
  for (unsigned i = 0; i < head.e_shnum; ++i) {
    Elf64_Shdr section;
    if (!read_record(bytes_, head.e_shoff + uint64_t{i} * sizeof section, &section)) return false;
    sections_.push_back(
        {{}, section.sh_offset, section.sh_size, section.sh_entsize, section.sh_link, section.sh_type != SHT_NOBITS});
    names.push_back(section.sh_name);
    if (i == head.e_shstrndx) names_offset = i;
  }
  if (sections_.empty()) return true;
  std::string_view table = bytes_of(sections_[names_offset]);
  for (size_t i = 0; i < sections_.size(); ++i) sections_[i].name = text_at(table, names[i]);
  return true;
}

std::string_view ElfFile::bytes_of(const Section& section) const {
  std::string_view all = bytes_;
  if (!section.in_file || section.offset > all.size() || section.size > all.size() - section.offset) return {};
  return all.substr(section.offset, section.size);
}

const ElfFile::Section* ElfFile::find(std::string_view name) const {
  auto found = std::find_if(sections_.begin(), sections_.end(), [&](const Section& s) { return s.name == name; });
  return found == sections_.end() ? nullptr : &*found;
}

std::string_view ElfFile::section(std::string_view name) const {
  const Section* found = find(name);
  return found ? bytes_of(*found) : std::string_view{};
}

std::vector<std::string_view> ElfFile::needed() const {
  std::vector<std::string_view> names;
  const Section* dynamic = find(".dynamic");
  if (!dynamic || dynamic->link >= sections_.size()) return names;
  std::string_view entries = bytes_of(*dynamic), texts = bytes_of(sections_[dynamic->link]);
  Elf64_Dyn entry;
  for (uint64_t at = 0; read_record(entries, at, &entry) && entry.d_tag != DT_NULL; at += sizeof entry)
    if (entry.d_tag == DT_NEEDED) names.push_back(text_at(texts, entry.d_un.d_val));
  return names;
}

std::vector<ElfSymbol> ElfFile::symbols(std::string_view table) const {
  std::vector<ElfSymbol> all;
  const Section* found = find(table);
  if (!found || found->link >= sections_.size()) return all;
  std::string_view entries = bytes_of(*found), texts = bytes_of(sections_[found->link]);
  Elf64_Sym symbol;
  for (uint64_t at = 0; read_record(entries, at, &symbol); at += sizeof symbol)
    if (symbol.st_name)
      all.push_back({text_at(texts, symbol.st_name), symbol.st_value, symbol.st_size,
                     ELF64_ST_TYPE(symbol.st_info) == STT_FUNC, symbol.st_shndx != SHN_UNDEF});
  return all;
}

}  // namespace warpwise
