// Runs stowage-cli on a pseudo-terminal, where it writes colours and progress.
#pragma once

#include "tests/cli/cli_process.h"

#include <QProcessEnvironment>

namespace stowage::test {

/// Reading fails at the end, when the terminal has nobody on its other side. Standard output and standard error come together in
/// `out`, as on a screen. A status of -1: no Python, or no end in a minute.
inline CliResult onTerminal(const QStringList& arguments)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.remove("NO_COLOR");
    QProcess terminal;
    terminal.setProcessEnvironment(environment);
    terminal.start("python3", QStringList{"-c", R"(import os, pty, sys
child, master = pty.fork()
if child == 0:
    os.execv(sys.argv[1], sys.argv[1:])
said = b''
try:
    while part := os.read(master, 65536):
        said += part
except OSError:
    pass
sys.stdout.buffer.write(said)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])))",
                                          Cli::program()} +
                                  arguments);
    if (!terminal.waitForFinished(60'000)) terminal.kill();
    CliResult result;
    result.status = terminal.exitStatus() == QProcess::NormalExit ? terminal.exitCode() : -1;
    result.out = terminal.readAllStandardOutput();
    result.err = terminal.readAllStandardError();
    return result;
}

} // namespace stowage::test
