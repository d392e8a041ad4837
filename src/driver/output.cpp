#include "driver/output.h"

#include "base/input.h"

#include <ostream>

namespace nestor::driver {

void write_output(const std::string& path, const std::string& text, const Streams& streams) {
  if (path.empty() || path == "-") {
    streams.out << text;
    return;
  }
  base::OutputFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace nestor::driver
