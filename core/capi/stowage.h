/* The C interface of Stowage, libstowage: a problem in, a plan with bound, status and proof out.
 *
 *     stowage_problem *problem = stowage_problem_new("example");
 *     int32_t sram = stowage_problem_add_pool(problem, "sram", STOWAGE_UNBOUNDED, 16);
 *     int32_t a = stowage_problem_add_buffer(problem, "a", 4096, 16);
 *     stowage_problem_add_live(problem, a, 0, 2);
 *     stowage_plan *plan = NULL;
 *     if (stowage_plan_problem(problem, NULL, &plan) != STOWAGE_OK) puts(stowage_error_text());
 *     printf("%lld\n", (long long)stowage_plan_offset(plan, a));
 *     stowage_plan_free(plan);
 *     stowage_problem_free(problem);
 *
 * Sizes and offsets are bytes, from 0 to 2^62. Time is counted in steps; live ranges are half-open [begin, end). Texts are UTF-8,
 * and those that are returned stay valid and in place until the handle is freed (those of an error: until the thread's next call;
 * those of no handle, such as the name of a planner: for good). A function that can fail returns a negative `stowage_result`, and
 * `stowage_error_text` then says why. A null handle is an error, never a crash. No exception and no signal crosses this border.
 *
 * Threads: calls with different handles may run at the same time. One problem may be planned by several threads at once as long
 * as none of them changes it, and one plan may be read by several threads, its texts included. The last error is kept for each
 * thread.
 */
#ifndef STOWAGE_H
#define STOWAGE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define STOWAGE_API __attribute__((visibility("default")))
#else
#define STOWAGE_API
#endif

/* Version of this header; functions are added, and none is changed, as long as the first number stays. */
#define STOWAGE_API_MAJOR 1
#define STOWAGE_API_MINOR 1

#ifdef __cplusplus
extern "C" {
#endif

#define STOWAGE_UNBOUNDED (-INT64_C(1))
#define STOWAGE_NONE (-1)

typedef enum stowage_result {
    STOWAGE_OK = 0,
    STOWAGE_ERROR_ARGUMENT = -1,        /* a null handle, an index or a number out of range */
    STOWAGE_ERROR_PROBLEM = -2,         /* the problem contradicts itself: the text names the buffer */
    STOWAGE_ERROR_UNKNOWN_PLANNER = -3, /* no planner of that name */
    STOWAGE_ERROR_OPTION = -4,          /* an option that the planner does not have, or of a value that it cannot take */
    STOWAGE_ERROR_NOT_SUPPORTED = -5,   /* the planner cannot take something that the problem has */
    STOWAGE_ERROR_FORMAT = -6,          /* a text cannot be read: the text of the error has line and column */
    STOWAGE_ERROR_MEMORY = -7,          /* out of memory */
    STOWAGE_ERROR_INTERNAL = -8         /* a fault of this library */
} stowage_result;

typedef enum stowage_status {
    STOWAGE_OPTIMAL = 0,    /* no plan is smaller, or none with this choice of pools: see stowage_plan_proof */
    STOWAGE_FEASIBLE = 1,   /* valid, inside all capacities */
    STOWAGE_TOO_LARGE = 2,  /* this plan exceeds a capacity, and another may not */
    STOWAGE_INFEASIBLE = 3, /* proved: no plan is inside the capacities */
    STOWAGE_UNDECIDED = 4,  /* stopped before it could tell */
    STOWAGE_INVALID = 5     /* two buffers collide, or a buffer is misplaced */
} stowage_status;

typedef enum stowage_stop {
    STOWAGE_COMPLETE = 0,
    STOWAGE_WORK_LIMIT = 1,
    STOWAGE_DEADLINE = 2,
    STOWAGE_CANCELLED = 3
} stowage_stop;

typedef struct stowage_problem stowage_problem;
typedef struct stowage_plan stowage_plan;

/* --- library ------------------------------------------------------------------------------------------------------------- */

STOWAGE_API const char* stowage_version(void);    /* of the library: "0.1.0" */
STOWAGE_API int32_t stowage_api_version(void);    /* STOWAGE_API_MAJOR * 1000 + STOWAGE_API_MINOR of the library */
STOWAGE_API const char* stowage_error_text(void); /* of this thread's last error; never null */
STOWAGE_API const char* stowage_error_code(void); /* the same as a stable word: "unknown-planner"; empty without an error */
STOWAGE_API size_t stowage_planner_count(void);
STOWAGE_API const char* stowage_planner_name(size_t index);    /* null after the last one */
STOWAGE_API const char* stowage_planner_summary(size_t index); /* one sentence */
/* The words of `stowage_status` and `stowage_stop`, as in plan files; null for other numbers. Since 1.1. */
STOWAGE_API const char* stowage_status_name(int32_t status);
STOWAGE_API const char* stowage_stop_name(int32_t stop);

/* --- problem ------------------------------------------------------------------------------------------------------------- */

STOWAGE_API stowage_problem* stowage_problem_new(const char* name); /* null: out of memory */
STOWAGE_API void stowage_problem_free(stowage_problem* problem);    /* null is fine, here and in every _free */
/* A problem from a text: `stowage.problem/1` JSON or MiniMalloc's CSV, told apart by its first character. `size` in bytes. */
STOWAGE_API int32_t stowage_problem_read(const char* text, size_t size, stowage_problem** problem);

/* Returns the pool's index, or a negative result. `alignment` >= 1. Without a pool there is one, "arena", unbounded: it counts,
 * has index 0, and may be a candidate. The first pool that is added replaces it, and has index 0 too. */
STOWAGE_API int32_t stowage_problem_add_pool(stowage_problem* problem, const char* name, int64_t capacity, int64_t alignment);
/* Returns the buffer's index, or a negative result. Names are unique. A buffer needs a live range or a conflict: a problem with
 * one that has neither is STOWAGE_ERROR_PROBLEM. */
STOWAGE_API int32_t stowage_problem_add_buffer(stowage_problem* problem, const char* name, int64_t size, int64_t alignment);
STOWAGE_API int32_t stowage_problem_add_live(stowage_problem* problem, int32_t buffer, int64_t begin, int64_t end);
/* In the steps [begin, end), which lie in a hole between live ranges, the bytes [low, high) of the buffer stay occupied. */
STOWAGE_API int32_t stowage_problem_add_window(stowage_problem* problem, int32_t buffer, int64_t begin, int64_t end, int64_t low,
                                               int64_t high);
/* For both buffers: once for a pair is enough. */
STOWAGE_API int32_t stowage_problem_add_conflict(stowage_problem* problem, int32_t first, int32_t second);
/* Candidates are tried in the order in which they are added; without any, all pools in order. */
STOWAGE_API int32_t stowage_problem_add_candidate(stowage_problem* problem, int32_t buffer, int32_t pool);
STOWAGE_API int32_t stowage_problem_pin(stowage_problem* problem, int32_t buffer, int64_t offset);
STOWAGE_API size_t stowage_problem_buffer_count(const stowage_problem* problem);
STOWAGE_API size_t stowage_problem_pool_count(const stowage_problem* problem);
STOWAGE_API const char* stowage_problem_buffer_name(const stowage_problem* problem, int32_t buffer); /* null: no such buffer */
STOWAGE_API const char* stowage_problem_pool_name(const stowage_problem* problem, int32_t pool);     /* null: no such pool */
/* Its lower bound: no plan has less bytes in all pools together. Negative: an error. */
STOWAGE_API int64_t stowage_problem_bound(stowage_problem* problem);

/* --- planning ------------------------------------------------------------------------------------------------------------ */

/* A better plan was found: its bytes in all pools together, the lower bound, and the placements tried. Called from a thread of
 * the planner; returns nonzero to stop, and the best plan so far is the answer. */
typedef int (*stowage_progress)(void* user, int64_t size, int64_t bound, uint64_t work);

typedef struct stowage_options {
    size_t struct_size;      /* sizeof(stowage_options): so that later versions can add fields. A smaller size, one
                              * above 4096, or a later field that is not zero, is STOWAGE_ERROR_ARGUMENT */
    const char* planner;     /* null: "auto" */
    const char* const* keys; /* names of the planner's own options */
    const char* const* values;
    size_t option_count;
    double time_limit_s; /* 0: none */
    uint64_t work_limit; /* placements tried; 0: the planner's own */
    uint64_t seed;
    uint32_t threads; /* 0: one */
    stowage_progress progress;
    void* user;                   /* handed to `progress` and `cancelled` */
    int (*cancelled)(void* user); /* asked ten times a second, from a thread of its own; nonzero stops */
} stowage_options;

/* `options` may be null. The plan is the caller's, and holds all that it needs of the problem. A plan that exceeds a capacity is
 * a plan: its status says so. */
STOWAGE_API int32_t stowage_plan_problem(stowage_problem* problem, const stowage_options* options, stowage_plan** plan);
/* The plan that a text holds (`stowage.plan/1` JSON, or CSV with offsets), judged. */
STOWAGE_API int32_t stowage_plan_read(stowage_problem* problem, const char* text, size_t size, stowage_plan** plan);
/* The plan with these offsets, judged: one for each buffer. `pools` null: each buffer in its first candidate. */
STOWAGE_API int32_t stowage_plan_from_offsets(stowage_problem* problem, const int64_t* offsets, const int32_t* pools,
                                              size_t count, stowage_plan** plan);
STOWAGE_API void stowage_plan_free(stowage_plan* plan);

STOWAGE_API int32_t stowage_plan_status(const stowage_plan* plan);     /* stowage_status, or a negative result */
STOWAGE_API int32_t stowage_plan_stopped_by(const stowage_plan* plan); /* stowage_stop, or a negative result */
STOWAGE_API int32_t stowage_plan_valid(const stowage_plan* plan);      /* 1 or 0: no collision; capacities do not count */
STOWAGE_API const char* stowage_plan_planner(const stowage_plan* plan);
/* The evidence for the status: "bound" (a rechecked lower bound), "search" (a search that ended), "claim" (a planner's word),
 * or "" without any. */
STOWAGE_API const char* stowage_plan_proof(const stowage_plan* plan);
STOWAGE_API const char* stowage_plan_violation(const stowage_plan* plan); /* one sentence; "" for a valid plan */
STOWAGE_API int64_t stowage_plan_size(const stowage_plan* plan);          /* of all pools together; negative: an error */
STOWAGE_API int64_t stowage_plan_bound(const stowage_plan* plan);
STOWAGE_API int64_t stowage_plan_pool_size(const stowage_plan* plan, int32_t pool);
STOWAGE_API int64_t stowage_plan_pool_bound(const stowage_plan* plan, int32_t pool);
STOWAGE_API int64_t stowage_plan_offset(const stowage_plan* plan, int32_t buffer); /* -1: not placed */
STOWAGE_API int32_t stowage_plan_pool(const stowage_plan* plan, int32_t buffer);   /* -1: not placed */
/* A text: `stowage.plan/1` JSON. */
STOWAGE_API const char* stowage_plan_json(stowage_plan* plan);
/* Why the buffer lies where it does: it rests on others, or could be lower. One sentence a line. Null: an error. The plan keeps
 * each answer. */
STOWAGE_API const char* stowage_plan_explain(stowage_plan* plan, int32_t buffer);
/* The proof that the pool needs its lower bound: indices of buffers that conflict pairwise. Returns how many there are, and
 * writes at most `capacity` of them. Negative: an error. */
STOWAGE_API int64_t stowage_plan_certificate(const stowage_plan* plan, int32_t pool, int32_t* buffers, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
