// The functions of a source as data: what stands at the end of a source that becomes a library (src/capi/library.cpp).
//
//     WARPWISE_ENTRIES_BEGIN
//     WARPWISE_KERNEL(scale)          __global__ void scale(float* x, float by)
//     WARPWISE_FUNCTION(solve)        extern "C" void solve(const float* a, float* out, int n)
//     WARPWISE_ENTRIES_END
//
// The compiler itself says what the types are, so macros, typedefs and namespaces are no obstacle. Only names come from
// a reading of the text. C++11, and no header of the standard library: every load pays for what is read here.
#pragma once

#include "warpwise/entries.h"

namespace warpwise_entries {

template <class T>
const char* spelling() {
  return __PRETTY_FUNCTION__;
}

// How many bytes an object has; 0 for void, functions and types that are only declared.
template <class T>
constexpr auto size_in_bytes(int) -> decltype(unsigned(sizeof(T))) {
  return sizeof(T);
}
template <class T>
constexpr unsigned size_in_bytes(long) {
  return 0;
}

template <class T>
struct WithoutConst {
  using Type = T;
  static constexpr bool kConstant = false;
};
template <class T>
struct WithoutConst<const T> {
  using Type = T;
  static constexpr bool kConstant = true;
};

template <class T, bool = __is_integral(T)>
struct KindOf {
  static constexpr Kind kKind = __is_void(T) ? kVoid : __is_floating_point(T) ? kFloating : kOther;
};
template <class T>
struct KindOf<T, true> {
  static constexpr Kind kKind = __is_same(T, bool) ? kBool : T(-1) < T(0) ? kSigned : kUnsigned;
};

template <class T>
struct Describe {
  static Type type() { return {spelling<T>(), KindOf<T>::kKind, false, false, size_in_bytes<T>(0)}; }
  using Stored = T;
};
template <class T>
struct Describe<T*> {
  using Pointee = WithoutConst<T>;
  static Type type() {
    return {spelling<T*>(), KindOf<typename Pointee::Type>::kKind, true, Pointee::kConstant,
            size_in_bytes<typename Pointee::Type>(0)};
  }
  using Stored = T*;
};

// A reference: what it refers to is passed as a value, so what the function writes there is lost. Numbers may be passed
// so where they are const.
template <class T>
struct Describe<T&> {
  using Referred = WithoutConst<T>;
  static Type type() {
    return {spelling<typename Referred::Type>(), Referred::kConstant ? KindOf<typename Referred::Type>::kKind : kOther,
            false, false, size_in_bytes<T>(0)};
  }
  using Stored = typename Referred::Type;
};

template <unsigned...>
struct Indices {};
template <unsigned n, unsigned... rest>
struct IndicesTo : IndicesTo<n - 1, n - 1, rest...> {};
template <unsigned... all>
struct IndicesTo<0, all...> {
  using Type = Indices<all...>;
};

template <class R>
struct Invoke {
  template <class... A, unsigned... i>
  static void with(R (*function)(A...), void* const* arguments, void* result, Indices<i...>) {
    *static_cast<R*>(result) = function(*static_cast<typename Describe<A>::Stored*>(arguments[i])...);
  }
};
template <>
struct Invoke<void> {
  template <class... A, unsigned... i>
  static void with(void (*function)(A...), void* const* arguments, void*, Indices<i...>) {
    function(*static_cast<typename Describe<A>::Stored*>(arguments[i])...);
  }
};

template <class R, class... A>
struct Signature {
  static const Type* parameters() {
    static const Type list[] = {Describe<A>::type()..., Type()};
    return list;
  }
  static void call(const void* address, void* const* arguments, void* result) {
    Invoke<R>::with(reinterpret_cast<R (*)(A...)>(const_cast<void*>(address)), arguments, result,
                    typename IndicesTo<sizeof...(A)>::Type());
  }
};

template <class R, class... A>
Entry function(const char* name, R (*f)(A...)) {
  return {name,
          reinterpret_cast<const void*>(f),
          false,
          &Signature<R, A...>::call,
          Describe<R>::type(),
          Signature<R, A...>::parameters(),
          sizeof...(A)};
}
template <class R, class... A>
Entry kernel(const char* name, R (*f)(A...)) {
  return {name,
          reinterpret_cast<const void*>(f),
          true,
          nullptr,
          Describe<R>::type(),
          Signature<R, A...>::parameters(),
          sizeof...(A)};
}

}  // namespace warpwise_entries

#define WARPWISE_ENTRIES_BEGIN                                                                     \
  extern "C" __attribute__((visibility("default"))) const void* warpwise_entries_of_this_library() { \
    static const ::warpwise_entries::Entry list[] = {
#define WARPWISE_FUNCTION(name) ::warpwise_entries::function(#name, &name),
#define WARPWISE_KERNEL(name) ::warpwise_entries::kernel(#name, &name),
#define WARPWISE_ENTRIES_END      \
      ::warpwise_entries::Entry() \
    };                            \
    return list;                  \
  }
