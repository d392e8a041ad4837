#pragma once

#include <string>
#include <vector>

namespace nestor::cluster {

/// What `nestor-mpi` takes besides the options of `nestor check`.
struct ClusterOptions {
  std::string checkpoint;         ///< a folder; empty: none
  bool resume = false;            ///< go on from it
  double checkpoint_every = 600;  ///< seconds
  double silence = 600;           ///< seconds that a process may say nothing
};

/// Takes these options out of the arguments. Throws Error (Usage).
ClusterOptions take_options(std::vector<std::string>& arguments);

/// What `nestor-mpi --help` says.
std::string help_text();

}  // namespace nestor::cluster
