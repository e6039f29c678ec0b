// What students hand in: archives that are hostile, clones, bare repositories; and what a file is worth.
#include "lab/grade/handed_in.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <zlib.h>

#include <cstdlib>
#include <fstream>

#include "lab/grade/assignment.h"
#include "lab/grade/zip_archive.h"

namespace warpwise::lab {
namespace {

namespace fs = std::filesystem;

void number(std::string& to, uint32_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i) to += char(value >> 8 * i);
}

std::string deflated(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data())), stream.avail_in = uInt(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data()), stream.avail_out = uInt(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

// An archive as APPNOTE.TXT describes it.
struct Zip {
  std::string files, directory;
  unsigned count = 0;

  Zip& add(const std::string& name, const std::string& text, bool packed = true, mode_t mode = S_IFREG | 0644,
           unsigned flags = 0) {
    const std::string data = packed ? deflated(text) : text;
    const auto checksum = uint32_t(crc32(0, reinterpret_cast<const Bytef*>(text.data()), uInt(text.size())));
    std::string common;
    number(common, 20, 2), number(common, flags, 2), number(common, packed ? 8 : 0, 2), number(common, 0, 4);
    number(common, checksum, 4), number(common, uint32_t(data.size()), 4), number(common, uint32_t(text.size()), 4);
    number(common, uint32_t(name.size()), 2), number(common, 0, 2);
    number(directory, 0x02014b50, 4), number(directory, 3 << 8 | 20, 2);
    directory += common;
    number(directory, 0, 2), number(directory, 0, 2), number(directory, 0, 2);
    number(directory, uint32_t(mode) << 16, 4), number(directory, uint32_t(files.size()), 4);
    directory += name;
    number(files, 0x04034b50, 4);
    files += common + name + data;
    ++count;
    return *this;
  }
  std::string bytes() const {
    std::string out = files + directory;
    number(out, 0x06054b50, 4), number(out, 0, 4), number(out, count, 2), number(out, count, 2);
    number(out, uint32_t(directory.size()), 4), number(out, uint32_t(files.size()), 4), number(out, 0, 2);
    return out;
  }
};

bool all(std::string_view) { return true; }

std::string refusal(const std::string& archive, const ZipLimits& limits = {}) {
  auto files = read_zip(archive, limits, all);
  return files.ok() ? "it was read" : files.error().message;
}

TEST(ZipArchive, files_are_read_in_both_forms) {
  const std::string text(5000, 'x');
  const Zip zip = Zip().add("work/", "", false, S_IFDIR | 0755).add("work/a.cu", text).add("b.cu", "b", false);
  const auto files = read_zip(zip.bytes(), {}, all);
  ASSERT_TRUE(files.ok()) << files.error().message;
  ASSERT_EQ(files->size(), 2u);
  EXPECT_EQ((*files)[0].name, "work/a.cu");
  EXPECT_EQ((*files)[0].text, text);
  EXPECT_EQ((*files)[1].text, "b");
  const auto some = read_zip(zip.bytes(), {}, [](std::string_view name) { return name == "b.cu"; });
  EXPECT_EQ(some->size(), 1u);
}

TEST(ZipArchive, names_stay_in_the_folder_and_links_are_left_out) {
  for (const char* name : {"../a.cu", "a/../../b.cu", "/etc/a.cu", "a\\..\\b.cu", "./a.cu"})
    EXPECT_NE(refusal(Zip().add(name, "x").bytes()).find("leads out of its folder"), std::string::npos) << name;
  const auto files = read_zip(Zip().add("link.cu", "/etc/shadow", false, S_IFLNK | 0777).bytes(), {}, all);
  ASSERT_TRUE(files.ok());
  EXPECT_TRUE(files->empty());
}

TEST(ZipArchive, bombs_end_at_the_limits) {
  const std::string zeros(8 << 20, '\0');
  const std::string bomb = Zip().add("a.cu", zeros).bytes();
  EXPECT_LT(bomb.size(), 20'000u);
  const auto one = read_zip(bomb, {.most_bytes = 1000}, all);
  ASSERT_TRUE(one.ok());
  EXPECT_EQ((*one)[0].text.size(), 1001u) << "cut, and seen to be too long";
  EXPECT_NE(
      refusal(Zip().add("a.cu", zeros).add("b.cu", zeros).bytes(), {.most_bytes = 8 << 20, .most_together = 8 << 20})
          .find("together"),
      std::string::npos);
  Zip many;
  for (int i = 0; i < 20; ++i) many.add(std::to_string(i), "x", false);
  EXPECT_NE(refusal(many.bytes(), {.most_entries = 10}).find("it has 20 files, more than 10"), std::string::npos);
}

TEST(ZipArchive, what_is_damaged_is_refused_and_never_read_past_its_end) {
  const std::string whole = Zip().add("a.cu", std::string(300, 'a') + "b").add("b.cu", "some text", false).bytes();
  EXPECT_EQ(refusal(whole), "it was read");
  for (size_t length = 0; length < whole.size(); ++length)
    EXPECT_NE(refusal(whole.substr(0, length)), "it was read") << length;
  // Each byte changed: read or refused, under a sanitizer without a complaint.
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = char(changed[at] ^ 0xff);
    (void)refusal(changed);
  }
  std::string wrong = whole;
  wrong[wrong.find("some text")] = 'S';
  EXPECT_NE(refusal(wrong).find("its checksum is wrong"), std::string::npos);
  EXPECT_NE(refusal(Zip().add("a.cu", "x", true, S_IFREG, 1).bytes()).find("is encrypted"), std::string::npos);
  EXPECT_NE(refusal("int main() {}").find("it has no directory"), std::string::npos);
}

class HandedInFolder : public testing::Test {
 protected:
  HandedInFolder() : folder_(toolchain::TemporaryFolder::create(fs::temp_directory_path()).value()) {}
  void write(const std::string& name, std::string_view text) {
    EXPECT_TRUE(toolchain::write_file(folder_.path() / name, text).ok());
  }
  void shell(const std::string& command) {
    EXPECT_EQ(std::system(("cd " + folder_.path().string() + " && (" + command + ") > /dev/null 2>&1").c_str()), 0)
        << command;
  }
  HandedInFiles find() {
    auto found = find_handed_in(folder_.path() / "class", true);
    EXPECT_TRUE(found.ok()) << found.error().message;
    return std::move(*found);
  }
  static std::string names(const HandedInFiles& found) {
    std::string text;
    for (const HandedIn& file : found.files) text += file.person + ":" + file.shown + " ";
    return text;
  }
  toolchain::TemporaryFolder folder_;
};

TEST_F(HandedInFolder, folders_archives_and_files_are_found) {
  write("class/ada/map.cu", "");
  write("class/bob.cu", "");
  write("class/eve.zip", Zip().add("hw/map.cu", "text").add("hw/map.h", "").add("__MACOSX/hw/._map.cu", "x").bytes());
  write("class/mal/work.zip", "no archive");
  write("class/.hidden/map.cu", "");
  fs::create_symlink(folder_.path() / "class/bob.cu", folder_.path() / "class/link.cu");
  const HandedInFiles found = find();
  EXPECT_EQ(names(found), "ada:ada/map.cu bob:bob.cu eve:eve.zip/hw/map.cu mal:mal/work.zip ");
  ASSERT_EQ(found.files.size(), 4u);
  EXPECT_EQ(toolchain::read_file(found.files[2].path).value(), "text");
  EXPECT_TRUE(fs::exists(found.files[2].path.parent_path() / "map.h")) << "headers come along";
  EXPECT_NE(found.files[3].unreadable.find("not a ZIP archive"), std::string::npos) << found.files[3].unreadable;
}

// The dates of commits count, not those of the teacher's copies.
TEST_F(HandedInFolder, repositories_say_when_a_file_was_committed) {
  write("ada/map.cu", "first");
  shell(
      "cd ada && git init -q . && git add . && GIT_COMMITTER_DATE='2020-05-01T12:00:00Z' git -c user.name=a -c "
      "user.email=a@b commit -qm 1 && mkdir ../class && git clone -q . ../class/ada && git clone -q --bare . "
      "../class/bob.git");
  // What a repository names as its programs is not run.
  shell(
      "cd class/ada && git config core.fsmonitor 'touch /tmp/../$PWD/ran; false' && git config gpg.program ./x && "
      "git config log.showSignature true");
  const HandedInFiles found = find();
  EXPECT_EQ(names(found), "ada:ada/map.cu bob:bob.git/map.cu ");
  ASSERT_EQ(found.files.size(), 2u);
  EXPECT_EQ(text_of_date(found.files[0].at), "2020-05-01 12:00 UTC");
  EXPECT_EQ(text_of_date(found.files[1].at), "2020-05-01 12:00 UTC") << found.files[1].unreadable;
  EXPECT_FALSE(fs::exists(folder_.path() / "class/ada/ran"));
}

TEST(Assignment, dates_are_checked) {
  EXPECT_EQ(text_of_date(*seconds_of_date("2026-12-31")), "2026-12-31 23:59 UTC");
  EXPECT_EQ(text_of_date(*seconds_of_date("2026-12-31T18:05")), "2026-12-31 18:05 UTC");
  EXPECT_EQ(*seconds_of_date("1970-01-02T00:00:01"), 86401);
  for (const char* wrong :
       {"", "tomorrow", "2026-02-31", "2026-12-31T25:00", "2026-12-31 18:00", "2026-12-31T18", "31.12.2026"})
    EXPECT_FALSE(seconds_of_date(wrong)) << wrong;
}

TEST(Assignment, points_are_for_cases_budgets_and_time) {
  const std::vector<CaseMark> cases{{"a", true, true}, {"b", true, false}, {"c", false, false}, {"d", true, true}};
  Assignment plain;
  EXPECT_DOUBLE_EQ(points_for(plain, 8, cases, true, 0), 6);
  Assignment strict;
  strict.budget_share = 50, strict.penalty_per_day = 10;
  EXPECT_DOUBLE_EQ(points_for(strict, 8, cases, true, 0), 5) << "half of 6, and half of 4";
  EXPECT_DOUBLE_EQ(points_for(strict, 8, cases, false, 0), 6) << "a problem without budgets";
  EXPECT_DOUBLE_EQ(points_for(strict, 8, cases, true, 2), 4);
  EXPECT_DOUBLE_EQ(points_for(strict, 8, cases, true, 20), 0);
  EXPECT_EQ(points_for(strict, 8, {}, true, 0), 0);
  EXPECT_EQ(days_late(1000, 1000), 0);
  EXPECT_EQ(days_late(1001, 1000), 1);
  EXPECT_EQ(days_late(1000 + 86400, 1000), 1);
  EXPECT_EQ(days_late(1001 + 86400, 1000), 2);
  EXPECT_EQ(days_late(1001, std::nullopt), 0);
}

TEST(Assignment, files_are_read_and_mistakes_have_a_line) {
  setenv("WARPWISE_PROBLEMS", WARPWISE_SOURCE_DIR "/problems", 1);
  const Catalogue catalogue = Catalogue::open("").value();
  const auto parse = [&](const char* text) { return parse_assignment(text, "hw.toml", catalogue); };
  const auto assignment = parse(
      "title = \"Homework\"\ndeadline = \"2026-12-31\"\npenalty_per_day = 12.5\nbudget_share = 20\nseed = 7\n"
      "[[problem]]\nname = \"map\"\npoints = 10\nseed = 77\n[[problem]]\nname = \"guards\"\ndeadline = "
      "\"2027-01-07\"\n");
  ASSERT_TRUE(assignment.ok()) << assignment.error().message;
  EXPECT_EQ(assignment->title, "Homework");
  EXPECT_TRUE(assignment->asks_for("puzzles/map"));
  EXPECT_FALSE(assignment->asks_for("puzzles/zip"));
  EXPECT_EQ(assignment->seed_of("puzzles/map"), 77u);
  EXPECT_EQ(assignment->seed_of("puzzles/guards"), 7u);
  EXPECT_EQ(assignment->points_of("puzzles/map"), 10);
  EXPECT_EQ(assignment->points_of("puzzles/guards"), kDefaultPoints);
  EXPECT_EQ(text_of_date(*assignment->deadline_of("puzzles/guards")), "2027-01-07 23:59 UTC");
  EXPECT_EQ(assignment->penalty_per_day, 12.5);
  for (const auto& [text, message] : std::vector<std::pair<const char*, const char*>>{
           {"title = 3", "hw.toml:1: "},
           {"penalty_per_day = 200", "from 0 to 100"},
           {"penalty_per_day = nan", "from 0 to 100"},
           {"deadline = \"soon\"", "`soon` is not a date"},
           {"penalty = 3", "penalty"},
           {"[[problem]]\nname = \"mpa\"", "did you mean `map`"},
           {"[[problem]]\nname = \"map\"\n[[problem]]\nname = \"puzzles/map\"", "twice"},
           {"[[problem]]\nname = \"map\"\npoints = 0", "greater than 0"},
           {"[[problem]]\nname = \"map\"\npoints = inf", "greater than 0"},
           {"title = ", "hw.toml:1: "}}) {
    const auto wrong = parse(text);
    ASSERT_FALSE(wrong.ok()) << text;
    EXPECT_NE(wrong.error().message.find(message), std::string::npos) << wrong.error().message;
  }
}

}  // namespace
}  // namespace warpwise::lab
