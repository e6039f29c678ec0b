#include "serve/class/classroom.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>

#include "serve/guard.h"

namespace warpwise::serve {

namespace {

namespace fs = std::filesystem;
using database::Statement;
using database::Transaction;

constexpr database::About kAbout{"the database of the class", "W0012", "W0012"};
// The files NNN_….sql in order, made into this by CMakeLists.txt.
constexpr const char* kMigrations[] = {
#include "migrations.inc"
};

// Without letters and digits that look alike: I, L, O, 0, 1.
constexpr std::string_view kLetters = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";
constexpr size_t kCodeLength = 6, kSessionBytes = 24, kMostGuessers = 4096;
constexpr int64_t kMostSessions = 8;
constexpr unsigned kMostGuesses = 30, kMostGuessesOfName = 5;
constexpr std::chrono::minutes kGuessing{1};

Error not_let_in(std::string why) { return {"W0011", std::move(why)}; }

Result<std::string> new_code() {
  std::string code;
  while (code.size() < kCodeLength) {
    unsigned char byte = 0;
    if (getrandom(&byte, 1, 0) != 1) return Error{"W0012", "the system has no random numbers for the code"};
    if (const size_t letter = byte % 32; letter < kLetters.size()) code += kLetters[letter];
  }
  return code;
}

std::string folded(std::string_view text) {
  std::string lower;
  for (const char c : text) lower += c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
  return lower;
}

}  // namespace

Result<Classroom> Classroom::open(const std::string& name) {
  return open(name, database::data_folder() / "classes" / name);
}

Result<Classroom> Classroom::open(const std::string& name, const fs::path& folder) {
  if (!is_class_name(name))
    return Error{"W0012", fmt::format("`{}` is no name of a class: letters, digits, `-` and `_`, 32 at most", name)};
  Classroom room(name, folder, TRY(database::Database::open(folder / "class.sqlite", kAbout, kMigrations)));
  // What students write is for the teacher's eyes.
  std::error_code error;
  fs::permissions(folder, fs::perms::owner_all, error);
  if (error) return Error{"W0012", fmt::format("`{}`: {}", folder.string(), error.message())};
  TRY(room.read());
  return room;
}

Result<void> Classroom::read() {
  Transaction transaction = TRY(database_.begin());
  Statement code = TRY(database_.prepare("SELECT code FROM class"));
  if (TRY(code.step())) {
    code_ = code.text(0);
  } else {
    code_ = TRY(new_code());
    Statement row = TRY(database_.prepare("INSERT INTO class(code) VALUES (?)"));
    TRY(row.bind(code_).run());
  }
  Statement students = TRY(database_.prepare("SELECT id, nickname, return_code FROM students"));
  while (TRY(students.step())) students_[students.number(0)] = {students.number(0), students.text(1), students.text(2)};
  TRY(read_sessions());
  return transaction.commit();
}

Result<void> Classroom::read_sessions() {
  sessions_.clear();
  Statement sessions = TRY(database_.prepare("SELECT session, student FROM sessions"));
  while (TRY(sessions.step())) sessions_[sessions.text(0)] = sessions.number(1);
  return {};
}

bool Classroom::has_guessed_often(const std::string& what, unsigned most, Clock::time_point now) {
  const auto at = guesses_.find(what);
  return at != guesses_.end() && now - at->second.since < kGuessing && at->second.count >= most;
}

void Classroom::note_guess(const std::string& what, Clock::time_point now) {
  if (guesses_.size() >= kMostGuessers)
    std::erase_if(guesses_, [&](const auto& one) { return now - one.second.since >= kGuessing; });
  if (guesses_.size() >= kMostGuessers) guesses_.clear();
  Guesses& guesses = guesses_[what];
  if (now - guesses.since >= kGuessing) guesses = {now, 0};
  ++guesses.count;
}

Result<Joined> Classroom::join(const JoinRequest& request, Clock::time_point now) {
  const std::string who = folded(request.nickname), address = "address " + request.peer, named = "name " + who;
  if (has_guessed_often(address, kMostGuesses, now) || has_guessed_often(named, kMostGuessesOfName, now))
    return not_let_in("too many codes were wrong: wait a minute");
  if (!same_secret(code_as_typed(request.code), code_)) {
    note_guess(address, now);
    return not_let_in("that is not the code of this class");
  }
  if (!is_nickname(request.nickname))
    return not_let_in(fmt::format("a nickname has up to {} letters and digits", kMostLettersOfName));
  const auto known = std::find_if(students_.begin(), students_.end(),
                                  [&](const auto& one) { return folded(one.second.nickname) == who; });
  if (known == students_.end()) {
    if (students_.size() >= kMostStudents)
      return not_let_in(fmt::format("the class is full: it has {} students", students_.size()));
    return let_in(TRY(add(request.nickname)));
  }
  if (request.return_code.empty())
    return not_let_in(
        fmt::format("the nickname `{}` is taken; if that is you, type your return code, too", known->second.nickname));
  if (!same_secret(code_as_typed(request.return_code), known->second.return_code)) {
    note_guess(address, now), note_guess(named, now);
    return not_let_in(fmt::format("that is not the return code of `{}`", known->second.nickname));
  }
  return let_in(known->second);
}

Result<Student> Classroom::add(const std::string& nickname) {
  Student student{0, nickname, TRY(new_code())};
  Statement row = TRY(database_.prepare("INSERT INTO students(nickname, folded, return_code, at) VALUES (?, ?, ?, ?)"));
  TRY(row.bind(nickname).bind(folded(nickname)).bind(student.return_code).bind(database::now()).run());
  student.id = database_.inserted();
  return students_[student.id] = student;
}

Result<Joined> Classroom::let_in(const Student& student) {
  Joined joined{student, TRY(random_text(kSessionBytes))};
  Statement row = TRY(database_.prepare("INSERT INTO sessions(session, student) VALUES (?, ?)"));
  TRY(row.bind(joined.session).bind(student.id).run());
  // Only the newest kMostSessions sessions of a student stay.
  Statement old = TRY(database_.prepare(
      "DELETE FROM sessions WHERE student = ?1 AND id NOT IN (SELECT id FROM sessions WHERE student = ?1 ORDER BY id "
      "DESC LIMIT ?2)"));
  TRY(old.bind(student.id).bind(kMostSessions).run());
  TRY(read_sessions());
  return joined;
}

const Student* Classroom::of_session(std::string_view session) const {
  const auto at = sessions_.find(session);
  return at == sessions_.end() ? nullptr : &students_.at(at->second);
}

std::vector<Student> Classroom::students() const {
  std::vector<Student> all;
  for (const auto& [id, student] : students_) all.push_back(student);
  return all;
}

fs::path Classroom::progress_file(int64_t student) const {
  return folder_ / "students" / fmt::format("{}.sqlite", student);
}

bool Classroom::has_no_room(int64_t student) const {
  std::error_code missing;
  const auto bytes = fs::file_size(progress_file(student), missing);
  return !missing && bytes >= kMostBytes;
}

Result<void> Classroom::record(int64_t student, lab::Attempt attempt) {
  lab::Progress progress = TRY(lab::Progress::open(progress_file(student)));
  TRY(progress.add(std::move(attempt)));
  standings_[student] = TRY(progress.standings());
  return {};
}

Result<lab::Standings> Classroom::standings(int64_t student) const {
  const auto at = standings_.find(student);
  if (at != standings_.end()) return at->second;
  return standings_[student] = TRY(TRY(lab::Progress::open(progress_file(student))).standings());
}

}  // namespace warpwise::serve
