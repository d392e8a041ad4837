// Stands in for reader.cpp where LLVM is missing: the format exists and says so.

#include "format/bitcode/reader.h"

namespace nestor::format {

logic::ReadModel read_bitcode(const base::Input&, const logic::ReadOptions&) {
  throw base::Error(base::Error::Kind::Usage,
                    "this nestor was built without LLVM and cannot read C and C++ programs");
}

}  // namespace nestor::format
