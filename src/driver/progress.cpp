#include "driver/progress.h"

#include <fmt/format.h>

#include <ostream>

namespace nestor::driver {

namespace {

constexpr std::chrono::milliseconds kBetween{200};
constexpr const char* kClearLine = "\r\033[K";

std::string progress_text(const Progress& progress, std::chrono::duration<double> time) {
  if (progress.work == Progress::Work::Exploring) {
    return fmt::format("{} states, {} expanded, {:.0f} a second …", progress.known, progress.done,
                       static_cast<double>(progress.done) / time.count());
  }
  return fmt::format("checked {}/{} …", progress.done, progress.known);
}

}  // namespace

ProgressLine::ProgressLine(const Streams& streams, std::chrono::milliseconds before_first)
    : streams_(streams), before_first_(before_first) {}

ProgressLine::~ProgressLine() {
  clear();
}

void ProgressLine::report(const Progress& progress) {
  if (!streams_.err_is_terminal) {
    return;
  }
  const std::lock_guard lock(mutex_);
  if (!watcher_.joinable()) {
    start_ = std::chrono::steady_clock::now();
    end_ = false;
    watcher_ = std::thread([this] { watch(); });
  }
  progress_ = progress;
}

void ProgressLine::show() {
  const std::lock_guard lock(mutex_);
  if (watcher_.joinable()) {
    print();
  }
}

void ProgressLine::print() {
  streams_.err << kClearLine << progress_text(progress_, std::chrono::steady_clock::now() - start_)
               << std::flush;
  is_shown_ = true;
}

void ProgressLine::clear() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  ended_.notify_one();
  if (watcher_.joinable()) {
    watcher_.join();
  }
  if (is_shown_) {
    streams_.err << kClearLine << std::flush;
    is_shown_ = false;
  }
}

void ProgressLine::watch() {
  std::unique_lock lock(mutex_);
  for (std::chrono::milliseconds wait = before_first_;
       !ended_.wait_for(lock, wait, [this] { return end_; }); wait = kBetween) {
    print();
  }
}

}  // namespace nestor::driver
