#include "cluster/communicator.h"

#include "base/error.h"
#include "base/limits.h"

#include <climits>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <list>
#include <mpi.h>
#include <new>
#include <thread>
#include <utility>

namespace nestor::cluster {

namespace {

constexpr const char* kNoMemory = "out of memory";

// Batches and stops of one phase have other tags than those of the next: a process may be there
// before the others, but never two phases ahead.
enum Tag : int { kPost = 1, kAreYouThere = 2, kHere = 3, kBatch = 4, kStop = 6 };

// Together they bound what is on its way: after that, a process takes before it sends.
constexpr std::size_t kMostSends = 64;
constexpr std::size_t kMostBatchWords = std::size_t{1} << 26;

// A process without work first looks often, then sleeps, so that others have the processor. It
// never yields: on a machine where all processors are busy that takes its place in the queue away.
constexpr std::uint32_t kRoundsBeforeSleep = 20;
constexpr std::chrono::microseconds kSleep{50};

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

int to_int(std::size_t size) {
  NESTOR_CHECK(size <= static_cast<std::size_t>(INT_MAX));
  return static_cast<int>(size);
}

}  // namespace

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
  std::list<Send> sends;
  std::vector<std::vector<Word>> spare;  // batches that were sent
  std::vector<Word> incoming;
  MPI_Request wave = MPI_REQUEST_NULL;
  std::array<std::uint64_t, 3> counts{};  // sent and received here, and whether it was stopped
  std::array<std::uint64_t, 3> totals{};
  std::vector<double> heard;  // by process: when it has said something last
  std::vector<double> asked;  // likewise: when it was asked whether it is there; 0: it was not
};

void start_mpi(int argc, char** argv) {
  setenv("OMPI_MCA_mpi_yield_when_idle", "0", 1);  // see kRoundsBeforeSleep
  MPI_Init(&argc, &argv);
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
}

Communicator::~Communicator() {
  MPI_Comm_free(&mpi_->batches);
  MPI_Comm_free(&mpi_->all);
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
}

std::string Communicator::run(const Handler& handler, const std::function<void()>& work) {
  handler_ = [&](int from, std::span<const Word> batch) { guarded([&] { handler(from, batch); }); };
  phase_ = (phase_ + 1) % 2;
  sent_ = received_ = 0;
  stopped_ = over_ = false;
  reason_.clear();
  received_before_.reset();
  waiting_since_ = 0;
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
  while (mpi_->sends.size() >= kMostSends) {
    complete_sends();
    const bool heard = receive_one();
    watch(heard || mpi_->sends.size() < kMostSends);
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
  if (++idle_rounds_ > kRoundsBeforeSleep) {
    std::this_thread::sleep_for(kSleep);
  }
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

/// Called in every loop that waits for others.
void Communicator::watch(bool heard) {
  if (heard) {
    waiting_since_ = 0;
    return;
  }
  const double time = now();
  if (waiting_since_ == 0) {
    waiting_since_ = time;
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

/// Not by MPI_Wait, which would keep a processor busy, and wait for ever if another one is gone.
void Communicator::wait(Request& request) {
  std::uint32_t rounds = 0;
  waiting_since_ = 0;
  for (int done = 0;;) {
    MPI_Test(&request.value, &done, MPI_STATUS_IGNORE);
    if (done != 0) {
      waiting_since_ = 0;
      return;
    }
    answer();
    watch(false);
    if (++rounds > kRoundsBeforeSleep) {
      std::this_thread::sleep_for(kSleep);
    }
  }
}

void Communicator::abort(int status) {
  MPI_Abort(MPI_COMM_WORLD, status);
}

std::uint64_t Communicator::sum(std::uint64_t value) {
  sum(std::span(&value, 1));
  return value;
}

std::uint64_t Communicator::largest(std::uint64_t value) {
  std::uint64_t most = value;
  Request request;
  MPI_Iallreduce(&value, &most, 1, MPI_UINT64_T, MPI_MAX, mpi_->all, &request.value);
  wait(request);
  return most;
}

void Communicator::sum(std::span<std::uint64_t> values) {
  Request request;
  MPI_Iallreduce(MPI_IN_PLACE, values.data(), to_int(values.size()), MPI_UINT64_T, MPI_SUM,
                 mpi_->all, &request.value);
  wait(request);
}

std::string Communicator::broadcast(std::string text, int root) {
  std::uint64_t size = text.size();
  Request request;
  MPI_Ibcast(&size, 1, MPI_UINT64_T, root, mpi_->all, &request.value);
  wait(request);
  text.resize(size);
  MPI_Ibcast(text.data(), to_int(size), MPI_CHAR, root, mpi_->all, &request.value);
  wait(request);
  return text;
}

std::vector<Word> Communicator::broadcast(std::vector<Word> words, int root) {
  std::uint64_t size = words.size();
  Request request;
  MPI_Ibcast(&size, 1, MPI_UINT64_T, root, mpi_->all, &request.value);
  wait(request);
  words.resize(size);
  MPI_Ibcast(words.data(), to_int(size), MPI_UINT32_T, root, mpi_->all, &request.value);
  wait(request);
  return words;
}

std::vector<std::vector<Word>> Communicator::gather(std::span<const Word> words) {
  const int count = to_int(words.size());
  std::vector<int> counts(out_.size());
  Request request;
  MPI_Iallgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, mpi_->all, &request.value);
  wait(request);
  std::vector<int> places(out_.size());
  std::size_t total = 0;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    places[r] = to_int(total);
    total += static_cast<std::size_t>(counts[r]);
  }
  std::vector<Word> joined(total);
  MPI_Iallgatherv(words.data(), count, MPI_UINT32_T, joined.data(), counts.data(), places.data(),
                  MPI_UINT32_T, mpi_->all, &request.value);
  wait(request);
  std::vector<std::vector<Word>> result;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    const auto begin = joined.begin() + places[r];
    result.emplace_back(begin, begin + counts[r]);
  }
  return result;
}

std::vector<std::string> Communicator::gather(const std::string& text) {
  std::vector<Word> words(text.begin(), text.end());
  std::vector<std::string> result;
  for (const std::vector<Word>& own : gather(words)) {
    std::string& to = result.emplace_back();
    for (const Word w : own) {
      to.push_back(static_cast<char>(w));
    }
  }
  return result;
}

void Communicator::agree(const std::function<void()>& work) {
  // kind, line, column, message and file of an error, as words and texts
  std::string problem;
  std::string file;
  std::array<Word, 4> what{};
  try {
    work();
  } catch (const base::Error& error) {
    what = {1 + static_cast<Word>(error.kind()), error.location().line, error.location().column, 0};
    problem = error.message();
    file = error.location().file;
  } catch (const std::bad_alloc&) {
    what = {1 + static_cast<Word>(base::Error::Kind::System), 0, 0, 0};
    problem = "out of memory";
  }
  const std::vector<std::vector<Word>> all = gather(what);
  for (int r = 0; r < size_; ++r) {
    const std::vector<Word>& found = all[static_cast<std::size_t>(r)];
    if (found[0] != 0) {
      problem = broadcast(problem, r);
      file = broadcast(file, r);
      throw base::Error(static_cast<base::Error::Kind>(found[0] - 1), problem,
                        {file, found[1], found[2]});
    }
  }
}

void Communicator::within_limits(const std::function<void()>& work) {
  std::string reason;
  try {
    work();
  } catch (const base::LimitReached& limit) {
    reason = limit.reason;
  } catch (const std::bad_alloc&) {
    reason = kNoMemory;
  }
  if (any(!reason.empty())) {
    throw base::LimitReached{first_of(reason)};
  }
}

void Communicator::post(int to, std::string_view text) {
  MPI_Send(text.data(), to_int(text.size()), MPI_CHAR, to, kPost, mpi_->all);
  ++traffic_.messages;
  traffic_.bytes += text.size();
}

bool Communicator::has_letter() {
  int flag = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, kPost, mpi_->all, &flag, MPI_STATUS_IGNORE);
  return flag != 0;
}

Communicator::Letter Communicator::receive(std::optional<int> from) {
  MPI_Status status;
  for (int flag = 0; flag == 0;) {
    MPI_Iprobe(from.value_or(MPI_ANY_SOURCE), kPost, mpi_->all, &flag, &status);
    if (flag == 0) {
      answer();
      std::this_thread::sleep_for(kSleep);
    }
  }
  int count = 0;
  MPI_Get_count(&status, MPI_CHAR, &count);
  Letter letter{status.MPI_SOURCE, std::string(static_cast<std::size_t>(count), '\0')};
  MPI_Recv(letter.text.data(), count, MPI_CHAR, status.MPI_SOURCE, kPost, mpi_->all,
           MPI_STATUS_IGNORE);
  return letter;
}

}  // namespace nestor::cluster
