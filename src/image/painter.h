// Paints a piece: a device with the picture and the arrays, on which all kernels run for each frame.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "exec/virtual_device.h"
#include "image/piece.h"

namespace warpwise::image {

// What the kernels are told.
struct Moment {
  float time = 0;                  // seconds
  float mouse_x = 0, mouse_y = 0;  // in pixels, from the upper left corner
  int frame = 0;
};

// A kernel of a frame may take so long. Most take milliseconds; the rest is for busy machines.
constexpr double kLongestFrame = 5;

class Painter {
 public:
  // Loads the PTX and makes the arrays, filled with zeros. `setup` says what observes, and the limits. I0001 to I0003;
  // I0004 when the device refuses.
  static Result<std::unique_ptr<Painter>> open(std::string_view ptx, std::string_view source, const Shape& shape,
                                               exec::DeviceSetup setup);

  // I0004: a kernel failed, and why. All later frames fail, too.
  Result<void> paint(const Moment& moment);
  // Red, green, blue and 255: a piece need not know of opacity.
  std::string pixels() const;

  const Shape& shape() const { return shape_; }
  const Passes& passes() const { return passes_; }
  device::Address picture() const { return picture_; }
  std::span<const device::Address> arrays() const { return arrays_; }
  size_t bytes_of_array(size_t n) const { return shape_.pixels() * passes_.arrays[n].bytes; }
  exec::VirtualDevice& gpu() { return *gpu_; }

  // The contents of all arrays, one behind the other; frames go on from there. I0005 for a text of another size.
  std::string state() const;
  Result<void> restore(std::string_view state);

 private:
  Painter(const Shape& shape) : shape_(shape) {}
  Result<void> make_arrays();
  Result<void> find_kernels(std::string_view ptx, std::string_view source);

  const Shape shape_;
  Passes passes_;
  std::unique_ptr<exec::VirtualDevice> gpu_;
  device::Address picture_ = 0;
  std::vector<device::Address> arrays_;
  std::vector<device::KernelId> kernels_;  // of the passes
};

}  // namespace warpwise::image
