package dev.paddock.executor.tck.jvm;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.tck.context.Subjects;
import dev.paddock.executor.tck.subject.Prerequisite;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs test classes once more, as a user without privileges, from a test that runs as root: the
 * kernel may refuse to other users what it allows root, and vice versa.
 *
 * @since 0.1
 */
public final class OrdinaryUser {
    /** A user id that is not in use; a name is not needed. */
    private static final int ID = 54_321;

    private static final String AGAIN = "paddock.contract.again";

    private OrdinaryUser() {}

    /**
     * Returns whether this JVM repeats tests as the ordinary user; long tests may be
     * shorter there.
     *
     * @return true in the JVM that {@link #runs} starts
     */
    public static boolean isAgain() {
        return Boolean.getBoolean(AGAIN);
    }

    /**
     * Requires that this JVM runs as root. Skips the calling test in the ordinary user's JVM, since
     * the JVM that started it runs the test too.
     *
     * @param reason why the test needs root, as a sentence
     */
    public static void requireRoot(String reason) {
        assumeTrue(!isAgain(), reason);
        Prerequisite.require(isRoot(), reason);
    }

    /**
     * Runs test classes in a JVM of an ordinary user, and fails with their failures. Skips the
     * calling test if this JVM does not run as root (the classes have then already run as an
     * ordinary user). Needs {@code setpriv}. System properties whose names start with {@code
     * paddock.} are passed on.
     *
     * @param minutes how long they may take
     * @param classes the test classes
     * @throws IOException if the JVM cannot be started
     * @throws InterruptedException if the calling thread is interrupted
     */
    public static void runs(int minutes, Class<?>... classes) throws IOException, InterruptedException {
        runs(minutes, List.of("--clear-groups"), classes);
    }

    /**
     * Runs test classes as {@link #runs} does, in a JVM whose user is also a member of a group.
     *
     * @param group the group's id
     * @param minutes how long they may take
     * @param classes the test classes
     * @throws IOException if the JVM cannot be started
     * @throws InterruptedException if the calling thread is interrupted
     */
    public static void runsInGroup(int group, int minutes, Class<?>... classes)
            throws IOException, InterruptedException {
        runs(minutes, List.of("--groups", Integer.toString(group)), classes);
    }

    private static void runs(int minutes, List<String> groups, Class<?>... classes)
            throws IOException, InterruptedException {
        assumeTrue(isRoot(), "this JVM is an ordinary user's already");
        Prerequisite.require(
                Files.isExecutable(Path.of("/usr/bin/setpriv")), "there is no setpriv to become another user with");
        Path directory = Files.createTempDirectory("contract-user-");
        try {
            Path report = Files.createFile(directory.resolve("report"));
            Path output = Files.createFile(directory.resolve("output"));
            Path own = Files.createDirectory(directory.resolve("own"));
            for (Path path : List.of(directory, report, own)) {
                Files.setAttribute(path, "unix:uid", ID);
                Files.setAttribute(path, "unix:gid", ID);
            }
            ProcessBuilder builder = new ProcessBuilder(line(groups, directory, own, report, classes))
                    .directory(own.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            builder.environment().keySet().removeIf(name -> name.startsWith("XDG_"));
            builder.environment().put("HOME", own.toString());
            Process jvm = builder.start();
            if (!jvm.waitFor(minutes, TimeUnit.MINUTES)) {
                jvm.destroyForcibly().waitFor();
                throw new AssertionError(
                        "the tests did not end within " + minutes + " minutes as an ordinary user: " + tail(output));
            }
            String failures = Files.readString(report);
            if (!failures.equals(OrdinaryUserRun.ALL_PASSED)) {
                throw new AssertionError("as an ordinary user: " + failures + "\n" + tail(output));
            }
        } finally {
            Subjects.remove(directory);
        }
    }

    private static boolean isRoot() {
        try {
            return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
        } catch (IOException fault) {
            throw new UncheckedIOException("the user of this JVM cannot be determined", fault);
        }
    }

    private static List<String> line(List<String> groups, Path directory, Path own, Path report, Class<?>... classes)
            throws IOException {
        List<String> line = new ArrayList<>(
                List.of("/usr/bin/setpriv", "--reuid", Integer.toString(ID), "--regid", Integer.toString(ID)));
        line.addAll(groups);
        line.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-D" + AGAIN + "=true",
                "-Duser.home=" + own,
                "-Djava.io.tmpdir=" + own));
        line.addAll(ChildJvm.ownTuning());
        System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith("paddock."))
                .map(name -> "-D" + name + "=" + System.getProperty(name))
                .forEach(line::add);
        line.addAll(List.of("-cp", copiedClassPath(directory), OrdinaryUserRun.class.getName(), report.toString()));
        Stream.of(classes).map(Class::getName).forEach(line::add);
        return line;
    }

    /**
     * Copies the class path, since its entries are often in a home directory that other users may
     * not enter.
     */
    private static String copiedClassPath(Path directory) throws IOException {
        List<String> copies = new ArrayList<>();
        for (String entry : ChildJvm.classPath().split(File.pathSeparator, -1)) {
            Path source = Path.of(entry);
            if (Files.exists(source)) {
                Path copy = directory.resolve("classes-" + copies.size() + "-" + source.getFileName());
                copy(source, copy);
                copies.add(copy.toString());
            }
        }
        return copies.stream().collect(Collectors.joining(File.pathSeparator));
    }

    private static void copy(Path source, Path target) throws IOException {
        Files.walkFileTree(source, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path from, BasicFileAttributes attributes) throws IOException {
                Files.createDirectories(target.resolve(source.relativize(from).toString()));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path from, BasicFileAttributes attributes) throws IOException {
                Files.copy(
                        from,
                        from.equals(source)
                                ? target
                                : target.resolve(source.relativize(from).toString()));
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private static String tail(Path output) throws IOException {
        String all = Files.readString(output, StandardCharsets.UTF_8);
        return all.substring(Math.max(0, all.length() - 4000));
    }
}
