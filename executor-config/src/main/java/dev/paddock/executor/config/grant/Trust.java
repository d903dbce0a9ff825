package dev.paddock.executor.config.grant;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Judges whether another user could change the files in a directory. */
final class Trust {
    private static final int OTHERS_WRITE = 0002;
    private static final int GROUP_WRITES = 0020;
    private static final int STICKY = 01000;

    private Trust() {}

    /**
     * Returns the reason why the files in a directory are not the user's or the system's alone.
     *
     * @param real a real path
     * @param owner the user's home directory, which the user owns
     */
    static Optional<String> objection(Path real, Path owner) {
        try {
            int user = (int) Files.getAttribute(owner, "unix:uid");
            boolean isFirst = true;
            for (@Nullable Path at = real; at != null; at = at.getParent()) {
                Optional<String> found = objection(at, user, isFirst);
                if (found.isPresent()) {
                    return found;
                }
                isFirst = false;
            }
            return Optional.empty();
        } catch (IOException fault) {
            return Optional.of("it cannot be examined (" + fault + ")");
        }
    }

    private static Optional<String> objection(Path at, int user, boolean isFirst) throws IOException {
        Map<String, Object> status = Files.readAttributes(at, "unix:uid,gid,mode", LinkOption.NOFOLLOW_LINKS);
        int owner = (int) status.getOrDefault("uid", -1);
        int group = (int) status.getOrDefault("gid", -1);
        int mode = (int) status.getOrDefault("mode", OTHERS_WRITE);
        if (owner != 0 && owner != user) {
            return Optional.of("'" + at + "' belongs to another user");
        }
        // A group with the user's number is the user's alone, as most systems create them.
        boolean isShared =
                (mode & OTHERS_WRITE) != 0 || ((mode & GROUP_WRITES) != 0 && group != owner && group != user);
        // In a sticky directory nobody can replace the entries of another user.
        return isShared && (isFirst || (mode & STICKY) == 0)
                ? Optional.of("others can write to '" + at + "'")
                : Optional.empty();
    }
}
