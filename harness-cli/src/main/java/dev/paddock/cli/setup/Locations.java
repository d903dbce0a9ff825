package dev.paddock.cli.setup;

import dev.paddock.cli.setup.document.SettingsRefusedException;
import dev.paddock.cli.terminal.InvocationContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds the directories that contain clients' settings, and the launcher of this program. */
final class Locations {
    private Locations() {}

    /**
     * Returns the user's home directory.
     *
     * @throws SettingsRefusedException if there is none
     */
    static Path home(InvocationContext caller) {
        String home = caller.variable("HOME").orElse("");
        if (home.isBlank()) {
            throw new SettingsRefusedException(
                    "HOME is not set, so that the clients' settings cannot be found; set it to your"
                            + " home directory");
        }
        Path path = Path.of(home);
        if (!path.isAbsolute() || !Files.isDirectory(path)) {
            throw new SettingsRefusedException(
                    "HOME is '" + home + "', which is not a directory; set it to your home directory");
        }
        return path;
    }

    /**
     * Returns the directory that a variable names, or else one in the home directory.
     *
     * @throws SettingsRefusedException if the variable's value is relative, or there is no home directory
     */
    static Path directory(InvocationContext caller, String variable, String inHome) {
        String given = caller.variable(variable).orElse("");
        if (given.isEmpty()) {
            return home(caller).resolve(inHome);
        }
        Path path = Path.of(given);
        if (!path.isAbsolute()) {
            throw new SettingsRefusedException(
                    variable + " is '" + given + "', which is relative; set it to an absolute path");
        }
        return path;
    }

    /**
     * Returns the caller's directory, as a project.
     *
     * @throws SettingsRefusedException if it is the home directory, whose files are the user's settings
     */
    static Path project(InvocationContext caller) {
        Path project = caller.directory();
        String home = caller.variable("HOME").orElse("");
        try {
            if (!home.isBlank() && Files.isSameFile(project, Path.of(home))) {
                throw new SettingsRefusedException("the current directory '" + project
                        + "' is your home directory and no project; change to a project, or give --user");
            }
        } catch (IOException absent) {
            return project; // a home that does not exist is not this directory
        }
        return project;
    }

    /**
     * Returns the absolute path of the launcher, as the user has called it: a link to it stays valid when it leads to a
     * newer version.
     *
     * @throws SettingsRefusedException if no launcher has started this program
     */
    static String launcher(InvocationContext caller) {
        return caller.launcher()
                .filter(Files::isExecutable)
                .map(launcher -> launcher.normalize().toString())
                .orElseThrow(() -> new SettingsRefusedException("the program that clients have to start is not known ('"
                        + caller.launcher().map(Path::toString).orElse("")
                        + "' is no executable file); start setup by the launcher of a release or of a checkout"));
    }
}
