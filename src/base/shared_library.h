#pragma once

namespace nestor::base {

/// A library that is loaded when it is needed, and then stays. It may be missing.
class SharedLibrary {
 public:
  /// By the name that the system's loader looks for, such as `libz3.so.4`.
  explicit SharedLibrary(const char* name);

  /// Null if there is no such library, or no such function in it.
  void* symbol(const char* name) const;

  /// The same, with its type. False if it is missing.
  template <class Function>
  bool find(const char* name, Function*& function) const {
    function = reinterpret_cast<Function*>(symbol(name));
    return function != nullptr;
  }

 private:
  void* handle_;
};

}  // namespace nestor::base
