// The one file that knows HTTP (Boost.Beast). It listens on loopback, or for a class on the network, holds every
// connection to limits, and turns what comes into a Request and what goes into bytes. It does not know what is asked or
// answered.
//
// All of it runs on the thread that runs the io_context, so nothing here is locked.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>

#include "serve/limits.h"
#include "serve/message.h"

namespace warpwise::serve {

// Called for each request that is one; `done` is called once, then or later.
using Answered = std::function<void(Response)>;
using Handler = std::function<void(Request, Answered done)>;

// Who can connect: this machine, or all machines of the network.
enum class Reach : unsigned char { Loopback, Network };

class HttpServer {
 public:
  // On 127.0.0.1, or on all addresses of IPv4; port 0 is any free one. W0002 when the port cannot be had.
  static Result<std::unique_ptr<HttpServer>> listen(boost::asio::io_context& context, uint16_t port,
                                                    const Limits& limits, Reach reach = Reach::Loopback);
  virtual ~HttpServer() = default;
  virtual uint16_t port() const = 0;
  virtual void start(Handler handler) = 0;
  // Closes the door and every connection.
  virtual void stop() = 0;
};

}  // namespace warpwise::serve
