// Which files there are to the page, and that requests reach no others.
#include "serve/library.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "serve/plan.h"
#include "toolchain/files.h"

namespace warpwise::serve {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  Files() : folder_(toolchain::TemporaryFolder::create(fs::temp_directory_path()).value()) {
    for (const char* name : {"shown/b.wwt", "shown/a.cu", "shown/notes.txt", "shown/deeper/c.wwt", "secret.wwt"})
      EXPECT_TRUE(toolchain::write_file(folder_.path() / name, name).ok());
    for (const char* name :
         {"index.html.gz", "app.js.gz", "app.css.gz", "editor.js.gz", "code.js.gz", "vim.js.gz", "icon.svg.gz"})
      EXPECT_TRUE(toolchain::write_file(folder_.path() / "page" / name, name).ok());
    fs::create_symlink(folder_.path() / "secret.wwt", shown() / "link.wwt");
    fs::create_directory(shown() / "folder.wwt");
    EXPECT_EQ(mkfifo((shown() / "pipe.wwt").c_str(), 0600), 0);
  }
  fs::path shown() const { return folder_.path() / "shown"; }
  Library library() const { return Library::open(shown()).value(); }
  Plan plan(const std::string& target, const std::string& method = "GET", const std::string& body = "") const {
    const Door door = Door::make(1).value();
    Request request{.method = method, .host = "127.0.0.1:1", .cookie = "warpwise-1=" + door.session};
    if (method == "POST") request.origin = "http://127.0.0.1:1", request.content_type = "application/json";
    request.encodings = "gzip, br";
    const Target parsed = parse_target(target).value();
    request.path = parsed.path, request.query = parsed.query, request.body = body;
    return plan_for(request, door, Assets::read(folder_.path() / "page").value(), library());
  }
  unsigned status(const std::string& target, const std::string& method = "GET") const {
    const Plan made = plan(target, method);
    const Response* response = std::get_if<Response>(&made);
    return response ? response->status : 0;
  }
  toolchain::TemporaryFolder folder_;
};

TEST_F(Files, are_recordings_and_sources_of_the_folder) {
  const auto files = library().files();
  ASSERT_EQ(files.size(), 2u) << "no links, folders, pipes, other files, or files of deeper folders";
  EXPECT_EQ(files[0].name, "a.cu");
  EXPECT_EQ(files[0].kind, FileKind::Source);
  EXPECT_EQ(files[1].name, "b.wwt");
  EXPECT_EQ(files[1].bytes, 11u);
  EXPECT_TRUE(library().open_file("b.wwt").ok());
}

TEST_F(Files, are_one_where_one_was_named) {
  const Library one = Library::open(shown() / "b.wwt").value();
  ASSERT_EQ(one.files().size(), 1u);
  EXPECT_EQ(one.only(), "b.wwt");
  EXPECT_FALSE(one.find("a.cu").ok());
  const Library followed = Library::open(shown() / "link.wwt").value();
  EXPECT_EQ(followed.only(), "secret.wwt") << "what the user names is followed";
  EXPECT_EQ(Library::open(shown() / "notes.txt").error().code, "U0009");
  EXPECT_EQ(Library::open(shown() / "none.wwt").error().code, "U0001");
}

TEST_F(Files, outside_of_the_folder_do_not_exist) {
  for (const char* name : {"../secret.wwt", "..%2fsecret.wwt", "%2e%2e/secret.wwt", "deeper/c.wwt", "link.wwt",
                           "folder.wwt", "pipe.wwt", "notes.txt", "./b.wwt", "/etc/passwd", "", "b.wwt%20"}) {
    EXPECT_EQ(status(std::string("/api/trace/summary?file=") + name), 404u) << name;
    EXPECT_EQ(status(std::string("/api/record?file=") + name, "POST"), 404u) << name;
  }
  EXPECT_EQ(status("/api/trace/summary"), 400u);
  for (const char* path :
       {"/../secret.wwt", "/shown/b.wwt", "/app.js.gz", "//etc/passwd", "/index.html", "/api/", "/%61pp.js"})
    EXPECT_EQ(status(path), 404u) << path;
}

TEST_F(Files, that_change_behind_us_are_not_followed) {
  const Library shown_files = library();
  fs::remove(shown() / "b.wwt");
  fs::create_symlink(folder_.path() / "secret.wwt", shown() / "b.wwt");
  EXPECT_FALSE(shown_files.find("b.wwt").ok());
  EXPECT_FALSE(shown_files.open_file("b.wwt").ok());
}

TEST_F(Files, go_where_they_belong) {
  const Plan ask = plan("/api/trace/step?file=b.wwt&warp=1");
  ASSERT_TRUE(std::holds_alternative<AskRecording>(ask));
  EXPECT_EQ(std::get<AskRecording>(ask).question, "step");
  EXPECT_TRUE(std::holds_alternative<StartRecording>(plan("/api/record?file=a.cu", "POST")));
  EXPECT_TRUE(std::holds_alternative<ShowRecording>(plan("/api/record?file=a.cu")));
  EXPECT_EQ(status("/api/record?file=b.wwt", "POST"), 400u) << "a recording is not recorded";
  EXPECT_TRUE(std::holds_alternative<ListFiles>(plan("/api/files")));
  EXPECT_EQ(status("/api/files", "POST"), 404u);
  EXPECT_EQ(status("/api/trace/step?file=b.wwt", "POST"), 404u);
  EXPECT_EQ(status("/", "POST"), 404u);
}

TEST_F(Files, of_the_lab_go_by_the_numbers_of_their_runs) {
  const Plan ask = plan("/api/trace/step?file=lab:7&warp=1");
  ASSERT_TRUE(std::holds_alternative<AskRecording>(ask));
  EXPECT_EQ(run_of_recording(std::get<AskRecording>(ask).file.name), 7u);
  for (const char* name : {"lab:", "lab:7x", "lab:-1", "lab:99999999999999999999", "lab:/etc/passwd", "Lab:7"})
    EXPECT_EQ(status(std::string("/api/trace/summary?file=") + name), 404u) << name;
  EXPECT_EQ(status("/api/record?file=lab:7", "POST"), 404u);
}

TEST_F(Files, of_submissions_come_with_all_that_a_run_needs) {
  const std::string target = "/api/lab/run?name=puzzles/map&kind=test&page=p&seed=7", text = R"({"text": "int x;"})";
  const Plan run = plan(target, "POST", text);
  ASSERT_TRUE(std::holds_alternative<StartRun>(run));
  const RunRequest& request = std::get<StartRun>(run).request;
  EXPECT_EQ(request.text, "int x;");
  EXPECT_EQ(request.kind, RunKind::Test);
  EXPECT_EQ(request.seed, "7");
  const auto refused = [&](const std::string& to, const std::string& body) {
    const Plan made = plan(to, "POST", body);
    const Response* response = std::get_if<Response>(&made);
    return response ? response->status : 0;
  };
  EXPECT_EQ(refused(target, ""), 400u);
  EXPECT_EQ(refused(target, R"({"text": 1})"), 400u);
  EXPECT_EQ(refused("/api/lab/run?name=puzzles/map&kind=grade&page=p", text), 400u);
  EXPECT_EQ(refused("/api/lab/run?name=puzzles/map&kind=test", text), 400u);
  EXPECT_EQ(refused("/api/lab/run?name=puzzles/map&kind=test&page=" + std::string(65, 'p'), text), 400u);
  EXPECT_EQ(refused("/api/lab/run?name=puzzles/map&kind=test&page=p&seed=--no-sandbox", text), 400u);
  const Plan follow = plan("/api/lab/run?run=3&from=2");
  ASSERT_TRUE(std::holds_alternative<FollowRun>(follow));
  EXPECT_EQ(std::get<FollowRun>(follow).from, 2u);
  EXPECT_EQ(status("/api/lab/run"), 400u);
  EXPECT_TRUE(std::holds_alternative<StopRun>(plan("/api/lab/stop?run=3", "POST", "{}")));
  EXPECT_TRUE(std::holds_alternative<AskLab>(plan("/api/lab")));
  EXPECT_TRUE(std::holds_alternative<AskLab>(plan("/api/lab/stop?run=3"))) << "that stops nothing";
}

TEST_F(Files, of_the_page_are_compressed_and_known_again) {
  const Assets assets = Assets::read(folder_.path() / "page").value();
  Request request{.method = "GET", .path = "/app.js", .encodings = "gzip"};
  const Response first = assets.answer(request);
  EXPECT_EQ(first.status, 200u);
  EXPECT_EQ(first.body, "app.js.gz");
  EXPECT_EQ(first.type, "text/javascript; charset=utf-8");
  ASSERT_EQ(first.headers[0].first, "ETag");
  request.known_tag = first.headers[0].second;
  EXPECT_EQ(assets.answer(request).status, 304u);
  EXPECT_EQ(assets.answer({.method = "GET", .path = "/app.js"}).status, 406u);
  EXPECT_EQ(Assets::read(folder_.path()).error().code, "W0001");
}

}  // namespace
}  // namespace warpwise::serve
