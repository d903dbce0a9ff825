package dev.paddock.benchmarks;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What was asked for.
 *
 * @param quick whether to take less time
 * @param rounds how many; empty for what each measurement has of its own
 * @param only families, and rows' names or what they begin with; empty for all
 */
record Settings(
        boolean quick, OptionalInt rounds, List<String> only, String image, Optional<Path> json, Optional<Path> svg) {
    static final String USAGE = """
            usage: paddock bench [--quick] [--rounds N] [--only NAME,...] [--image IMAGE] [--json FILE] [--svg FILE]

            Measures what a command costs in each place, side by side and in turns, then whole families of figures:
            abort, parallel, sustained, cpu, start-up, output, shells, sessions, tree, jvm.

              --quick         less of everything: 40 rounds of commands instead of 200
              --rounds N      so many rounds of whatever is measured in rounds
              --only NAME,... these rows and the plain one: host, landlock, bwrap, docker and what begins with these;
                              families' names instead of the table of commands, which is 'commands'
              --image IMAGE   the containers' image, which has to be there (default paddock-test/busybox)
              --json FILE     writes the figures
              --svg FILE      draws them
            """;

    private static final String COMMANDS = "commands";

    /** @throws IllegalArgumentException if something else was asked for */
    static Settings parse(String[] arguments) {
        Deque<String> words = new ArrayDeque<>(Arrays.asList(arguments));
        boolean quick = false;
        OptionalInt rounds = OptionalInt.empty();
        List<String> only = List.of();
        String image = "paddock-test/busybox";
        Optional<Path> json = Optional.empty();
        Optional<Path> svg = Optional.empty();
        while (!words.isEmpty()) {
            String word = words.removeFirst();
            switch (word) {
                case "--quick" -> quick = true;
                case "--rounds" -> rounds = OptionalInt.of(number(value(word, words)));
                case "--only" -> only = names(value(word, words));
                case "--image" -> image = value(word, words);
                case "--json" -> json = Optional.of(Path.of(value(word, words)));
                case "--svg" -> svg = Optional.of(Path.of(value(word, words)));
                default -> throw new IllegalArgumentException("unknown option " + word);
            }
        }
        return new Settings(quick, rounds, only, image, json, svg);
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

    private static List<String> names(String text) {
        List<String> names = List.of(text.split(",", -1));
        Set<String> rows = new LinkedHashSet<>();
        Stream.concat(Catalogue.entries("").stream(), StartUp.programs("").stream())
                .forEach(entry -> rows.add(entry.name()));
        for (String name : names) {
            if (!isFamily(name) && rows.stream().noneMatch(row -> isOf(row, name))) {
                throw new IllegalArgumentException("--only knows no '" + name + "'; it takes rows: "
                        + String.join(", ", rows) + "; and families: " + COMMANDS + ", "
                        + String.join(
                                ", ", Family.ALL.stream().map(Family::name).toList()));
            }
        }
        return names;
    }

    boolean wants(Entry entry) {
        return entry.name().equals(Catalogue.PLAIN) || wants(entry.name());
    }

    boolean wants(String row) {
        List<String> rows = only.stream().filter(name -> !isFamily(name)).toList();
        return rows.isEmpty() || rows.stream().anyMatch(name -> isOf(row, name));
    }

    private static boolean isOf(String row, String name) {
        return row.equals(name) || row.startsWith(name + "-");
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
