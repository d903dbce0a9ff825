package dev.paddock.executor.remote.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.Progress;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests a fetch whose files do not come. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SlowFetchTest {
    @TempDir
    Path directory;

    @Test
    void pullThatTakesTooLongNamesWhatIsMissingAndNextOneFetchesIt() throws Exception {
        Path here = Files.createDirectory(directory.resolve("here"));
        Path there = directory.resolve("there");
        Path gate = directory.resolve("gate");
        LocalFar far = LocalFar.without(directory.resolve("programs"), "tar");
        Path tar = directory.resolve("programs/tar");
        Files.writeString(tar, "#!/bin/sh\n[ -p " + gate + " ] && : <" + gate + "\nexec /usr/bin/tar \"$@\"\n");
        Files.setPosixFilePermissions(tar, PosixFilePermissions.fromString("rwxr-xr-x"));
        WorktreeSync sync = WorktreeSync.open(
                far,
                new SyncDirectories(
                        here,
                        there.toString(),
                        directory.resolve("state").toString(),
                        Files.createDirectory(directory.resolve("staging")),
                        directory.resolve("kept"),
                        SyncDirectories.MAX_FETCH,
                        Duration.ofSeconds(2)),
                (path, exists) -> true,
                AbortSignal.never());
        sync.push(AbortSignal.never(), progress -> {});
        LocalFar.gnu().run(there, "for name in a b c d e; do echo $name >$name; done; mkfifo " + gate);

        assertThatThrownBy(() -> sync.pull(AbortSignal.never(), progress -> {}))
                .isInstanceOf(ExecutorException.class)
                .hasMessage("after 2 s, the limit fetchTimeout, still missing: 'a', 'b', 'c' and 2 more");

        assertThat(sync.awaited()).isEmpty();
        new RandomAccessFile(gate.toFile(), "rw").close(); // ends the program that reads it
        Files.delete(gate);
        assertThat(sync.pull(AbortSignal.never(), progress -> {}).pulled()).isEqualTo(5);
        assertThat(here.resolve("e")).content().isEqualTo("e\n");
    }

    @Test
    void progressIsReportedOnceTransferTakesLong() {
        List<Progress> reported = new ArrayList<>();
        TransferMeter brief = new TransferMeter("fetching", reported::add, Duration.ofMinutes(1), 2, 64 << 20);
        brief.add(32 << 20);
        assertThat(reported).isEmpty();

        TransferMeter slow = new TransferMeter("fetching", reported::add, Duration.ZERO, 2, 64 << 20);
        slow.add(32 << 20);

        assertThat(reported).singleElement().asString().contains("0.5", "1 of 2 files, 32 of 64 MiB");
    }
}
