// Columns of tables by their titles.
#pragma once

#include "app/desktop/tables/row_table.h"

#include <QTest>

#include <algorithm>

namespace stowage::test {

/// The index of the column with this title; fails the test, and returns 0, if there is none.
inline int columnOf(const RowSource& source, const char* title)
{
    const auto found = std::ranges::find(source.columns(), QString::fromLatin1(title), &RowColumn::title);
    const bool known = found != source.columns().end();
    if (!known) QTest::qFail(qPrintable(QStringLiteral("no column '%1'").arg(QLatin1String(title))), __FILE__, __LINE__);
    return known ? int(found - source.columns().begin()) : 0;
}

} // namespace stowage::test
