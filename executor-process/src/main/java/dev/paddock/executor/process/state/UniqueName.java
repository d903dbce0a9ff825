package dev.paddock.executor.process.state;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Names that nothing else has, for files and directories in places where only this user makes any.
 * They are no secrets: the platform's source of secret numbers, which also names its temporary files,
 * takes longer to load than many a command runs.
 */
public final class UniqueName {
    private UniqueName() {}

    /**
     * Returns a name.
     *
     * @param prefix its beginning
     * @return the prefix and up to 16 hexadecimal digits
     */
    public static String after(String prefix) {
        return prefix + Long.toHexString(ThreadLocalRandom.current().nextLong());
    }
}
