package dev.paddock.executor.remote.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.AbortedException;
import dev.paddock.executor.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The cases of a synchronization, whatever programs the far side has. */
@Timeout(value = 90, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class WorktreeSyncCases {
    private final FarPrograms programs;
    private final int rounds;

    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init") // set by open
    private Path here;

    @SuppressWarnings("NullAway.Init") // set by open
    private Path there;

    @SuppressWarnings("NullAway.Init") // set by open
    LocalFar far;

    @SuppressWarnings("NullAway.Init") // set by open
    private WorktreeSync sync;

    private LandingRule rule = LandingRule.ALL;
    private long maxFetch = SyncDirectories.MAX_FETCH;

    /**
     * Creates the cases.
     *
     * @param programs of the far side
     * @param rounds how many random changes are synchronized
     */
    WorktreeSyncCases(FarPrograms programs, int rounds) {
        this.programs = programs;
        this.rounds = rounds;
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

    private SyncReport push() {
        return sync.push(AbortSignal.never(), progress -> {});
    }

    private SyncReport pull() {
        return sync.pull(AbortSignal.never(), progress -> {});
    }

    @Test
    void holesTakeNoRoom() throws Exception {
        open();
        push();
        far.run(there, "printf begin >holes && printf end | dd of=holes bs=1 seek=20000000 2>/dev/null && : >none");
        far.run(there, "dd if=/dev/null of=none bs=1 seek=20000000 2>/dev/null && ln holes again");

        assertThat(pull().notices()).isEmpty();

        assertEqualLarge("holes");
        assertEqualLarge("again");
        assertEqualLarge("none");
        assertThat(pull()).isEqualTo(SyncReport.NONE);
    }

    private void assertEqualLarge(String name) throws Exception {
        Path file = here.resolve(name);
        assertThat(Files.mismatch(file, there.resolve(name))).isEqualTo(-1);
        far.run(here, "[ \"$(stat -c %b " + name + ")\" -lt 1000 ]");
    }

    @Test
    void filesThatAreTooLargeForPullStayThereAndAreNamed() throws Exception {
        maxFetch = 1 << 20;
        open();
        push();
        far.run(there, "printf small >small && dd if=/dev/urandom of=large bs=65536 count=40 2>/dev/null");

        SyncReport report = pull();

        assertThat(report.notices()).singleElement().asString().contains("'large' has 2621440 bytes");
        assertThat(here.resolve("small")).hasContent("small");
        assertThat(here.resolve("large")).doesNotExist();
        assertThat(push().notices()).isEmpty();
        assertThat(there.resolve("large")).hasSize(2621440);
        far.run(there, "rm large");
        pull();
        assertEqualSides();
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
    void directoriesThatAreTooDeepStayWhereTheyAre() throws Exception {
        open();
        Trees.write(here.resolve("file"), "kept");
        push();
        String nest = "i=0; while [ $i -lt 600 ]; do mkdir d && cd d || exit; i=$((i + 1)); done; : >deep";
        far.run(there, nest);

        List<String> notices = pull().notices();

        assertThat(notices).hasSize(1);
        assertThat(notices.get(0)).contains("more than 256 directories deep").hasSizeLessThan(400);
        assertThat(here.resolve("d/".repeat(256))).isEmptyDirectory();
        assertThat(here.resolve("file")).hasContent("kept");
        assertThat(push().notices()).isEmpty();
        assertThat(there.resolve("d/".repeat(600) + "deep")).exists();
        far.run(there, "rm -rf d");
        assertThat(pull().notices()).isEmpty();
        assertEqualSides();
    }

    @Test
    void directoriesOfHostThatAreTooDeepStayHere() throws Exception {
        open();
        Files.createDirectories(here.resolve("d/".repeat(600)));

        assertThat(push().notices())
                .singleElement()
                .asString()
                .contains("here is not synchronized: it is more than 256 directories deep");
        assertThat(there.resolve("d/".repeat(256))).isEmptyDirectory();
        pull();
        assertThat(here.resolve("d/".repeat(600))).exists();
    }

    private void assertEqualSides() throws Exception {
        assertThat(Trees.describe(there)).isEqualTo(Trees.describe(here));
        assertThat(directory.resolve("staging")).isEmptyDirectory();
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

    @Test
    void withoutChangeNothingIsTransferred() throws Exception {
        open();
        Trees.fill(here);
        push();
        pull();
        int before = far.opened();
        assertThat(push()).isEqualTo(SyncReport.NONE);
        assertThat(far.opened()).isEqualTo(before);
        assertThat(pull()).isEqualTo(SyncReport.NONE);
        assertThat(far.opened()).isEqualTo(before + 1);
    }

    @Test
    void changeOfSameSizeInSameMomentIsSeen() throws Exception {
        open();
        for (int round = 0; round < 5; round++) {
            Trees.write(here.resolve("file"), "host " + round);
            push();
            far.run(there, "printf 'far  " + round + "' >file; printf 'last " + round + "' >file");
            pull();
            assertThat(here.resolve("file")).content().isEqualTo("last " + round);
        }
        assertEqualSides();
    }

    @Test
    void randomChangesOnOneSideAtTimeEndEqual() throws Exception {
        open();
        Random random = new Random(7);
        for (int round = 0; round < rounds; round++) {
            boolean mine = random.nextBoolean();
            RandomChanges.make(mine || !Files.exists(there) ? here : there, random, 12);
            SyncReport report = mine ? push() : pull();
            assertThat(report.notices()).isEmpty();
            push();
            assertEqualSides();
        }
    }

    /** Whatever both sides do at once: they end equal, and no file that the host has is lost. */
    @Test
    void randomChangesOnBothSidesEndEqual() throws Exception {
        open();
        Random random = new Random(11);
        push();
        for (int round = 0; round < rounds; round++) {
            RandomChanges.make(here, random, 8);
            RandomChanges.make(there, random, 8);
            pull();
            push();
            assertEqualSides();
        }
    }

    @Test
    void ofTwoChangesHostsStaysAndOtherIsKept() throws Exception {
        open();
        Trees.write(here.resolve("d/file"), "first");
        push();
        Trees.write(here.resolve("d/file"), "the host's");
        far.run(there, "echo the command\\'s >d/file; rm -f d/other; echo new >d/new");
        SyncReport report = pull();
        assertThat(here.resolve("d/file")).content().isEqualTo("the host's");
        assertThat(there.resolve("d/file")).content().isEqualTo("the host's");
        assertThat(here.resolve("d/new")).content().isEqualTo("new\n");
        assertThat(report.notices()).singleElement().asString().contains("'d/file'", directory.resolve("kept") + "/");
        String kept = report.notices().get(0).replaceAll(".*moved to '(.*)'.*", "$1");
        assertThat(Path.of(kept)).content().isEqualTo("the command's\n");
    }

    @Test
    void sameChangeOnBothSidesIsNoConflict() throws Exception {
        open();
        push();
        Trees.write(here.resolve("same"), "same");
        Trees.write(there.resolve("same"), "same");
        assertThat(pull().notices()).isEmpty();
        assertThat(pull()).isEqualTo(SyncReport.NONE);
    }

    @Test
    void protectedPathsDoNotLand() throws Exception {
        rule = (path, exists) -> !path.startsWith(".vscode");
        open();
        Trees.write(here.resolve(".vscode/tasks.json"), "mine");
        push();
        far.run(there, "echo planted >.vscode/tasks.json; echo new >.vscode/new; mkdir .vscode/d; ln -s / .vscode/l");
        SyncReport report = pull();
        assertThat(report.notices()).hasSize(3).allMatch(notice -> notice.contains("protected"));
        assertThat(Trees.describe(here)).hasSize(2);
        assertThat(here.resolve(".vscode/tasks.json")).content().isEqualTo("mine");
        assertEqualSides();
        far.run(there, "rm -r .vscode; echo landed >ordinary");
        assertThat(pull().notices()).isNotEmpty().allMatch(notice -> notice.contains("protected"));
        assertThat(here.resolve("ordinary")).content().isEqualTo("landed\n");
        assertEqualSides();
    }

    @Test
    void abortedPushLeavesHostAsItIsAndIsCompletedLater() throws Exception {
        open();
        Trees.write(here.resolve("file"), "old");
        push();
        byte[] large = new byte[2_000_000];
        new Random(2).nextBytes(large);
        Files.write(here.resolve("file"), large);
        Files.write(here.resolve("second"), large);
        AbortController abort = new AbortController();
        far.withInput(output -> new CutOutput(output, 1_500_000, abort));
        assertThatThrownBy(() -> sync.push(abort.signal(), progress -> {})).isInstanceOf(AbortedException.class);
        far.withInput(output -> output);
        SyncReport report = pull();
        assertThat(report.notices()).isEmpty();
        assertThat(here.resolve("file")).hasBinaryContent(large);
        push();
        assertEqualSides();
    }

    /** Files that such a remote system lacks were not removed by a command. */
    @Test
    void newRunOfRemoteSystemRemovesNothingFromHost() throws Exception {
        open();
        Trees.fill(here);
        push();
        Map<String, String> before = Trees.describe(here);
        for (String lost : List.of("there", "state")) {
            far.run(
                    directory,
                    "chmod -R u+rwx there state; rm -rf " + lost + "; mkdir -p there; rm -f there/plain.txt");
            if (lost.equals("there")) {
                // Another run has the same directories and an earlier run's list.
                far.run(directory, "echo another >state/run");
            }
            assertThatThrownBy(this::pull)
                    .isInstanceOf(SystemChangedException.class)
                    .hasMessageContaining("was restarted");
            Trees.write(here.resolve("new"), "here\n");
            assertThatThrownBy(this::push).isInstanceOf(SystemChangedException.class);
            Files.delete(here.resolve("new"));
            assertThat(Trees.describe(here)).isEqualTo(before);
            reopen();
            push();
            assertThat(Trees.describe(here)).isEqualTo(before);
            assertEqualSides();
        }
    }

    /** A conflict is found, and then the transfer fails. */
    @Test
    void noticesOfSynchronizationThatFailsAreReportedLater() throws Exception {
        open();
        Trees.write(here.resolve("file"), "first\n");
        push();
        Trees.write(there.resolve("file"), "there, too\n");
        Trees.write(here.resolve("file"), "here\n");
        byte[] large = new byte[2_000_000];
        new Random(3).nextBytes(large);
        Files.write(here.resolve("large"), large);
        AbortController abort = new AbortController();
        far.withInput(output -> new CutOutput(output, 1_000_000, abort));
        assertThatThrownBy(() -> sync.push(abort.signal(), progress -> {})).isInstanceOf(AbortedException.class);
        far.withInput(output -> output);
        assertThat(push().notices()).singleElement().asString().contains("'file' was changed here and by a command");
        assertEqualSides();
    }

    @Test
    void longPushReportsItsProgress() throws Exception {
        open();
        for (int index = 0; index < 3; index++) {
            Files.write(here.resolve("file" + index), new byte[5 << 20]);
        }
        List<Progress> seen = new ArrayList<>();
        sync.push(AbortSignal.never(), seen::add);
        assertThat(seen).isNotEmpty().allMatch(progress -> progress.task().equals("copying the worktree"));
        assertThat(seen.get(seen.size() - 1).fraction()).hasValue(1.0);
    }
}
