// Progress: the attempts and their verdicts, in an SQLite database in the user's data folder.
//
//     $XDG_DATA_HOME/warpwise/lab.sqlite     (~/.local/share/warpwise/lab.sqlite)
//
// An attempt is stored completely or not at all, whenever the process ends. database/database.h lists the other
// guarantees.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "database/database.h"

namespace warpwise::lab {

struct Attempt {
  int64_t id = 0;       // of this database; given by add()
  std::string uid, at;  // given by add() when empty
  std::string problem, verdict;
  bool samples_only = false;
  uint64_t seed = 0;
  double seconds = 0;
  std::string file, source;                // the file's name, and its text
  std::string judgement;                   // JSON
  std::optional<double> modelled_seconds;  // of an accepted attempt's timed case
  std::string device;                      // on which
  bool accepted() const { return verdict == "accepted" && !samples_only; }
};

// The user's progress with a problem.
struct Standing {
  unsigned attempts = 0;  // of all cases
  bool accepted = false;
  std::string accepted_at, last_at, last_verdict;
  unsigned hints = 0;  // looked at
  bool solution_seen = false;
};

// What was typed for a problem and not submitted yet. Each change has a revision of its own, from 1.
struct Draft {
  int64_t revision = 0;
  std::string at, text;
};

class Progress {
 public:
  // The user's own. L0101 when it cannot be opened.
  static Result<Progress> open();
  static Result<Progress> open(const std::filesystem::path& file);
  // One that ends with the process, where the user's own cannot be opened.
  static Result<Progress> in_memory();
  static std::filesystem::path default_file();

  // All of these: L0102 when the database reports an error.
  Result<int64_t> add(Attempt attempt);
  // The latest first; all problems when `problem` is empty. 0: all of them. Without sources and judgements unless
  // `whole`.
  Result<std::vector<Attempt>> attempts(std::string_view problem, size_t most, bool whole = false) const;
  Result<std::optional<Attempt>> attempt(int64_t id) const;
  Result<std::map<std::string, Standing>> standings() const;
  // The accepted attempt with the shortest modelled time on this device; nothing when there is none.
  Result<std::optional<Attempt>> fastest(std::string_view problem, std::string_view device) const;
  Result<void> note_look(std::string_view problem, unsigned number);
  Result<void> note_answer(std::string_view chapter, unsigned question, bool correct);
  // Questions answered rightly, by chapter.
  Result<std::map<std::string, unsigned>> right_answers() const;

  Result<std::optional<Draft>> draft(std::string_view problem) const;
  // Keeps the text in place of revision `of` (0: there is none yet), and gives the new revision. L0104 when the draft
  // has another revision by now: another editor has changed it, and its text stays.
  Result<int64_t> keep_draft(std::string_view problem, std::string_view text, int64_t of);

  // All of it as JSON, and back: existing entries stay. The answer is the number of attempts that were new.
  Result<std::string> export_json() const;
  Result<unsigned> import_json(std::string_view json);

 private:
  explicit Progress(database::Database database) : database_(std::move(database)) {}

  database::Database database_;
};

}  // namespace warpwise::lab
