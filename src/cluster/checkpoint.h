#pragma once

#include "cluster/communicator.h"
#include "cluster/exploration.h"

#include <cstdint>
#include <string>

namespace nestor::cluster {

/// An explored graph in a folder, a file for each process and one, `manifest`, that says which
/// files belong together: each appears whole or not at all, the manifest last, so that an
/// interruption leaves the checkpoint before. What is read has to be the very bytes that were
/// written: each file ends with its SHA-256.
class Checkpoint {
 public:
  /// `model`: the SHA-256 of what the graph is of.
  Checkpoint(Communicator& communicator, std::string folder, std::string model)
      : communicator_(communicator), folder_(std::move(folder)), model_(std::move(model)) {}

  // All processes call these. They throw Error: a file that cannot be written or read, is damaged,
  // or belongs to something else.

  /// Before the work: makes the folder, and refuses one with a checkpoint that would be lost.
  void prepare();
  void write(const GraphPart& part);
  /// Fills `part`, which is empty, also from the files of another number of processes.
  void read(GraphPart& part);

  std::uint64_t written() const { return written_; }  ///< how many times

 private:
  struct Manifest {
    std::uint64_t processes = 0;
    std::uint64_t generation = 0;
  };
  /// What a part says of itself.
  struct Head {
    std::uint64_t states = 0;
    std::uint64_t expanded = 0;
    std::uint64_t initial = 0;
  };
  class PartWriter;
  class PartReader;
  class Redistribution;

  std::string path_of(std::uint64_t generation, std::uint64_t process) const;
  std::string manifest_path() const { return folder_ + "/manifest"; }
  Manifest read_manifest() const;
  void remove_old(std::uint64_t processes, std::uint64_t generation) const;
  Head read_head(PartReader& in, const Manifest& manifest, std::uint64_t process) const;
  void read_own(GraphPart& part, const Manifest& manifest);

  Communicator& communicator_;
  std::string folder_;
  std::string model_;
  std::uint64_t written_ = 0;
  Manifest last_;  // that is in the folder
};

}  // namespace nestor::cluster
