#include "cluster/communicator_mpi.h"

#include <chrono>
#include <ctime>
#include <mpi.h>
#include <mutex>

// Who waits for others asks whether they are there. A process answers whenever it sends or takes
// batches, or waits; and while it computes by itself, perhaps for long, a thread answers.

namespace nestor::cluster {

namespace {

constexpr std::chrono::milliseconds kBetweenAnswers{50};

}  // namespace

double Communicator::now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double Communicator::processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

void Communicator::begin_presence() {
  int provided = MPI_THREAD_SINGLE;
  MPI_Query_thread(&provided);
  if (size_ == 1 || provided < MPI_THREAD_SERIALIZED) {
    return;
  }
  mpi_->presence = std::thread([this] {
    std::unique_lock lock(mpi_->turn);
    while (!mpi_->end.wait_for(lock, kBetweenAnswers, [this] { return mpi_->is_over; })) {
      if (mpi_->is_computing) {
        answer();
      }
    }
  });
}

void Communicator::end_presence() {
  {
    const std::lock_guard lock(mpi_->turn);
    mpi_->is_over = true;
  }
  mpi_->end.notify_one();
  if (mpi_->presence.joinable()) {
    mpi_->presence.join();
  }
}

void Communicator::set_computing(bool is_computing) {
  const std::lock_guard lock(mpi_->turn);
  NESTOR_CHECK(mpi_->is_computing != is_computing);
  mpi_->is_computing = is_computing;
}

/// Called in every loop that waits for others, and with true when that is over.
void Communicator::watch(bool heard) {
  if (heard) {
    if (waiting_since_ != 0) {
      waiting_.seconds += now() - waiting_since_;
      waiting_.processor_seconds += processor_seconds() - processor_before_;
    }
    waiting_since_ = 0;
    return;
  }
  const double time = now();
  if (waiting_since_ == 0) {
    waiting_since_ = time;
    processor_before_ = processor_seconds();
    return;
  }
  if (time - waiting_since_ < silence_ / 4) {
    return;
  }
  for (int other = 0; other < size_; ++other) {
    const auto o = static_cast<std::size_t>(other);
    if (other == rank_ || time - mpi_->heard[o] < silence_ / 4) {
      continue;
    }
    if (mpi_->asked[o] == 0) {
      mpi_->asked[o] = time;
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Isend(nullptr, 0, MPI_UINT32_T, other, kAreYouThere, mpi_->batches, &request);
      MPI_Request_free(&request);
    } else if (time - mpi_->asked[o] > silence_) {
      if (last_words_) {
        last_words_();
      }
      MPI_Abort(MPI_COMM_WORLD, 3);
    }
  }
}

/// After a round in a loop that waits.
void Communicator::rest(std::uint32_t& rounds) const {
  if (++rounds > kRoundsBeforeSleep) {
    std::this_thread::sleep_for(kSleep);
  }
}

/// Answers whoever asks whether this process is there.
bool Communicator::answer() {
  bool heard = false;
  for (const int tag : {kAreYouThere, kHere}) {
    int flag = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, tag, mpi_->batches, &flag, &status);
    if (flag != 0) {
      MPI_Recv(nullptr, 0, MPI_UINT32_T, status.MPI_SOURCE, tag, mpi_->batches, MPI_STATUS_IGNORE);
      take_sign_of_life(status.MPI_SOURCE, tag);
      heard = true;
    }
  }
  return heard;
}

void Communicator::take_sign_of_life(int from, int tag) {
  mpi_->heard[static_cast<std::size_t>(from)] = now();
  mpi_->asked[static_cast<std::size_t>(from)] = 0;
  if (tag == kAreYouThere) {
    MPI_Send(nullptr, 0, MPI_UINT32_T, from, kHere, mpi_->batches);
  }
}

}  // namespace nestor::cluster
