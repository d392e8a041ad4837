#pragma once

#include "driver/run.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace nestor {

/// When a line of progress is shown, and how often it is rewritten.
struct ProgressPace {
  std::chrono::milliseconds before_first{1000};
  std::chrono::milliseconds between{200};
};

/// Shows a line such as `checked 120/1595 …` on a terminal, rewritten in place, once the work has
/// taken a second; takes the line away when it ends. Does nothing if `err` is no terminal.
class Progress {
 public:
  /// Shows `checked done()/total …`.
  Progress(const Streams& streams, std::size_t total, ProgressPace pace = {});
  /// Shows what `line` returns; it is called from another thread.
  Progress(const Streams& streams, std::function<std::string()> line, ProgressPace pace = {});
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// Safe to call from any thread.
  void done(std::size_t count) { done_.store(count, std::memory_order_relaxed); }

 private:
  void show();

  const Streams& streams_;
  std::function<std::string()> line_;
  ProgressPace pace_;
  std::atomic<std::size_t> done_{0};
  std::mutex mutex_;
  std::condition_variable ended_;
  bool end_ = false;     // guarded by mutex_
  std::thread watcher_;  // a single formula can take long, so a thread keeps the time
};

}  // namespace nestor
