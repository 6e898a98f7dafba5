// A loop with two exits, and an application of what is generated for it, which works out by itself what has to come out.
#pragma once

namespace stowage::test {

/// A delay line of two values that is left in the middle of its body or at the end of it, and a branch that hands on what came
/// out, or was there before.
inline const char* const leaveModel =
    R"({"format": "stowage.program/1", "name": "leave", "functions": [{"name": "main", "inputs": ["x"], "outputs": ["z"],
 "tensors": [{"name": "x", "bytes": 8}, {"name": "a", "bytes": 8}, {"name": "b", "bytes": 8}, {"name": "r", "bytes": 8},
             {"name": "s", "bytes": 8},
             {"name": "odd", "bytes": 1, "dtype": "bool"}, {"name": "c", "bytes": 8},
             {"name": "z", "kind": "output", "bytes": 8}],
 "ops": [{"name": "one", "inputs": ["x"], "outputs": ["a"]}, {"name": "two", "inputs": ["x"], "outputs": ["b"]},
  {"name": "loop", "kind": "while", "inputs": ["a", "b"], "outputs": ["r", "s"], "trip_count": 7,
   "carries": [{"from": "q", "to": "p"}, {"from": "y", "to": "q"}],
   "body": {"inputs": ["p", "q"], "outputs": ["y", "q"],
    "tensors": [{"name": "p", "bytes": 8}, {"name": "q", "bytes": 8}, {"name": "h", "bytes": 8}, {"name": "y", "bytes": 8}],
    "ops": [{"name": "half", "inputs": ["p"], "outputs": ["h"]},
            {"name": "first", "kind": "exit", "inputs": ["h"], "carries": [{"from": "h", "to": "r"}, {"from": "p", "to": "s"}],
             "cond": {"inputs": [], "outputs": ["t"], "tensors": [{"name": "t", "bytes": 1}],
                      "ops": [{"name": "test1", "inputs": ["h"], "outputs": ["t"]}]}},
            {"name": "full", "inputs": ["h", "q"], "outputs": ["y"]},
            {"name": "second", "kind": "exit", "inputs": ["y"], "carries": [{"from": "q", "to": "r"}, {"from": "y", "to": "s"}],
             "cond": {"inputs": ["v"], "outputs": ["u"], "tensors": [{"name": "v", "bytes": 8}, {"name": "u", "bytes": 1}],
                      "ops": [{"name": "test2", "inputs": ["v"], "outputs": ["u"]}]}}]}},
  {"name": "parity", "inputs": ["r"], "outputs": ["odd"]},
  {"name": "pick", "kind": "if", "inputs": ["odd"], "outputs": ["c"],
   "branches": [{"outputs": ["s"], "ops": []}, {"outputs": ["b"], "ops": []}]},
  {"name": "sum", "inputs": ["r", "s", "c"], "outputs": ["z"]}]}]})";

/// Its status is 0 when all is right for inputs that leave the loop in each way, 3 when they do not leave it in each, else 10 and
/// the way.
inline const char* const leaveApplication = R"(#include "leave.h"
#include <string.h>
static void mix(uint8_t* out, unsigned id, const uint8_t* a, const uint8_t* b, const uint8_t* c)
{
    uint8_t made[8];
    int i;
    for (i = 0; i < 8; ++i)
        made[i] = (uint8_t)(id * 29u + a[i] * 5u + a[(i + 1) % 8] * 3u + (b ? b[i] * 7u : 0u) + (c ? c[i] * 11u : 0u));
    memcpy(out, made, 8);
}
static int stops1(const uint8_t* h) { return h[0] % 9 == 0; }
static int stops2(const uint8_t* y) { return y[1] % 7 == 0; }
int32_t leave_op_one(const uint8_t* a, uint8_t* out, void* d) { (void)d; mix(out, 1, a, NULL, NULL); return 0; }
int32_t leave_op_two(const uint8_t* a, uint8_t* out, void* d) { (void)d; mix(out, 2, a, NULL, NULL); return 0; }
int32_t leave_op_half(const uint8_t* a, uint8_t* out, void* d) { (void)d; mix(out, 3, a, NULL, NULL); return 0; }
int32_t leave_op_full(const uint8_t* a, const uint8_t* b, uint8_t* out, void* d) { (void)d; mix(out, 4, a, b, NULL); return 0; }
int32_t leave_op_test1(const uint8_t* a, uint8_t* out, void* d) { (void)d; *out = (uint8_t)stops1(a); return 0; }
int32_t leave_op_test2(const uint8_t* a, uint8_t* out, void* d) { (void)d; *out = (uint8_t)stops2(a); return 0; }
int32_t leave_op_parity(const uint8_t* a, uint8_t* out, void* d) { (void)d; *out = a[2] & 1; return 0; }
int32_t leave_op_sum(const uint8_t* a, const uint8_t* b, const uint8_t* c, uint8_t* out, void* d)
{ (void)d; mix(out, 5, a, b, c); return 0; }
int main(void)
{
    static int seen[15];
    uint32_t random = 1;
    int n, i, ways = 0;
    for (n = 0; n < 3000; ++n) {
        uint8_t x[8], a[8], b[8], p[8], q[8], h[8], y[8], r[8], s[8], z[8], made[8];
        int way = 14;
        TVMContext context;
        TVMInputs_leave inputs;
        TVMOutputs_leave outputs;
        for (i = 0; i < 8; ++i) x[i] = (uint8_t)((random = random * 1664525u + 1013904223u) >> 24);
        mix(a, 1, x, NULL, NULL);
        mix(b, 2, x, NULL, NULL);
        memcpy(p, a, 8);
        memcpy(q, b, 8);
        for (i = 0; i < 7; ++i) {
            mix(h, 3, p, NULL, NULL);
            if (stops1(h)) { memcpy(r, h, 8); memcpy(s, p, 8); way = 2 * i; break; }
            mix(y, 4, h, q, NULL);
            if (stops2(y)) { memcpy(r, q, 8); memcpy(s, y, 8); way = 2 * i + 1; break; }
            memcpy(r, y, 8);
            memcpy(s, q, 8);
            memcpy(p, q, 8);
            memcpy(q, y, 8);
        }
        seen[way] = 1;
        mix(z, 5, r, s, r[2] & 1 ? s : b);
        memset(&context, 0, sizeof context);
        inputs.x = x;
        outputs.z = made;
        if (TVMExecute(&leave, &inputs, &outputs, &context) != 0) return 2;
        if (memcmp(made, z, 8) != 0) return 10 + way;
    }
    for (i = 0; i < 15; ++i) ways += seen[i];
    return ways == 15 ? 0 : 3;
})";

} // namespace stowage::test
