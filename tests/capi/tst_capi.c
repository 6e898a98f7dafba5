/* The C interface, from C: the header compiles as C11, handles and errors behave, threads do not meet. */
#include "core/capi/stowage.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

static void expect(int true_, const char* what, int line)
{
    if (true_) return;
    ++failures;
    fprintf(stderr, "tst_capi.c:%d: not so: %s (last error: %s %s)\n", line, what, stowage_error_code(), stowage_error_text());
}
#define EXPECT(condition) expect(!!(condition), #condition, __LINE__)

static stowage_problem* three(void)
{
    stowage_problem* problem = stowage_problem_new("three");
    const int64_t sizes[] = {10, 20, 10};
    const char* names[] = {"a", "b", "c"};
    for (int i = 0; i < 3; ++i) {
        EXPECT(stowage_problem_add_buffer(problem, names[i], sizes[i], 1) == i);
        EXPECT(stowage_problem_add_live(problem, i, i, i + 2) == STOWAGE_OK);
    }
    return problem;
}

static void plansAreProved(void)
{
    stowage_problem* problem = three();
    stowage_plan* plan = NULL;
    EXPECT(stowage_problem_bound(problem) == 30);
    EXPECT(stowage_plan_problem(problem, NULL, &plan) == STOWAGE_OK);
    EXPECT(stowage_plan_status(plan) == STOWAGE_OPTIMAL);
    EXPECT(strcmp(stowage_plan_proof(plan), "bound") == 0);
    EXPECT(stowage_plan_size(plan) == 30 && stowage_plan_bound(plan) == 30);
    EXPECT(stowage_plan_pool_size(plan, 0) == 30);
    int32_t members[8];
    EXPECT(stowage_plan_certificate(plan, 0, members, 8) == 2);
    EXPECT(strstr(stowage_plan_json(plan), "\"stowage.plan/1\"") != NULL);
    EXPECT(stowage_plan_explain(plan, 0) != NULL);
    /* A plan outlives its problem. */
    stowage_problem_free(problem);
    const int64_t a = stowage_plan_offset(plan, 0), b = stowage_plan_offset(plan, 1);
    EXPECT(a + 10 <= b || b + 20 <= a);
    stowage_plan_free(plan);
}

static void errorsHaveCodesAndTexts(void)
{
    stowage_problem* problem = three();
    stowage_plan* plan = NULL;
    stowage_options options = {.struct_size = sizeof options, .planner = "exactt"};
    EXPECT(stowage_plan_problem(problem, &options, &plan) == STOWAGE_ERROR_UNKNOWN_PLANNER);
    EXPECT(strcmp(stowage_error_code(), "unknown-planner") == 0);
    EXPECT(strstr(stowage_error_text(), "did you mean 'exact'") != NULL);
    EXPECT(plan == NULL);
    EXPECT(stowage_problem_add_buffer(problem, "d", -1, 1) == STOWAGE_ERROR_ARGUMENT);
    EXPECT(stowage_problem_add_live(problem, 9, 0, 1) == STOWAGE_ERROR_ARGUMENT);
    EXPECT(stowage_problem_add_buffer(problem, "a", 1, 1) == 3); /* a second one of that name: told when it is planned */
    EXPECT(stowage_problem_add_live(problem, 3, 0, 1) == STOWAGE_OK);
    EXPECT(stowage_plan_problem(problem, NULL, &plan) == STOWAGE_ERROR_PROBLEM);
    EXPECT(strstr(stowage_error_text(), "'a'") != NULL);
    stowage_problem_free(problem);
}

/* It would lie over all others. A conflict counts for both of its buffers. */
static void aBufferNeedsALiveRangeOrAConflict(void)
{
    stowage_problem* problem = three();
    stowage_plan* plan = NULL;
    const int64_t offsets[] = {0, 10, 0, 0};
    EXPECT(stowage_problem_add_buffer(problem, "d", 8, 1) == 3);
    EXPECT(stowage_plan_problem(problem, NULL, &plan) == STOWAGE_ERROR_PROBLEM);
    EXPECT(strcmp(stowage_error_code(), "missing-field") == 0);
    EXPECT(strstr(stowage_error_text(), "'d'") != NULL);
    EXPECT(stowage_plan_from_offsets(problem, offsets, NULL, 4, &plan) == STOWAGE_ERROR_PROBLEM);
    EXPECT(stowage_problem_bound(problem) == STOWAGE_ERROR_PROBLEM);
    EXPECT(plan == NULL);
    EXPECT(stowage_problem_add_conflict(problem, 0, 3) == STOWAGE_OK);
    EXPECT(stowage_plan_problem(problem, NULL, &plan) == STOWAGE_OK);
    const int64_t a = stowage_plan_offset(plan, 0), d = stowage_plan_offset(plan, 3);
    EXPECT(a + 10 <= d || d + 8 <= a);
    stowage_plan_free(plan);
    stowage_problem_free(problem);
    /* In a text, an empty list says that there is no conflict. What is added to the problem then says it by nothing. */
    const char alone[] = "{\"format\": \"stowage.problem/1\", \"buffers\": [{\"name\": \"x\", \"size\": 4, \"conflicts\": []}]}";
    EXPECT(stowage_problem_read(alone, sizeof alone - 1, &problem) == STOWAGE_OK);
    EXPECT(stowage_problem_bound(problem) == 4);
    EXPECT(stowage_problem_add_buffer(problem, "y", 4, 1) == 1);
    EXPECT(stowage_problem_bound(problem) == STOWAGE_ERROR_PROBLEM);
    EXPECT(strstr(stowage_error_text(), "'y'") != NULL);
    stowage_problem_free(problem);
}

/* The size tells which fields there are: one of no version is refused, and so are fields of a later version that are set. */
static void optionsOfUnknownSizeAreRefused(void)
{
    stowage_problem* problem = three();
    stowage_plan* plan = NULL;
    stowage_options options = {.struct_size = 0, .planner = "naive"};
    const size_t sizes[] = {0, 1, sizeof(size_t), sizeof options - 1, SIZE_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        options.struct_size = sizes[i];
        EXPECT(stowage_plan_problem(problem, &options, &plan) == STOWAGE_ERROR_ARGUMENT);
        EXPECT(strcmp(stowage_error_code(), "bad-argument") == 0);
        EXPECT(strstr(stowage_error_text(), "struct_size") != NULL);
        EXPECT(plan == NULL);
    }
    struct {
        stowage_options known;
        uint64_t later[4];
    } larger = {.known = {.struct_size = sizeof larger, .planner = "naive"}};
    EXPECT(stowage_plan_problem(problem, &larger.known, &plan) == STOWAGE_OK);
    EXPECT(strcmp(stowage_plan_planner(plan), "naive") == 0);
    EXPECT(stowage_plan_size(plan) == 40); /* end to end */
    stowage_plan_free(plan);
    plan = NULL;
    larger.later[3] = 1;
    EXPECT(stowage_plan_problem(problem, &larger.known, &plan) == STOWAGE_ERROR_ARGUMENT);
    EXPECT(plan == NULL);
    stowage_problem_free(problem);
}

static void nullsAreErrors(void)
{
    stowage_plan* plan = NULL;
    EXPECT(stowage_plan_problem(NULL, NULL, &plan) == STOWAGE_ERROR_ARGUMENT);
    EXPECT(stowage_problem_add_buffer(NULL, "a", 1, 1) == STOWAGE_ERROR_ARGUMENT);
    EXPECT(stowage_plan_status(NULL) == STOWAGE_ERROR_ARGUMENT);
    EXPECT(stowage_plan_offset(NULL, 0) == -1);
    EXPECT(stowage_plan_json(NULL) == NULL);
    EXPECT(stowage_problem_buffer_name(NULL, 0) == NULL);
    EXPECT(stowage_problem_pool_count(NULL) == 0 && stowage_problem_pool_name(NULL, 0) == NULL);
    stowage_problem_free(NULL);
    stowage_plan_free(NULL);
}

static void textsAreRead(void)
{
    const char csv[] = "id,lower,upper,size\na,0,2,10\nb,1,3,20\n";
    const char bad[] = "id,lower,upper\na,0,2\n";
    stowage_problem* problem = NULL;
    stowage_plan* plan = NULL;
    EXPECT(stowage_problem_read(csv, sizeof csv - 1, &problem) == STOWAGE_OK);
    EXPECT(stowage_problem_buffer_count(problem) == 2);
    EXPECT(strcmp(stowage_problem_buffer_name(problem, 1), "b") == 0);
    const int64_t offsets[] = {0, 5};
    EXPECT(stowage_plan_from_offsets(problem, offsets, NULL, 2, &plan) == STOWAGE_OK);
    EXPECT(stowage_plan_status(plan) == STOWAGE_INVALID && stowage_plan_valid(plan) == 0);
    EXPECT(strstr(stowage_plan_violation(plan), "overlap") != NULL);
    stowage_plan_free(plan);
    const char other[] = "id,size,offset\na,10,0\nb,4,10\n"; /* a plan of another problem: b is larger here */
    EXPECT(stowage_plan_read(problem, other, sizeof other - 1, &plan) == STOWAGE_OK);
    EXPECT(stowage_plan_status(plan) == STOWAGE_INVALID && stowage_plan_valid(plan) == 0);
    EXPECT(strstr(stowage_plan_violation(plan), "4 bytes in the plan and 20") != NULL);
    stowage_plan_free(plan);
    stowage_problem_free(problem);
    EXPECT(stowage_problem_read(bad, sizeof bad - 1, &problem) == STOWAGE_ERROR_FORMAT);
}

static int stopAtOnce(void* user, int64_t size, int64_t bound, uint64_t work)
{
    (void)size, (void)bound, (void)work;
    ++*(int*)user;
    return 1;
}

static void progressCanStop(void)
{
    stowage_problem* problem = stowage_problem_new("many");
    uint32_t state = 7;
    for (int i = 0; i < 300; ++i) {
        char name[16];
        snprintf(name, sizeof name, "t%d", i);
        state = state * 1103515245u + 12345u;
        const int32_t buffer = stowage_problem_add_buffer(problem, name, 16 + (int64_t)(state >> 16) % 999, 1);
        stowage_problem_add_live(problem, buffer, (state >> 8) % 60, (state >> 8) % 60 + 1 + state % 9);
    }
    int told = 0;
    stowage_plan* plan = NULL;
    stowage_options options = {
        .struct_size = sizeof options,
        .planner = "hill-climb",
        .time_limit_s = 60,
        .work_limit = UINT64_C(1) << 40,
        .progress = stopAtOnce,
        .user = &told,
    };
    EXPECT(stowage_plan_problem(problem, &options, &plan) == STOWAGE_OK);
    EXPECT(told >= 1);
    EXPECT(stowage_plan_stopped_by(plan) == STOWAGE_CANCELLED);
    EXPECT(stowage_plan_valid(plan) == 1);
    stowage_plan_free(plan);
    stowage_problem_free(problem);
}

static void* planTwenty(void* unused)
{
    (void)unused;
    for (int i = 0; i < 20; ++i) {
        stowage_problem* problem = three();
        stowage_plan* plan = NULL;
        EXPECT(stowage_plan_problem(problem, NULL, &plan) == STOWAGE_OK);
        EXPECT(stowage_plan_size(plan) == 30);
        stowage_plan_free(plan);
        stowage_problem_free(problem);
    }
    return NULL;
}

static void threadsDoNotMeet(void)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, planTwenty, NULL);
    for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
}

/* Addresses are compared, too: what a reader finds in freed memory may still look right. */
static void textsStayInPlace(void)
{
    stowage_problem* problem = three();
    EXPECT(stowage_problem_add_pool(problem, "sram", STOWAGE_UNBOUNDED, 1) == 0);
    const char* buffer = stowage_problem_buffer_name(problem, 0);
    const char* pool = stowage_problem_pool_name(problem, 0);
    int moves = 0;
    for (int i = 0; i < 1000; ++i) {
        char name[16];
        snprintf(name, sizeof name, "t%d", i);
        EXPECT(stowage_problem_add_buffer(problem, name, 1, 1) == 3 + i);
        EXPECT(stowage_problem_add_pool(problem, name, STOWAGE_UNBOUNDED, 1) == 1 + i);
        moves += stowage_problem_buffer_name(problem, 0) != buffer;
        moves += stowage_problem_pool_name(problem, 0) != pool;
    }
    EXPECT(moves == 0);
    EXPECT(strcmp(buffer, "a") == 0 && strcmp(pool, "sram") == 0);
    EXPECT(strcmp(stowage_problem_buffer_name(problem, 1002), "t999") == 0);
    stowage_problem_free(problem);

    problem = three();
    stowage_plan* plan = NULL;
    EXPECT(stowage_plan_problem(problem, NULL, &plan) == STOWAGE_OK);
    const char* told[3];
    char asTold[3][256];
    for (int i = 0; i < 3; ++i) {
        told[i] = stowage_plan_explain(plan, i);
        EXPECT(told[i] != NULL);
        snprintf(asTold[i], sizeof asTold[i], "%s", told[i] ? told[i] : "");
        EXPECT(asTold[i][0] == 'a' + i && strstr(asTold[i], " lies at ") != NULL);
    }
    for (int i = 0; i < 3; ++i) EXPECT(told[i] && strcmp(told[i], asTold[i]) == 0);
    EXPECT(stowage_plan_explain(plan, 3) == NULL);
    EXPECT(strcmp(stowage_error_code(), "bad-argument") == 0);
    stowage_plan_free(plan);
    stowage_problem_free(problem);
}

static void* readPlan(void* shared)
{
    stowage_plan* plan = shared;
    for (int i = 0; i < 60; ++i) {
        const char* text = stowage_plan_explain(plan, i % 3);
        EXPECT(text && text[0] == 'a' + i % 3 && strstr(text, " lies at ") != NULL);
        const char* json = stowage_plan_json(plan);
        EXPECT(json && strstr(json, "\"stowage.plan/1\"") != NULL);
    }
    return NULL;
}

static void threadsReadOnePlan(void)
{
    stowage_problem* problem = three();
    stowage_plan* plan = NULL;
    EXPECT(stowage_plan_problem(problem, NULL, &plan) == STOWAGE_OK);
    pthread_t threads[4];
    for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, readPlan, plan);
    for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
    stowage_plan_free(plan);
    stowage_problem_free(problem);
}

/* What the problem tells of its pools is what its plans have. */
static void aProblemWithoutPoolsHasTheArena(void)
{
    stowage_problem* problem = three();
    stowage_plan* plan = NULL;
    EXPECT(stowage_problem_pool_count(problem) == 1);
    const char* arena = stowage_problem_pool_name(problem, 0);
    EXPECT(arena && strcmp(arena, "arena") == 0);
    EXPECT(stowage_problem_pool_name(problem, 1) == NULL);
    EXPECT(stowage_problem_add_candidate(problem, 0, 0) == STOWAGE_OK);
    EXPECT(stowage_problem_add_candidate(problem, 0, 1) == STOWAGE_ERROR_ARGUMENT);
    EXPECT(stowage_plan_problem(problem, NULL, &plan) == STOWAGE_OK);
    EXPECT(stowage_plan_pool(plan, 0) == 0 && stowage_plan_pool_size(plan, 0) == 30);
    EXPECT(strstr(stowage_plan_json(plan), "\"arena\"") != NULL);
    stowage_plan_free(plan);
    plan = NULL;
    /* Pools that are added take its place. */
    EXPECT(stowage_problem_add_pool(problem, "near", STOWAGE_UNBOUNDED, 1) == 0);
    EXPECT(stowage_problem_add_pool(problem, "far", STOWAGE_UNBOUNDED, 1) == 1);
    EXPECT(stowage_problem_pool_count(problem) == 2);
    EXPECT(strcmp(stowage_problem_pool_name(problem, 0), "near") == 0);
    EXPECT(strcmp(stowage_problem_pool_name(problem, 1), "far") == 0);
    EXPECT(arena && strcmp(arena, "arena") == 0);
    EXPECT(stowage_plan_problem(problem, NULL, &plan) == STOWAGE_OK);
    EXPECT(stowage_plan_pool(plan, 0) == 0);
    EXPECT(strstr(stowage_plan_json(plan), "\"arena\"") == NULL);
    stowage_plan_free(plan);
    stowage_problem_free(problem);
}

/* The words that plan files use for the same values. */
static void valuesHaveWords(void)
{
    EXPECT(strcmp(stowage_status_name(STOWAGE_OPTIMAL), "optimal") == 0);
    EXPECT(strcmp(stowage_status_name(STOWAGE_FEASIBLE), "feasible") == 0);
    EXPECT(strcmp(stowage_status_name(STOWAGE_TOO_LARGE), "does-not-fit") == 0);
    EXPECT(strcmp(stowage_status_name(STOWAGE_INFEASIBLE), "infeasible") == 0);
    EXPECT(strcmp(stowage_status_name(STOWAGE_UNDECIDED), "undecided") == 0);
    EXPECT(strcmp(stowage_status_name(STOWAGE_INVALID), "invalid") == 0);
    EXPECT(stowage_status_name(-1) == NULL && stowage_status_name(STOWAGE_INVALID + 1) == NULL);
    EXPECT(strcmp(stowage_stop_name(STOWAGE_COMPLETE), "complete") == 0);
    EXPECT(strcmp(stowage_stop_name(STOWAGE_WORK_LIMIT), "work-limit") == 0);
    EXPECT(strcmp(stowage_stop_name(STOWAGE_DEADLINE), "deadline") == 0);
    EXPECT(strcmp(stowage_stop_name(STOWAGE_CANCELLED), "cancelled") == 0);
    EXPECT(stowage_stop_name(-1) == NULL && stowage_stop_name(STOWAGE_CANCELLED + 1) == NULL);
}

int main(void)
{
    EXPECT(stowage_api_version() == STOWAGE_API_MAJOR * 1000 + STOWAGE_API_MINOR);
    EXPECT(stowage_planner_count() > 5 && stowage_planner_name(stowage_planner_count()) == NULL);
    plansAreProved();
    errorsHaveCodesAndTexts();
    aBufferNeedsALiveRangeOrAConflict();
    valuesHaveWords();
    optionsOfUnknownSizeAreRefused();
    nullsAreErrors();
    textsAreRead();
    progressCanStop();
    threadsDoNotMeet();
    textsStayInPlace();
    threadsReadOnePlan();
    aProblemWithoutPoolsHasTheArena();
    if (failures == 0) puts("The C interface does what stowage.h says.");
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
