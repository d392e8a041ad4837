#include "driver/progress.h"

#include <fmt/format.h>

#include <ostream>
#include <utility>

namespace nestor {

namespace {
constexpr const char* kClearLine = "\r\033[K";
}  // namespace

Progress::Progress(const Streams& streams, std::size_t total, ProgressPace pace)
    : Progress(
          streams, [this, total] { return fmt::format("checked {}/{} …", done_.load(), total); },
          pace) {}

Progress::Progress(const Streams& streams, std::function<std::string()> line, ProgressPace pace)
    : streams_(streams), line_(std::move(line)), pace_(pace) {
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
  std::chrono::milliseconds wait = pace_.before_first;
  bool shown = false;
  while (!ended_.wait_for(lock, wait, [this] { return end_; })) {
    streams_.err << kClearLine << line_() << std::flush;
    shown = true;
    wait = pace_.between;
  }
  if (shown) {
    streams_.err << kClearLine << std::flush;
  }
}

}  // namespace nestor
