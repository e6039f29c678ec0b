// A class: a join code, and the students who have joined with it and a nickname. There are no accounts: a cookie says
// who a browser belongs to, and a code of their own lets students come back from another machine. Everything lies in a
// folder of the teacher's, so that a server that starts again knows all of them:
//
//     $XDG_DATA_HOME/warpwise/classes/NAME/class.sqlite      join code, students, cookies
//     $XDG_DATA_HOME/warpwise/classes/NAME/students/N.sqlite progress of student N, as the lab has it (lab/progress)
//
// Guessing: a code has 31^6 values, 887 million, and an address may be wrong thirty times a minute; a nickname's own
// code five times a minute.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "database/database.h"
#include "lab/progress/path.h"
#include "serve/class/joining.h"

namespace warpwise::serve {

struct Student {
  int64_t id = 0;
  std::string nickname, return_code;
};

struct Joined {
  Student student;
  std::string session;  // for the cookie
};

class Classroom {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr size_t kMostStudents = 64;
  // What a student's attempts and drafts may take on the disk.
  static constexpr uint64_t kMostBytes = 64u << 20;

  // Makes the class if there is none of this name. W0012: it cannot be had.
  static Result<Classroom> open(const std::string& name);
  static Result<Classroom> open(const std::string& name, const std::filesystem::path& folder);

  const std::string& name() const { return name_; }
  const std::string& code() const { return code_; }
  // W0011: the code is another one, the nickname is taken or is none, the class is full, too many have guessed.
  Result<Joined> join(const JoinRequest& request, Clock::time_point now);
  // The student whose cookie this is; null: no student's.
  const Student* of_session(std::string_view session) const;
  std::vector<Student> students() const;  // in the order in which they came

  std::filesystem::path progress_file(int64_t student) const;
  bool is_full(int64_t student) const;
  Result<void> record(int64_t student, lab::Attempt attempt);
  // By problem; read once, and again when there is an attempt more.
  Result<lab::Standings> standings(int64_t student) const;

 private:
  Classroom(std::string name, std::filesystem::path folder, database::Database database)
      : name_(std::move(name)), folder_(std::move(folder)), database_(std::move(database)) {}
  Result<void> read();
  Result<void> read_sessions();
  Result<Student> add(const std::string& nickname);
  Result<Joined> let_in(const Student& student);
  bool has_guessed_often(const std::string& what, unsigned most, Clock::time_point now);
  void note_guess(const std::string& what, Clock::time_point now);

  struct Guesses {
    Clock::time_point since;
    unsigned count = 0;
  };
  std::string name_, code_;
  std::filesystem::path folder_;
  database::Database database_;
  std::map<int64_t, Student> students_;
  std::map<std::string, int64_t, std::less<>> sessions_;
  std::map<std::string, Guesses> guesses_;
  mutable std::map<int64_t, lab::Standings> standings_;
};

}  // namespace warpwise::serve
