package dev.paddock.executor.remote.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.AbortSignal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The cases of a synchronization in which permissions matter, and so the user who runs it. */
@Timeout(value = 90, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class PermissionSyncCases {
    private final FarPrograms programs;

    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init") // set by open
    Path here;

    @SuppressWarnings("NullAway.Init") // set by open
    Path there;

    @SuppressWarnings("NullAway.Init") // set by open
    LocalFar far;

    @SuppressWarnings("NullAway.Init") // set by open
    WorktreeSync sync;

    LandingRule rule = LandingRule.ALL;
    long maxFetch = SyncDirectories.MAX_FETCH;

    /**
     * Creates the cases.
     *
     * @param programs of the far side
     */
    PermissionSyncCases(FarPrograms programs) {
        this.programs = programs;
    }

    void open() throws Exception {
        here = Files.createDirectories(directory.resolve("here"));
        there = directory.resolve("there");
        far = programs.farSide(directory.resolve("programs"));
        reopen();
    }

    void reopen() throws IOException {
        sync = WorktreeSync.open(
                far,
                new SyncDirectories(
                        here,
                        there.toString(),
                        directory.resolve("state").toString(),
                        Files.createDirectories(directory.resolve("staging")),
                        directory.resolve("kept"),
                        maxFetch,
                        SyncDirectories.FETCH_TIMEOUT),
                (path, exists) -> rule.mayLand(path, exists),
                AbortSignal.never());
    }

    SyncReport push() {
        return sync.push(AbortSignal.never(), progress -> {});
    }

    SyncReport pull() {
        return sync.pull(AbortSignal.never(), progress -> {});
    }

    void assertEqualSides() throws Exception {
        assertThat(Trees.describe(there)).isEqualTo(Trees.describe(here));
        assertThat(directory.resolve("staging")).isEmptyDirectory();
    }

    /** Root's tar packs it in any case, an ordinary user's leaves it out. */
    @Test
    void fileThatDeniesReadingIsNamedAndArrivesOnceItAllowsIt() throws Exception {
        open();
        push();
        far.run(there, "echo closed >closed && chmod 0 closed && echo open >open");
        if (Files.isReadable(there.resolve("closed"))) {
            assertThat(pull().notices()).isEmpty();
        } else {
            assertThat(pull().notices())
                    .singleElement()
                    .asString()
                    .contains("'closed' could not be fetched", "its permissions deny reading it");
            assertThat(here.resolve("closed")).doesNotExist();
        }
        assertThat(here.resolve("open")).hasContent("open");

        far.run(there, "chmod 600 closed");

        assertThat(pull().notices()).isEmpty();
        assertThat(here.resolve("closed")).hasContent("closed");
        assertEqualSides();
    }

    @Test
    void everyKindOfFileArrivesThere() throws Exception {
        open();
        Trees.fill(here);
        push();
        assertEqualSides();
        assertThat(Files.getLastModifiedTime(there.resolve("plain.txt")).to(TimeUnit.SECONDS))
                .isEqualTo(Files.getLastModifiedTime(here.resolve("plain.txt")).to(TimeUnit.SECONDS));
    }

    @Test
    void everyKindOfFileArrivesHere() throws Exception {
        open();
        push();
        Trees.fill(there);
        SyncReport report = pull();
        assertThat(report.notices()).isEmpty();
        assertEqualSides();
        assertThat(Files.getLastModifiedTime(here.resolve("large")))
                .isEqualTo(Files.getLastModifiedTime(there.resolve("large")));
    }

    @Test
    void removalsAndChangesOfTypeAreSynchronizedBothWays() throws Exception {
        open();
        Trees.fill(here);
        push();
        Trees.change(here);
        push();
        assertEqualSides();
        far.run(
                there,
                "rm -rf deep two* && rm -rf hollow && ln -s plain.txt hollow && rm -rf link && mkdir link"
                        + " && echo x >link/x && rm plain.txt && mkdir -p plain.txt/d && chmod 600 large");
        assertThat(pull().notices()).isEmpty();
        assertEqualSides();
        assertThat(here.resolve("plain.txt/d")).isDirectory();
    }
}
