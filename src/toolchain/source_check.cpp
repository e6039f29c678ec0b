#include "toolchain/source_check.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "base/suggest.h"
#include "toolchain/installation.h"

namespace warpwise::toolchain {
namespace {

// So much of a file decides what kind of file it is.
constexpr size_t kBeginning = 1 << 16;

Result<std::string> beginning_of(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return Error{"U0001", fmt::format("cannot read `{}`: {}", path, std::strerror(errno))};
  std::string text(kBeginning, '\0');
  size_t size = 0;
  for (ssize_t got; size < kBeginning; size += got) {
    got = read(fd, text.data() + size, kBeginning - size);
    if (got < 0 && errno == EINTR)
      got = 0;
    else if (got <= 0)
      break;
  }
  close(fd);
  text.resize(size);
  return text;
}

// In UTF-16 every other byte of ASCII text is zero; the byte order mark stands at the beginning, if there is one.
bool is_utf16(std::string_view text) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) return true;
  if (text.size() < 4) return false;
  const bool little = text[0] != 0 && text[1] == 0 && text[2] != 0 && text[3] == 0;
  const bool big = text[0] == 0 && text[1] != 0 && text[2] == 0 && text[3] != 0;
  return little || big;
}

// "; did you mean `vecadd.cu`?", of the files beside it that end alike.
std::string similar_file(const std::filesystem::path& path) {
  std::vector<std::string> names;
  std::error_code error;
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->path().extension() == path.extension()) names.push_back(at->path().filename().string());
  const std::vector<std::string_view> known(names.begin(), names.end());
  return did_you_mean(path.filename().string(), known);
}

// "; the installed one is …": documents name examples as they lie in the source, `examples/vecadd.cu`.
std::string installed_file(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::path installed = Installation::find().root / "share/warpwise" / path;
  const bool exists = path.is_relative() && std::filesystem::is_regular_file(installed, error);
  return exists ? fmt::format("; the installed one is {}", installed.lexically_normal().string()) : "";
}

}  // namespace

Result<void> check_object(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found)
    return Error{"U0001", fmt::format("there is no file `{}`{}{}", path, similar_file(path), installed_file(path))};
  if (error) return Error{"U0001", fmt::format("cannot read `{}`: {}", path, error.message())};
  if (is_directory(status)) return Error{"T0010", fmt::format("`{}` is a folder, not a file", path)};
  if (!is_regular_file(status)) return Error{"T0010", fmt::format("`{}` is not a regular file", path)};
  return {};
}

Result<void> check_text(const std::string& path, std::string_view text) {
  std::string_view content = text;
  if (content.starts_with("\xef\xbb\xbf")) content.remove_prefix(3);  // UTF-8's byte order mark, which Clang takes
  if (content.find_first_not_of(" \t\r\n\f\v") == content.npos)
    return Error{"T0010", fmt::format("`{}` is empty", path)};
  if (is_utf16(content)) return Error{"T0010", fmt::format("`{}` is UTF-16 text: save it as UTF-8", path)};
  if (content.starts_with("\x7f"
                          "ELF"))
    return Error{"T0010", fmt::format("`{}` is a program or an object (ELF), not source text", path)};
  if (content.find('\0') != content.npos)
    return Error{"T0010", fmt::format("`{}` is not source text: it has zero bytes", path)};
  return {};
}

Result<void> check_source(const std::string& path) {
  TRY(check_object(path));
  const std::string text = TRY(beginning_of(path));
  // A file may begin with that many blanks.
  if (text.size() == kBeginning && text.find_first_not_of(" \t\r\n\f\v") == text.npos) return {};
  return check_text(path, text);
}

MainFunction main_function_of(std::string_view messages) {
  const auto has = [&](std::string_view text) { return messages.find(text) != messages.npos; };
  // lld and mold; GNU ld and gold.
  if (has("undefined symbol: main\n") || has("undefined reference to `main'") || has("undefined reference to 'main'"))
    return MainFunction::Missing;
  if (has("duplicate symbol: main\n") || has("multiple definition of `main'") || has("multiple definition of 'main'"))
    return MainFunction::Repeated;
  return MainFunction::Unknown;
}

}  // namespace warpwise::toolchain
