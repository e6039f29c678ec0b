// The files of the page itself: read once when the server starts, compressed as they were built, and found by their
// whole path. No path of a request ever reaches the file system.
#pragma once

#include <filesystem>
#include <map>

#include "serve/message.h"

namespace warpwise::serve {

class Assets {
 public:
  // share/warpwise/page of an installation. W0001 when the page was not built or installed.
  static Result<Assets> read(const std::filesystem::path& folder);

  // "/" is the page.
  Response answer(const Request& request) const;
  size_t bytes() const;  // compressed, all together

 private:
  struct File {
    std::string type, compressed, tag;
  };
  std::map<std::string, File, std::less<>> files_;  // by path: "/app.js"
};

}  // namespace warpwise::serve
