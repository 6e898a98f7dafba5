// Files are written whole or not at all, and no failed write goes unnoticed. Failures are made with a device that is always full,
// limits on the size of files, folders without permission and a process that is killed.
#include "core/io/output_file.h"
#include "tests/support/seed.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <poll.h>
#include <random>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace stowage;

namespace {

std::string said(const std::optional<Error>& error)
{
    return error ? toText(*error) : std::string();
}

struct Call {
    const char* name;
    ino_t file;
};
std::vector<Call>* calls = nullptr; ///< where calls are noted; null: nowhere

} // namespace

// They take the place of those of the C library, also for the library under test: therefore visible.
extern "C" [[gnu::visibility("default")]] int fsync(int descriptor)
{
    struct stat status {};
    if (calls && fstat(descriptor, &status) == 0) calls->push_back({"fsync", status.st_ino});
    return static_cast<int>(syscall(SYS_fsync, descriptor));
}

extern "C" [[gnu::visibility("default")]] int rename(const char* from, const char* to) noexcept
{
    struct stat status {};
    if (calls && stat(from, &status) == 0) calls->push_back({"rename", status.st_ino});
    return static_cast<int>(syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}

class OutputFileTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir folder_;

    [[nodiscard]] std::string path(const char* name) const { return folder_.filePath(QString::fromUtf8(name)).toStdString(); }
    void put(const char* name, const QByteArray& text) const
    {
        QFile file(folder_.filePath(QString::fromUtf8(name)));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    }
    [[nodiscard]] QByteArray contents(const char* name) const
    {
        QFile file(folder_.filePath(QString::fromUtf8(name)));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(absent)");
    }
    [[nodiscard]] mode_t modeOf(const char* name) const
    {
        struct stat status {};
        return lstat(path(name).c_str(), &status) == 0 ? status.st_mode : 0;
    }
    /// Nothing but what the tests made is in the folder.
    [[nodiscard]] QStringList leftovers() const
    {
        QStringList all = QDir(folder_.path()).entryList(QDir::AllEntries | QDir::System | QDir::Hidden | QDir::NoDotAndDotDot);
        all.removeIf([](const QString& name) { return !name.startsWith(u'.'); });
        return all;
    }
    /// Runs `work` in a child process; its exit status, or minus the signal that ended it.
    template <typename Work>
    static int inChild(Work work)
    {
        const pid_t child = fork();
        if (child == 0) _exit(work());
        int status = 0;
        waitpid(child, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    }

private Q_SLOTS:
    void cleanup() { QCOMPARE(leftovers(), QStringList()); }

    void aNewFileHasTheBytesAndTheModeThatTheMaskLeaves()
    {
        const mode_t mask = umask(027);
        const auto error = io::writeFile(path("new"), "some bytes");
        umask(mask);
        QVERIFY2(!error, said(error).c_str());
        QCOMPARE(contents("new"), QByteArray("some bytes"));
        QCOMPARE(modeOf("new") & 07777U, 0640U);
    }

    void aReplacedFileKeepsItsMode()
    {
        put("old", "before");
        QCOMPARE(chmod(path("old").c_str(), 0604), 0);
        const auto error = io::writeFile(path("old"), "after");
        QVERIFY2(!error, said(error).c_str());
        QCOMPARE(contents("old"), QByteArray("after"));
        QCOMPARE(modeOf("old") & 07777U, 0604U);
    }

    void linksAreFollowedAndStay()
    {
        QVERIFY(QDir(folder_.path()).mkdir(QStringLiteral("sub")));
        put("sub/target", "before");
        QCOMPARE(symlink("sub/target", path("second").c_str()), 0);
        QCOMPARE(symlink("second", path("first").c_str()), 0);
        QVERIFY(!io::writeFile(path("first"), "after"));
        QVERIFY(S_ISLNK(modeOf("first")) && S_ISLNK(modeOf("second")) && S_ISREG(modeOf("sub/target")));
        QCOMPARE(contents("sub/target"), QByteArray("after"));
        // Where the target does not exist yet, it is made.
        QCOMPARE(symlink("sub/made", path("dangling").c_str()), 0);
        QVERIFY(!io::writeFile(path("dangling"), "new"));
        QVERIFY(S_ISLNK(modeOf("dangling")));
        QCOMPARE(contents("sub/made"), QByteArray("new"));
        QCOMPARE(symlink("circle", path("circle").c_str()), 0);
        QVERIFY(io::writeFile(path("circle"), "x").has_value());
    }

    void aFullDeviceIsAnErrorAndStaysADevice()
    {
        const std::string device = path("full");
        if (mknod(device.c_str(), S_IFCHR | 0666, makedev(1, 7)) != 0) QSKIP("this user may not make device nodes");
        const int probe = ::open(device.c_str(), O_WRONLY);
        if (probe < 0) QSKIP("device nodes cannot be opened in the folder for temporary files");
        close(probe);
        const auto error = io::writeFile(device, "some bytes");
        QVERIFY(S_ISCHR(modeOf("full")));
        QVERIFY(error.has_value());
        QVERIFY2(said(error).find("full: cannot be written: No space left on device") != std::string::npos, said(error).c_str());
        // Through a link as well.
        QCOMPARE(symlink("full", path("link-to-full").c_str()), 0);
        QVERIFY(io::writeFile(path("link-to-full"), "some bytes").has_value());
        QVERIFY(S_ISCHR(modeOf("full")) && S_ISLNK(modeOf("link-to-full")));
    }

    void aDeviceThatTakesEverythingIsNotReplaced()
    {
        const std::string device = path("null");
        if (mknod(device.c_str(), S_IFCHR | 0666, makedev(1, 3)) != 0) QSKIP("this user may not make device nodes");
        if (const int probe = ::open(device.c_str(), O_WRONLY); probe >= 0)
            close(probe);
        else
            QSKIP("device nodes cannot be opened in the folder for temporary files");
        const auto error = io::writeFile(device, "some bytes");
        QVERIFY2(!error, said(error).c_str());
        QVERIFY(S_ISCHR(modeOf("null")));
    }

    /// /dev/shm holds ordinary files: a shorter one replaces a longer one, and a new one is made.
    void filesInSharedMemoryAreReplacedWhole()
    {
        QTemporaryDir shared(QStringLiteral("/dev/shm/stowage-XXXXXX"));
        if (!shared.isValid()) QSKIP("this user may not write to /dev/shm");
        const std::string file = shared.filePath(QStringLiteral("p.json")).toStdString();
        const auto contentsOfIt = [&] {
            QFile opened(QString::fromStdString(file));
            return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray("(absent)");
        };
        const auto made = io::writeFile(file, "a long first text");
        QVERIFY2(!made, said(made).c_str());
        QCOMPARE(contentsOfIt(), QByteArray("a long first text"));
        const auto replaced = io::writeFile(file, "short");
        QVERIFY2(!replaced, said(replaced).c_str());
        QCOMPARE(contentsOfIt(), QByteArray("short"));
        QCOMPARE(QDir(shared.path()).entryList(QDir::Files | QDir::Hidden), QStringList{"p.json"}); // and no temporary file
    }

    void descriptorsAreWrittenAtTheirPosition_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<int>("mode");
        QTest::newRow("append to standard output") << QByteArray("/dev/stdout") << O_APPEND;
        QTest::newRow("continue standard output") << QByteArray("/dev/stdout") << 0;
        QTest::newRow("append to standard error") << QByteArray("/dev/stderr") << O_APPEND;
        QTest::newRow("append by number") << QByteArray("/dev/fd/17") << O_APPEND;
        QTest::newRow("append by a link") << QByteArray("link") << O_APPEND;
    }
    /// As `command -o /dev/stdout >> log` and `{ echo; command -o /dev/stdout; } > log` expect.
    void descriptorsAreWrittenAtTheirPosition()
    {
        QFETCH(const QByteArray, name);
        QFETCH(const int, mode);
        put("log", "before\n");
        const std::string link = path("link-to-output");
        unlink(link.c_str());
        QCOMPARE(symlink("/dev/stdout", link.c_str()), 0);
        const std::string target = name == "link" ? link : name.toStdString();
        struct stat before {};
        QCOMPARE(stat(path("log").c_str(), &before), 0);
        std::fflush(stdout);
        const int status = inChild([&] {
            const int log = ::open(path("log").c_str(), O_WRONLY | mode);
            if (log < 0) return 1;
            if (mode == 0 && lseek(log, 0, SEEK_END) != 7) return 2;
            for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO, 17})
                if (dup2(log, descriptor) != descriptor) return 3;
            if (io::writeFile(target, "first\n") || io::writeFile(target, "second\n")) return 4;
            return 42;
        });
        QCOMPARE(status, 42);
        QCOMPARE(contents("log"), QByteArray("before\nfirst\nsecond\n"));
        struct stat after {};
        QCOMPARE(stat(path("log").c_str(), &after), 0);
        QCOMPARE(after.st_ino, before.st_ino); // the same file
    }

    void aClosedDescriptorIsAnError()
    {
        const auto error = io::writeFile("/dev/fd/987", "x");
        QVERIFY2(said(error).find("it is closed") != std::string::npos, said(error).c_str());
    }

    void aFifoHandsAllBytesToItsReader()
    {
        const std::string fifo = path("fifo");
        QCOMPARE(mkfifo(fifo.c_str(), 0600), 0);
        const std::string bytes(1'000'000, 'x'); // more than a pipe holds
        std::string read;
        std::thread reader([&] {
            const int descriptor = ::open(fifo.c_str(), O_RDONLY);
            std::array<char, 65536> part{};
            for (ssize_t n = 0; (n = ::read(descriptor, part.data(), part.size())) > 0;) read.append(part.data(), std::size_t(n));
            close(descriptor);
        });
        const auto error = io::writeFile(fifo, bytes, [] { return false; });
        reader.join();
        QVERIFY2(!error, said(error).c_str());
        QCOMPARE(read.size(), bytes.size());
        QVERIFY(S_ISFIFO(modeOf("fifo")));
    }

    void aFifoWhoseReaderGoesAwayIsAnError()
    {
        const std::string fifo = path("deserted");
        QCOMPARE(mkfifo(fifo.c_str(), 0600), 0);
        std::thread reader([&] {
            const int descriptor = ::open(fifo.c_str(), O_RDONLY);
            char one = 0;
            QVERIFY(::read(descriptor, &one, 1) == 1);
            close(descriptor);
        });
        const auto error = io::writeFile(fifo, std::string(1'000'000, 'x'));
        reader.join();
        QVERIFY2(said(error).find("Broken pipe") != std::string::npos, said(error).c_str());
    }

    void waitingForAReaderCanBeGivenUp()
    {
        const std::string fifo = path("alone");
        QCOMPARE(mkfifo(fifo.c_str(), 0600), 0);
        int asked = 0;
        QVERIFY(io::writeFile(fifo, "x", [&] { return ++asked == 3; }).has_value());
        QCOMPARE(asked, 3);
        // And with a reader that reads nothing.
        const int descriptor = ::open(fifo.c_str(), O_RDONLY | O_NONBLOCK);
        asked = 0;
        QVERIFY(io::writeFile(fifo, std::string(1'000'000, 'x'), [&] { return ++asked == 100; }).has_value());
        close(descriptor);
    }

    /// Ctrl-C ends the work, and its best result so far goes to a reader that is there.
    void theResultOfAnInterruptedWorkIsWritten()
    {
        const std::string fifo = path("waiting");
        QCOMPARE(mkfifo(fifo.c_str(), 0600), 0);
        const int descriptor = ::open(fifo.c_str(), O_RDONLY | O_NONBLOCK); // so that the writer finds a reader at once
        QVERIFY(descriptor >= 0);
        QVERIFY(fcntl(descriptor, F_SETFL, 0) == 0);
        std::size_t read = 0;
        std::thread reader([&] {
            pollfd first{descriptor, POLLIN, 0}; // a read before the writer comes would be at the end
            ::poll(&first, 1, 30'000);
            std::array<char, 65536> part{};
            for (ssize_t n = 0; (n = ::read(descriptor, part.data(), part.size())) > 0;) read += std::size_t(n);
        });
        const auto error = io::writeFile(fifo, std::string(1'000'000, 'x'), [] { return true; });
        reader.join();
        close(descriptor);
        QVERIFY2(!error, said(error).c_str());
        QCOMPARE(read, std::size_t{1'000'000});
    }

    /// Unlike the above, for a result that nobody wants any more. The work may be interrupted while the bytes are written.
    void aWorkThatWasStoppedReplacesNoFile()
    {
        put("wanted", "before");
        const auto stopped = io::writeUnlessStopped(path("wanted"), "after", [] { return true; });
        QVERIFY(stopped && stopped->code == Code::cancelled);
        QCOMPARE(contents("wanted"), QByteArray("before"));
        QVERIFY(!io::writeUnlessStopped(path("wanted"), "after", [] { return false; }));
        QCOMPARE(contents("wanted"), QByteArray("after"));
        QVERIFY(!io::writeUnlessStopped(path("wanted"), "again", {}));
        QCOMPARE(contents("wanted"), QByteArray("again"));
    }

    void aFileTooLargeForItsLimitLeavesTheOldOne()
    {
        put("limited", "before");
        const int status = inChild([&] {
            const rlimit limit{1000, 1000};
            setrlimit(RLIMIT_FSIZE, &limit);
            const auto error = io::writeFile(path("limited"), std::string(5000, 'x'));
            return error && error->message.find("File too large") != std::string::npos ? 42 : 1;
        });
        QCOMPARE(status, 42); // and no signal has ended it
        QCOMPARE(contents("limited"), QByteArray("before"));
    }

    void aFolderWithoutPermissionIsAnError()
    {
        QVERIFY(QDir(folder_.path()).mkdir(QStringLiteral("closed")));
        put("closed/old", "before");
        QCOMPARE(chmod(path("closed").c_str(), 0555), 0);
        QCOMPARE(chmod(folder_.path().toUtf8().constData(), 0711), 0); // for the user below
        const int status = inChild([&] {
            if (geteuid() == 0 && setuid(65534) != 0) return 2; // root may write everywhere
            if (access(path("closed").c_str(), X_OK) != 0) return 77;
            const auto error = io::writeFile(path("closed/new"), "x");
            const auto replaced = io::writeFile(path("closed/old"), "x");
            return error && replaced && error->message.find("Permission denied") != std::string::npos ? 42 : 1;
        });
        chmod(path("closed").c_str(), 0700);
        QVERIFY2(status == 42 || status == 77, qPrintable(QString::number(status)));
        QCOMPARE(contents("closed/old"), QByteArray("before"));
        QVERIFY(!QFile::exists(QString::fromStdString(path("closed/new"))));
        if (status == 77) QSKIP("the folder for temporary files is closed to an ordinary user");
    }

    void foldersMissingFoldersAndEmptyNamesAreErrors()
    {
        QVERIFY2(said(io::writeFile(folder_.path().toStdString(), "x")).find("this is a folder") != std::string::npos, "");
        QVERIFY2(said(io::writeFile(path("absent/file"), "x")).find("make the folder first") != std::string::npos, "");
        QVERIFY(io::writeFile("", "x").has_value());
        QVERIFY(io::writeFile(path("name-that-ends-in-a-slash/"), "x").has_value());
    }

    void withoutCommitTheOldFileStays()
    {
        put("kept", "before");
        {
            auto file = io::OutputFile::open(path("kept"));
            QVERIFY(bool(file));
            QVERIFY(!file->write("half of it"));
            QCOMPARE(contents("kept"), QByteArray("before"));
        }
        QCOMPARE(contents("kept"), QByteArray("before"));
    }

    /// Otherwise a power failure can leave the new name with an empty file.
    void theBytesAreOnTheDiskBeforeTheNameChanges()
    {
        put("synced", "before");
        std::vector<Call> made;
        calls = &made;
        const auto error = io::writeFile(path("synced"), "after");
        calls = nullptr;
        QVERIFY2(!error, said(error).c_str());
        QCOMPARE(contents("synced"), QByteArray("after"));
        struct stat status {};
        QVERIFY(stat(path("synced").c_str(), &status) == 0);
        std::erase_if(made, [&](const Call& call) { return call.file != status.st_ino; });
        QCOMPARE(made.size(), std::size_t{2});
        QCOMPARE(made[0].name, "fsync");
        QCOMPARE(made[1].name, "rename");
    }

    /// The old file or the new one, never a mixture: a process that writes is killed at random points of the time that a write
    /// takes.
    void aKillAtAnyPointLeavesOneOfTheTwo()
    {
        const QByteArray before(40'000, 'a'), after(60'000, 'b');
        const std::string text = after.toStdString();
        put("torn", before);
        using Clock = std::chrono::steady_clock;
        double half = 1e6; // nanoseconds after which half of the writes are through; found by what the kills leave
        std::mt19937_64 random(testSeed());
        int old = 0;
        for (int i = 0; i < 1000; ++i) {
            put("torn", before);
            const pid_t child = fork();
            QVERIFY(child >= 0);
            if (child == 0) _exit(io::writeFile(path("torn"), text) ? 1 : 0);
            const auto until = Clock::now() + std::chrono::nanoseconds(random() % static_cast<std::uint64_t>(2 * half));
            while (Clock::now() < until) {
            }
            ::kill(child, SIGKILL);
            int status = 0;
            QCOMPARE(waitpid(child, &status, 0), child);
            const QByteArray left = contents("torn");
            old += left == before;
            half = std::max(1e4, half * (left == before ? 1.05 : 0.95));
            QVERIFY2(left == before || left == after, qPrintable(QString("run %1: %2 bytes").arg(i).arg(left.size())));
            // Renamed into place, but killed before it: a name of the writer's own, where the file system has no files without
            // one.
            for (const QString& name : leftovers()) QFile::remove(folder_.filePath(name));
        }
        QVERIFY2(old > 50 && old < 1000,
                 qPrintable(QString("%1 of 1000 left the old file: the kills missed the write").arg(old)));
    }

    void aKilledProcessLeavesTheOldFileAndNothingElse()
    {
        put("survives", "before");
        const int status = inChild([&] {
            auto file = io::OutputFile::open(path("survives"));
            if (!file || file->write(std::string(100'000, 'x'))) return 1;
            raise(SIGKILL);
            return 0;
        });
        QCOMPARE(status, -SIGKILL);
        QCOMPARE(contents("survives"), QByteArray("before"));
        // `cleanup` looks for temporary files: there is none where the file system can make files without a name.
        const int probe = ::open(folder_.path().toUtf8().constData(), O_TMPFILE | O_WRONLY, 0600);
        if (probe >= 0)
            close(probe);
        else
            for (const QString& left : leftovers()) QFile::remove(folder_.filePath(left));
    }
};

QTEST_GUILESS_MAIN(OutputFileTest)
#include "tst_output_file.moc"
