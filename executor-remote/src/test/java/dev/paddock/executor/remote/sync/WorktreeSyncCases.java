package dev.paddock.executor.remote.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The cases of a synchronization in which the programs of the far side matter. */
abstract class WorktreeSyncCases extends PermissionSyncCases {
    /** How many random changes are synchronized. */
    private static final int ROUNDS = 6;

    /**
     * Creates the cases.
     *
     * @param programs of the far side
     */
    WorktreeSyncCases(FarPrograms programs) {
        super(programs);
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

    @Test
    void directoriesThatAreTooDeepStayWhereTheyAre() throws Exception {
        open();
        Trees.write(here.resolve("file"), "kept");
        push();
        String part = "d/".repeat(20);
        String nest = "i=0; while [ $i -lt 30 ]; do mkdir -p " + part + " && cd " + part
                + " || exit; i=$((i + 1)); done; : >deep";
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
        for (int round = 0; round < ROUNDS; round++) {
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
        for (int round = 0; round < ROUNDS; round++) {
            RandomChanges.make(here, random, 8);
            RandomChanges.make(there, random, 8);
            pull();
            push();
            assertEqualSides();
        }
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
}
