// The pieces that the page offers: those that come with Warpwise, each with the text that this user has made of it.
// Drafts lie in the lab's database, as those of problems do (lab/progress/progress.h).
//
//     GET  /api/images                        every piece: name, title, text, draft
//     POST /api/images/draft?name=NAME        {"text": …, "revision": N}: keeps the draft
#pragma once

#include <filesystem>

#include "serve/message.h"

namespace warpwise::serve {

class PieceList {
 public:
  // Of the .cu files of a folder. A folder that is not there has none.
  explicit PieceList(std::filesystem::path folder) : folder_(std::move(folder)) {}
  Response answer(const Request& request) const;
  bool is_empty() const;
  bool has(std::string_view name) const;

 private:
  const std::filesystem::path folder_;
};

}  // namespace warpwise::serve
