package dev.paddock.executor.os.posix;

/**
 * Why native calls cannot be made here.
 *
 * @param reason the cause, to follow a colon
 * @param remedy what to do, as a sentence
 */
public record NativeObstacle(String reason, String remedy) {

    /**
     * Explains the failure to load or bind a library.
     *
     * @param fault the failure; only the first line of its message is used, which may contain a whole stack trace
     */
    static NativeObstacle of(Throwable fault) {
        String message = String.valueOf(fault.getMessage());
        String cause = message.lines().findFirst().orElse("").isBlank()
                ? fault.toString()
                : message.lines().findFirst().orElseThrow().strip();
        return new NativeObstacle("the C library cannot be called: " + cause, remedy(cause));
    }

    private static String remedy(String cause) {
        if (cause.contains("IllegalCallerException")) {
            return "Allow native access: start java with --enable-native-access=ALL-UNNAMED, or, where jffi is on the"
                    + " module path, --enable-native-access=org.jnrproject.jffi.";
        }
        if (cause.contains("Too many open files")) {
            return "Raise the limit on open files (ulimit -n), or close some.";
        }
        return "Set -Djava.io.tmpdir to a writable directory that is not mounted noexec, or"
                + " -Djffi.boot.library.path to one that contains jffi's library; it exists for x86-64 and AArch64"
                + " with glibc, and for macOS.";
    }
}
