#include "serve/assets.h"

#include <fmt/format.h>

#include "toolchain/files.h"
#include "toolchain/hash.h"

namespace warpwise::serve {

namespace fs = std::filesystem;

namespace {

// Every file that the page has: NAME.gz in the folder.
struct Row {
  const char *path, *file, *type;
};
constexpr Row kRows[] = {
    {"/", "index.html.gz", "text/html; charset=utf-8"},
    {"/app.js", "app.js.gz", "text/javascript; charset=utf-8"},
    {"/editor.js", "editor.js.gz", "text/javascript; charset=utf-8"},
    {"/code.js", "code.js.gz", "text/javascript; charset=utf-8"},
    {"/vim.js", "vim.js.gz", "text/javascript; charset=utf-8"},
    {"/app.css", "app.css.gz", "text/css; charset=utf-8"},
    {"/icon.svg", "icon.svg.gz", "image/svg+xml"},
};

}  // namespace

Result<Assets> Assets::read(const fs::path& folder) {
  Assets assets;
  for (const Row& row : kRows) {
    auto bytes = toolchain::read_file(folder / row.file);
    if (!bytes)
      return Error{"W0001", fmt::format("the page is not installed: `{}` is missing", (folder / row.file).string())};
    const std::string tag = fmt::format("\"{}\"", toolchain::hash_of(*bytes));
    assets.files_[row.path] = {row.type, std::move(*bytes), tag};
  }
  return assets;
}

Response Assets::answer(const Request& request) const {
  const auto file = files_.find(request.path);
  if (file == files_.end()) return refuse(404, Error{"W0005", "there is no such page"});
  const auto& [type, compressed, tag] = file->second;
  const std::vector<std::pair<std::string, std::string>> known{{"ETag", tag}, {"Cache-Control", "no-cache"}};
  if (request.known_tag == tag) return {.status = 304, .type = type, .headers = known};
  if (!request.encodings || request.encodings->find("gzip") == std::string::npos)
    return refuse(406, Error{"W0005", "the page is compressed by gzip, which this browser does not accept"});
  Response response{.type = type, .body = compressed, .headers = known};
  response.headers.emplace_back("Content-Encoding", "gzip");
  return response;
}

size_t Assets::bytes() const {
  size_t all = 0;
  for (const auto& [path, file] : files_) all += file.compressed.size();
  return all;
}

}  // namespace warpwise::serve
