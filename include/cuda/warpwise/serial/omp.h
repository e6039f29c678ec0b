// OpenMP's functions where host code has none of its pragmas: one thread, as the specification says of code outside of
// parallel regions. This folder is searched last, and only where Clang has no OpenMP (src/toolchain/openmp.h).
#pragma once

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

typedef enum omp_sched_t { omp_sched_static = 1, omp_sched_dynamic, omp_sched_guided, omp_sched_auto } omp_sched_t;
typedef enum omp_proc_bind_t {
  omp_proc_bind_false,
  omp_proc_bind_true,
  omp_proc_bind_primary,
  omp_proc_bind_master = omp_proc_bind_primary,
  omp_proc_bind_close,
  omp_proc_bind_spread
} omp_proc_bind_t;

// How often the thread holds it.
typedef struct omp_lock_t {
  int held;
} omp_lock_t;
typedef omp_lock_t omp_nest_lock_t;

static inline int omp_get_num_threads(void) { return 1; }
static inline int omp_get_max_threads(void) { return 1; }
static inline int omp_get_thread_num(void) { return 0; }
static inline int omp_get_thread_limit(void) { return 1; }
static inline void omp_set_num_threads(int count) { (void)count; }
static inline int omp_get_num_procs(void) { return (int)sysconf(_SC_NPROCESSORS_ONLN); }
static inline int omp_in_parallel(void) { return 0; }
static inline int omp_in_final(void) { return 1; }
static inline int omp_get_level(void) { return 0; }
static inline int omp_get_active_level(void) { return 0; }
static inline int omp_get_max_active_levels(void) { return 0; }
static inline void omp_set_max_active_levels(int levels) { (void)levels; }
static inline int omp_get_ancestor_thread_num(int level) { return level == 0 ? 0 : -1; }
static inline int omp_get_team_size(int level) { return level == 0 ? 1 : -1; }
static inline int omp_get_num_teams(void) { return 1; }
static inline int omp_get_team_num(void) { return 0; }

static inline void omp_set_dynamic(int wanted) { (void)wanted; }
static inline int omp_get_dynamic(void) { return 0; }
static inline void omp_set_nested(int wanted) { (void)wanted; }
static inline int omp_get_nested(void) { return 0; }
static inline int omp_get_cancellation(void) { return 0; }
static inline omp_proc_bind_t omp_get_proc_bind(void) { return omp_proc_bind_false; }
static inline void omp_set_schedule(omp_sched_t kind, int chunk) { (void)kind, (void)chunk; }
static inline void omp_get_schedule(omp_sched_t* kind, int* chunk) {
  *kind = omp_sched_static;
  *chunk = 0;
}

static inline int omp_get_num_devices(void) { return 0; }
static inline int omp_get_default_device(void) { return 0; }
static inline void omp_set_default_device(int device) { (void)device; }
static inline int omp_get_initial_device(void) { return 0; }
static inline int omp_get_device_num(void) { return 0; }
static inline int omp_is_initial_device(void) { return 1; }

static inline void omp_init_lock(omp_lock_t* lock) { lock->held = 0; }
static inline void omp_destroy_lock(omp_lock_t* lock) { lock->held = 0; }
// The thread that holds a simple lock and asks for it again waits for ever.
static inline void omp_set_lock(omp_lock_t* lock) {
  if (lock->held) abort();
  lock->held = 1;
}
static inline void omp_unset_lock(omp_lock_t* lock) { lock->held = 0; }
static inline int omp_test_lock(omp_lock_t* lock) {
  if (lock->held) return 0;
  return lock->held = 1;
}
static inline void omp_init_nest_lock(omp_nest_lock_t* lock) { lock->held = 0; }
static inline void omp_destroy_nest_lock(omp_nest_lock_t* lock) { lock->held = 0; }
static inline void omp_set_nest_lock(omp_nest_lock_t* lock) { ++lock->held; }
static inline void omp_unset_nest_lock(omp_nest_lock_t* lock) { --lock->held; }
static inline int omp_test_nest_lock(omp_nest_lock_t* lock) { return ++lock->held; }

static inline double omp_get_wtime(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
static inline double omp_get_wtick(void) { return 1e-9; }
