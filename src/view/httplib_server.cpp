// The server on cpp-httplib. Its header takes long to compile: no other file has it.

#include "view/server.h"

#include <array>
#include <csignal>
#include <httplib.h>
#include <nestor/error.h>
#include <sys/random.h>
#include <thread>

namespace nestor::view {

namespace {

constexpr std::size_t kMostBytes = 1'000'000;  // of a request
constexpr std::size_t kThreads = 4;
constexpr time_t kSeconds = 5;  // that a request may take to arrive

/// 128 bits of the system's random numbers, in hex.
std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw Error(Error::Kind::System, "the system has no random numbers");
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

}  // namespace

struct Server::Impl {
  httplib::Server server;
  std::string token = random_token();
  std::vector<std::string> hosts;  // what a Host header may say
  Handler answer;

  bool is_own(const std::string& host) const {
    return std::find(hosts.begin(), hosts.end(), host) != hosts.end();
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
    if (!path.starts_with('/') || !same_token(path.substr(1, token.size()), token)) {
      return "wrong token";
    }
    return {};
  }

  void handle(const httplib::Request& request, httplib::Response& response) const {
    Request asked;
    asked.path = request.path.substr(1 + token.size());
    for (const auto& [name, field] : request.files) {
      asked.fields[name] = field.content;
    }
    const Response told = answer(asked);
    response.status = told.status;
    response.set_content(told.body, told.type);
  }
};

Server::Server(const std::string& host, std::uint16_t port, Handler answer)
    : impl_(std::make_shared<Impl>()) {
  httplib::Server& server = impl_->server;
  impl_->answer = std::move(answer);
  server.new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
  server.set_payload_max_length(kMostBytes);
  server.set_read_timeout(kSeconds);
  server.set_write_timeout(kSeconds);
  server.set_keep_alive_timeout(2);
  server.set_default_headers({{"X-Content-Type-Options", "nosniff"},
                              {"Referrer-Policy", "no-referrer"},
                              {"Cache-Control", "no-store"}});
  server.set_pre_routing_handler(
      [this](const httplib::Request& request, httplib::Response& response) {
        const std::string objection = impl_->objection(request);
        if (!objection.empty()) {
          refuse(response, 403, objection);
          return httplib::Server::HandlerResponse::Handled;
        }
        return httplib::Server::HandlerResponse::Unhandled;
      });
  const auto handler = [this](const httplib::Request& request, httplib::Response& response) {
    impl_->handle(request, response);
  };
  server.Get(".*", handler);
  server.Post(".*", handler);
  server.set_exception_handler(
      [](const httplib::Request& /*request*/, httplib::Response& response,
         const std::exception_ptr& /*error*/) { refuse(response, 500, "internal error"); });
  const int bound =
      port == 0 ? server.bind_to_any_port(host) : (server.bind_to_port(host, port) ? port : -1);
  if (bound <= 0) {
    throw Error(Error::Kind::System,
                "cannot listen on " + host + (port == 0 ? "" : ":" + std::to_string(port)));
  }
  const std::string suffix = ":" + std::to_string(bound);
  impl_->hosts = {host + suffix, "127.0.0.1" + suffix, "localhost" + suffix};
  address_ = "http://" + host + suffix + "/" + impl_->token + "/";
}

Server::~Server() = default;

void Server::run() {
  impl_->server.listen_after_bind();
}

void Server::stop() {
  impl_->server.stop();
}

void run_until_signal(Server& server, std::atomic<bool>& stopping) {
  // Blocked in all threads that are made from here on, taken by one that waits for them.
  sigset_t wanted;
  sigset_t before;
  sigemptyset(&wanted);
  sigaddset(&wanted, SIGINT);
  sigaddset(&wanted, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &wanted, &before);
  std::thread waiting([&] {
    int signal = 0;
    sigwait(&wanted, &signal);
    stopping = true;
    server.stop();
  });
  server.run();
  if (!stopping) {  // the server ended of itself: wake the thread
    pthread_kill(waiting.native_handle(), SIGINT);
  }
  waiting.join();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace nestor::view
