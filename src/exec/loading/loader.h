// Loads the relocatable ELF file of a compiled kernel without LLVM (and without dlopen, which needs shared objects in
// files): lays the sections out in one mapping, applies the relocations, and makes code executable and read-only (never
// writable and executable at once).
//
// An object names nothing outside itself but a few functions that LLVM may call of its own accord
// (external_symbols.inc). Objects come from a cache on disk, so nothing in them is trusted: every
// offset is checked, and a malformed one is an error (R0401), never a crash.
//
// References: System V ABI (generic, chapters 4 and 5), its AMD64 supplement (4.4, Relocation).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/result.h"

namespace warpwise::exec {

class LoadedCode {
 public:
  static Result<LoadedCode> load(std::span<const std::byte> object);
  LoadedCode(LoadedCode&& other) noexcept { swap(other); }
  LoadedCode& operator=(LoadedCode&& other) noexcept {
    swap(other);
    return *this;
  }
  ~LoadedCode();

  // The address of a symbol that the object defines; null when there is none.
  const void* symbol(std::string_view name) const;
  // Whether `pc` is an address in this code.
  bool contains(uint64_t pc) const { return pc - text_ < text_bytes_; }
  // The first byte of the text section, which Site::code counts from.
  uint64_t text() const { return text_; }
  uint64_t text_bytes() const { return text_bytes_; }

 private:
  LoadedCode() = default;
  void swap(LoadedCode& other) noexcept;

  std::byte* mapping_ = nullptr;
  size_t mapping_bytes_ = 0;
  uint64_t text_ = 0, text_bytes_ = 0;
  std::unordered_map<std::string, uint64_t> symbols_;

  friend class ObjectLoader;
};

}  // namespace warpwise::exec
