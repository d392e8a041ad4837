#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace nestor::driver {

/// Says when a question has taken too long, or the server is to stop: the limits of a session are
/// for each of its formulas, and a question may have many.
class Deadline {
 public:
  Deadline(double seconds, const std::atomic<bool>& stopping)
      : end_(std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds)),
        stopping_(stopping),
        thread_([this] { watch(); }) {}
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;
  ~Deadline() {
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    over_.notify_one();
    thread_.join();
  }

  const std::atomic<bool>& passed() const { return passed_; }

 private:
  void watch() {
    constexpr std::chrono::milliseconds kBetween(50);
    std::unique_lock lock(mutex_);
    while (!over_.wait_for(lock, kBetween, [this] { return is_over_; })) {
      if (stopping_ || std::chrono::steady_clock::now() >= end_) {
        passed_ = true;
        return;
      }
    }
  }

  std::chrono::time_point<std::chrono::steady_clock, std::chrono::duration<double>> end_;
  const std::atomic<bool>& stopping_;
  std::atomic<bool> passed_ = false;
  std::mutex mutex_;  // of is_over_
  std::condition_variable over_;
  bool is_over_ = false;
  std::thread thread_;  // the last one: it uses the others
};

}  // namespace nestor::driver
