// Streams that wait for a value in memory, or write one: cuStreamWaitValue32 and its family, and graph nodes that do
// the same.
//
// The older versions of these functions (without _v2, of CUDA 8 to 11) differ in the device attributes that allow them,
// and in the barrier, which only the newer ones accept.
#include "cuda/driver/stream_memory.h"

#include "cuda/runtime/graph/graph_call.h"
#include "cuda/runtime/graph/graph_exec.h"
#include "cuda/runtime/graph/submission.h"

using namespace warpwise;
using namespace warpwise::cuda;
using namespace warpwise::cuda::driver;

namespace {

// cuStreamBatchMemOp: "count ... must not exceed 256".
constexpr unsigned kMostOperations = 256;

cudaError_t test_of(unsigned flags, device::WaitValue::Test* test) {
  if (flags & CU_STREAM_WAIT_VALUE_FLUSH)
    return fail(cudaErrorNotSupported,
                "CU_STREAM_WAIT_VALUE_FLUSH needs a device that can flush remote writes "
                "(CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES)");
  switch (flags) {
    case CU_STREAM_WAIT_VALUE_GEQ:
      return *test = device::WaitValue::Test::AtLeast, cudaSuccess;
    case CU_STREAM_WAIT_VALUE_EQ:
      return *test = device::WaitValue::Test::Equal, cudaSuccess;
    case CU_STREAM_WAIT_VALUE_AND:
      return *test = device::WaitValue::Test::And, cudaSuccess;
    case CU_STREAM_WAIT_VALUE_NOR:
      return *test = device::WaitValue::Test::Nor, cudaSuccess;
    default:
      return fail(cudaErrorInvalidValue, "flags {:#x}: CU_STREAM_WAIT_VALUE_GEQ (0), EQ (1), AND (2) or NOR (3)",
                  flags);
  }
}

cudaError_t value_command(const CUstreamBatchMemOpParams& operation, std::vector<device::Command>* out) {
  switch (operation.operation) {
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
    case CU_STREAM_MEM_OP_WAIT_VALUE_64: {
      const bool wide = operation.operation == CU_STREAM_MEM_OP_WAIT_VALUE_64;
      device::WaitValue wait{operation.waitValue.address,
                             wide ? operation.waitValue.value64 : operation.waitValue.value,
                             static_cast<uint8_t>(wide ? 8 : 4)};
      CUDA_TRY(test_of(operation.waitValue.flags, &wait.test));
      out->push_back(wait);
      return cudaSuccess;
    }
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
    case CU_STREAM_MEM_OP_WRITE_VALUE_64: {
      const bool wide = operation.operation == CU_STREAM_MEM_OP_WRITE_VALUE_64;
      if (operation.writeValue.flags & ~unsigned{CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER})
        return fail(cudaErrorInvalidValue, "flags {:#x}: CU_STREAM_WRITE_VALUE_DEFAULT (0) or NO_MEMORY_BARRIER (1)",
                    operation.writeValue.flags);
      out->push_back(device::WriteValue{operation.writeValue.address,
                                        wide ? operation.writeValue.value64 : operation.writeValue.value,
                                        static_cast<uint8_t>(wide ? 8 : 4)});
      return cudaSuccess;
    }
    case CU_STREAM_MEM_OP_BARRIER:
      if (operation.memoryBarrier.flags > CU_STREAM_MEMORY_BARRIER_TYPE_GPU)
        return fail(cudaErrorInvalidValue, "flags {:#x}: the barrier scope is the system (0) or the GPU (1)",
                    operation.memoryBarrier.flags);
      return cudaSuccess;
    case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
      return fail(cudaErrorNotSupported,
                  "the device cannot flush remote writes (CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES)");
  }
  return fail(cudaErrorInvalidValue, "{} is not an operation on memory (CUstreamBatchMemOpType)",
              static_cast<unsigned>(operation.operation));
}

CUresult submit_operations(const char* function, CUstream stream, const CUstreamBatchMemOpParams* operations,
                           unsigned count, unsigned flags) {
  return call(function, Needs::Context, [&](Process& process, device::Device& gpu) -> cudaError_t {
    device::StreamId id;
    CUDA_TRY(process.streams.find(gpu, stream, &id));
    std::vector<device::Command> commands;
    CUDA_TRY(value_commands(operations, count, flags, &commands));
    for (device::Command& command : commands) CUDA_TRY(submit(process, gpu, id, std::move(command)));
    return cudaSuccess;
  });
}

template <class Value>
CUresult wait_for(const char* function, CUstream stream, CUdeviceptr address, Value value, unsigned flags) {
  CUstreamBatchMemOpParams operation{};
  operation.waitValue.operation = sizeof value == 8 ? CU_STREAM_MEM_OP_WAIT_VALUE_64 : CU_STREAM_MEM_OP_WAIT_VALUE_32;
  operation.waitValue.address = address;
  operation.waitValue.value64 = value;
  operation.waitValue.flags = flags;
  return submit_operations(function, stream, &operation, 1, 0);
}
template <class Value>
CUresult write(const char* function, CUstream stream, CUdeviceptr address, Value value, unsigned flags) {
  CUstreamBatchMemOpParams operation{};
  operation.writeValue.operation =
      sizeof value == 8 ? CU_STREAM_MEM_OP_WRITE_VALUE_64 : CU_STREAM_MEM_OP_WRITE_VALUE_32;
  operation.writeValue.address = address;
  operation.writeValue.value64 = value;
  operation.writeValue.flags = flags;
  return submit_operations(function, stream, &operation, 1, 0);
}

// --- nodes ----------------------------------------------------------------------------------------------------

// What a node keeps of the structure, for queries.
struct Description {
  CUDA_BATCH_MEM_OP_NODE_PARAMS params;
  std::vector<CUstreamBatchMemOpParams> operations;
};

cudaError_t make_node_work(const CUDA_BATCH_MEM_OP_NODE_PARAMS* params, ValueWork* out) {
  if (!params) return fail(cudaErrorInvalidValue, "the parameters are null");
  ValueWork work;
  CUDA_TRY(value_commands(params->paramArray, params->count, params->flags, &work.commands));
  auto description =
      std::make_shared<Description>(Description{*params, {params->paramArray, params->paramArray + params->count}});
  description->params.paramArray = description->operations.data();
  work.description = std::move(description);
  *out = std::move(work);
  return cudaSuccess;
}

// The operations that a captured stream was given.
CUstreamBatchMemOpParams operation_of(const device::Command& command) {
  CUstreamBatchMemOpParams operation{};
  if (const auto* wait = std::get_if<device::WaitValue>(&command)) {
    operation.waitValue.operation = wait->bytes == 8 ? CU_STREAM_MEM_OP_WAIT_VALUE_64 : CU_STREAM_MEM_OP_WAIT_VALUE_32;
    operation.waitValue.address = wait->address;
    operation.waitValue.value64 = wait->value;
    operation.waitValue.flags = static_cast<unsigned>(wait->test);
  } else if (const auto* write = std::get_if<device::WriteValue>(&command)) {
    operation.writeValue.operation =
        write->bytes == 8 ? CU_STREAM_MEM_OP_WRITE_VALUE_64 : CU_STREAM_MEM_OP_WRITE_VALUE_32;
    operation.writeValue.address = write->address;
    operation.writeValue.value64 = write->value;
  }
  return operation;
}
static_assert(static_cast<unsigned>(device::WaitValue::Test::AtLeast) == CU_STREAM_WAIT_VALUE_GEQ &&
              static_cast<unsigned>(device::WaitValue::Test::Equal) == CU_STREAM_WAIT_VALUE_EQ &&
              static_cast<unsigned>(device::WaitValue::Test::And) == CU_STREAM_WAIT_VALUE_AND &&
              static_cast<unsigned>(device::WaitValue::Test::Nor) == CU_STREAM_WAIT_VALUE_NOR);

}  // namespace

namespace warpwise::cuda::driver {

cudaError_t value_commands(const CUstreamBatchMemOpParams* operations, unsigned count, unsigned flags,
                           std::vector<device::Command>* out) {
  if (flags != 0) return fail(cudaErrorInvalidValue, "the flags of a batch must be 0, not {:#x}", flags);
  if (count > kMostOperations)
    return fail(cudaErrorInvalidValue, "{} operations: a batch has {} at most", count, kMostOperations);
  if (count != 0 && !operations) return fail(cudaErrorInvalidValue, "the list of operations is null");
  for (unsigned i = 0; i < count; ++i) CUDA_TRY(value_command(operations[i], out));
  return cudaSuccess;
}

cudaError_t add_values_node(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                            const CUgraphEdgeData* edges, size_t count, const CUDA_BATCH_MEM_OP_NODE_PARAMS* params) {
  return graph_call("cuGraphAddBatchMemOpNode", [&](Process& process, device::Device&) -> cudaError_t {
    CUDA_TRY(check_out(node));
    CUDA_TRY(process.graphs.check(graph));
    if (count && !dependencies) return fail(cudaErrorInvalidValue, "the list of dependencies is null");
    ValueWork work;
    CUDA_TRY(make_node_work(params, &work));
    return add_node(*graph, {dependencies, count}, reinterpret_cast<const cudaGraphEdgeData*>(edges), std::move(work),
                    node);
  });
}

cudaError_t set_values_node(CUgraphNode node, const CUDA_BATCH_MEM_OP_NODE_PARAMS* params) {
  return with_work<ValueWork>("cuGraphBatchMemOpNodeSetParams", node, [&](Process&, device::Device&, ValueWork& work) {
    return make_node_work(params, &work);
  });
}

cudaError_t set_values_node_in(CUgraphExec exec, CUgraphNode node, const CUDA_BATCH_MEM_OP_NODE_PARAMS* params) {
  return graph_call("cuGraphExecBatchMemOpNodeSetParams", [&](Process& process, device::Device&) -> cudaError_t {
    GraphNode* copy = nullptr;
    CUDA_TRY(find_copy(process, exec, node, &copy));
    auto* work = std::get_if<ValueWork>(&copy->work);
    if (!work) return fail(cudaErrorInvalidValue, "the node has another type");
    return make_node_work(params, work);
  });
}

}  // namespace warpwise::cuda::driver

CUresult cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags) {
  return wait_for("cuStreamWaitValue32", stream, address, value, flags);
}
CUresult cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned flags) {
  return wait_for("cuStreamWaitValue64", stream, address, value, flags);
}
CUresult cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags) {
  return write("cuStreamWriteValue32", stream, address, value, flags);
}
CUresult cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned flags) {
  return write("cuStreamWriteValue64", stream, address, value, flags);
}
CUresult cuStreamBatchMemOp_v2(CUstream stream, unsigned count, CUstreamBatchMemOpParams* operations, unsigned flags) {
  return submit_operations("cuStreamBatchMemOp", stream, operations, count, flags);
}

CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags) {
  return cuStreamWaitValue32_v2(stream, address, value, flags);
}
CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned flags) {
  return cuStreamWaitValue64_v2(stream, address, value, flags);
}
CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags) {
  return cuStreamWriteValue32_v2(stream, address, value, flags);
}
CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned flags) {
  return cuStreamWriteValue64_v2(stream, address, value, flags);
}
CUresult cuStreamBatchMemOp(CUstream stream, unsigned count, CUstreamBatchMemOpParams* operations, unsigned flags) {
  return cuStreamBatchMemOp_v2(stream, count, operations, flags);
}

CUresult cuGraphAddBatchMemOpNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                                  const CUDA_BATCH_MEM_OP_NODE_PARAMS* params) {
  return forward("cuGraphAddBatchMemOpNode",
                 [&] { return add_values_node(node, graph, dependencies, nullptr, count, params); });
}
CUresult cuGraphBatchMemOpNodeSetParams(CUgraphNode node, const CUDA_BATCH_MEM_OP_NODE_PARAMS* params) {
  return forward("cuGraphBatchMemOpNodeSetParams", [&] { return set_values_node(node, params); });
}
CUresult cuGraphExecBatchMemOpNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                            const CUDA_BATCH_MEM_OP_NODE_PARAMS* params) {
  return forward("cuGraphExecBatchMemOpNodeSetParams", [&] { return set_values_node_in(exec, node, params); });
}

CUresult cuGraphBatchMemOpNodeGetParams(CUgraphNode node, CUDA_BATCH_MEM_OP_NODE_PARAMS* params) {
  return forward("cuGraphBatchMemOpNodeGetParams", [&] {
    return with_work<ValueWork>("cuGraphBatchMemOpNodeGetParams", node,
                                [&](Process&, device::Device&, ValueWork& work) -> cudaError_t {
                                  CUDA_TRY(check_out(params));
                                  if (!work.description) {
                                    auto description = std::make_shared<Description>();
                                    for (const device::Command& command : work.commands)
                                      description->operations.push_back(operation_of(command));
                                    description->params.count = static_cast<unsigned>(description->operations.size());
                                    description->params.paramArray = description->operations.data();
                                    work.description = std::move(description);
                                  }
                                  *params = static_cast<const Description*>(work.description.get())->params;
                                  return cudaSuccess;
                                });
  });
}
