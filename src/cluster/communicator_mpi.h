#pragma once

#include "base/error.h"
#include "cluster/communicator.h"

#include <climits>

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <list>
#include <mpi.h>
#include <mutex>
#include <thread>
#include <vector>

// What only the Communicator's own files see: MPI.

namespace nestor::cluster {

// Batches and stops of one phase have other tags than those of the next: a process may be there
// before the others, but never two phases ahead.
enum Tag : int { kPost = 1, kAreYouThere = 2, kHere = 3, kBatch = 4, kStop = 6 };

inline constexpr const char* kNoMemory = "out of memory";

// A process without work first looks often, then sleeps, so that others have the processor. It
// never yields: on a machine where all processors are busy that takes its place in the queue away.
inline constexpr std::uint32_t kRoundsBeforeSleep = 20;
inline constexpr std::chrono::microseconds kSleep{50};

inline int to_int(std::size_t size) {
  NESTOR_CHECK(size <= static_cast<std::size_t>(INT_MAX));
  return static_cast<int>(size);
}

struct Communicator::Request {
  MPI_Request value = MPI_REQUEST_NULL;
};

struct Communicator::Mpi {
  struct Send {
    MPI_Request request = MPI_REQUEST_NULL;
    std::vector<Word> words;
  };

  MPI_Comm batches = MPI_COMM_NULL;  // messages of phases
  MPI_Comm all = MPI_COMM_NULL;      // everything else
  MPI_Win shared = MPI_WIN_NULL;     // memory of the processes on one machine
  std::list<Send> sends;
  std::vector<std::vector<Word>> spare;  // batches that were sent
  std::vector<Word> incoming;
  MPI_Request wave = MPI_REQUEST_NULL;
  std::array<std::uint64_t, 3> counts{};  // sent and received here, and whether it was stopped
  std::array<std::uint64_t, 3> totals{};
  std::vector<double> heard;  // by process: when it has said something last
  std::vector<double> asked;  // likewise: when it was asked whether it is there; 0: it was not

  // The process itself uses MPI, or else a thread that answers meanwhile.
  std::mutex turn;
  std::condition_variable end;
  bool is_computing = false;
  bool is_over = false;
  std::thread presence;
};

}  // namespace nestor::cluster
