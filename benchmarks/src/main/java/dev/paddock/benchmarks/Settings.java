package dev.paddock.benchmarks;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * What was asked for.
 *
 * @param quick whether to take less time
 * @param only families, and rows' names or what they begin with; empty for all
 */
record Settings(boolean quick, int rounds, List<String> only, String image, Optional<Path> json, Optional<Path> svg) {
    static final String USAGE = """
            usage: paddock bench [--quick] [--rounds N] [--only ROW,...] [--image IMAGE] [--json FILE] [--svg FILE]

            Measures what a command costs in each place, side by side and in turns, then whole families of figures:
            abort, parallel, sustained, cpu, start-up, output, shells, sessions, tree, jvm.

              --quick         less of everything: 40 rounds instead of 200
              --rounds N      so many rounds
              --only ROW,...  these rows and the plain one: host, landlock, bwrap, docker and what begins with these;
                              families' names instead of the table of commands, which is 'commands'
              --image IMAGE   the containers' image, which has to be there (default paddock-test/busybox)
              --json FILE     writes the figures
              --svg FILE      draws them
            """;

    private static final String COMMANDS = "commands";
    private static final int ROUNDS = 200;
    private static final int QUICK = 40;

    /** @throws IllegalArgumentException if something else was asked for */
    static Settings parse(String[] arguments) {
        Deque<String> words = new ArrayDeque<>(Arrays.asList(arguments));
        boolean quick = false;
        int rounds = 0;
        List<String> only = List.of();
        String image = "paddock-test/busybox";
        Optional<Path> json = Optional.empty();
        Optional<Path> svg = Optional.empty();
        while (!words.isEmpty()) {
            String word = words.removeFirst();
            switch (word) {
                case "--quick" -> quick = true;
                case "--rounds" -> rounds = number(value(word, words));
                case "--only" -> only = List.of(value(word, words).split(","));
                case "--image" -> image = value(word, words);
                case "--json" -> json = Optional.of(Path.of(value(word, words)));
                case "--svg" -> svg = Optional.of(Path.of(value(word, words)));
                default -> throw new IllegalArgumentException("unknown option " + word);
            }
        }
        return new Settings(quick, rounds > 0 ? rounds : quick ? QUICK : ROUNDS, only, image, json, svg);
    }

    private static String value(String option, Deque<String> words) {
        if (words.isEmpty()) {
            throw new IllegalArgumentException(option + " lacks its value");
        }
        return words.removeFirst();
    }

    private static int number(String text) {
        if (!text.matches("[1-9][0-9]{0,5}")) {
            throw new IllegalArgumentException("--rounds wants a number from 1 on, not '" + text + "'");
        }
        return Integer.parseInt(text);
    }

    boolean wants(Entry entry) {
        return entry.name().equals(Catalogue.PLAIN) || wants(entry.name());
    }

    boolean wants(String row) {
        List<String> rows = only.stream().filter(name -> !isFamily(name)).toList();
        return rows.isEmpty() || rows.stream().anyMatch(name -> row.equals(name) || row.startsWith(name + "-"));
    }

    /** Rows alone mean the table of commands. */
    boolean wantsCommands() {
        return only.contains(COMMANDS) || only.stream().noneMatch(Settings::isFamily);
    }

    boolean wants(Family family) {
        return only.isEmpty() || only.contains(family.name());
    }

    private static boolean isFamily(String name) {
        return name.equals(COMMANDS)
                || Family.ALL.stream().anyMatch(family -> family.name().equals(name));
    }
}
