// The field that a note of a map is written in, over the map.
#pragma once

#include "app/canvas/pictures/map/map_note.h"

#include <QObject>
#include <QRect>

class QLineEdit;
class QWidget;

namespace stowage {

class NoteEditor : public QObject {
    Q_OBJECT

public:
    static constexpr int width = 260; ///< logical pixels
    [[nodiscard]] static int height();

    /// `over`: gets the focus back.
    explicit NoteEditor(QWidget& over);

    /// Opens a note at `at` (its upper left corner); one that is still open is kept first.
    void open(MapNote note, QPoint at);
    /// Closes the field. `keep`: `edited` follows where the text is another one.
    void close(bool keep);

Q_SIGNALS:
    void edited(const stowage::MapNote& note);

private:
    QWidget& over_;
    QLineEdit* edit_ = nullptr; ///< while a note is written
    MapNote note_;
};

} // namespace stowage
