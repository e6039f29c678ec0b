#include "cuda/runtime/module/sections.h"

#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpwise::cuda {

namespace {

// The loaded file that contains an address.
struct LoadedFile {
  uintptr_t address = 0;
  std::string path;
  uintptr_t base = 0;  // added to the file's addresses
};

int match_file(dl_phdr_info* info, size_t, void* wanted) {
  auto& file = *static_cast<LoadedFile*>(wanted);
  for (size_t i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    uintptr_t first = info->dlpi_addr + segment.p_vaddr;
    if (segment.p_type != PT_LOAD || file.address < first || file.address - first >= segment.p_memsz) continue;
    file.path = *info->dlpi_name ? info->dlpi_name : "/proc/self/exe";  // works even when the program was removed
    file.base = info->dlpi_addr;
    return 1;
  }
  return 0;
}

class File {
 public:
  explicit File(const std::string& path) : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~File() {
    if (fd_ >= 0) close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  bool read(void* out, size_t bytes, uint64_t offset) const {
    return fd_ >= 0 && pread(fd_, out, bytes, static_cast<off_t>(offset)) == static_cast<ssize_t>(bytes);
  }

 private:
  int fd_;
};

struct Section {
  std::string_view name;
  uintptr_t first, last;  // one past the last byte
};

// Calls visit(section) for the loaded sections of the file that contains the address.
template <class Visit>
void for_each_section(const void* address, Visit visit) {
  LoadedFile loaded{.address = reinterpret_cast<uintptr_t>(address)};
  if (!dl_iterate_phdr(match_file, &loaded)) return;
  File file(loaded.path);
  ElfW(Ehdr) head;
  if (!file.read(&head, sizeof head, 0) || head.e_shentsize != sizeof(ElfW(Shdr)) || head.e_shstrndx >= head.e_shnum)
    return;
  std::vector<ElfW(Shdr)> sections(head.e_shnum);
  if (!file.read(sections.data(), sections.size() * sizeof sections[0], head.e_shoff)) return;
  constexpr size_t kMostNames = size_t{16} << 20;
  const ElfW(Shdr)& names_section = sections[head.e_shstrndx];
  if (names_section.sh_size == 0 || names_section.sh_size > kMostNames) return;
  std::string names(names_section.sh_size, '\0');
  if (!file.read(names.data(), names.size(), names_section.sh_offset)) return;
  for (const ElfW(Shdr) & section : sections) {
    if (!(section.sh_flags & SHF_ALLOC) || section.sh_name >= names.size()) continue;
    const uintptr_t first = loaded.base + section.sh_addr;
    visit(Section{names.c_str() + section.sh_name, first, first + section.sh_size});
  }
}

std::optional<Section> section_of(const void* address, std::string& name) {
  std::optional<Section> found;
  const auto at = reinterpret_cast<uintptr_t>(address);
  for_each_section(address, [&](const Section& section) {
    if (found || at < section.first || at >= section.last) return;
    found = section;
    name = section.name;
  });
  return found;
}

}  // namespace

bool in_section(const void* address, std::string_view name) {
  std::string its_name;
  return section_of(address, its_name).has_value() && its_name == name;
}

std::string section_name(const void* address) {
  std::string name;
  section_of(address, name);
  return name;
}

bool section_ends_its_page(const void* address) {
  constexpr uintptr_t kPage = 4096;
  std::string name;
  const auto own = section_of(address, name);
  if (!own) return false;
  const uintptr_t last = (own->last + kPage - 1) / kPage * kPage;
  bool alone = true;
  for_each_section(address, [&](const Section& other) {
    if (other.first < last && other.last > own->last) alone = false;
  });
  return alone;
}

}  // namespace warpwise::cuda
