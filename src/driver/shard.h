#pragma once

#include "driver/options.h"

#include <nestor/shard.h>
#include <optional>
#include <string>

namespace nestor::driver {

/// Of --shard; nothing if it is not given. Throws Error (Usage) for one that makes no sense, and
/// for options that a shard cannot have.
std::optional<Shard> shard_of(const Options& options);

/// What all parts of one report agree on, and which of them this one is.
Part begin_part(const std::string& command, const Options& options, const Shard& shard);

}  // namespace nestor::driver
