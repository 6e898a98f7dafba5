// A model for pipelines whose figures can be worked out by hand.
#pragma once

#include "tests/cli/cli_process.h"

#include <QFile>
#include <QFileInfo>

namespace stowage::test {

/// Four ops in a chain with known costs, for figures that can be worked out by hand.
inline const char* const chain =
    R"({"format": "stowage.program/1", "name": "chain", "entry": "main", "functions": [{"name": "main",
 "inputs": ["x"], "outputs": ["d"], "tensors": [{"name": "x", "kind": "input", "bytes": 640}, {"name": "a", "bytes": 320},
  {"name": "b", "bytes": 320}, {"name": "c", "bytes": 320}, {"name": "d", "kind": "output", "bytes": 64}],
 "ops": [{"name": "o0", "kind": "add", "inputs": ["x"], "outputs": ["a"], "cost_us": 10},
  {"name": "o1", "kind": "mul", "inputs": ["a"], "outputs": ["b"], "cost_us": 20},
  {"name": "o2", "kind": "add", "inputs": ["b"], "outputs": ["c"], "cost_us": 30},
  {"name": "o3", "kind": "add", "inputs": ["c"], "outputs": ["d"], "cost_us": 5}]}]})";

/// This build has the program of ranks.
inline bool hasMpi()
{
    return QFile::exists(QFileInfo(Cli::program()).path() + "/stowage-stage");
}

} // namespace stowage::test
