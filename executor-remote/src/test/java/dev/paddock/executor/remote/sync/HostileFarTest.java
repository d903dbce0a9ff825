package dev.paddock.executor.remote.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.remote.ShellChannel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Synchronizes with a far side that answers whatever an attacker likes. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileFarTest {
    private static final String TIMES = " 2026-01-01 00:00:00.5 +0000 2026-01-01 00:00:00.5 +0000 ";
    private static final TreeEntry FILE = new TreeEntry(TreeEntry.Kind.FILE, 0644, 5, 1, 0, 0);

    @TempDir
    Path directory;

    private Path here;
    private String records = "";
    private final ByteArrayOutputStream archive = new ByteArrayOutputStream();
    private final TarWriter tar = new TarWriter(archive);

    @BeforeEach
    void create() throws IOException {
        here = Files.createDirectories(directory.resolve("outer/here"));
    }

    private SyncReport pull() throws IOException {
        WorktreeSync sync = WorktreeSync.open(
                argv -> new Answer(answer(argv.get(4))),
                new SyncDirectories(
                        here,
                        "/far",
                        "/state",
                        Files.createDirectories(directory.resolve("staging")),
                        directory.resolve("kept")),
                LandingRule.ALL,
                AbortSignal.never());
        return sync.pull(AbortSignal.never(), progress -> {});
    }

    private byte[] answer(String verb) {
        try {
            return switch (verb) {
                case "prepare" -> ("41ed 1 1 1" + TIMES + ".//\n").getBytes(StandardCharsets.US_ASCII);
                case "fetch" -> fetched();
                default -> list();
            };
        } catch (IOException fault) {
            throw new AssertionError(fault);
        }
    }

    private byte[] list() throws IOException {
        ByteArrayOutputStream list = new ByteArrayOutputStream();
        list.writeBytes("2026-01-02 00:00:00.25\nwhole\nnew\n".getBytes(StandardCharsets.US_ASCII));
        try (OutputStream packed = new GZIPOutputStream(list)) {
            packed.write(records.getBytes(StandardCharsets.ISO_8859_1));
        }
        return list.toByteArray();
    }

    private byte[] fetched() throws IOException {
        raw("begun", "2026-01-02 00:00:00.25\n".getBytes(StandardCharsets.US_ASCII));
        raw("list", list());
        byte[] all = archive.toByteArray();
        return all;
    }

    /** Adds an entry with a name that does not begin with {@code ./}. */
    private void raw(String name, byte[] content) throws IOException {
        ByteArrayOutputStream one = new ByteArrayOutputStream();
        new TarWriter(one)
                .file(
                        name.startsWith("./") ? name.substring(2) : "x/" + name,
                        new TreeEntry(TreeEntry.Kind.FILE, 0644, content.length, 1, 0, 0),
                        new ByteArrayInputStream(content));
        byte[] bytes = one.toByteArray();
        if (!name.startsWith("./")) {
            byte[] plain = name.getBytes(StandardCharsets.ISO_8859_1);
            Arrays.fill(bytes, 0, 100, (byte) 0);
            System.arraycopy(plain, 0, bytes, 0, plain.length);
            checksum(bytes);
        }
        archive.write(bytes);
    }

    private static void checksum(byte[] header) {
        Arrays.fill(header, 148, 156, (byte) ' ');
        int sum = 0;
        for (int index = 0; index < 512; index++) {
            sum += header[index] & 0xff;
        }
        byte[] digits = String.format("%06o\0 ", sum).getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(digits, 0, header, 148, 8);
    }

    private void listed(int mode, long size, String path) {
        records += Integer.toHexString(mode) + " " + size + " 1 1" + TIMES + path + "//\n";
    }

    /** Nothing stands outside the worktree that was not there before. */
    private void assertNothingOutside() throws Exception {
        assertThat(Trees.describe(directory.resolve("outer")).keySet()).allMatch(path -> path.startsWith("here"));
        assertThat(directory.resolve("kept")).doesNotExist();
    }

    @Test
    void listOfMoreEntriesThanBoundIsRefused() throws Exception {
        listed(0100644, 5, "./a");
        listed(0100644, 5, "./b");
        assertThat(Manifest.read(list(), 2)).isPresent();
        listed(0100644, 5, "./c");
        assertThatThrownBy(() -> Manifest.read(list(), 2))
                .isInstanceOf(IOException.class)
                .hasMessage("the remote side has more than 2 files and directories, the most that are synchronized;"
                        + " no command runs until you remove some there");
    }

    @Test
    void worktreeOfMoreEntriesThanBoundIsRefused() throws Exception {
        Files.createFile(Files.createDirectory(here.resolve("below")).resolve("file"));
        assertThat(WorktreeListing.list(here, AbortSignal.never(), 2).entries()).hasSize(2);
        Files.createFile(here.resolve("below/another"));
        assertThatThrownBy(() -> WorktreeListing.list(here, AbortSignal.never(), 2))
                .isInstanceOf(ExecutorException.class)
                .hasMessageContaining("more than 2 files and directories");
    }

    @Test
    void honestFileArrives() throws Exception {
        listed(0100644, 5, "./file");
        tar.file("file", FILE, content("fives"));
        assertThat(pull().notices()).isEmpty();
        assertThat(here.resolve("file")).content().isEqualTo("fives");
    }

    private static ByteArrayInputStream content(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"3 5", "0 4", "-1 5", "7 5"})
    void partsThatAreNotOfFileAreRefused(String part) throws Exception {
        listed(0100644, 5, "./file");
        byte[] header = entryOfType('S', "./file", "");
        String[] numbers = part.split(" ", -1);
        octal(header, 124, 5); // bytes in the archive
        octal(header, 483, 5); // bytes of the file
        octal(header, 386, Long.parseLong(numbers[0]));
        octal(header, 398, Long.parseLong(numbers[1]));
        checksum(header);
        archive.write(header);
        archive.write(Arrays.copyOf("fives".getBytes(StandardCharsets.US_ASCII), 512));

        assertThatThrownBy(this::pull).hasMessageContaining("impossible parts");
        assertThat(here).isEmptyDirectory();
    }

    @Test
    void filesThatAreListedAndNotSentAreNamed() throws Exception {
        listed(0100000, 5, "./closed");
        listed(0100644, 5, "./gone");
        listed(0100644, 5, "./file");
        tar.file("file", FILE, content("fives"));

        assertThat(pull().notices())
                .containsExactly(
                        "'closed' could not be fetched, so the host lacks its changes: its permissions deny reading"
                                + " it.",
                        "'gone' could not be fetched, so the host lacks its changes: it changed whenever it was read.");
        assertThat(Trees.describe(here)).containsOnlyKeys("file");
    }

    private static void octal(byte[] header, int at, long value) {
        byte[] digits = Long.toString(value, 8).getBytes(StandardCharsets.US_ASCII);
        Arrays.fill(header, at, at + 12, (byte) 0);
        System.arraycopy(digits, 0, header, at, digits.length);
    }

    @ParameterizedTest
    @ValueSource(strings = {"./../evil", "/etc/evil", "./a/../../evil", "evil", "./a//b", "./.", "./a/./b", "./", ".."})
    void namesThatLeaveTreeEndSynchronization(String name) throws Exception {
        listed(040755, 0, "./a");
        listed(0100644, 5, name);
        assertThatThrownBy(this::pull).isInstanceOf(ExecutorException.class);
        assertThat(here).isEmptyDirectory();
        assertNothingOutside();
    }

    @Test
    void fileBelowLinkEndsSynchronization() throws Exception {
        listed(0120777, 1, "./l");
        listed(0100644, 5, "./l/evil");
        assertThatThrownBy(this::pull).hasMessageContaining("no directory");
        assertThat(here).isEmptyDirectory();
    }

    @Test
    void nothingIsWrittenThroughLinkOfHost() throws Exception {
        Path outside = Files.createDirectories(directory.resolve("outside"));
        Files.createSymbolicLink(here.resolve("l"), outside);
        listed(040755, 0, "./l");
        listed(0100644, 5, "./l/evil");
        tar.file("l/evil", FILE, content("fives"));
        pull();
        assertThat(outside).isEmptyDirectory();
        assertThat(here.resolve("l")).isSymbolicLink();
    }

    @Test
    void fileThatWasNotRequestedIsNotStored() throws Exception {
        listed(0100644, 5, "./file");
        raw("../evil", "fives".getBytes(StandardCharsets.US_ASCII));
        Path absolute = directory.resolve("absolute");
        raw(absolute.toString(), "fives".getBytes(StandardCharsets.US_ASCII));
        tar.file("other", FILE, content("fives"));
        tar.file("file", FILE, content("fives"));
        tar.file("file", FILE, content("again"));
        pull();
        assertThat(Trees.describe(here)).containsOnlyKeys("file");
        assertThat(here.resolve("file")).content().isEqualTo("fives");
        assertThat(absolute).doesNotExist();
        assertNothingOutside();
    }

    @Test
    void fileIsNeitherLinkNorLongerThanListed() throws Exception {
        listed(0100644, 5, "./linked");
        listed(0100644, 5, "./long");
        tar.link("linked", FILE, "/etc/passwd");
        tar.file("long", new TreeEntry(TreeEntry.Kind.FILE, 0644, 6, 1, 0, 0), content("sixsix"));
        pull();
        assertThat(here).isEmptyDirectory();
        assertNothingOutside();
    }

    @Test
    void anotherNameOfHostsFileIsNotCopied() throws Exception {
        Files.writeString(directory.resolve("outer/secret"), "fives");
        listed(0100644, 5, "./stolen");
        byte[] entry =
                entryOfType('1', "./stolen", directory.resolve("outer/secret").toString());
        archive.write(entry);
        pull();
        assertThat(here).isEmptyDirectory();
    }

    @Test
    void devicesAndPipesStayThere() throws Exception {
        listed(020666, 0, "./device");
        listed(010644, 0, "./pipe");
        listed(0100644, 5, "./file");
        archive.write(entryOfType('3', "./file", ""));
        pull();
        assertThat(here).isEmptyDirectory();
    }

    private static byte[] entryOfType(char type, String name, String target) throws IOException {
        ByteArrayOutputStream one = new ByteArrayOutputStream();
        new TarWriter(one).link(name.substring(2), FILE, target);
        byte[] header = one.toByteArray();
        header[156] = (byte) type;
        checksum(header);
        return header;
    }

    @Test
    void hugeFileIsRefusedBeforeItIsRequested() throws Exception {
        listed(0100644, 1L << 60, "./huge");
        listed(0100644, 5, "./file");
        tar.file("file", FILE, content("fives"));
        assertThat(pull().notices())
                .containsExactly("'huge' has 1152921504606846976 bytes on the remote side and was not fetched, since at"
                        + " most 4294967296 bytes are fetched at once: remove it there, or raise maxFetch.");
        assertThat(Trees.describe(here)).containsOnlyKeys("file");
    }

    @Test
    void setIdBitsAreNotSynchronized() throws Exception {
        listed(0106755, 5, "./root-shell");
        tar.file("root-shell", FILE, content("fives"));
        pull();
        assertThat((Integer) Files.getAttribute(here.resolve("root-shell"), "unix:mode") & 07777)
                .isEqualTo(0755);
    }

    @Test
    void noiseInsteadOfArchiveIsError() throws Exception {
        listed(0100644, 5, "./file");
        archive.write("noise ".repeat(200).getBytes(StandardCharsets.US_ASCII));
        assertThatThrownBy(this::pull)
                .isInstanceOf(ExecutorException.class)
                .hasMessageContaining("something else than an archive");
    }

    /** A process that writes an answer and ignores its input. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Answer(byte[] bytes) implements ShellChannel {
        @Override
        public OutputStream input() {
            return OutputStream.nullOutputStream();
        }

        @Override
        public void endInput() {}

        @Override
        public void deliver(Output output) throws IOException {
            output.accept(STDOUT, bytes, bytes.length);
        }

        @Override
        public OptionalInt exitCode() {
            return OptionalInt.of(0);
        }

        @Override
        public SandboxLostException loss(String reason, Throwable cause) {
            return new SandboxLostException("hostile", reason, cause);
        }

        @Override
        public void close() {}
    }
}
