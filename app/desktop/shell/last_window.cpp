#include "app/desktop/shell/last_window.h"

#include <QGuiApplication>

#include <chrono>
#include <thread>
#include <unistd.h>

namespace stowage {

namespace {

constexpr std::chrono::milliseconds patience{500};

} // namespace

void endWithLastWindow(QGuiApplication& application)
{
    QObject::connect(&application, &QGuiApplication::lastWindowClosed, &application, [] {
        std::thread([] {
            std::this_thread::sleep_for(patience);
            _exit(0);
        }).detach();
        QCoreApplication::exit(0);
    });
}

} // namespace stowage
