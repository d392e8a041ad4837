// Stands in for reader.cpp where LLVM is missing: the format exists and says so.

#include "format/bitcode/reader.h"

namespace nestor {

ReadModel read_bitcode(const Input&, const ReadOptions&) {
  throw Error(Error::Kind::Usage,
              "this nestor was built without LLVM and cannot read C and C++ programs");
}

}  // namespace nestor
