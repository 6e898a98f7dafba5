// The text field for a note of a map, over the map.
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

    /// `over`: the map, which gets the focus back.
    explicit NoteEditor(QWidget& over);

    /// Opens a note with its upper left corner at `at`; saves a note that is still open.
    void open(MapNote note, QPoint at);
    /// Closes the field. `keep`: emits `edited` if the text has changed.
    void close(bool keep);

Q_SIGNALS:
    void edited(const stowage::MapNote& note);

private:
    QWidget& over_;
    QLineEdit* edit_ = nullptr; ///< null: no note is open
    MapNote note_;
};

} // namespace stowage
