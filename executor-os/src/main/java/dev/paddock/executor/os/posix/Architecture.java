package dev.paddock.executor.os.posix;

import java.util.Locale;
import java.util.Optional;

/** The processor architectures that a filter can be built for: those with known system-call numbers. */
public enum Architecture {
    /** Intel and AMD, 64 bits. */
    X86_64(0xC000003E),
    /** ARM, 64 bits. */
    AARCH64(0xC00000B7);

    private final int auditNumber;

    Architecture(int auditNumber) {
        this.auditNumber = auditNumber;
    }

    /** {@return this JVM's architecture; empty if no filter can be built for it} */
    public static Optional<Architecture> current() {
        return of(System.getProperty("os.arch", ""));
    }

    /**
     * Returns an architecture by one of its names.
     *
     * @param name the name that Java, the kernel or a container engine uses
     * @return empty if no filter can be built for it
     */
    public static Optional<Architecture> of(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "amd64", "x86_64" -> Optional.of(X86_64);
            case "aarch64", "arm64" -> Optional.of(AARCH64);
            default -> Optional.empty();
        };
    }

    /** Returns the constant {@code AUDIT_ARCH_…} by which a filter recognizes a call's architecture. */
    public int auditNumber() {
        return auditNumber;
    }
}
