// Textures and surfaces of a GpuDevice.
//
// Images in linear memory and single images with pitched rows are the driver's own kinds. All others (1-D, 3-D, cubes,
// layers, levels, and whatever is written as a surface) the driver wants in a CUarray, whose layout is its secret,
// while device.h has them as plain rows in memory. Such an image gets an array beside its memory:
//
//     memory  ──before a launch, if the memory is newer──►  array  ◄── kernels sample it, and write it as a surface
//     memory  ◄──before a copy reads it, if it is older──   array
//
// Kernels have no address of an image's memory: only copies and fills write it, and they pass by here. So each side is
// brought up to date when it is used, and a program pays one copy for each upload. The alternative, giving images to
// the driver in whole, would give device.h a second kind of memory for their sake.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "device/gpu/context.h"
#include "device/texture.h"

namespace warpwise::device::gpu {

class Images {
 public:
  explicit Images(const Context& context) : context_(context) {}

  Status create(const TextureDescriptor& texture, uint64_t* handle);
  // The caller has waited for all work.
  Status destroy(uint64_t handle);
  // Destroys all of them; or the context has done so.
  void clear();
  void forget() { objects_.clear(), mirrors_.clear(); }

  // A command of the stream is about to read or to write memory of the device, or to launch a kernel.
  Status before_read(CUstream stream, Address address, size_t bytes);
  Status before_write(CUstream stream, Address address, size_t bytes);
  Status before_launch(CUstream stream);
  void after_launch();

 private:
  // An image with an array beside it.
  struct Mirror {
    Image image;
    CUarray array = nullptr;  // of an image with one level
    CUmipmappedArray mipmapped = nullptr;
    unsigned users = 0;     // textures and surfaces
    unsigned surfaces = 0;  // of them
    bool memory_newer = true, array_newer = false;
  };
  struct Object {
    bool surface = false;
    Address mirror = 0;  // 0: none
  };

  Status find_mirror(const Image& image, Mirror** out);
  Status make_mirror(const Image& image, Mirror* mirror) const;
  Status destroy_mirror(Mirror& mirror) const;
  Status move(CUstream stream, Mirror& mirror, bool to_array) const;
  Status settle(CUstream stream, Mirror& mirror, bool to_array) const;
  template <class F>
  Status for_each_in(Address address, size_t bytes, F&& f);

  const Context& context_;
  std::mutex mutex_;
  std::map<Address, Mirror> mirrors_;  // by the address of the first level
  std::map<uint64_t, Object> objects_;
};

}  // namespace warpwise::device::gpu
