// A file beside the models whose contents are shown: a log, a suite, devices, a measured run.
#pragma once

#include <QString>

#include <functional>
#include <memory>

namespace stowage {

struct BesideFile {
    QString path; ///< absolute
    /// Stands for the contents that are shown: each reading makes another object. Not null.
    std::shared_ptr<const void> contents;
    std::function<void()> readAgain;
};

} // namespace stowage
