#pragma once

#include "driver/run.h"

#include <string>
#include <vector>

namespace nestor::cluster {

class Communicator;

/// Runs `nestor-mpi` with these arguments; returns the exit status, which all but the first process
/// may ignore. Ends all processes if this one has a problem that the others do not have.
int run(Communicator& communicator, std::vector<std::string> arguments,
        const driver::Streams& streams);

}  // namespace nestor::cluster
