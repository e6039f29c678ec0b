// What the page asks of the lab besides judging: the map of problems, a problem, its hints, drafts, earlier attempts.
// They stand on the same catalogue and the same progress as `warpwise lab`.
//
//     GET  /api/lab                     chapters and problems, with progress
//     GET  /api/lab/problem?name=SLUG   statement, starter, cases, budgets, hints that were seen, draft, attempts, the
//                                       last verdict; of a solved one its lesson
//     GET  /api/lab/attempt?id=N        an attempt's source and verdict
//     POST /api/lab/hint?name=SLUG      the next hint; it counts as looked at
//     POST /api/lab/draft?name=SLUG     {"text": …, "revision": N}: keeps the draft (lab/progress/progress.h)
//
// These are quick, a few files and a database, so the server answers them itself. It runs no code of a submission.
#pragma once

#include "lab/problem/catalogue.h"
#include "serve/message.h"

namespace warpwise::serve {

class LabAnswers {
 public:
  explicit LabAnswers(lab::Catalogue catalogue) : catalogue_(std::move(catalogue)) {}

  // W0005 for a question that is none, L0005 for a problem or an attempt that is not there.
  // `progress`: the database of who asks; "": that of the user.
  Response answer(const Request& request, const std::filesystem::path& progress = {}) const;
  const lab::Catalogue& catalogue() const { return catalogue_; }

 private:
  const lab::Catalogue catalogue_;
};

// The text in a request's body, {"text": "…"}. W0005: there is none, or more than a submission may have.
Result<std::string> text_in(const Request& request);

}  // namespace warpwise::serve
