package dev.paddock.executor.os.state;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Makes unique, but not secret, names for files and directories where only this user creates any. The JDK's secure
 * random generator, which also names its temporary files, takes longer to load than many commands run.
 */
final class UniqueName {
    private UniqueName() {}

    /**
     * Returns a name.
     *
     * @return the prefix and up to 16 hexadecimal digits
     */
    public static String after(String prefix) {
        return prefix + Long.toHexString(ThreadLocalRandom.current().nextLong());
    }
}
