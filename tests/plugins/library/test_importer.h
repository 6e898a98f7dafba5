// An importer whose behaviour is a function: the well-behaved part of every test plugin.
#pragma once

#include "plugins/api/importer.h"
#include "plugins/api/plugin.h"

#include <functional>

namespace stowage::test {

class TestImporter : public Importer {
public:
    using Import = std::function<Expected<Imported>(const ImportRequest&)>;

    TestImporter(std::string name, std::string magic, Import import)
        : info_{std::move(name), "Test", {"test"}, {}}, magic_(std::move(magic)), import_(std::move(import))
    {
    }

    const ImporterInfo& info() const override { return info_; }
    int claims(std::string_view head, std::string_view) const override { return head.starts_with(magic_) ? 100 : 0; }
    Expected<Imported> import(const ImportRequest& request) const override { return import_(request); }

private:
    ImporterInfo info_;
    std::string magic_;
    Import import_;
};

/// A problem of one buffer as large as the file.
inline Expected<Imported> oneBuffer(const ImportRequest& request)
{
    Problem problem;
    problem.name = "test";
    problem.pools.emplace_back().name = "arena";
    Buffer buffer;
    buffer.name = "file";
    buffer.size = static_cast<Bytes>(request.bytes.size());
    buffer.live = {{0, 1}};
    problem.buffers.push_back(std::move(buffer));
    return Imported{std::move(problem), {}, {}};
}

} // namespace stowage::test
