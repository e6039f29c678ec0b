// The server's limits, by a real socket: what is too long, too slow or too many is ended, and the rest is answered.
#include "serve/http.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/post.hpp>
#include <thread>

#include "base/sanitized.h"

namespace warpwise::serve {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

class Client {
 public:
  explicit Client(uint16_t port) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET, to.sin_port = htons(port), to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(fd_, reinterpret_cast<sockaddr*>(&to), sizeof to), 0);
  }
  ~Client() { close(fd_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  bool send(std::string_view text) {
    return ::send(fd_, text.data(), text.size(), MSG_NOSIGNAL) == ssize_t(text.size());
  }
  // Until the server closes the connection, or a whole answer with this many bytes of body is there.
  std::string receive(std::string_view until = {}) {
    std::string text;
    char piece[4096];
    pollfd ready{fd_, POLLIN, 0};
    while (until.empty() || text.find(until) == text.npos) {
      if (poll(&ready, 1, 20'000) != 1) return text + "(nothing more came in 20 seconds)";
      const ssize_t n = recv(fd_, piece, sizeof piece, 0);
      if (n <= 0) break;
      text.append(piece, size_t(n));
    }
    return text;
  }

 private:
  int fd_;
};

class Http : public testing::Test {
 protected:
  explicit Http(size_t of_one_address = 64) {
    const Limits limits{.header_bytes = 2048,
                        .body_bytes = 1000,
                        .submission_bytes = 5000,
                        .connections = 4,
                        .connections_of_one_address = of_one_address,
                        .slowest = 400ms};
    server_ = HttpServer::listen(context_, 0, limits).value();
    server_->start([this](Request request, Answered done) {
      last_ = request;
      done({.type = "text/plain", .body = "answer to " + request.path});
    });
    thread_ = std::thread([this] { context_.run(); });
  }
  ~Http() override {
    boost::asio::post(context_, [this] {
      server_->stop();
      context_.stop();
    });
    thread_.join();
  }
  std::string ask(std::string_view text, std::string_view until = {}) {
    Client client(server_->port());
    EXPECT_TRUE(client.send(text));
    return client.receive(until);
  }
  static std::string status(const std::string& answer) { return answer.substr(0, answer.find('\r')); }

  boost::asio::io_context context_;
  std::unique_ptr<HttpServer> server_;
  Request last_;
  std::thread thread_;
};

TEST_F(Http, answers_requests_of_one_connection) {
  Client client(server_->port());
  client.send("GET /a?x=1 HTTP/1.1\r\nHost: h:1\r\nCookie: c=1\r\n\r\n");
  const std::string first = client.receive("answer to /a");
  EXPECT_EQ(status(first), "HTTP/1.1 200 OK");
  EXPECT_NE(first.find("Content-Security-Policy: default-src 'none'"), first.npos) << first;
  EXPECT_NE(first.find("X-Content-Type-Options: nosniff"), first.npos);
  client.send("POST /b HTTP/1.1\r\nHost: h:1\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc");
  EXPECT_NE(client.receive().find("answer to /b"), std::string::npos);
  EXPECT_EQ(last_.body, "abc");
  EXPECT_EQ(last_.host, "h:1");
}

TEST_F(Http, believes_no_header_that_is_there_twice) {
  ask("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nOrigin: x\r\nOrigin: y\r\n\r\n", "answer");
  EXPECT_FALSE(last_.host.has_value());
  EXPECT_EQ(last_.origin, "") << "not a missing one";
}

TEST_F(Http, refuses_giant_headers_and_bodies) {
  EXPECT_EQ(status(ask("GET / HTTP/1.1\r\nHost: " + std::string(100'000, 'a') + "\r\n\r\n")),
            "HTTP/1.1 431 Request Header Fields Too Large");
  EXPECT_EQ(status(ask("GET /" + std::string(100'000, 'a') + " HTTP/1.1\r\nHost: h\r\n\r\n")),
            "HTTP/1.1 431 Request Header Fields Too Large");
  EXPECT_EQ(status(ask("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4000000000\r\n\r\n")),
            "HTTP/1.1 413 Payload Too Large");
  std::string chunks = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (int n = 0; n < 20; ++n) chunks += "64\r\n" + std::string(100, 'a') + "\r\n";
  EXPECT_EQ(status(ask(chunks)), "HTTP/1.1 413 Payload Too Large");
}

TEST_F(Http, takes_longer_bodies_of_submissions_alone) {
  const auto post = [&](const std::string& path, size_t bytes) {
    return status(ask("POST " + path + " HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: " +
                      std::to_string(bytes) + "\r\n\r\n" + std::string(bytes, 'a')));
  };
  EXPECT_EQ(post("/api/lab/run?x", 4000), "HTTP/1.1 200 OK");
  EXPECT_EQ(last_.body.size(), 4000u);
  EXPECT_EQ(post("/api/lab/run?x", 6000), "HTTP/1.1 413 Payload Too Large");
  EXPECT_EQ(post("/api/labyrinth", 4000), "HTTP/1.1 413 Payload Too Large");
  EXPECT_EQ(post("/api/session", 1001), "HTTP/1.1 413 Payload Too Large");
  std::string chunks = "POST /api/lab/run HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (int n = 0; n < 60; ++n) chunks += "64\r\n" + std::string(100, 'a') + "\r\n";
  EXPECT_EQ(status(ask(chunks)), "HTTP/1.1 413 Payload Too Large");
}

TEST_F(Http, refuses_what_is_not_http) {
  EXPECT_EQ(status(ask("\x16\x03\x01\x02 hello\r\n\r\n")), "HTTP/1.1 400 Bad Request");
  EXPECT_EQ(status(ask("GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n")), "HTTP/1.1 400 Bad Request");
  EXPECT_EQ(status(ask("GET /?a=%00 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")), "HTTP/1.1 400 Bad Request");
}

// A byte now and then keeps no connection open.
TEST_F(Http, ends_slow_clients) {
  const auto begin = Clock::now();
  Client slow(server_->port());
  bool sent = slow.send("GET / HTTP/1.1\r\n");
  for (int n = 0; n < 100 && sent; ++n) {
    std::this_thread::sleep_for(50ms);
    sent = slow.send("x");
  }
  EXPECT_FALSE(sent) << "the connection was still open after five seconds";
  EXPECT_LT(Clock::now() - begin, kSlowdown * 4s);
  EXPECT_NE(ask("GET /after HTTP/1.1\r\nHost: h\r\n\r\n", "answer").find("answer to /after"), std::string::npos);
}

TEST_F(Http, bounds_its_connections) {
  std::vector<std::unique_ptr<Client>> held;
  for (int n = 0; n < 4; ++n) held.push_back(std::make_unique<Client>(server_->port()));
  std::this_thread::sleep_for(50ms);
  Client one_more(server_->port());
  one_more.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_EQ(one_more.receive(), "") << "let in and out again";
  held.clear();
  for (int n = 0; n < 100; ++n) {
    if (ask("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n").find("answer") != std::string::npos) return;
    std::this_thread::sleep_for(20ms);
  }
  ADD_FAILURE() << "the server takes no connection any more";
}

class HttpOfAClass : public Http {
 protected:
  HttpOfAClass() : Http(2) {}
};

TEST_F(HttpOfAClass, leaves_connections_for_other_addresses) {
  Client first(server_->port()), second(server_->port());
  std::this_thread::sleep_for(50ms);
  Client third(server_->port());
  third.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_EQ(third.receive(), "") << "let in and out again";
  first.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_NE(first.receive("answer").find("answer to /a"), std::string::npos);
  EXPECT_EQ(last_.peer, "127.0.0.1");
}

TEST(HttpPort, that_is_taken_is_said_to_be) {
  boost::asio::io_context context;
  const auto first = HttpServer::listen(context, 0, {}).value();
  const auto second = HttpServer::listen(context, first->port(), {});
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, "W0002");
}

}  // namespace
}  // namespace warpwise::serve
