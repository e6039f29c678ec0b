// What a student may ask, and that all else is not there.
#include "serve/class/student_plan.h"

#include <gtest/gtest.h>

#include "toolchain/files.h"

namespace warpwise::serve {
namespace {

namespace fs = std::filesystem;

class ForStudents : public testing::Test {
 protected:
  ForStudents()
      : folder_(toolchain::TemporaryFolder::create(fs::temp_directory_path()).value()),
        room_(Classroom::open("cs101", folder_.path() / "class").value()) {
    door_.port = 8642, door_.names.push_back("192.168.1.20");
    session_ = room_.join({room_.code(), "ada", "", "192.168.1.7"}, {}).value().session;
  }
  Request get(const std::string& path, Parameters query = {}) const {
    return {.method = "GET",
            .path = path,
            .query = std::move(query),
            .host = "192.168.1.20:8642",
            .cookie = "warpwise-class-8642=" + session_};
  }
  Request post(const std::string& path, Parameters query = {}) const {
    Request request = get(path, std::move(query));
    request.method = "POST", request.origin = "http://192.168.1.20:8642", request.content_type = "application/json";
    request.body = R"({"text": "x"})";
    return request;
  }
  // 0: it passes on to the lab.
  unsigned status(const Request& request) const {
    const StudentPlan plan = plan_for_student(request, door_, assets_, room_);
    const auto* response = std::get_if<Response>(&plan);
    return response ? response->status : 0;
  }

  toolchain::TemporaryFolder folder_;
  Classroom room_;
  Door door_;
  Assets assets_;
  std::string session_;
};

TEST_F(ForStudents, there_is_the_lab) {
  for (const char* path : {"/api/files", "/api/lab", "/api/lab/problem", "/api/lab/attempt"})
    EXPECT_EQ(status(get(path)), 0u) << path;
  EXPECT_EQ(status(get("/api/lab/run", {{"run", "1"}})), 0u);
  EXPECT_EQ(status(get("/api/trace/summary", {{"file", "lab:1"}})), 0u);
  EXPECT_EQ(status(get("/api/trace/differences", {{"file", "lab:1"}, {"vs", "lab:2"}})), 0u);
  EXPECT_EQ(status(post("/api/lab/run", {{"name", "puzzles/map"}, {"kind", "submit"}, {"page", "p"}})), 0u);
  EXPECT_EQ(status(post("/api/lab/draft", {{"name", "puzzles/map"}})), 0u);
}

TEST_F(ForStudents, there_is_nothing_else) {
  for (const char* file : {"own.wwt", "own.cu", "image:1", "lab:", "lab:1x", "../lab:1", ""})
    EXPECT_EQ(status(get("/api/trace/summary", {{"file", file}})), 404u) << file;
  EXPECT_EQ(status(post("/api/trace/summary", {{"file", "lab:1"}})), 404u);
  for (const char* beside : {"own.wwt", "order:1:own.cu", "image:1", ""})
    EXPECT_EQ(status(get("/api/trace/differences", {{"file", "lab:1"}, {"vs", beside}})), 404u) << beside;
  for (const char* path : {"/api/class", "/api/record", "/api/profile", "/api/report", "/api/images",
                           "/api/image/frame", "/api/laboratory", "/api/files/", "/api", "/api/"})
    EXPECT_EQ(status(get(path, {{"file", "own.cu"}, {"run", "1"}})), 404u) << path;
  for (const char* path :
       {"/api/class/export", "/api/session", "/api/record", "/api/images/draft", "/api/image/run", "/"})
    EXPECT_EQ(status(post(path, {{"file", "own.cu"}, {"name", "n"}, {"page", "p"}})), 404u) << path;
}

TEST_F(ForStudents, the_rules_of_the_page_hold) {
  const auto changed = [&](Request request, auto change) {
    change(request);
    return status(request);
  };
  const auto run = post("/api/lab/run", {{"name", "puzzles/map"}, {"kind", "submit"}, {"page", "p"}});
  EXPECT_EQ(changed(get("/"), [](Request& r) { r.host = "evil.example:8642"; }), 421u) << "DNS rebinding";
  EXPECT_EQ(changed(get("/"), [](Request& r) { r.host = "192.168.1.21:8642"; }), 421u);
  EXPECT_EQ(changed(run, [](Request& r) { r.origin.reset(); }), 403u);
  EXPECT_EQ(changed(run, [](Request& r) { r.origin = "http://127.0.0.1:8642"; }), 403u);
  EXPECT_EQ(changed(run, [](Request& r) { r.content_type = "text/plain"; }), 415u);
  EXPECT_EQ(changed(post("/api/class/join"), [](Request& r) { r.origin.reset(); }), 403u);
  for (const std::string& cookie :
       {std::string(), "warpwise-8642=" + session_, "warpwise-class-8643=" + session_,
        "warpwise-class-8642=" + session_ + "0", "warpwise-class-8642=x; warpwise-class-8642=" + session_})
    EXPECT_EQ(changed(run, [&](Request& r) { r.cookie = cookie; }), 401u) << cookie;
}

TEST_F(ForStudents, joining_needs_short_texts) {
  Request request = post("/api/class/join");
  request.cookie.reset();
  for (const std::string& body : {std::string("[]"), std::string("x"), std::string(R"({"code": 5})"),
                                  R"({"nickname": ")" + std::string(200, 'a') + "\"}"}) {
    request.body = body;
    EXPECT_EQ(status(request), 400u) << body;
  }
  request.body = R"({"code": "a", "nickname": "b"})", request.peer = "192.168.1.9";
  const StudentPlan plan = plan_for_student(request, door_, assets_, room_);
  ASSERT_TRUE(std::holds_alternative<JoinRequest>(plan));
  EXPECT_EQ(std::get<JoinRequest>(plan).peer, "192.168.1.9");
  const Response joined = join(room_, {room_.code(), "bob", "", ""}, door_, {});
  EXPECT_NE(joined.headers.at(0).second.find("; Path=/; HttpOnly; SameSite=Strict"), std::string::npos);
  EXPECT_EQ(joined.body, "{}\n") << "scripts do not see it";
}

}  // namespace
}  // namespace warpwise::serve
