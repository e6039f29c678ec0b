#include "serve/http.h"

#include <fmt/format.h>

#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <map>
#include <set>

#include "serve/guard.h"

namespace warpwise::serve {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using Tcp = asio::ip::tcp;
using Code = beast::error_code;

class Session;

// What the sessions of a server share.
struct Shared {
  Limits limits;
  Handler handler;
  std::set<Session*> sessions;
  std::map<std::string, size_t> addresses;  // how many sessions each has
};

std::string text_of(beast::string_view text) { return {text.data(), text.size()}; }

// A header that is there once: of two, neither is to be believed.
std::optional<std::string> only(const http::request<http::string_body>& message, http::field name) {
  if (message.count(name) != 1) return std::nullopt;
  return text_of(message[name]);
}

Result<Request> request_of(http::request<http::string_body>&& message) {
  Target target = TRY(parse_target(std::string_view(message.target().data(), message.target().size())));
  Request request;
  request.method = text_of(message.method_string());
  request.path = std::move(target.path), request.query = std::move(target.query);
  request.host = only(message, http::field::host), request.origin = only(message, http::field::origin);
  request.cookie = only(message, http::field::cookie);
  request.content_type = only(message, http::field::content_type);
  request.encodings = only(message, http::field::accept_encoding);
  request.known_tag = only(message, http::field::if_none_match);
  // An Origin that is there twice is not a missing one.
  if (message.count(http::field::origin) > 1) request.origin = "";
  if (message.count("Sec-Fetch-Site") != 0) request.fetch_site = text_of(message["Sec-Fetch-Site"]);
  request.body = std::move(message.body());
  return request;
}

// One connection: a request, its answer, the next request.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(Tcp::socket socket, std::shared_ptr<Shared> shared) : stream_(std::move(socket)), shared_(std::move(shared)) {
    Code unknown;
    peer_ = stream_.socket().remote_endpoint(unknown).address().to_string();
    shared_->sessions.insert(this);
    ++shared_->addresses[peer_];
  }
  ~Session() {
    shared_->sessions.erase(this);
    if (--shared_->addresses[peer_] == 0) shared_->addresses.erase(peer_);
  }
  bool is_one_too_many() const {
    return shared_->sessions.size() > shared_->limits.connections ||
           shared_->addresses[peer_] > shared_->limits.connections_of_one_address;
  }

  void read() {
    parser_.emplace();
    parser_->header_limit(shared_->limits.header_bytes);
    parser_->body_limit(shared_->limits.submission_bytes);
    stream_.expires_after(shared_->limits.slowest);
    http::async_read_header(stream_, buffer_, *parser_,
                            [self = shared_from_this()](Code error, size_t) { self->have_header(error); });
  }
  void close() {
    Code ignored;
    stream_.socket().close(ignored);
  }

 private:
  // Only submissions and drafts may be long.
  void have_header(Code error) {
    if (error) return have_read(error);
    const bool of_the_lab = parser_->get().target().starts_with("/api/lab/");
    const uint64_t most = of_the_lab ? shared_->limits.submission_bytes : shared_->limits.body_bytes;
    if (const auto length = parser_->content_length(); length && *length > most)
      return have_read(http::error::body_limit);
    parser_->body_limit(most);
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](Code error, size_t) { self->have_read(error); });
  }
  void have_read(Code error) {
    if (error == http::error::header_limit) return refuse_and_close(431, "its header is too long");
    if (error == http::error::body_limit) return refuse_and_close(413, "its body is too long");
    if (error == http::error::end_of_stream || error == beast::error::timeout) return close();
    if (error) {
      // What is not HTTP gets an answer, and what has gone does not.
      if (error.category() == make_error_code(http::error::bad_method).category())
        return refuse_and_close(400, "it is not HTTP");
      return close();
    }
    keep_ = parser_->get().keep_alive();
    auto request = request_of(parser_->release());
    if (!request) return write(refuse(400, request.error()));
    if (!shared_->handler) return close();
    request->peer = peer_;
    stream_.expires_never();  // its answer may take a while to make
    shared_->handler(std::move(*request), [self = shared_from_this()](Response r) { self->write(std::move(r)); });
  }

  void refuse_and_close(unsigned status, const char* why) {
    keep_ = false;
    write(refuse(status, Error{"W0005", fmt::format("the request is refused: {}", why)}));
  }

  void write(Response response) {
    message_.emplace();
    message_->version(11);
    message_->result(response.status);
    message_->set(http::field::content_type, response.type);
    for (const auto& [name, value] : security_headers())
      message_->set(beast::string_view(name.data(), name.size()), beast::string_view(value.data(), value.size()));
    for (const auto& [name, value] : response.headers) message_->set(name, value);
    message_->body() = std::move(response.body);
    message_->keep_alive(keep_);
    message_->prepare_payload();
    stream_.expires_after(shared_->limits.slowest);
    http::async_write(stream_, *message_, [self = shared_from_this()](Code error, size_t) {
      if (error || !self->keep_) return self->end();
      self->read();
    });
  }

  // The other side may still be sending what was refused. A socket that is closed with unread bytes resets the
  // connection, and the answer is lost with it: so the rest is read, for as long as any request may take.
  void end() {
    Code ignored;
    stream_.socket().shutdown(Tcp::socket::shutdown_send, ignored);
    stream_.expires_after(shared_->limits.slowest);
    discard();
  }
  void discard() {
    stream_.async_read_some(asio::buffer(unread_), [self = shared_from_this()](Code error, size_t) {
      if (!error) self->discard();
    });
  }

  beast::tcp_stream stream_;
  std::shared_ptr<Shared> shared_;
  std::string peer_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  std::optional<http::response<http::string_body>> message_;
  bool keep_ = false;
  std::array<char, 4096> unread_;
};

class Server : public HttpServer {
 public:
  Server(asio::io_context& context, const Limits& limits) : acceptor_(context), retry_(context) {
    shared_->limits = limits;
  }
  ~Server() override { stop(); }

  Code open(uint16_t port, Reach reach) {
    Code error;
    const auto address = reach == Reach::Loopback ? asio::ip::address_v4::loopback() : asio::ip::address_v4::any();
    const Tcp::endpoint here(address, port);
    acceptor_.open(here.protocol(), error);
    if (!error) acceptor_.set_option(asio::socket_base::reuse_address(true), error);
    if (!error) acceptor_.bind(here, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    return error;
  }
  uint16_t port() const override { return acceptor_.local_endpoint().port(); }
  void start(Handler handler) override {
    shared_->handler = std::move(handler);
    accept();
  }
  void stop() override {
    Code ignored;
    acceptor_.close(ignored);
    retry_.cancel(ignored);
    for (Session* session : std::set<Session*>(shared_->sessions)) session->close();
    shared_->handler = nullptr;
  }

 private:
  void accept() {
    acceptor_.async_accept([this](Code error, Tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (error) return accept_later();
      // One more than there may be is let in and out again: it must not wait for others to end.
      const auto session = std::make_shared<Session>(std::move(socket), shared_);
      if (!session->is_one_too_many()) session->read();
      accept();
    });
  }
  // No file descriptors are left, for one.
  void accept_later() {
    retry_.expires_after(std::chrono::milliseconds(100));
    retry_.async_wait([this](Code error) {
      if (!error) accept();
    });
  }

  Tcp::acceptor acceptor_;
  asio::steady_timer retry_;
  std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
};

}  // namespace

Result<std::unique_ptr<HttpServer>> HttpServer::listen(asio::io_context& context, uint16_t port, const Limits& limits,
                                                       Reach reach) {
  auto server = std::make_unique<Server>(context, limits);
  if (const Code error = server->open(port, reach))
    return Error{"W0002", fmt::format("port {} of {} cannot be had: {}", port,
                                      reach == Reach::Loopback ? "127.0.0.1" : "this machine", error.message())};
  return std::unique_ptr<HttpServer>(std::move(server));
}

}  // namespace warpwise::serve
