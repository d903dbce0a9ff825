package dev.paddock.executor.os.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Identifies the JVM that created a resource that may outlive it: a sweep removes the resource only if its owner is
 * proven dead.
 *
 * <p>The text form is {@code machine.boot.namespace.pid.started}, of lower-case hexadecimal digits and dots, so that it
 * fits into names, labels and environment variables; an unknown part is {@code 0}.
 *
 * @param machine the machine's id, 32 digits
 * @param boot the id of the machine's current boot, 32 digits
 * @param namespace the inode of the process namespace
 * @param pid the owner's process id in that namespace
 * @param started its start time, in the kernel's unit
 * @since 0.1
 */
public record OwnerId(String machine, String boot, long namespace, long pid, long started) {
    private static final Pattern TEXT = Pattern.compile(
            "([0-9a-f]{1,32})\\.([0-9a-f]{1,32})\\.([0-9a-f]{1,16})\\.([0-9a-f]{1,16})\\.([0-9a-f]{1,16})");
    private static final Pattern NAMESPACE = Pattern.compile("pid:\\[(\\d+)]");
    private static final String UNKNOWN = "0";

    private static final class Holder {
        static final OwnerId CURRENT = find();
    }

    /** {@return the id of this JVM} */
    public static OwnerId current() {
        return Holder.CURRENT;
    }

    private static OwnerId find() {
        long pid = ProcessHandle.current().pid();
        return new OwnerId(
                identifier("/etc/machine-id"),
                identifier("/proc/sys/kernel/random/boot_id"),
                namespaceOf("self"),
                pid,
                startedAt(pid));
    }

    /**
     * Parses an id.
     *
     * @param text its text form
     * @return the id; empty if the text is none
     */
    public static Optional<OwnerId> parse(String text) {
        Matcher form = TEXT.matcher(text);
        if (!form.matches()) {
            return Optional.empty();
        }
        return Optional.of(new OwnerId(
                form.group(1),
                form.group(2),
                Long.parseUnsignedLong(form.group(3), 16),
                Long.parseUnsignedLong(form.group(4), 16),
                Long.parseUnsignedLong(form.group(5), 16)));
    }

    /**
     * Returns whether the owner is certainly dead: it ran on this machine before the last boot, or in this PID
     * namespace, where its pid is now free or another process's. An owner on another machine or in another namespace is
     * never proven dead, nor is one with an unknown part.
     */
    public boolean provenDead() {
        OwnerId here = current();
        if (machine.equals(UNKNOWN) || !machine.equals(here.machine) || boot.equals(UNKNOWN)) {
            return false;
        }
        if (here.boot.equals(UNKNOWN) || !boot.equals(here.boot)) {
            return !here.boot.equals(UNKNOWN);
        }
        return namespace != 0 && namespace == here.namespace && started != 0 && startedAt(pid) != started;
    }

    /** {@return the text that {@link #parse} reads} */
    @Override
    public String toString() {
        return machine
                + '.'
                + boot
                + '.'
                + Long.toHexString(namespace)
                + '.'
                + Long.toHexString(pid)
                + '.'
                + Long.toHexString(started);
    }

    /** Returns a process's start time; 0 if it does not exist. */
    private static long startedAt(long pid) {
        return ProcessTable.ofThisMachine()
                .row(pid)
                .map(ProcessTable.Row::started)
                .orElse(0L);
    }

    private static long namespaceOf(String process) {
        try {
            Matcher link = NAMESPACE.matcher(Files.readSymbolicLink(Path.of("/proc", process, "ns", "pid"))
                    .toString());
            return link.matches() ? Long.parseLong(link.group(1)) : 0;
        } catch (IOException | UnsupportedOperationException unknown) {
            return 0;
        }
    }

    private static String identifier(String file) {
        try {
            String digits = Files.readString(Path.of(file), UTF_8).trim().replace("-", "");
            return digits.matches("[0-9a-f]{1,32}") ? digits : UNKNOWN;
        } catch (IOException unknown) {
            return UNKNOWN;
        }
    }
}
