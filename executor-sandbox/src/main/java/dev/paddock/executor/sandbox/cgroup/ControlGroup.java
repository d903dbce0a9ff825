package dev.paddock.executor.sandbox.cgroup;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.posix.NativeFault;
import dev.paddock.executor.os.posix.Posix;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.process.launch.ChildDescriptor;
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
 * One cgroup, whose processes share limits: a directory in each controller's hierarchy with version 1, one directory
 * with version 2.
 */
public final class ControlGroup implements AutoCloseable {
    private static final System.Logger LOG = LateLogger.of(ControlGroup.class);

    /** How long to wait for processes to leave the cgroup: an exited process leaves it with a delay. */
    private static final Duration EMPTYING = Duration.ofSeconds(2);

    private static final Duration BETWEEN_TRIES = Duration.ofMillis(5);

    private static final byte[] SELF = {'0'};

    private final String name;
    private final Map<Path, GroupFiles> directories = new LinkedHashMap<>();
    private final List<Integer> cgroupProcs = new ArrayList<>();
    private final Map<String, Path> shown = new LinkedHashMap<>();
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
     * Lets runtimes in the cgroup read its limits, where that is possible.
     *
     * @param hierarchies the version 1 hierarchies that runtimes read, by name
     */
    void show(Map<String, Path> hierarchies) {
        directories.forEach((directory, files) -> {
            if (files == GroupFiles.VERSION_2) {
                shown.put("", directory);
            }
        });
        if (!shown.isEmpty()) {
            return;
        }
        for (Map.Entry<String, Path> hierarchy : hierarchies.entrySet()) {
            Path directory = hierarchy.getValue().resolve(name);
            if (directories.containsKey(directory) || makeUnlimited(directory, hierarchy.getValue())) {
                shown.put(hierarchy.getKey(), directory);
            }
        }
    }

    private boolean makeUnlimited(Path directory, Path parent) {
        try {
            Files.createDirectory(directory);
        } catch (IOException refused) {
            LOG.log(Level.DEBUG, () -> "Runtimes will not see their limits in " + parent + ": " + refused);
            return false;
        }
        try {
            GroupFiles.copySets(parent, directory);
            directories.put(directory, GroupFiles.VERSION_1);
            return true;
        } catch (IOException refused) {
            LOG.log(Level.DEBUG, () -> "Runtimes will not see their limits in " + parent + ": " + refused);
            remove(directory);
            return false;
        }
    }

    /**
     * Returns the cgroup's directories from which runtimes read their limits, if they have any.
     *
     * @return by the hierarchy's name in {@code /sys/fs/cgroup}; version 2 has the empty name
     */
    public Map<String, Path> shown() {
        return Map.copyOf(shown);
    }

    /**
     * Moves a process into the cgroup. Its later children are born there; its earlier ones stay outside.
     *
     * @param pid the process id in the host's PID namespace
     * @throws IOException if the kernel refuses: the process has exited, or may not be moved
     */
    public void add(long pid) throws IOException {
        for (Path directory : directories.keySet()) {
            GroupFiles.write(directory, "cgroup.procs", Long.toString(pid));
        }
    }

    /**
     * Moves only the calling thread into the cgroup; the processes that it starts are born there. This is cheap, but to
     * move another process the kernel waits for an RCU grace period: 10 ms and more.
     *
     * @return false if a hierarchy is of version 2, where a thread cannot leave its process's cgroup; nothing has been
     *     moved then
     * @throws IOException if the kernel refuses the move
     */
    public synchronized boolean addCallingThread() throws IOException {
        if (cgroupProcs().isEmpty()) {
            return false;
        }
        try {
            for (int descriptor : cgroupProcs) {
                Posix.instance().orElseThrow().descriptors().write(descriptor, SELF, 0);
            }
            return true;
        } catch (NativeFault fault) {
            throw new IOException("the control group " + name + " cannot be entered", fault);
        }
    }

    /**
     * Returns descriptors of the cgroup's {@code cgroup.procs} files, through which processes enter the cgroup by
     * themselves: a process that writes 0 to each of them enters, with its later children. As cheap as {@link
     * #addCallingThread}. The kernel checks the permissions of the process that opened a descriptor, not of the one
     * that writes to it.
     *
     * @return one descriptor for each hierarchy, to be inherited by a child; the cgroup keeps owning them. Empty if a
     *     hierarchy is of version 2, where a move costs the same whichever process requests it
     * @throws IOException if the files cannot be opened
     */
    public synchronized List<ChildDescriptor> cgroupProcs() throws IOException {
        if (cgroupProcs.isEmpty() && isVersion1()) {
            for (Path directory : directories.keySet()) {
                try {
                    Posix posix = Posix.instance().orElseThrow();
                    cgroupProcs.add(posix.descriptors()
                            .forWriting(directory.resolve("tasks").toString()));
                } catch (NativeFault fault) {
                    throw new IOException("the control group " + directory + " cannot be entered", fault);
                }
            }
        }
        return cgroupProcs.stream()
                .<ChildDescriptor>map(ChildDescriptor.Ours::new)
                .toList();
    }

    private boolean isVersion1() {
        return directories.values().stream().allMatch(files -> files == GroupFiles.VERSION_1);
    }

    /**
     * Returns how many of the cgroup's processes the kernel has killed for lack of memory.
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
            LOG.log(
                    Level.WARNING,
                    () -> "The count of processes ended for memory cannot be read: " + FileFaults.reason(fault));
            return 0;
        }
    }

    /** Removes the cgroup. Waits up to 2 seconds for exiting processes, and logs a directory that cannot be removed. */
    @Override
    public synchronized void close() {
        cgroupProcs.forEach(
                descriptor -> Posix.instance().orElseThrow().descriptors().close(descriptor));
        cgroupProcs.clear();
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
        } catch (NoSuchFileException removed) {
            return true;
        } catch (FileSystemException busy) {
            return false;
        } catch (IOException fault) {
            LOG.log(
                    Level.WARNING,
                    () -> "The control group " + directory + " cannot be removed: " + FileFaults.reason(fault));
            return false;
        }
    }
}
