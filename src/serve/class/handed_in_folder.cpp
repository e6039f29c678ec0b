#include "serve/class/handed_in_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <time.h>

#include <algorithm>

#include "toolchain/files.h"

namespace warpwise::serve {

namespace {

namespace fs = std::filesystem;

// "2026-01-31T12:00:00.123Z" (database.h); 0 for other text.
time_t seconds_of(const std::string& at) {
  tm parts{};
  return strptime(at.c_str(), "%Y-%m-%dT%H:%M:%S", &parts) ? timegm(&parts) : 0;
}

void set_time(const fs::path& file, const std::string& at) {
  const timespec when{seconds_of(at), 0}, times[2] = {when, when};
  if (when.tv_sec > 0) utimensat(AT_FDCWD, file.c_str(), times, AT_SYMLINK_NOFOLLOW);
}

// Of each problem the attempt that counts; they come the latest first.
std::map<std::string, lab::Attempt> attempts_that_count(std::vector<lab::Attempt> attempts) {
  std::map<std::string, lab::Attempt> count;
  for (lab::Attempt& attempt : attempts) {
    if (attempt.samples_only) continue;
    const auto at = count.find(attempt.problem);
    if (at == count.end())
      count.emplace(attempt.problem, std::move(attempt));
    else if (!at->second.accepted() && attempt.accepted())
      at->second = std::move(attempt);
  }
  return count;
}

}  // namespace

Result<fs::path> write_handed_in(const Classroom& room, const fs::path& parent) {
  std::string at = database::now().substr(0, std::string_view("2026-01-31T12:00:00").size());
  std::replace(at.begin(), at.end(), ':', '-');
  const fs::path folder = parent / fmt::format("{}-handed-in-{}", room.name(), at);
  std::error_code error;
  if (!fs::create_directory(folder, error))
    return Error{"W0012",
                 fmt::format("cannot make `{}`: {}", folder.string(), error ? error.message() : "it is there already")};
  std::string table = "student,problem,attempts,solved,last verdict,at\n";
  for (const Student& student : room.students()) {
    const lab::Progress progress = TRY(lab::Progress::open(room.progress_file(student.id)));
    for (const auto& [problem, attempt] : attempts_that_count(TRY(progress.attempts("", 0, true)))) {
      const fs::path file = folder / student.nickname / (problem + ".cu");
      TRY(toolchain::write_file(file, attempt.source));
      set_time(file, attempt.at);
    }
    // Nicknames and names of problems have neither commas nor quotes, and begin with a letter or digit: no program that
    // opens tables takes one for a formula.
    for (const auto& [problem, standing] : TRY(progress.standings()))
      if (standing.attempts > 0)
        table += fmt::format("{},{},{},{},{},{}\n", student.nickname, problem, standing.attempts,
                             standing.accepted ? "yes" : "no", standing.last_verdict, standing.last_at);
  }
  TRY(toolchain::write_file(folder / "class.csv", table));
  return folder;
}

}  // namespace warpwise::serve
