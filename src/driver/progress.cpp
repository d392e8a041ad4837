#include "driver/progress.h"

#include <fmt/format.h>

#include <chrono>
#include <ostream>
#include <utility>

namespace nestor {

namespace {
constexpr std::chrono::milliseconds kBeforeFirst{1000};
constexpr std::chrono::milliseconds kBetween{200};
constexpr const char* kClearLine = "\r\033[K";
}  // namespace

Progress::Progress(const Streams& streams, std::size_t total)
    : Progress(streams,
               [this, total] { return fmt::format("checked {}/{} …", done_.load(), total); }) {}

Progress::Progress(const Streams& streams, std::function<std::string()> line)
    : streams_(streams), line_(std::move(line)) {
  if (streams_.err_is_terminal) {
    watcher_ = std::thread([this] { show(); });
  }
}

Progress::~Progress() {
  if (watcher_.joinable()) {
    {
      const std::lock_guard lock(mutex_);
      end_ = true;
    }
    ended_.notify_one();
    watcher_.join();
  }
}

void Progress::show() {
  std::unique_lock lock(mutex_);
  std::chrono::milliseconds wait = kBeforeFirst;
  bool shown = false;
  while (!ended_.wait_for(lock, wait, [this] { return end_; })) {
    streams_.err << kClearLine << line_() << std::flush;
    shown = true;
    wait = kBetween;
  }
  if (shown) {
    streams_.err << kClearLine << std::flush;
  }
}

}  // namespace nestor
