package dev.paddock.executor.bwrap;

import dev.paddock.executor.limits.ControlGroups;
import dev.paddock.executor.process.OwnerLabel;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Removes what executors of proven-dead JVMs have left: directories and control groups. Their processes died with them. */
final class Sweep {
    private static final System.Logger LOG = System.getLogger(Sweep.class.getName());

    private Sweep() {}

    /** Runs beside what its caller does next: what is swept is nobody's. */
    static void runBeside(Path parent, ControlGroups groups) {
        Thread.ofPlatform()
                .daemon()
                .name("paddock-" + BwrapProvider.NAME + "-sweep")
                .start(() -> run(parent, groups)
                        .forEach(phrase -> LOG.log(Level.INFO, () -> "A run that is dead left this: " + phrase)));
    }

    static List<String> run(Path parent, ControlGroups groups) {
        List<String> removed = new ArrayList<>();
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(parent, PrivateRooms.PREFIX + "*")) {
            for (Path directory : directories) {
                if (isOurs(directory)
                        && isAbandoned(PrivateRooms.owner(directory).orElse(""))) {
                    PrivateRooms.remove(directory);
                    removed.add((Files.exists(directory) ? "could not remove " : "removed ") + directory);
                }
            }
        } catch (IOException fault) {
            removed.add("could not look for abandoned directories in " + parent + ": " + fault.getMessage());
        }
        groups.sweep(Sweep::isAbandonedGroup).forEach(group -> removed.add("removed the control group " + group));
        return removed;
    }

    /** Anybody may make a directory of such a name where everybody may make directories. */
    private static boolean isOurs(Path directory) throws IOException {
        return Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
                && Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(Path.of("/proc/self")));
    }

    private static boolean isAbandonedGroup(String name) {
        int number = name.lastIndexOf('-');
        return name.startsWith(PrivateRooms.PREFIX)
                && number > PrivateRooms.PREFIX.length()
                && isAbandoned(name.substring(PrivateRooms.PREFIX.length(), number));
    }

    private static boolean isAbandoned(String label) {
        return OwnerLabel.parse(label).filter(OwnerLabel::provenDead).isPresent();
    }
}
