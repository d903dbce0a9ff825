package dev.paddock.benchmarks.measure;

import dev.paddock.benchmarks.row.Catalogue;
import dev.paddock.benchmarks.row.Entry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Holds the settings of the command line.
 *
 * @param quick whether to take less time
 * @param rounds the number of rounds; empty for each measurement's own
 * @param files the number of files in the trees of {@code workspaces} and {@code remote}; empty for the
 *     usual ones
 * @param rows the rows' names, or prefixes of them; empty for all
 * @param families the families' names, the table of commands among them; empty for all, unless rows
 *     are named
 * @param release the launcher of an unpacked release, measured beside this checkout's
 * @param sshHost the host of the rows of ssh; empty for a server of their own
 */
public record Settings(
        boolean quick,
        OptionalInt rounds,
        OptionalInt files,
        List<String> rows,
        List<String> families,
        String image,
        Optional<Path> release,
        Optional<String> sshHost,
        Optional<Path> json,
        Optional<Path> svg) {
    public static final String USAGE = """
            usage: paddock bench [--quick] [--rounds N] [--files N] [--only NAME,...] [--image IMAGE]
                             [--release PROGRAM] [--ssh-host HOST] [--json FILE] [--svg FILE]

            Measures what a command costs in each sandbox, in turns, and then families of figures:
            abort, young-jvm, start-up, packages, mcp, output, sessions, workspaces, remote. remote, in pods of the cluster
            that kubectl uses and over ssh, is measured only if it is named.

              --quick         fewer samples: 40 rounds of commands instead of 200
              --rounds N      the number of rounds
              --files N       the number of files in the trees of workspaces and remote, instead of 300,000 and 10,000
              --only NAME,... these rows and the plain one: host, landlock, bwrap, docker and names that begin with these;
                              or these families; the table of commands is 'commands'
              --image IMAGE   the containers' image, which the engine must have (default paddock-test/busybox)
              --release PROGRAM  bin/paddock of an unpacked release: adds its rows to start-up, packages and mcp
              --ssh-host HOST the host of the rows of ssh, instead of a server of their own on the loopback interface
              --json FILE     writes the figures
              --svg FILE      draws them
            """;

    private static final String COMMANDS = "commands";

    public Settings {
        rows = List.copyOf(rows);
        families = List.copyOf(families);
    }

    /**
     * Reads the arguments.
     *
     * @param knownRows the names of all rows
     * @param knownFamilies the names of all families
     * @throws IllegalArgumentException if an option, a row or a family is unknown, or a value is
     *     malformed
     */
    public static Settings parse(String[] arguments, List<String> knownRows, List<String> knownFamilies) {
        Deque<String> words = new ArrayDeque<>(Arrays.asList(arguments));
        boolean quick = false;
        OptionalInt rounds = OptionalInt.empty();
        OptionalInt files = OptionalInt.empty();
        List<String> rows = new ArrayList<>();
        List<String> families = new ArrayList<>();
        String image = "paddock-test/busybox";
        Optional<Path> release = Optional.empty();
        Optional<String> sshHost = Optional.empty();
        Optional<Path> json = Optional.empty();
        Optional<Path> svg = Optional.empty();
        while (!words.isEmpty()) {
            String word = words.removeFirst();
            switch (word) {
                case "--quick" -> quick = true;
                case "--rounds" -> rounds = OptionalInt.of(number(word, value(word, words)));
                case "--files" -> files = OptionalInt.of(number(word, value(word, words)));
                case "--only" -> {
                    rows.clear();
                    families.clear();
                    for (String name : value(word, words).split(",", -1)) {
                        if (name.equals(COMMANDS) || knownFamilies.contains(name)) {
                            families.add(name);
                        } else {
                            rows.add(known(name, knownRows, knownFamilies));
                        }
                    }
                }
                case "--image" -> image = value(word, words);
                case "--release" -> release = Optional.of(launcher(value(word, words)));
                case "--ssh-host" -> sshHost = Optional.of(value(word, words));
                case "--json" -> json = Optional.of(Path.of(value(word, words)));
                case "--svg" -> svg = Optional.of(Path.of(value(word, words)));
                default -> throw new IllegalArgumentException("unknown option " + word);
            }
        }
        return new Settings(quick, rounds, files, rows, families, image, release, sshHost, json, svg);
    }

    private static String value(String option, Deque<String> words) {
        if (words.isEmpty()) {
            throw new IllegalArgumentException(option + " lacks its value");
        }
        return words.removeFirst();
    }

    private static Path launcher(String text) {
        Path program = Path.of(text).toAbsolutePath();
        if (!Files.isExecutable(program) || Files.isDirectory(program)) {
            throw new IllegalArgumentException(
                    "--release wants the launcher of an unpacked release, its bin/paddock, not '" + text + "'");
        }
        return program;
    }

    private static int number(String option, String text) {
        if (!text.matches("[1-9][0-9]{0,5}")) {
            throw new IllegalArgumentException(option + " wants a number from 1 on, not '" + text + "'");
        }
        return Integer.parseInt(text);
    }

    private static String known(String name, List<String> rows, List<String> families) {
        if (rows.stream().noneMatch(row -> isOf(row, name))) {
            throw new IllegalArgumentException("--only knows no '" + name + "'; it takes rows: "
                    + String.join(", ", rows) + "; and families: " + COMMANDS + ", " + String.join(", ", families));
        }
        return name;
    }

    public boolean wants(Entry entry) {
        return entry.name().equals(Catalogue.PLAIN) || wants(entry.name());
    }

    public boolean wants(String row) {
        return rows.isEmpty() || rows.stream().anyMatch(name -> isOf(row, name));
    }

    private static boolean isOf(String row, String name) {
        return row.equals(name) || row.startsWith(name + "-");
    }

    /** Returns whether to measure the table of commands; rows without families select it. */
    public boolean wantsCommands() {
        return families.isEmpty() || families.contains(COMMANDS);
    }

    public boolean wants(Family family) {
        return (rows.isEmpty() && families.isEmpty() && !family.isOnDemand()) || families.contains(family.name());
    }
}
