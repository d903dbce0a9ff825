package dev.paddock.harness.files.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.policy.Mount;
import dev.paddock.harness.files.access.AccessRules;
import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.access.FileException.Reason;
import dev.paddock.harness.files.access.FileRoot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that no path, in any root, leads out of the roots. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class WorkspaceContainmentTest extends WorkspaceFilesBench {
    private static final AbortSignal NEVER = AbortSignal.never();

    /** Asserts that every operation that follows links refuses a path. */
    private void nothingLeadsThrough(Reason reason, String path) {
        refused(reason, path, () -> files.read(path, 100));
        refused(reason, path, () -> files.openFile(path));
        refused(reason, path, () -> files.write(path, bytes("evil")));
        refused(reason, path, () -> files.update(path, 100, old -> bytes("evil"), NEVER));
        refused(reason, path, () -> files.list(path));
        refused(reason, path, () -> files.stat(path + "/"));
        refused(reason, path, () -> files.glob(GlobQuery.of(List.of("*")).in(path), NEVER));
        refused(reason, path, () -> files.grep(GrepQuery.text("SECRET").in(path), NEVER));
        refused(reason, path, () -> files.mkdir(path + "/x/y", true));
        refused(reason, path, () -> files.remove(path + "/x", true));
    }

    private Map<String, Path> writable() {
        return Map.of("/work", work, "/data", data, "/data/in/nested", nested);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void parentsAndLinksLeadOutOfNoRoot(boolean byPath) throws IOException {
        if (byPath) {
            byPath();
        }
        for (Map.Entry<String, Path> root : writable().entrySet()) {
            Path host = root.getValue();
            put(host, "sub/x", "inside\n");
            link(host.resolve("absolute"), outside.toString());
            link(host.resolve("relative"), "../../../outside");
            link(host.resolve("sub/up"), "../../../../outside");
            link(host.resolve("chain"), "sub/up");
            link(host.resolve("etc"), "/etc");
            link(host.resolve("dangling"), outside.resolve("made").toString());
            for (String name : List.of("absolute", "relative", "sub/up", "chain", "etc", "dangling", "sub/../etc")) {
                nothingLeadsThrough(Reason.OUTSIDE, root.getKey() + "/" + name);
            }
            nothingLeadsThrough(Reason.OUTSIDE, root.getKey() + "/absolute/secret");
            nothingLeadsThrough(Reason.OUTSIDE, root.getKey() + "/sub/x".replace("x", "../../../../outside/secret"));
            link(host.resolve("fine"), "sub");
            assertThat(text(root.getKey() + "/fine/x")).as("the control").isEqualTo("inside\n");
            assertThat(text(root.getKey() + "/sub/../fine/../sub/x")).isEqualTo("inside\n");
        }
        nothingLeadsThrough(Reason.NO_ROOT, outside.resolve("secret").toString());
        nothingLeadsThrough(Reason.NO_ROOT, data.resolve("sub/x").toString());
        nothingLeadsThrough(Reason.OUTSIDE, "../outside/secret");
        assertThat(files.grep(GrepQuery.text("SECRET"), NEVER).lines()).isEmpty();
        assertThat(files.glob(List.of("secret", "passwd"))).isEmpty();
        assertThat(files.glob(List.of("x"))).as("the control").hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void removalTakesLinksThemselvesInEveryRoot(boolean byPath) throws IOException {
        if (byPath) {
            byPath();
        }
        for (Map.Entry<String, Path> root : writable().entrySet()) {
            Path host = root.getValue();
            put(host, "tree/x", "x");
            link(host.resolve("tree/out"), outside.toString());
            link(host.resolve("tree/secret"), outside.resolve("secret").toString());
            link(host.resolve("other"), outside.toString());
            files.remove(root.getKey() + "/tree", true);
            files.remove(root.getKey() + "/other", true);
            assertThat(host.resolve("tree")).doesNotExist();
            assertThat(host.resolve("other")).doesNotExist();
        }
    }

    @ParameterizedTest
    @CsvSource({"/work", "/data", "/data/in/nested"})
    void pipesSocketsAndDevicesAreNotOpened(String root) throws Exception {
        Path host = Objects.requireNonNull(writable().get(root));
        Path pipe = host.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        put(host, "f", "text\n");
        Path address = directory.resolve("s");
        try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            socket.bind(UnixDomainSocketAddress.of(address));
            Files.move(address, host.resolve("socket"));
            for (String name : List.of("/pipe", "/socket")) {
                refused(Reason.NOT_A_FILE, name, () -> files.read(root + name, 100));
                refused(Reason.NOT_A_FILE, name, () -> files.openFile(root + name));
                refused(Reason.NOT_A_FILE, name, () -> files.write(root + name, bytes("x")));
                refused(Reason.NOT_A_FILE, name, () -> files.update(root + name, 9, old -> old, NEVER));
                refused(
                        Reason.NOT_A_FILE,
                        name,
                        () -> files.grep(GrepQuery.text("x").in(root + name), NEVER));
                refused(Reason.NOT_A_DIRECTORY, name, () -> files.list(root + name));
                assertThat(files.stat(root + name).kind()).isEqualTo(Entry.Kind.OTHER);
            }
            assertThat(files.grep(GrepQuery.text("text").in(root), NEVER).matches())
                    .hasSize(1);
            files.remove(root + "/pipe", false);
            files.remove(root + "/socket", true);
        }
        assertThat(host.resolve("pipe")).doesNotExist();
        assertThat(host.resolve("socket")).doesNotExist();
    }

    @ParameterizedTest
    @EnabledOnOs(OS.LINUX)
    @CsvSource({"/work,false", "/data,false", "/data/in/nested,true"})
    void namesThatAreNoTextAreListedReadAndRemoved(String root, boolean byPath) throws Exception {
        if (byPath) {
            byPath();
        }
        Path host = Objects.requireNonNull(writable().get(root));
        Process made = new ProcessBuilder(
                        "sh",
                        "-c",
                        "d=$(printf 'caf\\351'); mkdir -p \"tree/$d\"; echo latin > \"tree/$d/$(printf 'f\\377\\303\\251')\";"
                                + " ln -s \"$d\" tree/link")
                .directory(host.toFile())
                .redirectErrorStream(true)
                .start();
        assertThat(new String(made.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEmpty();
        assertThat(made.waitFor()).isZero();
        String prefix = root.equals("/work") ? "tree/" : root + "/tree/";
        assertThat(paths(root + "/tree")).containsExactly(prefix + "caf\udce9", prefix + "link");
        String file = files.list(root + "/tree/caf\udce9").getFirst().path();
        assertThat(file).isEqualTo(prefix + "caf\udce9/f\udcff\u00e9");
        assertThat(text(file)).isEqualTo("latin\n");
        assertThat(text(prefix + "link/f\udcff\u00e9")).isEqualTo("latin\n");
        assertThat(files.grep(GrepQuery.text("latin").in(root), NEVER).matches())
                .extracting(GrepResult.Line::path)
                .containsExactly(file);
        files.write(prefix + "caf\udce9/new", bytes("x"));
        refused(Reason.INVALID_PATH, "not a path", () -> files.read(prefix + "caf\udcc3\udca9", 9));
        refused(Reason.INVALID_PATH, "not a path", () -> files.read(prefix + "caf\ud800", 9));
        files.remove(root + "/tree", true);
        assertThat(host.resolve("tree")).doesNotExist();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void processesAreShownInNoRoot() throws IOException {
        List<FileRoot> roots = List.of(
                new FileRoot("/work", work, Mount.Access.READ_WRITE),
                new FileRoot("/host", Path.of("/"), Mount.Access.READ_ONLY),
                new FileRoot("/processes", Path.of("/proc"), Mount.Access.READ_WRITE));
        link(work.resolve("link"), "/host/proc/self/environ");
        try (WorkspaceFiles all = WorkspaceFiles.open(roots, AccessRules.standard())) {
            assertThat(all.read("/host/etc/passwd", 1 << 20)).as("the control").isNotEmpty();
            for (String path : List.of(
                    "/host/proc/self/environ",
                    "/host/etc/../proc/self/environ",
                    "/processes/self/environ",
                    "link",
                    "/host/proc/thread-self/environ")) {
                refused(Reason.NOT_READABLE, "processes", () -> all.read(path, 1 << 20));
                refused(
                        Reason.NOT_READABLE,
                        "processes",
                        () -> all.grep(GrepQuery.text("=").in(path), NEVER));
            }
            refused(Reason.NOT_READABLE, "processes", () -> all.list("/processes"));
            refused(Reason.NOT_READABLE, "processes", () -> all.list("/host/proc"));
            refused(Reason.NOT_READABLE, "processes", () -> all.remove("/processes/self/environ", true));
            assertThat(all.glob(GlobQuery.of(List.of("environ")).in("/work"), NEVER)
                            .entries())
                    .isEmpty();
        }
    }

    @Test
    void searchOfAllRootsPassesThoseByThatWereReplaced() throws IOException {
        put(work, "a", "needle");
        put(data, "b", "needle");
        put(nested, "c", "needle");
        link(data.resolve("in"), outside.toString());
        Path one = directory.resolve("host-one");
        Files.delete(one);
        assertThat(files.grep(GrepQuery.text("needle"), NEVER).matches())
                .extracting(GrepResult.Line::path)
                .containsExactly("a", "/data/b", "/data/in/nested/c");
        assertThat(files.glob(List.of("[abc]", "one"))).containsExactly("/data/b", "/data/in/nested/c", "a");
        List<FileRoot> roots = List.of(
                new FileRoot("/work", work, Mount.Access.READ_WRITE),
                new FileRoot("/again", work, Mount.Access.READ_ONLY),
                new FileRoot("/again", data, Mount.Access.READ_ONLY),
                new FileRoot("/alone", put(directory, "host-alone", "needle"), Mount.Access.READ_ONLY));
        try (WorkspaceFiles twice = WorkspaceFiles.open(roots, AccessRules.standard())) {
            assertThat(twice.grep(GrepQuery.text("needle").include(List.of("a*")), NEVER)
                            .matches())
                    .extracting(GrepResult.Line::path)
                    .containsExactly("a", "/again/a", "/alone");
            Files.delete(directory.resolve("host-alone"));
            link(directory.resolve("host-alone"), outside.resolve("secret").toString());
            GrepResult found = twice.grep(GrepQuery.text("e").ignoreCase(true), NEVER);
            assertThat(found.matches()).hasSize(2);
            assertThat(found.unreadable()).isEqualTo(1);
            refused(Reason.OUTSIDE, "/alone leads", () -> twice.read("/alone", 100));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"secrets/**", "/work/secrets/*", "key.pem", "*.PEM", "secrets", "{x,secrets}/key.*"})
    void deniedContentIsReadUnderNoName(String glob) throws IOException {
        put(work, "secrets/key.pem", "SECRET\n");
        put(work, "open/file", "SECRET? no\n");
        link(work.resolve("open/alias"), "../secrets/key.pem");
        link(work.resolve("open/dir"), "../secrets");
        List<FileRoot> roots = List.of(
                new FileRoot("/work", work, Mount.Access.READ_WRITE),
                new FileRoot("/again", work.resolve("secrets"), Mount.Access.READ_WRITE),
                new FileRoot("/one", work.resolve("secrets/key.pem"), Mount.Access.READ_ONLY));
        AccessRules rules = AccessRules.of(AccessRules.standard().kept(), List.of(glob));
        try (WorkspaceFiles control = WorkspaceFiles.open(roots, AccessRules.standard());
                WorkspaceFiles denied = WorkspaceFiles.open(roots, rules)) {
            for (String path : List.of(
                    "secrets/key.pem",
                    "/work/open/../secrets/key.pem",
                    "open/alias",
                    "open/dir/key.pem",
                    "/again/key.pem",
                    "/one")) {
                assertThat(control.read(path, 100)).as("the control").asString().isEqualTo(SECRET);
                refused(Reason.NOT_READABLE, path, () -> denied.read(path, 100));
                refused(Reason.NOT_READABLE, path, () -> denied.openFile(path));
                refused(
                        Reason.NOT_READABLE,
                        path,
                        () -> denied.grep(GrepQuery.text("S").in(path), NEVER));
            }
            refused(
                    Reason.NOT_READABLE,
                    "secrets/key.pem",
                    () -> denied.update("secrets/key.pem", 100, old -> old, NEVER));
            assertThat(control.grep(GrepQuery.text("SECRET"), NEVER).matches()).hasSizeGreaterThan(2);
            assertThat(denied.grep(GrepQuery.text("SECRET"), NEVER))
                    .returns(0, GrepResult::unreadable)
                    .returns(
                            List.of("open/file"),
                            result -> result.matches().stream()
                                    .map(GrepResult.Line::path)
                                    .toList());
            assertThat(control.glob(List.of("key.pem", "one"))).isNotEmpty();
            assertThat(denied.glob(List.of("key.pem", "one"))).isEmpty();
            assertThat(denied.read("open/file", 100)).isNotEmpty();
            assertThat(denied.stat("secrets/key.pem").size()).isEqualTo(7);
            assertThat(denied.list("/again")).hasSize(1);
        }
    }

    @Test
    void fileWithSeveralNamesGivesNoContentWhileContentIsDenied() throws IOException {
        put(work, "secrets/key", "SECRET\n");
        put(work, "alone", "text\n");
        Files.createLink(work.resolve("innocent"), work.resolve("secrets/key"));
        assertThat(text("innocent")).as("the control").isEqualTo(SECRET);
        reopen("secrets/**");
        refused(Reason.NOT_READABLE, "innocent is not readable", () -> files.read("innocent", 100));
        assertThat(files.grep(GrepQuery.text("e").ignoreCase(true), NEVER).matches())
                .extracting(GrepResult.Line::path)
                .containsExactly("alone", "/data/one");
        assertThat(text("alone")).isEqualTo("text\n");
        byPath();
        reopen("secrets/**");
        refused(Reason.NOT_READABLE, "innocent is not readable", () -> files.read("innocent", 100));
        FileException e = refused(Reason.NOT_READABLE, "secrets", () -> files.read("secrets/../secrets/key", 9));
        assertThat(e.path()).isEqualTo("secrets/../secrets/key");
    }

    @Test
    void linkThatComesAndGoesWhileItIsReadGivesNoDeniedContent() throws Exception {
        put(work, "secrets/key", SECRET);
        put(work, "alone", "text\n");
        reopen("secrets/**");
        AtomicBoolean stop = new AtomicBoolean();
        AtomicLong swaps = new AtomicLong();
        Thread swapper = Thread.ofPlatform().daemon().start(() -> {
            Path name = work.resolve("alone");
            try {
                while (!stop.get()) {
                    Files.move(name, work.resolve("aside"), StandardCopyOption.ATOMIC_MOVE);
                    Files.createLink(name, work.resolve("secrets/key"));
                    Files.move(work.resolve("aside"), name, StandardCopyOption.ATOMIC_MOVE);
                    swaps.incrementAndGet();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        int read = 0;
        int refused = 0;
        try {
            while (read < 200 || refused < 200) {
                assertThat(swapper.isAlive()).isTrue();
                try {
                    assertThat(text("alone")).isEqualTo("text\n");
                    read++;
                } catch (FileException swapped) {
                    refused++;
                }
            }
        } finally {
            stop.set(true);
            swapper.join();
        }
        assertThat(swaps.get()).isPositive();
    }
}
