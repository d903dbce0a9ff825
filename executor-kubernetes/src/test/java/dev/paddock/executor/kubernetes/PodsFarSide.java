package dev.paddock.executor.kubernetes;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.tck.subject.ContractSubject;
import dev.paddock.executor.tck.subject.FarSide;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The far side of executors that have a pod and a synchronized worktree each. The suite's files are the
 * host's, which every pod receives; its named pipes, which are not synchronized, are linked into the
 * directory of each pod, by which the kubelet has it on this machine.
 */
final class PodsFarSide implements FarSide {
    static final String LABEL = "paddock-test-far";

    private static final String WORK = "/work";
    private static final int USER = 65_532;

    private final Path worktree;
    private final Path pipes;
    private final FarSide pipesHere;
    private final String label;

    /**
     * Creates the far side.
     *
     * @param worktree the host's directory that the pods' is synchronized with
     * @param executor any
     */
    PodsFarSide(Path worktree, CommandExecutor executor) throws IOException {
        this.worktree = worktree;
        this.pipes = Files.createDirectories(pipes(worktree));
        this.pipesHere =
                ContractSubject.of(executor, new PathMapping(pipes, WORK)).farSide();
        this.label = label(worktree);
        for (Path pod : pods()) {
            adopt(pod);
        }
    }

    private static Path kubelet() {
        Path own = TestCluster.kubeconfig().resolveSibling("kubelet");
        return Files.isDirectory(own) ? own : Path.of("/var/lib/kubelet");
    }

    /** Returns the directory for the named pipes: links do not lead from one mount to another. */
    static Path pipes(Path worktree) {
        return kubelet().resolve("paddock-test-" + label(worktree));
    }

    /** Returns the value of the label of pods that are synchronized with a directory. */
    static String label(Path worktree) {
        return Integer.toHexString(worktree.hashCode());
    }

    /** Returns the directories of the pods, as this machine sees them. */
    private List<Path> pods() {
        Path root = kubelet();
        return TestCluster.client()
                .pods()
                .inNamespace(TestCluster.NAMESPACE)
                .withLabel(LABEL, label)
                .list()
                .getItems()
                .stream()
                .map(Pod::getMetadata)
                .map(pod -> root.resolve("pods/" + pod.getUid() + "/volumes/kubernetes.io~empty-dir/worktree"))
                .filter(Files::isDirectory)
                .toList();
    }

    /** Links the pipes that exist already into a new pod. */
    private void adopt(Path pod) throws IOException {
        try (Stream<Path> known = Files.walk(pipes)) {
            for (Path pipe : (Iterable<Path>) known.filter(PodsFarSide::isPipe)::iterator) {
                link(pipe, pod);
            }
        }
    }

    private static boolean isPipe(Path path) {
        return !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
    }

    private void link(Path pipe, Path pod) throws IOException {
        Path target = pod.resolve(pipes.relativize(pipe).toString());
        open(pod, target.resolveSibling(""));
        if (!Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            Files.createLink(target, pipe);
        }
    }

    /** Creates a directory below a pod's, for the pod's user. */
    private static void open(Path pod, Path directory) throws IOException {
        if (!directory.equals(pod) && !Files.exists(directory)) {
            open(pod, directory.resolveSibling(""));
            Files.createDirectory(directory);
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
            Files.setAttribute(directory, "unix:uid", USER);
        }
    }

    private static Path below(Path root, String path) {
        return root.resolve(path.substring(WORK.length()).replaceFirst("^/+", ""));
    }

    @Override
    public void makeDirectory(String path) throws IOException {
        Path here = Files.createDirectories(below(worktree, path));
        Files.setPosixFilePermissions(here, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.createDirectories(below(pipes, path));
        for (Path pod : pods()) {
            open(pod, below(pod, path));
        }
    }

    @Override
    public byte[] read(String path) throws IOException {
        Path newest = Stream.concat(pods().stream(), Stream.of(worktree))
                .map(root -> below(root, path))
                .filter(Files::isRegularFile)
                .max(Comparator.comparing(PodsFarSide::modified))
                .orElseThrow(() -> new NoSuchFileException(path));
        return Files.readAllBytes(newest);
    }

    private static FileTime modified(Path file) {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException gone) {
            return FileTime.fromMillis(0);
        }
    }

    @Override
    public void write(String path, byte[] content) throws IOException {
        for (Path pod : pods()) {
            Path file = below(pod, path);
            Files.write(file, content);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
            Files.setAttribute(file, "unix:uid", USER);
        }
        Path here = Files.write(below(worktree, path), content);
        Files.setPosixFilePermissions(here, PosixFilePermissions.fromString("rw-r--r--"));
    }

    @Override
    public Pipe holdOpen(String path) throws IOException {
        Pipe pipe = pipesHere.holdOpen(path);
        linkEverywhere(path);
        return pipe;
    }

    @Override
    public InputStream watch(String path) throws IOException {
        InputStream stream = pipesHere.watch(path);
        linkEverywhere(path);
        return stream;
    }

    private void linkEverywhere(String path) throws IOException {
        for (Path pod : pods()) {
            link(below(pipes, path), pod);
        }
    }
}
