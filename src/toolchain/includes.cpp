#include "toolchain/includes.h"

#include <algorithm>
#include <set>

#include "base/words.h"
#include "toolchain/files.h"

namespace warpwise::toolchain {
namespace fs = std::filesystem;
namespace {

void skip_blanks(std::string_view& line) {
  while (!line.empty() && (line[0] == ' ' || line[0] == '\t')) line.remove_prefix(1);
}

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

bool in_toolkit(const fs::path& toolkit, const std::string& name) {
  // Since CUDA 13, CCCL (thrust, CUB, libcu++) has a folder of its own, which nvcc searches too.
  return !toolkit.empty() && (is_file(toolkit / name) || is_file(toolkit / "cccl" / name));
}

// `texture<...>` that no scope or object is named before, `surface<...>`, or a call that binds one.
bool names_texture_reference(std::string_view text) {
  if (text.find("cudaBindTexture") != text.npos || text.find("cudaBindSurface") != text.npos) return true;
  for (Word word = next_word(text, 0); !word.text.empty(); word = next_word(text, word.end)) {
    if (word.text != "texture" && word.text != "surface") continue;
    if (word.before == ':' || word.before == '.' || word.before == '>') continue;
    const size_t bracket = skip_space(text, word.end);
    if (bracket == text.size() || text[bracket] != '<') continue;
    const size_t argument = skip_space(text, bracket + 1);
    if (argument < text.size() && is_word_character(text[argument])) return true;
  }
  return false;
}

// A type of the program's own of these names.
bool declares_texture_or_surface(std::string_view text) {
  std::string_view last;
  size_t last_end = 0;
  for (Word word = next_word(text, 0); !word.text.empty(); word = next_word(text, word.end)) {
    const bool declares = last == "class" || last == "struct" || last == "union" || last == "using";
    const bool behind = skip_space(text, last_end) == word.end - word.text.size();
    if (declares && behind && (word.text == "texture" || word.text == "surface")) return true;
    last = word.text;
    last_end = word.end;
  }
  return false;
}

// A source and the headers of the user's that it reaches, each once.
class UserFiles {
 public:
  explicit UserFiles(const std::vector<fs::path>& folders) : folders_(folders) {}

  // `look(text, others)` is given each file and the headers it includes that are not the user's; true ends the visit.
  template <class Look>
  bool visit(const fs::path& file, const Look& look) {
    if (!seen_.insert(file.lexically_normal().string()).second) return false;
    auto text = read_file(file);
    if (!text) return false;
    std::vector<fs::path> own;
    std::vector<std::string> others;
    for (std::string& name : included_names(*text)) {
      if (fs::path found = find(name, file.parent_path()); !found.empty())
        own.push_back(std::move(found));
      else
        others.push_back(std::move(name));
    }
    return look(*text, others) ||
           std::any_of(own.begin(), own.end(), [&](const fs::path& header) { return visit(header, look); });
  }

 private:
  fs::path find(const std::string& name, const fs::path& beside) const {
    if (is_file(beside / name)) return beside / name;
    for (const fs::path& folder : folders_)
      if (is_file(folder / name)) return folder / name;
    return {};
  }

  const std::vector<fs::path>& folders_;
  std::set<std::string> seen_;
};

}  // namespace

std::vector<std::string> included_names(std::string_view text) {
  std::vector<std::string> names;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    skip_blanks(line);
    if (!line.starts_with('#')) continue;
    line.remove_prefix(1);
    skip_blanks(line);
    if (!line.starts_with("include")) continue;
    line.remove_prefix(7);
    skip_blanks(line);
    if (line.empty() || (line[0] != '"' && line[0] != '<')) continue;
    size_t close = line.find(line[0] == '<' ? '>' : '"', 1);
    if (close != line.npos && close > 1) names.emplace_back(line.substr(1, close - 1));
  }
  return names;
}

bool begins_with_header(std::string_view text, std::string_view name) {
  constexpr std::string_view kBlanks = " \t\r\n";
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
    const bool block = text.starts_with("/*");
    if (block || text.starts_with("//")) {
      const size_t end = block ? text.find("*/", 2) : text.find('\n');
      if (end == text.npos || (!block && end > 0 && text[end - 1] == '\\')) return false;
      text.remove_prefix(end + (block ? 2 : 1));
      continue;
    }
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::vector<std::string> names = included_names(line);
    if (names.empty() || line.find('<') > line.find('"')) return false;
    if (names[0] == name) return true;
    text.remove_prefix(line.size());
  }
}

std::string toolkit_only_header(const fs::path& source, const HeaderSearch& search) {
  std::string header;
  // -I may name the toolkit's own folders; their headers are not the user's.
  std::vector<fs::path> user_folders;
  std::error_code error;
  const std::string toolkit = search.toolkit_headers.empty() ? "" : fs::canonical(search.toolkit_headers, error);
  for (const fs::path& folder : search.user_folders)
    if (toolkit.empty() || !fs::weakly_canonical(folder, error).string().starts_with(toolkit))
      user_folders.push_back(folder);
  UserFiles(user_folders).visit(source, [&](const std::string&, const std::vector<std::string>& others) {
    auto found = std::find_if(others.begin(), others.end(), [&](const std::string& name) {
      return !is_file(search.our_headers / name) && in_toolkit(search.toolkit_headers, name);
    });
    if (found != others.end()) header = *found;
    return found != others.end();
  });
  return header;
}

bool reaches_header(const fs::path& source, const std::vector<fs::path>& user_folders, std::string_view name) {
  return UserFiles(user_folders).visit(source, [&](const std::string&, const std::vector<std::string>& others) {
    return std::find(others.begin(), others.end(), name) != others.end();
  });
}

bool uses_texture_references(const fs::path& source, const std::vector<fs::path>& user_folders) {
  bool used = false;
  const bool owned =
      UserFiles(user_folders).visit(source, [&](const std::string& text, const std::vector<std::string>&) {
        if (text.find("texture") == text.npos && text.find("surface") == text.npos &&
            text.find("cudaBind") == text.npos)
          return false;
        used = used || names_texture_reference(text);
        return declares_texture_or_surface(text);
      });
  return used && !owned;
}

bool looks_like_toolkit_header(std::string_view name) {
  constexpr std::string_view kPrefixes[] = {"thrust/",
                                            "cub/",
                                            "cuda/",
                                            "nv/",
                                            "cutlass/",
                                            "cute/",
                                            "cooperative_groups",
                                            "cuda_pipeline",
                                            "nvtx3/",
                                            "cuda_fp4",
                                            "cuda_fp6",
                                            "curand",
                                            "cublas",
                                            "cufft",
                                            "cusparse",
                                            "cusolver",
                                            "cudnn",
                                            "npp",
                                            "nvjpeg",
                                            "nccl",
                                            "nvrtc",
                                            "nvFatbin",
                                            "nvvm",
                                            "nvml",
                                            "cupti",
                                            "cudaGL",
                                            "cuda_gl_interop",
                                            "cudaEGL",
                                            "cuda_egl_interop",
                                            "cudaVDPAU",
                                            "cuda_vdpau_interop"};
  return std::any_of(std::begin(kPrefixes), std::end(kPrefixes),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

}  // namespace warpwise::toolchain
