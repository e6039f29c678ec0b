// The same kernels in OpenCL C, by PoCL on the CPU.
#include "peers/competitor.h"

#if WARPWISE_BENCH_OPENCL
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace warpwise::bench {
namespace {

// What a user who wants speed would say.
constexpr const char* kBuildOptions = "-cl-fast-relaxed-math -cl-mad-enable";

void check(cl_int status, const char* what) {
  if (status != CL_SUCCESS) give_up(fmt::format("{}: OpenCL error {}", what, status));
}

struct Machine {
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
};

class OnPocl : public Prepared {
 public:
  OnPocl(const Machine& machine, const std::string& name, const Case& the_case)
      : machine_(machine),
        global_{size_t{the_case.grid.x} * the_case.block.x, size_t{the_case.grid.y} * the_case.block.y},
        local_{the_case.block.x, the_case.block.y},
        output_(the_case.output),
        output_size_(the_case.buffers[output_].size()) {
    build(name);
    for (const Bytes& bytes : the_case.buffers) {
      cl_int status;
      cl_mem buffer = clCreateBuffer(machine_.context, CL_MEM_READ_WRITE, bytes.size(), nullptr, &status);
      check(status, "clCreateBuffer");
      check(clEnqueueWriteBuffer(machine_.queue, buffer, CL_TRUE, 0, bytes.size(), bytes.data(), 0, nullptr, nullptr),
            "clEnqueueWriteBuffer");
      check(clSetKernelArg(kernel_, static_cast<cl_uint>(buffers_.size()), sizeof buffer, &buffer), "clSetKernelArg");
      buffers_.push_back(buffer);
    }
    auto place = static_cast<cl_uint>(buffers_.size());
    for (const Scalar& scalar : the_case.scalars)
      std::visit([&](auto value) { check(clSetKernelArg(kernel_, place++, sizeof value, &value), "clSetKernelArg"); },
                 scalar);
  }
  ~OnPocl() override {
    clFinish(machine_.queue);
    for (cl_mem buffer : buffers_) clReleaseMemObject(buffer);
    clReleaseKernel(kernel_);
    clReleaseProgram(program_);
  }
  void run() override {
    check(clEnqueueNDRangeKernel(machine_.queue, kernel_, 2, nullptr, global_, local_, 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
    check(clFinish(machine_.queue), "clFinish");
  }
  Bytes output() override {
    Bytes bytes(output_size_);
    check(clEnqueueReadBuffer(machine_.queue, buffers_[output_], CL_TRUE, 0, bytes.size(), bytes.data(), 0, nullptr,
                              nullptr),
          "clEnqueueReadBuffer");
    return bytes;
  }

 private:
  void build(const std::string& name) {
    std::ifstream file(fmt::format("{}/bench/kernels/{}.cl", WARPWISE_SOURCE_DIR, name));
    std::ostringstream content;
    content << file.rdbuf();
    std::string text = content.str();
    const char* pointer = text.c_str();
    cl_int status;
    program_ = clCreateProgramWithSource(machine_.context, 1, &pointer, nullptr, &status);
    check(status, "clCreateProgramWithSource");
    if (clBuildProgram(program_, 1, &machine_.device, kBuildOptions, nullptr, nullptr) != CL_SUCCESS) {
      char log[4096] = "";
      clGetProgramBuildInfo(program_, machine_.device, CL_PROGRAM_BUILD_LOG, sizeof log, log, nullptr);
      give_up(fmt::format("{}.cl: {}", name, log));
    }
    kernel_ = clCreateKernel(program_, name.c_str(), &status);
    check(status, "clCreateKernel");
  }

  const Machine& machine_;
  size_t global_[2], local_[2];
  size_t output_, output_size_;
  cl_program program_ = nullptr;
  cl_kernel kernel_ = nullptr;
  std::vector<cl_mem> buffers_;
};

class Pocl : public Competitor {
 public:
  Pocl(Machine machine, std::string description) : machine_(machine), description_(std::move(description)) {}
  ~Pocl() override {
    clReleaseCommandQueue(machine_.queue);
    clReleaseContext(machine_.context);
  }
  std::string name() const override { return "PoCL"; }
  std::string description() const override { return description_; }
  std::unique_ptr<Prepared> prepare(const std::string& kernel, const Case& the_case) override {
    return std::make_unique<OnPocl>(machine_, kernel, the_case);
  }

 private:
  Machine machine_;
  std::string description_;
};

std::string text_of(cl_device_id device, cl_device_info what) {
  char text[256] = "";
  clGetDeviceInfo(device, what, sizeof text, text, nullptr);
  return text;
}

}  // namespace

std::unique_ptr<Competitor> open_pocl() {
  setenv("POCL_MAX_PTHREAD_COUNT", std::to_string(kThreads).c_str(), 1);
  cl_platform_id platforms[8];
  cl_uint count = 0;
  if (clGetPlatformIDs(8, platforms, &count) != CL_SUCCESS) return nullptr;
  for (cl_uint i = 0; i < count && i < 8; ++i) {
    char name[128] = "";
    clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, nullptr);
    Machine machine;
    if (std::string(name) != "Portable Computing Language" ||
        clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &machine.device, nullptr) != CL_SUCCESS)
      continue;
    cl_int status;
    machine.context = clCreateContext(nullptr, 1, &machine.device, nullptr, nullptr, &status);
    check(status, "clCreateContext");
    machine.queue = clCreateCommandQueue(machine.context, machine.device, 0, &status);
    check(status, "clCreateCommandQueue");
    std::string description = fmt::format("PoCL {} ({}), {}", text_of(machine.device, CL_DRIVER_VERSION),
                                          text_of(machine.device, CL_DEVICE_NAME), kBuildOptions);
    return std::make_unique<Pocl>(machine, std::move(description));
  }
  return nullptr;
}

}  // namespace warpwise::bench

#else

namespace warpwise::bench {
std::unique_ptr<Competitor> open_pocl() { return nullptr; }
}  // namespace warpwise::bench

#endif
