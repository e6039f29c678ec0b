// The end of a process while kernels are being compiled: nothing waits for the compiler, and it does not crash.
//
// exit() runs the destructors of LLVM's static objects. A thread that is inside LLVM then would go on in objects that
// are gone. LLVM cannot be asked to stop (one pass over one large function may take minutes), and a thread cannot be
// ended from outside. So before the first destructor runs, each such thread is sent a signal, and the handler never
// returns:
//
//     exit() ─► the main thread's variables ─► here: signals, until all have stopped ─► LLVM's objects ─► the end
//
// A thread that stops for ever must not hold a lock that another one needs, such as malloc's. So it stops only where
// the signal finds it in the compiler's own code, which holds none; anywhere else it goes on and is asked again.
//
// Opening the compiler makes LLVM's objects, one after the other: exit() waits until that is over, some 30 ms. A
// compilation that was begun and has not yet come to the compiler is refused from then on. One that is begun later, by
// a kernel that an exit handler launches, is not.
//
// Rejected: a process of its own for each compilation. Programs see their children (wait(), SIGCHLD), and sandboxes
// forbid them.
#pragma once

namespace warpwise::exec {

// Grows when the process begins to end. A compilation notes it when it is begun.
unsigned ends_of_process();

// While it lives, the calling thread opens the compiler or is in it. Destroyed on the same thread.
//
//     InCompiler here(job.begun_after);
//     if (!here.may_go_on()) return Error{…};
//     … open the compiler …
//     here.has_opened();
class InCompiler {
 public:
  // `begun_after`: what ends_of_process() was when the compilation was begun.
  explicit InCompiler(unsigned begun_after);
  ~InCompiler();
  InCompiler(const InCompiler&) = delete;
  InCompiler& operator=(const InCompiler&) = delete;

  // False: the process has begun to end since.
  bool may_go_on() const { return may_go_on_; }
  // From now on the thread may be stopped.
  void has_opened();

 private:
  bool may_go_on_ = false;
};

// The calling thread may end the process: called where a program's thread starts a compilation that it does not wait
// for.
void stop_compilers_at_exit();

}  // namespace warpwise::exec
