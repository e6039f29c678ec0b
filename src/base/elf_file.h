// A program or library as the ELF format has it (64 bits, little-endian): what it needs, what it defines, its sections.
// Everything is checked against the file's size, because files may be cut off or hostile. A part that is missing is
// empty.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace warpwise {

struct ElfSymbol {
  std::string_view name;
  uint64_t address = 0;  // before the file is loaded anywhere
  uint64_t size = 0;
  bool function = false;
  bool defined = false;
};

class ElfFile {
 public:
  // U0001 when it cannot be read; U0009 when it is a folder, a pipe, or no such file.
  static Result<ElfFile> open(const std::string& path);
  // The same for bytes in memory, which are kept.
  static Result<ElfFile> from_bytes(std::string bytes);

  // The libraries that the loader must load: "libcudart.so.13".
  std::vector<std::string_view> needed() const;
  // The symbols that the loader binds, and those that `strip` removes.
  std::vector<ElfSymbol> dynamic_symbols() const { return symbols(".dynsym"); }
  std::vector<ElfSymbol> all_symbols() const { return symbols(".symtab"); }
  std::string_view section(std::string_view name) const;

 private:
  struct Section {
    std::string_view name;
    uint64_t offset = 0, size = 0, entry_size = 0;
    uint32_t link = 0;
    bool in_file = true;
  };
  explicit ElfFile(std::string bytes) : bytes_(std::move(bytes)) {}
  bool read_sections();
  const Section* find(std::string_view name) const;
  std::string_view bytes_of(const Section& section) const;
  std::vector<ElfSymbol> symbols(std::string_view table) const;

  // Views into these bytes live as long as the object and survive moves of it.
  std::string bytes_;
  std::vector<Section> sections_;
};

}  // namespace warpwise
