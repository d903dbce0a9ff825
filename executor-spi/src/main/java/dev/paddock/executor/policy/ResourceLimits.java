package dev.paddock.executor.policy;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The limits on the resources that a sandbox may use. Unset by default, except for
 * {@value #DEFAULT_PROCESSES} processes where a backend can limit them.
 *
 * @since 0.1
 */
public final class ResourceLimits {

    /** The limit on processes that applies if none is set and the backend can limit them. */
    public static final int DEFAULT_PROCESSES = 512;

    /** The least memory limit, 6 MiB: the minimum of Docker; below it no shell starts. */
    public static final long MIN_MEMORY_BYTES = 6L << 20;

    private static final Pattern BYTES = Pattern.compile("(\\d{1,18})([bkmg]?)");

    private static final ResourceLimits NONE = new ResourceLimits(
            OptionalLong.empty(),
            OptionalDouble.empty(),
            OptionalInt.empty(),
            OptionalLong.empty(),
            Enforcement.REQUIRED);

    private final OptionalLong memoryBytes;
    private final OptionalDouble cpus;
    private final OptionalInt processes;
    private final OptionalLong fileSizeBytes;
    private final Enforcement demand;

    private ResourceLimits(
            OptionalLong memoryBytes,
            OptionalDouble cpus,
            OptionalInt processes,
            OptionalLong fileSizeBytes,
            Enforcement demand) {
        memoryBytes.ifPresent(bytes ->
                require(bytes >= MIN_MEMORY_BYTES, "the memory limit is less than 6 MiB: " + bytes + " bytes"));
        cpus.ifPresent(number ->
                require(number > 0 && number <= 1 << 20, "the CPU limit is not a number more than 0: " + number));
        processes.ifPresent(number -> require(number >= 1, "the process limit is less than 1: " + number));
        fileSizeBytes.ifPresent(bytes -> require(bytes >= 0, "the file size limit is negative: " + bytes));
        this.memoryBytes = memoryBytes;
        this.cpus = cpus;
        this.processes = processes;
        this.fileSizeBytes = fileSizeBytes;
        this.demand = demand;
    }

    /**
     * Returns limits of which none is set.
     *
     * @return the same value on each call
     */
    public static ResourceLimits none() {
        return NONE;
    }

    /**
     * Parses a number of bytes.
     *
     * @param text digits, then optionally {@code b}, {@code k}, {@code m} or {@code g} in either
     *     case: {@code 512m}
     * @return the number of bytes, by powers of 1,024
     * @throws IllegalArgumentException if the text has another form or the number does not fit
     */
    public static long parseBytes(String text) {
        Matcher form = BYTES.matcher(text.toLowerCase(Locale.ROOT));
        require(form.matches(), "a size is digits and optionally b, k, m or g, such as 512m, not '" + text + "'");
        int shift = switch (form.group(2)) {
            case "k" -> 10;
            case "m" -> 20;
            case "g" -> 30;
            default -> 0;
        };
        try {
            return Math.multiplyExact(Long.parseLong(form.group(1)), 1L << shift);
        } catch (ArithmeticException tooLarge) {
            throw new IllegalArgumentException("the size is too large: '" + text + "'", tooLarge);
        }
    }

    /**
     * Returns these limits with another memory limit.
     *
     * @param bytes the limit in bytes, at least {@value #MIN_MEMORY_BYTES}
     * @return the limits
     * @throws IllegalArgumentException if the limit is lower
     */
    public ResourceLimits withMemory(long bytes) {
        return new ResourceLimits(OptionalLong.of(bytes), cpus, processes, fileSizeBytes, demand);
    }

    /**
     * Returns these limits with another CPU limit.
     *
     * @param number processors, more than 0, at most 1,048,576
     * @return the limits
     * @throws IllegalArgumentException if the number is not within these bounds
     */
    public ResourceLimits withCpus(double number) {
        return new ResourceLimits(memoryBytes, OptionalDouble.of(number), processes, fileSizeBytes, demand);
    }

    /**
     * Returns these limits with another process limit.
     *
     * @param number processes and threads, at least 1
     * @return the limits
     * @throws IllegalArgumentException if the number is less than 1
     */
    public ResourceLimits withProcesses(int number) {
        return new ResourceLimits(memoryBytes, cpus, OptionalInt.of(number), fileSizeBytes, demand);
    }

    /**
     * Returns these limits with another file size limit.
     *
     * @param bytes the limit in bytes, at least 0
     * @return the limits
     * @throws IllegalArgumentException if the limit is negative
     */
    public ResourceLimits withFileSize(long bytes) {
        return new ResourceLimits(memoryBytes, cpus, processes, OptionalLong.of(bytes), demand);
    }

    /**
     * Returns these limits with another demand.
     *
     * @param value whether a backend that cannot enforce a limit refuses the policy
     * @return the limits
     */
    public ResourceLimits withDemand(Enforcement value) {
        return new ResourceLimits(memoryBytes, cpus, processes, fileSizeBytes, value);
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    /** {@return the memory in bytes, swap included, at least {@value #MIN_MEMORY_BYTES}} */
    public OptionalLong memoryBytes() {
        return memoryBytes;
    }

    /** {@return the number of processors, more than 0; 1.5 is one and a half} */
    public OptionalDouble cpus() {
        return cpus;
    }

    /**
     * {@return the number of processes and threads, at least 1; empty means {@value #DEFAULT_PROCESSES} where
     * they can be limited}
     */
    public OptionalInt processes() {
        return processes;
    }

    /** {@return the size of the largest file that a command may write, in bytes, at least 0} */
    public OptionalLong fileSizeBytes() {
        return fileSizeBytes;
    }

    /** {@return whether a backend that cannot enforce a limit that is set refuses the policy} */
    public Enforcement demand() {
        return demand;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ResourceLimits that && parts().equals(that.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    @Override
    public String toString() {
        return "ResourceLimits" + parts();
    }

    private List<Object> parts() {
        return List.of(memoryBytes, cpus, processes, fileSizeBytes, demand);
    }
}
