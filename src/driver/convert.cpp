#include "base/input.h"
#include "driver/commands.h"
#include "driver/load.h"
#include "format/registry.h"

#include <fmt/format.h>

#include <ostream>

namespace nestor {

int run_convert(const Options& options, const Streams& streams) {
  const FormatInfo& to = find_format(options.to, options.output);
  if (to.write == nullptr) {
    throw Error(Error::Kind::Usage,
                fmt::format("format '{}' can only be read, not written", to.id));
  }
  const LoadedModel loaded = load_whole_model(options, streams);
  const std::string text = to.write(loaded.model);
  if (options.output == "-") {
    streams.out << text;
  } else {
    OutputFile file(options.output);
    file.write(text);
    file.commit();
  }
  return kAllHold;
}

}  // namespace nestor
