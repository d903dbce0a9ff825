package dev.paddock.executor.process.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Who created something that may outlive its creator: it is swept when its owner is proven dead, and only then.
 *
 * <p>The text form is {@code machine.boot.namespace.pid.started}, of lower-case hexadecimal digits and dots, so that it fits
 * into names, labels and environment variables; a part that could not be found out is {@code 0}.
 *
 * @param machine the machine's id, 32 digits
 * @param boot the id of the machine's current run, 32 digits
 * @param namespace the inode of the process namespace
 * @param pid the owner's process id in there
 * @param started when it started, in the kernel's unit
 */
public record OwnerId(String machine, String boot, long namespace, long pid, long started) {
    private static final Pattern TEXT = Pattern.compile(
            "([0-9a-f]{1,32})\\.([0-9a-f]{1,32})\\.([0-9a-f]{1,16})\\.([0-9a-f]{1,16})\\.([0-9a-f]{1,16})");
    private static final Pattern NAMESPACE = Pattern.compile("pid:\\[(\\d+)]");
    private static final String UNKNOWN = "0";

    /** Initialised at the first use. */
    private static final class Holder {
        static final OwnerId CURRENT = find();
    }

    /**
     * This JVM.
     *
     * @return the same label on each call
     */
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
     * Reads a label.
     *
     * @param text its text form
     * @return empty if it is none
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
     * Whether the owner cannot be alive any more: it ran on this machine, before it was last started; or in this process
     * namespace, where its number is free or somebody else's now. Another machine's owner, or another namespace's, is never
     * proven dead, nor one of which a part is unknown.
     *
     * @return true if it is certain
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

    /**
     * The text form.
     *
     * @return the text that {@link #parse} reads
     */
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

    /** 0 if there is no such process. */
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
