#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace nestor::base {

/// Counters and times with dotted names (`engine.summary.instances`), printed sorted by name.
/// Safe to use from several threads; meant for the edges of loops, not for their bodies.
class Statistics {
 public:
  void add(const std::string& name, std::uint64_t amount) {
    const std::lock_guard lock(mutex_);
    counters_[name] += amount;
  }
  /// For what is the largest of several: the counter becomes at least `amount`.
  void raise(const std::string& name, std::uint64_t amount) {
    const std::lock_guard lock(mutex_);
    std::uint64_t& counter = counters_[name];
    counter = std::max(counter, amount);
  }
  void add_seconds(const std::string& name, double seconds) {
    const std::lock_guard lock(mutex_);
    seconds_[name] += seconds;
  }
  /// Adds all that another one has counted.
  void add_all(const Statistics& other) {
    for (const auto& [name, amount] : other.counters_) {
      add(name, amount);
    }
    for (const auto& [name, seconds] : other.seconds_) {
      add_seconds(name, seconds);
    }
  }
  const std::map<std::string, std::uint64_t>& counters() const { return counters_; }
  const std::map<std::string, double>& seconds() const { return seconds_; }

 private:
  std::mutex mutex_;
  std::map<std::string, std::uint64_t> counters_;
  std::map<std::string, double> seconds_;
};

/// Seconds since it was made.
class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace nestor::base
