#include "multicast_case.h"

#include "device/virtual_memory.h"

namespace warpwise::test {

using device::Address;
using device::MemoryId;
using device::Status;

namespace {

// Addresses with access to all of `memory`.
Status map_all(device::VirtualMemory& memory, MemoryId id, size_t bytes, Address* out) {
  Status status = memory.reserve(bytes, 0, out);
  if (status.ok()) status = memory.map(*out, bytes, id, 0);
  if (status.ok()) status = memory.set_access(*out, bytes, device::Access::ReadWrite);
  return status;
}

Status make(device::Device& device, const std::vector<std::byte>& bytes, unsigned copies, MulticastBuffer* out) {
  device::VirtualMemory& memory = *device.virtual_memory();
  const size_t each = bytes.size() / copies, unit = memory.granularity(), room = (each + unit - 1) / unit * unit;
  MemoryId object = 0;
  Status status = memory.create_multicast(room, copies, &object);
  for (unsigned k = 0; k < copies && status.ok(); ++k) status = memory.join(object, k);
  for (unsigned k = 0; k < copies && status.ok(); ++k) {
    MemoryId copy = 0;
    Address at = 0;
    status = memory.create(room, k, &copy);
    if (status.ok()) status = memory.bind(object, 0, copy, 0, room);
    if (status.ok()) status = map_all(memory, copy, room, &at);
    if (status.ok()) status = device.submit(0, device::CopyToDevice{at, bytes.data() + k * each, {each}});
    if (status.ok()) status = device.wait(0);
    out->copies.push_back(at);
  }
  if (status.ok()) status = map_all(memory, object, room, &out->address);
  return status;
}

}  // namespace

Result<MulticastBuffer> make_multicast(device::Device& device, const std::vector<std::byte>& bytes, unsigned copies) {
  MulticastBuffer buffer;
  Status status = make(device, bytes, copies, &buffer);
  if (!status.ok()) return Error{"U0005", status.detail};
  return buffer;
}

Status read_copies(device::Device& device, const MulticastBuffer& buffer, std::vector<std::byte>& bytes) {
  const size_t each = bytes.size() / buffer.copies.size();
  Status status = Status::success();
  for (size_t k = 0; k < buffer.copies.size() && status.ok(); ++k)
    status = device.submit(0, device::CopyFromDevice{bytes.data() + k * each, buffer.copies[k], {each}});
  return status.ok() ? device.wait(0) : status;
}

}  // namespace warpwise::test
