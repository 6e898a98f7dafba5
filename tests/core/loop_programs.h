// Programs with loops of tst_loops.cpp, which alone includes this.
#pragma once

#include "core/plan/loop_views.h"
#include "core/plan/unroll.h"
#include "tests/core/planned_and_run.h"
#include "tests/core/random_loops.h"
#include "tests/support/instrumented.h"

#include <QTest>

#include <algorithm>
#include <numeric>
#include <random>

using namespace stowage;
using namespace stowage::test;

namespace {

/// y = f(x of `length` iterations before), each of 64 bytes; with everything that is carried among the results when `all`.
struct DelayLine {
    ProgramBuilder b;
    std::vector<TensorId> first, inputs, results;
    TensorId y = none;
    OpId loop = none;
    DelayLine(int length, bool all, std::optional<std::int64_t> trips = std::nullopt)
    {
        for (int i = 0; i < length; ++i) first.push_back(b.input("x" + std::to_string(i), 64));
        for (int i = 0; i < (all ? length : 1); ++i) results.push_back(b.tensor("z" + std::to_string(i), 64));
        loop = b.loop("loop", first, results);
        b.begin(loop, RegionRole::body);
        for (int i = 0; i < length; ++i) inputs.push_back(b.input("p" + std::to_string(i), 64));
        y = b.tensor("y", 64);
        b.op("conv", {inputs.front()}, {y});
        if (!all) b.output(y);
        for (int i = 1; i < length; ++i) b.output(inputs[static_cast<std::size_t>(i)]);
        if (all) b.output(y);
        b.end();
        for (int i = 0; i < length; ++i)
            b.at(loop).carries.push_back(
                {i + 1 < length ? inputs[static_cast<std::size_t>(i) + 1] : y, inputs[static_cast<std::size_t>(i)]});
        b.at(loop).tripCount = trips;
        b.output(results.back());
    }
};

/// Two loops, the inner one's result carried round the outer one: P -> [p -> conv -> y]* -> Y.
struct Nested {
    ProgramBuilder b;
    OpId outer = none, inner = none;
    Nested(std::optional<std::int64_t> outerTrips, std::optional<std::int64_t> innerTrips, bool between)
    {
        const auto x = b.input("x", 64), z = b.tensor("z", 64);
        outer = b.loop("outer", {x}, {z});
        b.begin(outer, RegionRole::body);
        const auto P = b.input("P", 64);
        TensorId start = P;
        if (between) b.op("before", {P}, {start = b.tensor("s", 64)});
        const auto Y = b.tensor("Y", 64);
        inner = b.loop("inner", {start}, {Y});
        b.begin(inner, RegionRole::body);
        const auto p = b.input("p", 64), y = b.tensor("y", 64);
        b.op("conv", {p}, {y});
        b.output(y);
        b.end();
        b.at(inner).carries = {{y, p}};
        b.at(inner).tripCount = innerTrips;
        b.output(Y);
        b.end();
        b.at(outer).carries = {{Y, P}};
        b.at(outer).tripCount = outerTrips;
        b.output(z);
    }
};

} // namespace
