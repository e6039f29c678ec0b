// The programs of tests/check/programs: what they say about themselves, and what `warpwise check` says of them.
//
// Each line that takes part in a finding says so:
//
//     cudaFree(p);  // finds C0502
//
// A finding without a line is `// finds C0512 anywhere`; a program that nothing is wrong with says `// clean`. What is
// compared, per code, is the set of lines of all parties. `// options: WORDS` go to `warpwise check`, `// arguments:
// WORDS` to the program. `// also by nvcc` has it judged a second time; what Clang alone shows is `// finds C0307 with
// Clang`. What a user must read in the report, and must not read there, is `// says: TEXT` and
// `// does not say: TEXT`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace warpwise::check {

using Lines = std::map<std::string, std::set<uint32_t>>;  // by code; 0: no line

// Names are unique in a checker's folder, whatever folder within it groups them.
struct Program {
  std::filesystem::path path;
  bool by_nvcc = false;        // the second judgement of a program that says `// also by nvcc`
  std::string folder() const;  // the checker's: "race" of programs/race/host/host_guilty_read.cu
  std::string name() const { return folder() + "_" + path.stem().string() + (by_nvcc ? "_nvcc" : ""); }
};
void PrintTo(const Program& program, std::ostream* out);

struct Expected {
  Lines lines;
  bool clean = false;
  bool also_by_nvcc = false;
  std::vector<std::string> options, arguments;
  std::vector<std::string> says, does_not_say;
};

// The folders are those of the checkers; one in not_yet.txt waits for its checker.
std::vector<std::string> folders();
std::vector<Program> all_programs();
// Without those that ask for nvcc where there is none.
std::vector<Program> programs();
Expected expectations_of(const Program& program);
// programs/not_yet.txt: FOLDER/NAME, then why not yet; # begins a comment. Folders end in a slash.
std::map<std::string, std::string> not_yet();

struct Judgement {
  std::string found;   // as show() has it, or what went wrong
  std::string output;  // of the command
};
Judgement judge(const Program& program, const Expected& expected, const std::vector<std::string>& further_options = {});
std::string show(const Lines& lines);
// Of the texts that the report must have and must not have, those where it is otherwise; "" when all is well.
std::string wrong_words(const Expected& expected, const std::string& output);

}  // namespace warpwise::check
