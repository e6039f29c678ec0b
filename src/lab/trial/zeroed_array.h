// An array that begins as zeros, in pages of its own: what is not touched takes neither memory nor time, and what is
// touched comes in large pages where the system has them.
//
//     ZeroedArray<double> bound(4'000'000);   // no memory yet
//     bound[0] = 1;                           // 2 MiB of it
//
// The inputs and answers of a large case have a hundred megabytes. The first touch of a page of 4 KiB costs about two
// microseconds, ten times what filling it takes, and std::vector goes over every page once more to write the zeros that
// are there already: half the time of a first verdict.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace warpwise::lab {

// Null where there is no memory.
void* map_zeroed(size_t bytes);
void unmap_zeroed(void* memory, size_t bytes);

template <class T>
class ZeroedArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  ZeroedArray() = default;
  explicit ZeroedArray(size_t count) : size_(count) {
    if (count == 0) return;
    if (count > size_t(PTRDIFF_MAX) / sizeof(T)) throw std::bad_alloc();
    data_ = static_cast<T*>(map_zeroed(count * sizeof(T)));
    if (!data_) throw std::bad_alloc();
  }
  ZeroedArray(std::initializer_list<T> values) : ZeroedArray(values.size()) {
    std::copy(values.begin(), values.end(), data_);
  }
  ZeroedArray(const ZeroedArray& other) : ZeroedArray(other.size_) { std::copy(other.begin(), other.end(), data_); }
  ZeroedArray(ZeroedArray&& other) noexcept { swap(other); }
  ZeroedArray& operator=(ZeroedArray other) noexcept {
    swap(other);
    return *this;
  }
  ~ZeroedArray() {
    if (data_) unmap_zeroed(data_, size_ * sizeof(T));
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }
  bool operator==(const ZeroedArray& other) const { return std::equal(begin(), end(), other.begin(), other.end()); }

 private:
  void swap(ZeroedArray& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }
  T* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace warpwise::lab
