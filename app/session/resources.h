// Paths of the installed data: targets, samples, icons, the guide.
#pragma once

#include <QString>

namespace stowage {

/// The folder of the resources, or an empty string. Looked up in this order: the environment variable STOWAGE_RESOURCES,
/// `../share/stowage` beside the executable (the build folder has the same shape as an installation), the install prefix.
/// Needs a QCoreApplication.
QString resourceFolder();

/// The path of a file or folder in it ("samples/index.json"); empty if it does not exist.
QString resourcePath(const QString& relative);

} // namespace stowage
