// A class: a join code, and the students who have joined with it and a nickname. There are no accounts: a cookie says
// who a browser belongs to, and a code of their own lets students come back from another machine. Everything lies in a
// folder of the teacher's, so that a server that starts again knows all of them:
//
//     $XDG_DATA_HOME/warpwise/classes/NAME/class.sqlite      join code, students, cookies
//     $XDG_DATA_HOME/warpwise/classes/NAME/students/N.sqlite progress of student N, as the lab has it (lab/progress)
//
// Guessing is limited. A code has 31^6 values, 887 million. One address may send 30 wrong codes a minute, and one
// nickname may receive 5 wrong return codes a minute.
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
  std::string nickname;
  std::string return_code;  // with it the student joins again from another browser
};

struct Joined {
  Student student;
  std::string session;  // for the cookie
};

class Classroom {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr size_t kMostStudents = 64;
  // Bytes on the disk that one student's attempts and drafts may take.
  static constexpr uint64_t kMostBytes = 64u << 20;

  // Opens the class, or creates it. `folder` is the class's own. W0012: the name is not allowed, or the folder or the
  // database cannot be used.
  static Result<Classroom> open(const std::string& name);
  static Result<Classroom> open(const std::string& name, const std::filesystem::path& folder);

  const std::string& name() const { return name_; }
  const std::string& code() const { return code_; }
  // Lets in a new student, or a known one who gives the return code. Nicknames that differ in ASCII case alone are the
  // same. A student keeps the last 8 sessions. W0011: a wrong code, a nickname that is taken or not allowed, a full
  // class, or too many wrong codes. W0012: the database.
  Result<Joined> join(const JoinRequest& request, Clock::time_point now);
  // The student whose cookie holds `session`; null: none. The pointer is valid as long as the class is.
  const Student* of_session(std::string_view session) const;
  std::vector<Student> students() const;  // in the order in which they came

  std::filesystem::path progress_file(int64_t student) const;
  bool has_no_room(int64_t student) const;  // the student has used kMostBytes
  // Adds the attempt and reads the standings again. L0101, L0102.
  Result<void> record(int64_t student, lab::Attempt attempt);
  // By problem. Read once, and again after record(). L0101, L0102.
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
