// What tests of readers hand to a reader, and the check that it took the file.
#pragma once

#include <QTest>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace stowage::test {

using Options = std::vector<std::pair<std::string, std::string>>;
using Bindings = std::vector<std::pair<std::string, std::int64_t>>;

} // namespace stowage::test

#define VERIFY_IMPORTED(imported) QVERIFY2(bool(imported), (imported) ? "" : toText((imported).error()).c_str())
