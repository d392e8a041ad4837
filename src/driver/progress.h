#pragma once

#include "driver/run.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <nestor/settings.h>
#include <string>
#include <thread>

namespace nestor::driver {

/// Shows a line such as `checked 120/1595 …` on a terminal, rewritten in place, once the work has
/// taken a while; takes the line away when it ends. Does nothing if `err` is no terminal.
class ProgressLine {
 public:
  explicit ProgressLine(const Streams& streams,
                        std::chrono::milliseconds before_first = std::chrono::seconds(1));
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  /// What to show from now on. Safe to call from any thread.
  void report(const Progress& progress);
  /// Shows it now.
  void show();
  /// The work has ended, or something else is printed. The next report begins anew.
  void clear();

 private:
  void watch();
  void print();

  const Streams& streams_;
  std::chrono::milliseconds before_first_;
  std::mutex mutex_;  // guards all that follows, and the terminal
  std::condition_variable ended_;
  Progress progress_;
  std::chrono::steady_clock::time_point start_;
  bool is_shown_ = false;
  bool end_ = false;
  std::thread watcher_;  // a single formula can take long, so a thread keeps the time
};

}  // namespace nestor::driver
