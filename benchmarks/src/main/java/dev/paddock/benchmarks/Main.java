package dev.paddock.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/** {@code ./paddock bench}. */
final class Main {
    /** What is simplest, and what is typical: several programs, a pipe, a condition. */
    static final List<String> COMMANDS =
            List.of("true", "ls -la | head -n 5 && grep -l TODO file-1*.txt | wc -l; test -d . || exit 1");

    private static final int WARM_UP = 20;
    private static final int MISUSED = 2;

    private Main() {}

    public static void main(String[] arguments) throws IOException {
        if (List.of(arguments).contains("--help")) {
            System.out.print(Settings.USAGE);
            return;
        }
        Settings settings;
        try {
            settings = Settings.parse(arguments);
        } catch (IllegalArgumentException misuse) {
            System.err.println("paddock bench: " + misuse.getMessage());
            System.exit(MISUSED);
            return;
        }
        run(settings);
    }

    static Report run(Settings settings) throws IOException {
        try (Place place = Place.create()) {
            Report report = settings.wantsCommands() ? commands(settings, place) : Report.ofNoCommand();
            Scope scope = new Scope(place, settings);
            for (Family family : Family.ALL) {
                if (settings.wants(family)) {
                    Table table = family.measure(scope);
                    table.print(System.out);
                    report.add(table);
                }
            }
            settings.json().ifPresent(report::writeJson);
            if (settings.svg().isPresent()) {
                Files.writeString(settings.svg().get(), Picture.of(report.panels()));
            }
            return report;
        }
    }

    private static Report commands(Settings settings, Place place) throws IOException {
        List<Entry> entries = Catalogue.entries(settings.image()).stream()
                .filter(settings::wants)
                .toList();
        try (Suite suite = Suite.open(entries, place)) {
            int warmUp = Math.min(WARM_UP, settings.rounds());
            Report report = new Report(suite.entries(), suite.absent());
            for (String command : COMMANDS) {
                report.add(command, suite.measure(command, warmUp, settings.rounds(), Main::tellProgress));
            }
            System.err.println();
            report.print(System.out);
            System.out.printf("%.0f %% of the samples began while something else was running%n", 100 * suite.noise());
            return report;
        }
    }

    private static void tellProgress(int round) {
        if (round % 10 == 0) {
            System.err.print(round <= 0 ? "." : Integer.toString(round) + ' ');
        }
    }
}
