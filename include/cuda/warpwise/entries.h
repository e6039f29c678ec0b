// What a library says about the functions that it offers: plain data that the compiler fills in (signatures.h) and the
// process that loads the library reads (src/capi/library.cpp).
#pragma once

namespace warpwise_entries {

enum Kind : unsigned char { kVoid, kBool, kSigned, kUnsigned, kFloating, kOther };

// A type of a parameter or a result. For a pointer, kind, size and const are those of what it points to.
struct Type {
  const char* spelling;  // ends in "[T = const float *]"
  Kind kind;
  bool pointer, constant;
  unsigned bytes;
};

struct Entry {
  const char* name;  // null: the end of the list
  const void* address;
  bool kernel;
  // Calls a host function: an address for each argument, and for the result. Null for kernels.
  void (*call)(const void* address, void* const* arguments, void* result);
  Type result;
  const Type* parameters;
  unsigned parameter_count;
};

}  // namespace warpwise_entries
