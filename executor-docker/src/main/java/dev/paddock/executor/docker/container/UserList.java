package dev.paddock.executor.docker.container;

import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.SandboxPolicy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The list of users that commands see in a container: the image's, plus a name for the commands' user and a writable
 * home directory. Java and ssh read both there, and ignore {@code HOME}.
 */
public final class UserList {
    /** Its path in each container. */
    public static final String PATH = "/etc/passwd";

    private static final int NAME = 0;
    private static final int ID = 2;
    private static final int HOME = 5;
    private static final int FIELDS = 7;

    private UserList() {}

    /** Returns whether a policy mounts something at the list's path, or around it. */
    public static boolean isCovered(SandboxPolicy policy) {
        return Stream.concat(
                        policy.mounts().stream().map(Mount::target),
                        Stream.of(policy.worktree().commandPath()))
                .anyMatch(target -> Path.of(PATH).startsWith(target));
    }

    /**
     * Returns the list for commands.
     *
     * @param image the image's list
     * @param user the commands' user: a name or an id, optionally with {@code :} and a group
     * @param home the commands' home directory
     */
    public static String of(String image, String user, String home) {
        String[] ids = user.split(":", -1);
        boolean isId = isNumber(ids[0]);
        List<String> lines = new ArrayList<>();
        boolean isListed = false;
        for (String line : image.lines().toList()) {
            String[] fields = line.split(":", -1);
            boolean isOwn = fields.length == FIELDS && fields[isId ? ID : NAME].equals(ids[0]);
            if (isOwn) {
                fields[HOME] = home;
            }
            isListed |= isOwn;
            lines.add(isOwn ? String.join(":", fields) : line);
        }
        if (isId && !isListed) {
            String group = ids.length > 1 && isNumber(ids[1]) ? ids[1] : "0"; // as engines do
            lines.add("paddock:x:" + ids[0] + ":" + group + "::" + home + ":/bin/sh");
        }
        return String.join("\n", lines) + "\n";
    }

    private static boolean isNumber(String text) {
        return text.matches("\\d+");
    }
}
