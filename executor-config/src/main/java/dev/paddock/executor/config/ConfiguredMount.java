package dev.paddock.executor.config;

import dev.paddock.executor.policy.Mount;
import java.nio.file.Path;

/**
 * A mount as it is configured; its source need not exist yet.
 *
 * @param source the path on the host, absolute
 * @param target the path that commands see
 * @param access whether commands may write
 * @param origin where it was configured
 */
record ConfiguredMount(Path source, String target, Mount.Access access, Origin origin) {

    /**
     * Returns the mount of a policy.
     *
     * @throws SandboxConfigException if the source does not exist, or may not be mounted
     */
    Mount resolve() {
        try {
            return new Mount(source, target, access);
        } catch (IllegalArgumentException refused) {
            throw SandboxConfigException.at(origin, String.valueOf(refused.getMessage()));
        }
    }

    String word() {
        return access == Mount.Access.READ_WRITE ? "rw" : "ro";
    }
}
