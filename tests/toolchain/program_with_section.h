// A program of one section, as the ELF format has it: for tests and fuzzers of what reads sections.
#pragma once

#include <elf.h>

#include <string>
#include <string_view>

namespace warpwise::toolchain {

inline std::string program_with_section(std::string_view name, std::string_view contents) {
  const std::string names = std::string(1, '\0') + std::string(name) + '\0';
  Elf64_Ehdr head{};
  std::string_view(ELFMAG).copy(reinterpret_cast<char*>(head.e_ident), SELFMAG);
  head.e_ident[EI_CLASS] = ELFCLASS64;
  head.e_ident[EI_DATA] = ELFDATA2LSB;
  head.e_shentsize = sizeof(Elf64_Shdr);
  head.e_shnum = 2;
  head.e_shoff = sizeof head + names.size() + contents.size();
  Elf64_Shdr sections[2]{};
  sections[0].sh_type = SHT_STRTAB;
  sections[0].sh_offset = sizeof head;
  sections[0].sh_size = names.size();
  sections[1].sh_name = 1;
  sections[1].sh_type = SHT_PROGBITS;
  sections[1].sh_offset = sizeof head + names.size();
  sections[1].sh_size = contents.size();
  auto bytes = [](const auto& record) { return std::string(reinterpret_cast<const char*>(&record), sizeof record); };
  return bytes(head) + names + std::string(contents) + bytes(sections);
}

}  // namespace warpwise::toolchain
