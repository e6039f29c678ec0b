#include "lab/progress/progress.h"

#include <fmt/format.h>

#include <random>

#include "toolchain/hash.h"

namespace warpwise::lab {
namespace {

using database::Statement;
using database::Transaction;

constexpr database::About kAbout{"the database of your progress", "L0101", "L0102"};

// The files NNN_….sql in order, made into this by CMakeLists.txt.
constexpr const char* kMigrations[] = {
#include "migrations.inc"
};

std::string new_uid() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

constexpr const char* kColumns =
    "id, uid, at, problem, verdict, samples_only, seed, seconds, file, modelled_seconds, device";

Attempt attempt_from(const Statement& row, bool whole) {
  Attempt a;
  a.id = row.number(0), a.uid = row.text(1), a.at = row.text(2), a.problem = row.text(3), a.verdict = row.text(4);
  a.samples_only = row.number(5) != 0, a.seed = uint64_t(row.number(6)), a.seconds = row.real(7), a.file = row.text(8);
  a.modelled_seconds = row.maybe_real(9), a.device = row.text(10);
  if (whole) a.source = row.text(11), a.judgement = row.text(12);
  return a;
}

}  // namespace

std::filesystem::path Progress::default_file() { return database::data_folder() / "lab.sqlite"; }

Result<Progress> Progress::open() { return open(default_file()); }

Result<Progress> Progress::open(const std::filesystem::path& file) {
  return Progress(TRY(database::Database::open(file, kAbout, kMigrations)));
}

Result<Progress> Progress::in_memory() { return Progress(TRY(database::Database::in_memory(kAbout, kMigrations))); }

Result<int64_t> Progress::add(Attempt a) {
  if (a.uid.empty()) a.uid = new_uid();
  if (a.at.empty()) a.at = database::now();
  const std::string hash = toolchain::hash_of(a.source);
  Transaction transaction = TRY(database_.begin());
  Statement source = TRY(database_.prepare("INSERT OR IGNORE INTO sources(hash, text) VALUES (?, ?)"));
  TRY(source.bind(hash).bind(a.source).run());
  Statement row = TRY(database_.prepare(
      "INSERT OR IGNORE INTO attempts(uid, at, problem, verdict, samples_only, seed, seconds, file, source, judgement, "
      "modelled_seconds, device) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  row.bind(a.uid)
      .bind(a.at)
      .bind(a.problem)
      .bind(a.verdict)
      .bind(int64_t(a.samples_only))
      .bind(int64_t(a.seed))
      .bind(a.seconds)
      .bind(a.file)
      .bind(hash)
      .bind(a.judgement)
      .bind(a.modelled_seconds)
      .bind(a.device);
  TRY(row.run());
  const int64_t id = database_.inserted();
  TRY(transaction.commit());
  return id;
}

Result<std::vector<Attempt>> Progress::attempts(std::string_view problem, size_t most, bool whole) const {
  const std::string text =
      fmt::format("SELECT {}{} FROM attempts{} WHERE ?1 = '' OR problem = ?1 ORDER BY attempts.id DESC LIMIT ?2",
                  kColumns, whole ? ", text, judgement" : "", whole ? " JOIN sources ON source = hash" : "");
  Statement rows = TRY(database_.prepare(text));
  rows.bind(problem).bind(most ? int64_t(most) : int64_t{-1});
  std::vector<Attempt> all;
  while (TRY(rows.step())) all.push_back(attempt_from(rows, whole));
  return all;
}

Result<std::optional<Attempt>> Progress::attempt(int64_t id) const {
  Statement row = TRY(database_.prepare(
      fmt::format("SELECT {}, text, judgement FROM attempts JOIN sources ON source = hash WHERE id = ?", kColumns)));
  if (!TRY(row.bind(id).step())) return std::optional<Attempt>();
  return std::optional(attempt_from(row, true));
}

Result<std::map<std::string, Standing>> Progress::standings() const {
  std::map<std::string, Standing> all;
  Statement rows =
      TRY(database_.prepare("SELECT problem, verdict, at FROM attempts WHERE NOT samples_only ORDER BY id"));
  while (TRY(rows.step())) {
    Standing& s = all[rows.text(0)];
    ++s.attempts;
    s.last_verdict = rows.text(1), s.last_at = rows.text(2);
    if (s.last_verdict == "accepted" && !s.accepted) s.accepted = true, s.accepted_at = s.last_at;
  }
  Statement looks = TRY(database_.prepare("SELECT problem, number FROM looks"));
  while (TRY(looks.step())) {
    Standing& s = all[looks.text(0)];
    if (looks.number(1) == 0)
      s.solution_seen = true;
    else
      s.hints = std::max(s.hints, unsigned(looks.number(1)));
  }
  return all;
}

Result<std::optional<Attempt>> Progress::fastest(std::string_view problem, std::string_view device) const {
  Statement row = TRY(database_.prepare(fmt::format(
      "SELECT {} FROM attempts WHERE problem = ? AND device = ? AND verdict = 'accepted' AND NOT samples_only AND "
      "modelled_seconds > 0 ORDER BY modelled_seconds, id LIMIT 1",
      kColumns)));
  if (!TRY(row.bind(problem).bind(device).step())) return std::optional<Attempt>();
  return std::optional(attempt_from(row, false));
}

Result<void> Progress::note_look(std::string_view problem, unsigned number) {
  Statement row = TRY(database_.prepare("INSERT OR IGNORE INTO looks(problem, number, at) VALUES (?, ?, ?)"));
  return row.bind(problem).bind(int64_t(number)).bind(database::now()).run();
}

Result<void> Progress::note_answer(std::string_view chapter, unsigned question, bool correct) {
  Statement row =
      TRY(database_.prepare("INSERT OR REPLACE INTO answers(chapter, question, correct, at) VALUES (?, ?, ?, ?)"));
  return row.bind(chapter).bind(int64_t(question)).bind(int64_t(correct)).bind(database::now()).run();
}

Result<std::map<std::string, unsigned>> Progress::right_answers() const {
  Statement rows = TRY(database_.prepare("SELECT chapter, SUM(correct) FROM answers GROUP BY chapter"));
  std::map<std::string, unsigned> all;
  while (TRY(rows.step())) all[rows.text(0)] = unsigned(rows.number(1));
  return all;
}

}  // namespace warpwise::lab
