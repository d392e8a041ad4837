#include "base/limits.h"
#include "cluster/communicator_mpi.h"

#include <algorithm>
#include <array>
#include <mpi.h>
#include <new>

// What all processes do together, and letters from one to one.

namespace nestor::cluster {

/// Not by MPI_Wait, which would keep a processor busy, and wait for ever if another one is gone.
void Communicator::wait(Request& request) {
  std::uint32_t rounds = 0;
  for (int done = 0;;) {
    MPI_Test(&request.value, &done, MPI_STATUS_IGNORE);
    if (done != 0) {
      watch(true);
      return;
    }
    answer();
    watch(false);
    rest(rounds);
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
  std::array<Word, 3> what{};
  within_limits([&] {
    try {
      work();
    } catch (const base::Error& error) {
      what = {1 + static_cast<Word>(error.kind()), error.location().line, error.location().column};
      problem = error.message();
      file = error.location().file;
    }
  });
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
    const Computing computing(*this);
    work();
  } catch (const base::LimitReached& limit) {
    reason = limit.reason;
  } catch (const std::bad_alloc&) {
    reason = kNoMemory;
  }
  if (reason.empty() && is_short_of_memory()) {
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
  std::uint32_t rounds = 0;
  for (int flag = 0; flag == 0;) {
    MPI_Iprobe(from.value_or(MPI_ANY_SOURCE), kPost, mpi_->all, &flag, &status);
    if (flag == 0) {
      answer();
      watch(false);
      rest(rounds);
    }
  }
  watch(true);
  int count = 0;
  MPI_Get_count(&status, MPI_CHAR, &count);
  Letter letter{status.MPI_SOURCE, std::string(static_cast<std::size_t>(count), '\0')};
  MPI_Recv(letter.text.data(), count, MPI_CHAR, status.MPI_SOURCE, kPost, mpi_->all,
           MPI_STATUS_IGNORE);
  take_sign_of_life(letter.from, kPost);
  return letter;
}

}  // namespace nestor::cluster
