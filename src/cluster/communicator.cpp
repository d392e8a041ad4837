#include "cluster/communicator.h"

#include "base/error.h"
#include "base/limits.h"
#include "cluster/communicator_mpi.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>
#include <utility>

namespace nestor::cluster {

namespace {

// Together they bound what is on its way: after that, a process takes before it sends.
constexpr std::size_t kMostSends = 64;
constexpr std::size_t kMostBatchWords = std::size_t{1} << 26;

// Given back as soon as an allocation fails, wherever that is, so that this process, and MPI in it,
// have what they need to end the run in step with the others. Work stops at its next check.
constexpr std::size_t kReserve = std::size_t{16} << 20;
std::unique_ptr<char[]> g_reserve;
std::atomic<bool> g_is_short = false;

void give_reserve_back() {
  if (!g_reserve) {
    throw std::bad_alloc();
  }
  g_reserve.reset();
  g_is_short = true;
}

}  // namespace

bool Communicator::is_short_of_memory() {
  return g_is_short;
}

void start_mpi(int argc, char** argv) {
  setenv("OMPI_MCA_mpi_yield_when_idle", "0", 1);  // see kRoundsBeforeSleep
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  g_reserve.reset(new char[kReserve]);
  std::set_new_handler(give_reserve_back);
}

void end_mpi() {
  MPI_Finalize();
}

Communicator::Communicator() : mpi_(std::make_unique<Mpi>()) {
  MPI_Comm_dup(MPI_COMM_WORLD, &mpi_->batches);
  MPI_Comm_dup(MPI_COMM_WORLD, &mpi_->all);
  MPI_Comm_rank(mpi_->all, &rank_);
  MPI_Comm_size(mpi_->all, &size_);
  out_.resize(static_cast<std::size_t>(size_));
  mpi_->heard.assign(out_.size(), now());
  mpi_->asked.assign(out_.size(), 0);
  share_word();
  begin_presence();
}

Communicator::~Communicator() {
  end_presence();
  MPI_Win_free(&mpi_->shared);
  MPI_Comm_free(&mpi_->batches);
  MPI_Comm_free(&mpi_->all);
}

void Communicator::share_word() {
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(mpi_->all, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &machine);
  int first = rank_;  // of this machine
  MPI_Bcast(&first, 1, MPI_INT, 0, machine);
  void* memory = nullptr;
  MPI_Win_allocate_shared(rank_ == first ? sizeof(Word) : 0, sizeof(Word), MPI_INFO_NULL, machine,
                          &memory, &mpi_->shared);
  MPI_Aint size = 0;
  int unit = 0;
  MPI_Win_shared_query(mpi_->shared, 0, &size, &unit, &memory);
  if (rank_ == first) {
    *static_cast<Word*>(memory) = 0;
  }
  MPI_Barrier(machine);
  MPI_Comm_free(&machine);
  shared_word_ = first == 0 ? static_cast<Word*>(memory) : nullptr;
}

/// What it throws because of a limit stops the phase.
template <class Work>
void Communicator::guarded(Work work) {
  try {
    work();
  } catch (const base::LimitReached& limit) {
    stop(limit.reason);
  } catch (const std::bad_alloc&) {
    stop(kNoMemory);
  }
  if (is_short_of_memory()) {
    stop(kNoMemory);
  }
}

std::string Communicator::run(const Handler& handler, const std::function<void()>& work) {
  handler_ = [&](int from, std::span<const Word> batch) { guarded([&] { handler(from, batch); }); };
  phase_ = (phase_ + 1) % 2;
  sent_ = received_ = 0;
  stopped_ = over_ = false;
  reason_.clear();
  received_before_.reset();
  idle_rounds_ = 0;
  do {
    if (!stopped_) {
      guarded(work);
    }
  } while (!is_over());
  return end();
}

void Communicator::send(int to) {
  NESTOR_CHECK(to != rank_);
  for (std::uint32_t rounds = 0; mpi_->sends.size() >= kMostSends;) {
    complete_sends();
    const bool heard = receive_one() || mpi_->sends.size() < kMostSends;
    watch(heard);
    if (!heard) {
      rest(rounds);
    }
  }
  std::vector<Word>& batch = out_[static_cast<std::size_t>(to)];
  Mpi::Send& send = mpi_->sends.emplace_back();
  if (!mpi_->spare.empty()) {
    send.words = std::move(mpi_->spare.back());
    mpi_->spare.pop_back();
  }
  send.words.clear();
  std::swap(send.words, batch);
  NESTOR_CHECK(send.words.size() <= kMostBatchWords);
  MPI_Isend(send.words.data(), to_int(send.words.size()), MPI_UINT32_T, to, kBatch + phase_,
            mpi_->batches, &send.request);
  ++sent_;
  ++traffic_.messages;
  traffic_.bytes += send.words.size() * sizeof(Word);
}

void Communicator::complete_sends() {
  for (auto send = mpi_->sends.begin(); send != mpi_->sends.end();) {
    int done = 0;
    MPI_Test(&send->request, &done, MPI_STATUS_IGNORE);
    if (done == 0) {
      ++send;
      continue;
    }
    if (mpi_->spare.size() < kMostSends) {
      mpi_->spare.push_back(std::move(send->words));
    }
    send = mpi_->sends.erase(send);
  }
}

/// True if something has come.
bool Communicator::receive_one() {
  int flag = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, kBatch + phase_, mpi_->batches, &flag, &status);
  if (flag == 0) {
    return receive_stop() || answer();
  }
  int count = 0;
  MPI_Get_count(&status, MPI_UINT32_T, &count);
  std::vector<Word>& incoming = mpi_->incoming;
  incoming.resize(static_cast<std::size_t>(count));
  MPI_Recv(incoming.data(), count, MPI_UINT32_T, status.MPI_SOURCE, status.MPI_TAG, mpi_->batches,
           MPI_STATUS_IGNORE);
  take_sign_of_life(status.MPI_SOURCE, status.MPI_TAG);
  ++received_;
  watch(true);
  handler_(status.MPI_SOURCE, incoming);
  return true;
}

bool Communicator::receive_stop() {
  int flag = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, kStop + phase_, mpi_->batches, &flag, &status);
  if (flag != 0) {
    MPI_Recv(nullptr, 0, MPI_UINT32_T, status.MPI_SOURCE, status.MPI_TAG, mpi_->batches,
             MPI_STATUS_IGNORE);
    take_sign_of_life(status.MPI_SOURCE, status.MPI_TAG);
    ++received_;
    stopped_ = true;
  }
  return flag != 0;
}

void Communicator::poll() {
  complete_sends();
  while (receive_one()) {
  }
}

bool Communicator::is_over() {
  if (size_ == 1) {
    return true;
  }
  const std::uint64_t received = received_;
  for (int to = 0; to < size_; ++to) {
    flush(to);
  }
  poll();
  if (received_ != received) {  // there may be work again
    idle_rounds_ = 0;
    watch(true);
    return false;
  }
  take_waves();
  if (over_) {
    return true;
  }
  watch(false);
  rest(idle_rounds_);
  return false;
}

/// This process has nothing to do, and what it had to send is sent.
void Communicator::take_waves() {
  if (mpi_->wave == MPI_REQUEST_NULL) {
    mpi_->counts = {sent_, received_, stopped_ ? 1U : 0U};
    MPI_Iallreduce(mpi_->counts.data(), mpi_->totals.data(), 3, MPI_UINT64_T, MPI_SUM, mpi_->all,
                   &mpi_->wave);
  }
  int done = 0;
  MPI_Test(&mpi_->wave, &done, MPI_STATUS_IGNORE);
  if (done != 0) {
    over_ = received_before_ && *received_before_ == mpi_->totals[0];
    received_before_ = mpi_->totals[1];
    watch(true);
  }
}

void Communicator::stop(const std::string& reason) {
  if (reason_.empty()) {
    reason_ = reason;
  }
  if (!std::exchange(stopped_, true)) {
    for (int to = 0; to < size_; ++to) {
      if (to != rank_) {
        // Empty, so it is gone at once; counted, so it is waited for.
        MPI_Send(nullptr, 0, MPI_UINT32_T, to, kStop + phase_, mpi_->batches);
        ++sent_;
        ++traffic_.messages;
      }
    }
  }
}

std::string Communicator::end() {
  while (!mpi_->sends.empty()) {  // others have received them all
    complete_sends();
  }
  handler_ = nullptr;
  // The last wave has found the same in all processes.
  return size_ == 1 ? reason_ : mpi_->totals[2] == 0 ? std::string() : first_of(reason_);
}

std::string Communicator::first_of(const std::string& reason) {
  const std::vector<std::string> reasons = gather(reason);
  const auto first =
      std::ranges::find_if(reasons, [](const std::string& other) { return !other.empty(); });
  return first == reasons.end() ? std::string() : *first;
}

}  // namespace nestor::cluster
