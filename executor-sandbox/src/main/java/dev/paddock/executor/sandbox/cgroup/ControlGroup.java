package dev.paddock.executor.sandbox.cgroup;

import dev.paddock.executor.process.launch.ChildDescriptor;
import dev.paddock.executor.process.posix.NativeFault;
import dev.paddock.executor.process.posix.Posix;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * One group of processes that share limits. With version 1 it is a directory in each controller's hierarchy, with version
 * 2 one directory.
 */
public final class ControlGroup implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ControlGroup.class.getName());

    /** A process that has ended leaves its group a moment later. */
    private static final Duration EMPTYING = Duration.ofSeconds(2);

    private static final Duration BETWEEN_TRIES = Duration.ofMillis(5);

    private static final byte[] SELF = {'0'};

    private final String name;
    private final Map<Path, GroupFiles> directories = new LinkedHashMap<>();
    private final List<Integer> entrances = new ArrayList<>();
    private Optional<Path> memory = Optional.empty();

    ControlGroup(String name) {
        this.name = name;
    }

    void limit(ControlGroups.Parent parent, Controller controller, String limit) throws IOException {
        Path directory = parent.directory().resolve(name);
        GroupFiles files = GroupFiles.of(parent.unified());
        if (!directories.containsKey(directory)) {
            Files.createDirectory(directory);
            directories.put(directory, files);
        }
        files.set(directory, controller, limit);
        if (controller == Controller.MEMORY) {
            memory = Optional.of(directory);
        }
    }

    /**
     * Moves a process in. What it starts from then on is in the group as well; what it has started already is not.
     *
     * @param pid the process, as the host numbers it
     * @throws IOException if it cannot be moved: it has ended, or may not be moved
     */
    public void add(long pid) throws IOException {
        for (Path directory : directories.keySet()) {
            GroupFiles.write(directory, "cgroup.procs", Long.toString(pid));
        }
    }

    /**
     * Moves the calling thread in, by itself; what it starts is born in the group. That is cheap, whereas to move another
     * process the kernel waits until no processor looks at an older list: 10 ms and more.
     *
     * @return false if a hierarchy is of version 2, where a thread cannot be in another group than its process; nothing has been
     *     moved then
     * @throws IOException if the thread cannot be moved
     */
    public synchronized boolean addCallingThread() throws IOException {
        if (entrances().isEmpty()) {
            return false;
        }
        try {
            for (int entrance : entrances) {
                Posix.instance().orElseThrow().descriptors().write(entrance, SELF, 0);
            }
            return true;
        } catch (NativeFault fault) {
            throw new IOException("the control group " + name + " cannot be entered", fault);
        }
    }

    /**
     * Ways in for processes that enter by themselves: whoever writes 0 on each of these is in the group, and what it starts
     * from then on. As cheap as {@link #addCallingThread}. The kernel asks what whoever opened them may do, not who writes.
     *
     * @return one for each hierarchy, to be handed on; they stay the group's. Empty if there are none, since a hierarchy is of
     *     version 2, where a process is moved at the same cost by whomever
     * @throws IOException if the group cannot be entered
     */
    public synchronized List<ChildDescriptor> entrances() throws IOException {
        if (entrances.isEmpty() && isVersion1()) {
            for (Path directory : directories.keySet()) {
                try {
                    Posix posix = Posix.instance().orElseThrow();
                    entrances.add(posix.descriptors()
                            .forWriting(directory.resolve("tasks").toString()));
                } catch (NativeFault fault) {
                    throw new IOException("the control group " + directory + " cannot be entered", fault);
                }
            }
        }
        return entrances.stream()
                .<ChildDescriptor>map(ChildDescriptor.Ours::new)
                .toList();
    }

    private boolean isVersion1() {
        return directories.values().stream().allMatch(files -> files == GroupFiles.VERSION_1);
    }

    /**
     * How often the kernel has ended a process of the group because its memory was exhausted.
     *
     * @return the count so far; 0 if memory is not limited
     */
    public long oomKills() {
        if (memory.isEmpty()) {
            return 0;
        }
        Path directory = memory.get();
        try {
            return directories.getOrDefault(directory, GroupFiles.VERSION_2).oomKills(directory);
        } catch (IOException fault) {
            LOG.log(Level.WARNING, () -> "The count of processes ended for memory cannot be read: " + fault);
            return 0;
        }
    }

    /** Removes the group. Waits up to 2 seconds for processes that are ending; what cannot be removed is logged. */
    @Override
    public synchronized void close() {
        entrances.forEach(
                descriptor -> Posix.instance().orElseThrow().descriptors().close(descriptor));
        entrances.clear();
        List<Path> left = new ArrayList<>(directories.keySet());
        long deadline = System.nanoTime() + EMPTYING.toNanos();
        left.removeIf(ControlGroup::remove);
        while (!left.isEmpty() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(BETWEEN_TRIES.toNanos());
            left.removeIf(ControlGroup::remove);
        }
        if (!left.isEmpty()) {
            LOG.log(Level.WARNING, () -> "Control groups could not be removed, processes are still in them: " + left);
        }
    }

    static boolean remove(Path directory) {
        try {
            Files.delete(directory);
            return true;
        } catch (NoSuchFileException gone) {
            return true;
        } catch (FileSystemException busy) {
            return false;
        } catch (IOException fault) {
            LOG.log(Level.WARNING, () -> "The control group " + directory + " cannot be removed: " + fault);
            return false;
        }
    }
}
