package dev.paddock.executor.config.grant;

import dev.paddock.executor.path.FileFaults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Judges whether another user could change the files in a directory. Examines each parent once. */
final class Trust {
    private static final int OTHERS_WRITE = 0002;
    private static final int GROUP_WRITES = 0020;
    private static final int STICKY = 01000;

    /** If the home directory cannot be examined, only the system's directories are trusted. */
    private static final int NOBODY = -1;

    private final int user;
    private final Map<Path, Optional<String>> above = new HashMap<>();

    private Trust(int user) {
        this.user = user;
    }

    /**
     * Returns a judge for a user.
     *
     * @param home the user's home directory, which the user owns
     */
    static Trust of(Path home) {
        try {
            return new Trust((int) Files.getAttribute(home, "unix:uid"));
        } catch (IOException absent) {
            return new Trust(NOBODY);
        }
    }

    /**
     * Returns why someone other than the user or the system may control files in a directory.
     *
     * @param real a real path
     */
    Optional<String> objection(Path real) {
        return examine(real, true).or(() -> objectionAbove(real));
    }

    private Optional<String> objectionAbove(Path path) {
        @Nullable Path parent = path.getParent();
        if (parent == null) {
            return Optional.empty();
        }
        if (!above.containsKey(parent)) {
            above.put(parent, examine(parent, false).or(() -> objectionAbove(parent)));
        }
        return above.getOrDefault(parent, Optional.empty());
    }

    private Optional<String> examine(Path at, boolean isFirst) {
        try {
            return objection(at, Files.readAttributes(at, "unix:uid,gid,mode", LinkOption.NOFOLLOW_LINKS), isFirst);
        } catch (IOException fault) {
            return Optional.of("it cannot be examined (" + FileFaults.reason(fault) + ")");
        }
    }

    private Optional<String> objection(Path at, Map<String, Object> status, boolean isFirst) {
        int owner = (int) status.getOrDefault("uid", NOBODY);
        int group = (int) status.getOrDefault("gid", NOBODY);
        int mode = (int) status.getOrDefault("mode", OTHERS_WRITE);
        if (owner != 0 && (owner != user || user == NOBODY)) {
            return Optional.of("'" + at + "' belongs to another user");
        }
        // Most systems give each user a group with the same number, which is the user's alone.
        boolean isShared =
                (mode & OTHERS_WRITE) != 0 || ((mode & GROUP_WRITES) != 0 && group != owner && group != user);
        // In a sticky directory nobody can replace the entries of another user.
        return isShared && (isFirst || (mode & STICKY) == 0)
                ? Optional.of("others can write to '" + at + "'")
                : Optional.empty();
    }
}
