// Drafts: the text of an editor, kept while it is typed.
#include <fmt/format.h>

#include "lab/progress/progress.h"

namespace warpwise::lab {

using database::Statement;
using database::Transaction;

Result<std::optional<Draft>> Progress::draft(std::string_view problem) const {
  Statement row = TRY(database_.prepare("SELECT revision, at, text FROM drafts WHERE problem = ?"));
  if (!TRY(row.bind(problem).step())) return std::optional<Draft>();
  return std::optional(Draft{row.number(0), row.text(1), row.text(2)});
}

Result<int64_t> Progress::keep_draft(std::string_view problem, std::string_view text, int64_t of) {
  Transaction transaction = TRY(database_.begin());
  const std::optional<Draft> now = TRY(draft(problem));
  const int64_t revision = now ? now->revision : 0;
  if (revision != of)
    return Error{"L0104",
                 fmt::format("the draft of `{}` was changed elsewhere: revision {}, not {}", problem, revision, of)};
  Statement row =
      TRY(database_.prepare("INSERT OR REPLACE INTO drafts(problem, revision, at, text) VALUES (?, ?, ?, ?)"));
  TRY(row.bind(problem).bind(revision + 1).bind(database::now()).bind(text).run());
  TRY(transaction.commit());
  return revision + 1;
}

}  // namespace warpwise::lab
