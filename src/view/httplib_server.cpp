// The server on cpp-httplib. Its header takes long to compile: no other file has it.

#include "view/httplib_server.h"

#include <array>
#include <httplib.h>
#include <sys/random.h>

namespace nestor::view {

namespace {

constexpr std::size_t kMostBytes = 1'000'000;  // of a request
constexpr std::size_t kThreads = 4;
constexpr time_t kSeconds = 5;  // that a request may take to arrive

/// 128 bits of the system's random numbers, in hex; none if it has none.
std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    return {};
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string token;
  for (const unsigned char byte : bytes) {
    token.push_back(kDigits[byte >> 4U]);
    token.push_back(kDigits[byte & 15U]);
  }
  return token;
}

/// Takes as long wherever the first difference is.
bool same_token(std::string_view one, std::string_view other) {
  unsigned char different = one.size() == other.size() ? 0 : 1;
  for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i) {
    different |= static_cast<unsigned char>(one[i] ^ other[i]);
  }
  return different == 0;
}

void refuse(httplib::Response& response, int status, const std::string& why) {
  response.status = status;
  response.set_content(why + "\n", "text/plain");
}

class HttplibServer : public Server {
 public:
  explicit HttplibServer(Handler answer);

  bool bind(const std::string& host, std::uint16_t port);

  const std::string& address() const override { return address_; }
  void run() override { server_.listen_after_bind(); }
  void stop() override { server_.stop(); }

 private:
  bool is_own(const std::string& host) const {
    return std::find(hosts_.begin(), hosts_.end(), host) != hosts_.end();
  }

  /// A page of another site could send a browser here: the Host header is then right, but not the
  /// Origin; and a name that is made to point here has another Host.
  std::string objection(const httplib::Request& request) const {
    if (request.get_header_value_count("Host") != 1 || !is_own(request.get_header_value("Host"))) {
      return "wrong host";
    }
    const std::string origin = request.get_header_value("Origin");
    constexpr std::string_view kScheme = "http://";
    if (!origin.empty() &&
        !(origin.starts_with(kScheme) && is_own(origin.substr(kScheme.size())))) {
      return "wrong origin";
    }
    const std::string_view path = request.path;
    if (!path.starts_with('/') || !same_token(path.substr(1, token_.size()), token_)) {
      return "wrong token";
    }
    return {};
  }

  void handle(const httplib::Request& request, httplib::Response& response) const {
    Request asked;
    asked.path = request.path.substr(1 + token_.size());
    for (const auto& [name, field] : request.files) {
      asked.fields[name] = field.content;
    }
    const Response told = answer_(asked);
    response.status = told.status;
    response.set_content(told.body, told.type);
  }

  httplib::Server server_;
  std::string token_ = random_token();
  std::vector<std::string> hosts_;  // what a Host header may say
  Handler answer_;
  std::string address_;
};

HttplibServer::HttplibServer(Handler answer) : answer_(std::move(answer)) {
  server_.new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
  server_.set_payload_max_length(kMostBytes);
  server_.set_read_timeout(kSeconds);
  server_.set_write_timeout(kSeconds);
  server_.set_keep_alive_timeout(2);
  server_.set_default_headers({{"X-Content-Type-Options", "nosniff"},
                               {"Referrer-Policy", "no-referrer"},
                               {"Cache-Control", "no-store"}});
  server_.set_pre_routing_handler(
      [this](const httplib::Request& request, httplib::Response& response) {
        const std::string why = objection(request);
        if (!why.empty()) {
          refuse(response, 403, why);
          return httplib::Server::HandlerResponse::Handled;
        }
        return httplib::Server::HandlerResponse::Unhandled;
      });
  const auto handler = [this](const httplib::Request& request, httplib::Response& response) {
    handle(request, response);
  };
  server_.Get(".*", handler);
  server_.Post(".*", handler);
  server_.set_exception_handler(
      [](const httplib::Request& /*request*/, httplib::Response& response,
         const std::exception_ptr& /*error*/) { refuse(response, 500, "internal error"); });
}

bool HttplibServer::bind(const std::string& host, std::uint16_t port) {
  const int bound =
      port == 0 ? server_.bind_to_any_port(host) : (server_.bind_to_port(host, port) ? port : -1);
  if (bound <= 0 || token_.empty()) {
    return false;
  }
  const std::string suffix = ":" + std::to_string(bound);
  hosts_ = {host + suffix, "127.0.0.1" + suffix, "localhost" + suffix};
  address_ = "http://" + host + suffix + "/" + token_ + "/";
  return true;
}

}  // namespace

std::unique_ptr<Server> listen_by_httplib(const std::string& host, std::uint16_t port,
                                          Handler answer) {
  auto server = std::make_unique<HttplibServer>(std::move(answer));
  return server->bind(host, port) ? std::move(server) : nullptr;
}

}  // namespace nestor::view
