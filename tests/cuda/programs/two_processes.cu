// Two processes share device memory and events: by handles of memory and of events, of pools, and of created memory.
// Each side sees what the other computes; their streams, and not the hosts, wait for each other's events.
#include <cuda.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#define OK(call)                                                                            \
  do {                                                                                      \
    const int code = static_cast<int>(call);                                                \
    if (code != 0) std::printf("line %d: %s answers %d\n", __LINE__, #call, code), std::exit(1); \
  } while (0)

__global__ void add(int* data, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += value;
}
__global__ void twice(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= 2;
}

constexpr int kRounds = 20, kLarge = 10000, kSmall = 10, kMade = 1 << 19, kEnd = 1 << 13;  // kernels use the last kEnd words

struct Handles {
  cudaIpcMemHandle_t large, small, inside;
  cudaIpcEventHandle_t parent;
  cudaMemPoolPtrExportData piece;
};

void tell(int socket, const void* data, size_t bytes) { if (write(socket, data, bytes) != static_cast<ssize_t>(bytes)) std::exit(2); }
void hear(int socket, void* data, size_t bytes) { if (recv(socket, data, bytes, MSG_WAITALL) != static_cast<ssize_t>(bytes)) std::exit(3); }
void pass(int socket) { tell(socket, "", 1); }
void await(int socket) { char c; hear(socket, &c, 1); }

void send_file(int socket, int file) {
  char byte = 0, control[CMSG_SPACE(sizeof file)] = {};
  iovec data{&byte, 1};
  msghdr message{};
  message.msg_iov = &data, message.msg_iovlen = 1, message.msg_control = control, message.msg_controllen = sizeof control;
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET, header->cmsg_type = SCM_RIGHTS, header->cmsg_len = CMSG_LEN(sizeof file);
  std::memcpy(CMSG_DATA(header), &file, sizeof file);
  if (sendmsg(socket, &message, 0) != 1) std::exit(4);
}
int receive_file(int socket) {
  int file = -1;
  char byte, control[CMSG_SPACE(sizeof file)] = {};
  iovec data{&byte, 1};
  msghdr message{};
  message.msg_iov = &data, message.msg_iovlen = 1, message.msg_control = control, message.msg_controllen = sizeof control;
  if (recvmsg(socket, &message, 0) != 1) std::exit(5);
  std::memcpy(&file, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof file);
  return file;
}

int sum(const int* device, int n) {
  int* host = static_cast<int*>(std::malloc(n * sizeof(int)));
  OK(cudaMemcpy(host, device, n * sizeof(int), cudaMemcpyDeviceToHost));
  int result = 0;
  for (int i = 0; i < n; ++i) result += host[i];
  std::free(host);
  return result;
}

CUdeviceptr map_made(CUmemGenericAllocationHandle made) {
  CUdeviceptr at;
  CUmemAccessDesc access{};
  access.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  OK(cuMemAddressReserve(&at, kMade * sizeof(int), 0, 0, 0));
  OK(cuMemMap(at, kMade * sizeof(int), 0, made, 0));
  OK(cuMemSetAccess(at, kMade * sizeof(int), &access, 1));
  return at;
}

// Rounds of  data = (data + 1) * 2  in which the parent adds and the child doubles. The hosts exchange a word after
// they have
// submitted their work; neither waits for the work.
void parent(int socket) {
  OK(cuInit(0));  // memory can be created before there is a context
  CUmemAllocationProp made_like{};
  made_like.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  made_like.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  made_like.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  CUmemGenericAllocationHandle made;
  int made_file = -1;
  OK(cuMemCreate(&made, kMade * sizeof(int), &made_like, 0));
  OK(cuMemExportToShareableHandle(&made_file, made, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));

  int *large, *small, *piece;
  Handles handles;
  cudaStream_t stream;
  cudaEvent_t mine, theirs;
  OK(cudaStreamCreate(&stream));
  OK(cudaMalloc(&large, kLarge * sizeof(int)));
  OK(cudaMalloc(&small, kSmall * sizeof(int)));
  OK(cudaMemset(large, 0, kLarge * sizeof(int)));
  OK(cudaMemset(small, 0, kSmall * sizeof(int)));
  OK(cudaIpcGetMemHandle(&handles.large, large));
  OK(cudaIpcGetMemHandle(&handles.small, small));
  OK(cudaIpcGetMemHandle(&handles.inside, large + 5));
  OK(cudaEventCreateWithFlags(&mine, cudaEventInterprocess | cudaEventDisableTiming));
  OK(cudaIpcGetEventHandle(&handles.parent, mine));

  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.handleTypes = cudaMemHandleTypePosixFileDescriptor;
  properties.location.type = cudaMemLocationTypeDevice;
  cudaMemPool_t pool;
  int pool_file = -1;
  OK(cudaMemPoolCreate(&pool, &properties));
  OK(cudaMallocFromPoolAsync(&piece, kSmall * sizeof(int), pool, stream));
  OK(cudaMemsetAsync(piece, 0, kSmall * sizeof(int), stream));
  OK(cudaStreamSynchronize(stream));
  OK(cudaMemPoolExportToShareableHandle(&pool_file, pool, cudaMemHandleTypePosixFileDescriptor, 0));
  OK(cudaMemPoolExportPointer(&handles.piece, piece));

  int* shared = reinterpret_cast<int*>(map_made(made));
  OK(cudaMemset(shared, 0, kMade * sizeof(int)));
  OK(cudaDeviceSynchronize());

  void* nothing;
  std::printf("its own handle: %s\n", cudaGetErrorName(cudaIpcOpenMemHandle(&nothing, handles.large, cudaIpcMemLazyEnablePeerAccess)));
  std::printf("a pool's memory: %s\n", cudaGetErrorName(cudaIpcGetMemHandle(&handles.inside, piece)));
  OK(cudaIpcGetMemHandle(&handles.inside, large + 5));
  tell(socket, &handles, sizeof handles);
  send_file(socket, pool_file);
  send_file(socket, made_file);
  cudaMemPool_t empty;
  int empty_file = -1;
  OK(cudaMemPoolCreate(&empty, &properties));
  OK(cudaMemPoolExportToShareableHandle(&empty_file, empty, cudaMemHandleTypePosixFileDescriptor, 0));
  send_file(socket, empty_file);
  cudaIpcEventHandle_t theirs_handle;
  hear(socket, &theirs_handle, sizeof theirs_handle);
  OK(cudaIpcOpenEventHandle(&theirs, theirs_handle));

  for (int round = 0; round < kRounds; ++round) {
    if (round) {
      await(socket);
      OK(cudaStreamWaitEvent(stream, theirs));
    }
    add<<<(kLarge + 255) / 256, 256, 0, stream>>>(large, kLarge, 1);
    add<<<1, 32, 0, stream>>>(small, kSmall, 1);
    add<<<1, 32, 0, stream>>>(piece, kSmall, 1);
    add<<<kEnd / 256, 256, 0, stream>>>(shared + kMade - kEnd, kEnd, 1);
    OK(cudaEventRecord(mine, stream));
    pass(socket);
  }
  await(socket);
  OK(cudaEventSynchronize(theirs));
  std::printf("parent: after the last event %s, %d %d %d %d\n", cudaGetErrorName(cudaEventQuery(theirs)), sum(large, 1), sum(small, kSmall),
              sum(piece, kSmall), sum(shared + kMade - 1, 1));
  std::fflush(stdout);
  pass(socket);
  await(socket);
  OK(cudaFree(small));
  OK(cudaFree(large));
  OK(cudaFreeAsync(piece, stream));
}

void child(int socket) {
  Handles handles;
  hear(socket, &handles, sizeof handles);
  const int pool_file = receive_file(socket), made_file = receive_file(socket);
  int *large, *small, *again, *inside, *piece;
  cudaStream_t stream;
  cudaEvent_t mine, theirs;
  OK(cudaStreamCreate(&stream));
  const unsigned flags = cudaIpcMemLazyEnablePeerAccess;
  OK(cudaIpcOpenMemHandle(reinterpret_cast<void**>(&large), handles.large, flags));
  OK(cudaIpcOpenMemHandle(reinterpret_cast<void**>(&small), handles.small, flags));
  OK(cudaIpcOpenMemHandle(reinterpret_cast<void**>(&again), handles.large, flags));
  OK(cudaIpcOpenMemHandle(reinterpret_cast<void**>(&inside), handles.inside, flags));
  OK(cudaIpcCloseMemHandle(again));
  OK(cudaIpcCloseMemHandle(inside));
  OK(cudaIpcOpenEventHandle(&theirs, handles.parent));
  OK(cudaEventCreateWithFlags(&mine, cudaEventInterprocess | cudaEventDisableTiming));
  cudaIpcEventHandle_t mine_handle;
  OK(cudaIpcGetEventHandle(&mine_handle, mine));

  cudaMemPool_t pool, other;
  OK(cudaMemPoolImportFromShareableHandle(&pool, reinterpret_cast<void*>(static_cast<intptr_t>(pool_file)), cudaMemHandleTypePosixFileDescriptor, 0));
  OK(cudaMemPoolImportPointer(reinterpret_cast<void**>(&piece), pool, &handles.piece));
  OK(cudaMemPoolImportFromShareableHandle(&other, reinterpret_cast<void*>(static_cast<intptr_t>(receive_file(socket))), cudaMemHandleTypePosixFileDescriptor, 0));
  std::printf("a piece of another pool: %s\n", cudaGetErrorName(cudaMemPoolImportPointer(reinterpret_cast<void**>(&again), other, &handles.piece)));
  CUmemGenericAllocationHandle made;
  OK(cuMemImportFromShareableHandle(&made, reinterpret_cast<void*>(static_cast<intptr_t>(made_file)), CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
  int* shared = reinterpret_cast<int*>(map_made(made));
  tell(socket, &mine_handle, sizeof mine_handle);

  for (int round = 0; round < kRounds; ++round) {
    await(socket);
    OK(cudaStreamWaitEvent(stream, theirs));
    twice<<<(kLarge + 255) / 256, 256, 0, stream>>>(large, kLarge);
    twice<<<1, 32, 0, stream>>>(small, kSmall);
    twice<<<1, 32, 0, stream>>>(piece, kSmall);
    twice<<<kEnd / 256, 256, 0, stream>>>(shared + kMade - kEnd, kEnd);
    OK(cudaEventRecord(mine, stream));
    pass(socket);
  }
  await(socket);
  OK(cudaDeviceSynchronize());
  CUdeviceptr base;
  size_t bytes;
  OK(cuMemGetAddressRange(&base, &bytes, reinterpret_cast<CUdeviceptr>(small)));
  cudaPointerAttributes about;
  OK(cudaPointerGetAttributes(&about, large + 7));
  void* nothing;
  std::printf("child: the same address again %d, from inside %d, %zu bytes, %s memory\n", again == large, inside == large, bytes,
              about.type == cudaMemoryTypeDevice ? "device" : "other");
  std::printf("allocating from another's pool: %s\n", cudaGetErrorName(cudaMallocFromPoolAsync(&nothing, 64, pool, stream)));
  std::printf("freeing what another lent: %s\n", cudaGetErrorName(cudaFree(large)));
  handles.large = {};
  std::printf("a handle of nothing: %s\n", cudaGetErrorName(cudaIpcOpenMemHandle(&nothing, handles.large, flags)));
  std::printf("without the flag: %s\n", cudaGetErrorName(cudaIpcOpenMemHandle(&nothing, handles.small, 0)));
  OK(cudaIpcCloseMemHandle(small));
  OK(cudaIpcCloseMemHandle(large));
  std::printf("closed before: %s\n", cudaGetErrorName(cudaIpcCloseMemHandle(large)));
  OK(cudaFreeAsync(piece, stream));
  OK(cudaMemPoolDestroy(pool));
  std::fflush(stdout);
  pass(socket);
}

int main() {
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) return 1;
  const pid_t other = fork();  // before the first call of CUDA
  if (other == 0) {
    close(sockets[0]);
    child(sockets[1]);
    return 0;
  }
  close(sockets[1]);
  parent(sockets[0]);
  int status = 0;
  waitpid(other, &status, 0);
  std::printf("the child ended with %d\n", WEXITSTATUS(status));
  return 0;
}
