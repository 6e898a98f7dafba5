// The seed of random tests.
#pragma once

#include <QRandomGenerator>
#include <QTest>

namespace stowage {

/// Prints and returns the seed: STOWAGE_SEED where it is set, a number or `random` for one that is drawn anew; else always the
/// same one, so that a run of the tests is repeatable.
inline quint32 testSeed()
{
    constexpr quint32 fixed = 20'260'101;
    const QByteArray wanted = qgetenv("STOWAGE_SEED");
    bool number = false;
    quint32 seed = wanted.toUInt(&number);
    if (!number) seed = wanted == "random" ? QRandomGenerator::global()->generate() : fixed;
    qInfo("seed %u", seed);
    return seed;
}

} // namespace stowage
