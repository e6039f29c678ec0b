// Who is let into a class, and what of it stays when the server starts again.
#include "serve/class/classroom.h"

#include <gtest/gtest.h>

#include "serve/class/handed_in_folder.h"
#include "toolchain/files.h"

namespace warpwise::serve {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class Class : public testing::Test {
 protected:
  Class()
      : folder_(toolchain::TemporaryFolder::create(fs::temp_directory_path()).value()),
        room_(Classroom::open("cs101", folder_.path() / "class").value()) {}
  Result<Joined> join(const std::string& nickname, const std::string& return_code = "", const std::string& code = "") {
    return room_.join({code.empty() ? room_.code() : code, nickname, return_code, "192.168.1.7"}, now_);
  }
  std::string why(const Result<Joined>& joined) const { return joined ? "let in" : joined.error().message; }

  toolchain::TemporaryFolder folder_;
  Classroom room_;
  Classroom::Clock::time_point now_ = Classroom::Clock::now();
};

TEST_F(Class, has_names_that_are_folders_and_can_be_read) {
  for (const char* name : {"ada", "Ada Lovelace", "x", "Zo\xc3\xab", "\xe5\xbc\xa0\xe4\xbc\x9f", "J. R.-R_2"})
    EXPECT_TRUE(is_nickname(name)) << name;
  for (const char* name :
       {"", " ada", "ada ", "a  b", ".", "..", "a/b", "=1", "-rf", "a\nb",
        "a\xe2\x80\xae"
        "b",
        "a\xff", "a\xc0\xaf", "a\xed\xa0\x80", "a\xe2\x80\x8b", "abcdefghijklmnopqrstuvwxy", "a,b", "\"a\""})
    EXPECT_FALSE(is_nickname(name)) << name;
  for (const char* name : {"", "..", "a/b", "a b", "abcdefghijklmnopqrstuvwxyz0123456"})
    EXPECT_FALSE(is_class_name(name)) << name;
  EXPECT_EQ(Classroom::open("../x").error().code, "W0012");
}

TEST_F(Class, lets_in_who_has_the_code) {
  EXPECT_EQ(room_.code().size(), 6u);
  EXPECT_EQ(join("ada", "", "AAAAAA").error().code, "W0011");
  const Joined ada = join("ada").value();
  ASSERT_NE(room_.of_session(ada.session), nullptr);
  EXPECT_EQ(room_.of_session(ada.session)->nickname, "ada");
  EXPECT_EQ(room_.of_session(""), nullptr);
  EXPECT_EQ(room_.of_session(ada.session.substr(1)), nullptr);
  EXPECT_NE(why(join("ADA")).find("`ada` is taken"), std::string::npos);
  EXPECT_EQ(join("Ada", ada.student.return_code).value().student.id, ada.student.id);
}

TEST_F(Class, knows_its_students_when_it_is_opened_again) {
  const Joined ada = join("ada").value();
  lab::Attempt attempt;
  attempt.problem = "puzzles/map", attempt.verdict = "race", attempt.source = "x";
  ASSERT_TRUE(room_.record(ada.student.id, attempt).ok());
  const Classroom again = Classroom::open("cs101", folder_.path() / "class").value();
  EXPECT_EQ(again.code(), room_.code());
  ASSERT_NE(again.of_session(ada.session), nullptr);
  EXPECT_EQ(again.of_session(ada.session)->return_code, ada.student.return_code);
  EXPECT_EQ(again.standings(ada.student.id).value().at("puzzles/map").last_verdict, "race");
  EXPECT_EQ(fs::status(folder_.path() / "class").permissions(), fs::perms::owner_all);
}

TEST_F(Class, ends_guesses) {
  const Joined ada = join("ada").value();
  for (int n = 0; n < 5; ++n) EXPECT_NE(why(join("ada", "AAAAAA")).find("return code"), std::string::npos) << n;
  EXPECT_NE(why(join("ada", ada.student.return_code)).find("wait a minute"), std::string::npos);
  EXPECT_EQ(why(join("bob")), "let in") << "one name is shut, not the class";
  now_ += 1min;
  EXPECT_EQ(why(join("ada", ada.student.return_code)), "let in");
  for (int n = 0; n < 30; ++n) EXPECT_NE(why(join("eve", "", "AAAAAA")).find("not the code"), std::string::npos) << n;
  EXPECT_NE(why(join("eve")).find("wait a minute"), std::string::npos);
  EXPECT_TRUE(room_.join({room_.code(), "eve", "", "192.168.1.8"}, now_).ok()) << "from another address";
}

TEST_F(Class, is_bounded) {
  const Joined first = join("first").value();
  for (int n = 0; n < 10; ++n) ASSERT_TRUE(join("first", first.student.return_code).ok());
  EXPECT_EQ(room_.of_session(first.session), nullptr) << "a student has eight browsers";
  for (size_t n = 1; n < Classroom::kMostStudents; ++n) ASSERT_TRUE(join("s" + std::to_string(n)).ok());
  EXPECT_NE(why(join("one more")).find("full"), std::string::npos);
  EXPECT_EQ(why(join("first", first.student.return_code)), "let in");
}

TEST_F(Class, hands_in_what_counts) {
  const int64_t ada = join("ada").value().student.id;
  const auto submit = [&](const char* verdict, const char* source, bool samples = false) {
    lab::Attempt attempt;
    attempt.problem = "puzzles/map", attempt.verdict = verdict, attempt.source = source;
    attempt.at = "2026-01-31T12:00:00.000Z", attempt.samples_only = samples;
    ASSERT_TRUE(room_.record(ada, attempt).ok());
  };
  submit("accepted", "the one"), submit("race", "later"), submit("accepted", "samples", true);
  const fs::path folder = write_handed_in(room_, folder_.path()).value();
  EXPECT_EQ(toolchain::read_file(folder / "ada/puzzles/map.cu").value(), "the one");
  EXPECT_EQ(toolchain::stamp_of(folder / "ada/puzzles/map.cu")->modified_ns, 1769860800'000'000'000);
  EXPECT_EQ(toolchain::read_file(folder / "class.csv").value(),
            "student,problem,attempts,solved,last verdict,at\n"
            "ada,puzzles/map,2,yes,race,2026-01-31T12:00:00.000Z\n");
}

}  // namespace
}  // namespace warpwise::serve
