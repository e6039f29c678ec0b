// NVTX for C++: ranges that end with their scope. A domain is a type with a member `name`; messages and categories that are to be
// made once are types with a member `message` or `name`.
#pragma once

#include <string>
#include <utility>

#include "nvToolsExt.h"

namespace nvtx3 {
inline namespace v1 {

struct rgb {
  constexpr rgb(uint8_t red, uint8_t green, uint8_t blue) : red(red), green(green), blue(blue) {}
  uint8_t red, green, blue;
};
struct argb {
  constexpr argb(uint8_t alpha, uint8_t red, uint8_t green, uint8_t blue) : alpha(alpha), red(red), green(green), blue(blue) {}
  uint8_t alpha, red, green, blue;
};
class color {
 public:
  using value_type = uint32_t;
  constexpr explicit color(value_type value) : value_(value) {}
  constexpr color(argb c) : value_(uint32_t(c.alpha) << 24 | uint32_t(c.red) << 16 | uint32_t(c.green) << 8 | c.blue) {}
  constexpr color(rgb c) : color(argb{255, c.red, c.green, c.blue}) {}
  constexpr value_type get_value() const { return value_; }

 private:
  value_type value_;
};
class category {
 public:
  using id_type = uint32_t;
  constexpr explicit category(id_type id) : id_(id) {}
  constexpr id_type get_id() const { return id_; }

 private:
  id_type id_;
};
class payload {
 public:
  constexpr explicit payload(uint64_t v) : type_(NVTX_PAYLOAD_TYPE_UNSIGNED_INT64) { value_.ullValue = v; }
  constexpr explicit payload(int64_t v) : type_(NVTX_PAYLOAD_TYPE_INT64) { value_.llValue = v; }
  constexpr explicit payload(uint32_t v) : type_(NVTX_PAYLOAD_TYPE_UNSIGNED_INT32) { value_.uiValue = v; }
  constexpr explicit payload(int32_t v) : type_(NVTX_PAYLOAD_TYPE_INT32) { value_.iValue = v; }
  constexpr explicit payload(double v) : type_(NVTX_PAYLOAD_TYPE_DOUBLE) { value_.dValue = v; }
  constexpr explicit payload(float v) : type_(NVTX_PAYLOAD_TYPE_FLOAT) { value_.fValue = v; }
  using value_type = decltype(nvtxEventAttributes_t::payload);
  constexpr int32_t get_type() const { return type_; }
  constexpr value_type get_value() const { return value_; }

 private:
  int32_t type_;
  value_type value_{};
};

class domain {
 public:
  struct global {
    static constexpr const char* name = nullptr;
  };
  // One of each type, for as long as the program runs.
  template <class D = global>
  static const domain& get() {
    static const domain one(D::name);
    return one;
  }
  operator nvtxDomainHandle_t() const { return handle_; }

 private:
  explicit domain(const char* name) : handle_(name ? nvtxDomainCreateA(name) : nullptr) {}
  explicit domain(const wchar_t* name) : handle_(name ? nvtxDomainCreateW(name) : nullptr) {}
  nvtxDomainHandle_t handle_;
};

template <class D = domain::global>
class registered_string_in {
 public:
  explicit registered_string_in(const char* text) : handle_(nvtxDomainRegisterStringA(domain::get<D>(), text)) {}
  explicit registered_string_in(const std::string& text) : registered_string_in(text.c_str()) {}
  explicit registered_string_in(const wchar_t* text) : handle_(nvtxDomainRegisterStringW(domain::get<D>(), text)) {}
  template <class Message>
  static const registered_string_in& get() {
    static const registered_string_in one(Message::message);
    return one;
  }
  nvtxStringHandle_t get_handle() const { return handle_; }

 private:
  nvtxStringHandle_t handle_;
};
using registered_string = registered_string_in<>;

template <class D = domain::global>
class named_category_in : public category {
 public:
  named_category_in(id_type id, const char* name) : category(id) { nvtxDomainNameCategoryA(domain::get<D>(), id, name); }
  template <class C>
  static const named_category_in& get() {
    static const named_category_in one(C::id, C::name);
    return one;
  }
};
using named_category = named_category_in<>;

// What is said must live until the range has begun; the profiler keeps its own copy.
class message {
 public:
  message(const char* text) : type_(NVTX_MESSAGE_TYPE_ASCII) { value_.ascii = text; }
  message(const std::string& text) : message(text.c_str()) {}
  message(const wchar_t* text) : type_(NVTX_MESSAGE_TYPE_UNICODE) { value_.unicode = text; }
  message(const std::wstring& text) : message(text.c_str()) {}
  message(nvtxStringHandle_t text) : type_(NVTX_MESSAGE_TYPE_REGISTERED) { value_.registered = text; }
  template <class D>
  message(const registered_string_in<D>& text) : message(text.get_handle()) {}
  int32_t get_type() const { return type_; }
  nvtxMessageValue_t get_value() const { return value_; }

 private:
  int32_t type_;
  nvtxMessageValue_t value_{};
};

// A message, a colour, a category and a payload, in any order.
class event_attributes {
 public:
  event_attributes() {
    attributes_.version = NVTX_VERSION;
    attributes_.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  }
  template <class... More>
  explicit event_attributes(const More&... more) : event_attributes() {
    (take(more), ...);
  }
  const nvtxEventAttributes_t* get() const { return &attributes_; }

 private:
  void take(const category& c) { attributes_.category = c.get_id(); }
  void take(const color& c) { attributes_.colorType = NVTX_COLOR_ARGB, attributes_.color = c.get_value(); }
  void take(const rgb& c) { take(color(c)); }
  void take(const argb& c) { take(color(c)); }
  void take(const payload& p) { attributes_.payloadType = p.get_type(), attributes_.payload = p.get_value(); }
  void take(const message& m) { attributes_.messageType = m.get_type(), attributes_.message = m.get_value(); }

  nvtxEventAttributes_t attributes_{};
};

template <class D = domain::global>
class scoped_range_in {
 public:
  scoped_range_in() : scoped_range_in(event_attributes{}) {}
  explicit scoped_range_in(const event_attributes& attributes) { nvtxDomainRangePushEx(domain::get<D>(), attributes.get()); }
  template <class First, class... More>
  explicit scoped_range_in(const First& first, const More&... more) : scoped_range_in(event_attributes(first, more...)) {}
  ~scoped_range_in() { nvtxDomainRangePop(domain::get<D>()); }
  scoped_range_in(const scoped_range_in&) = delete;
  scoped_range_in& operator=(const scoped_range_in&) = delete;
  void* operator new(size_t) = delete;  // it must end before those that were begun before it
};
using scoped_range = scoped_range_in<>;

struct range_handle {
  using value_type = nvtxRangeId_t;
  constexpr explicit range_handle(value_type id = 0) : id_(id) {}
  constexpr value_type get_value() const { return id_; }
  constexpr explicit operator bool() const { return id_ != 0; }

 private:
  value_type id_;
};
template <class D = domain::global>
range_handle start_range_in(const event_attributes& attributes) { return range_handle(nvtxDomainRangeStartEx(domain::get<D>(), attributes.get())); }
template <class D = domain::global, class First, class... More>
range_handle start_range_in(const First& first, const More&... more) { return start_range_in<D>(event_attributes(first, more...)); }
template <class... A>
range_handle start_range(const A&... attributes) { return start_range_in<domain::global>(attributes...); }
template <class D = domain::global>
void end_range_in(range_handle range) { nvtxDomainRangeEnd(domain::get<D>(), range.get_value()); }
inline void end_range(range_handle range) { end_range_in<>(range); }

template <class D = domain::global>
class unique_range_in {
 public:
  template <class... A>
  explicit unique_range_in(const A&... attributes) : range_(start_range_in<D>(event_attributes(attributes...))) {}
  unique_range_in(unique_range_in&& other) noexcept : range_(std::exchange(other.range_, range_handle())) {}
  unique_range_in& operator=(unique_range_in&& other) noexcept {
    std::swap(range_, other.range_);
    return *this;
  }
  ~unique_range_in() {
    if (range_) end_range_in<D>(range_);
  }

 private:
  range_handle range_;
};
using unique_range = unique_range_in<>;

template <class D = domain::global>
void mark_in(const event_attributes& attributes) { nvtxDomainMarkEx(domain::get<D>(), attributes.get()); }
template <class D = domain::global, class First, class... More>
void mark_in(const First& first, const More&... more) { mark_in<D>(event_attributes(first, more...)); }
template <class... A>
void mark(const A&... attributes) { mark_in<domain::global>(attributes...); }

}  // namespace v1
}  // namespace nvtx3

#define NVTX3_V1_FUNC_RANGE_IN(D) const ::nvtx3::v1::scoped_range_in<D> nvtx3_range{__func__}
#define NVTX3_V1_FUNC_RANGE() NVTX3_V1_FUNC_RANGE_IN(::nvtx3::v1::domain::global)
#define NVTX3_FUNC_RANGE_IN NVTX3_V1_FUNC_RANGE_IN
#define NVTX3_FUNC_RANGE NVTX3_V1_FUNC_RANGE
