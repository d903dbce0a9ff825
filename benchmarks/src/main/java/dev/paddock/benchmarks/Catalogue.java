package dev.paddock.benchmarks;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.bwrap.BwrapExecutor;
import dev.paddock.executor.host.HostExecutor;
import dev.paddock.executor.landlock.LandlockExecutor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** All rows, in the order of the table. */
final class Catalogue {
    static final String PLAIN = "plain";

    /** The executors as they are by default. */
    static final List<String> WARM = List.of("host", "landlock", "bwrap", "docker");

    /** Those, and what people do without them. */
    static final List<String> SIDE_BY_SIDE =
            List.of(PLAIN, "host", "landlock", "bwrap", "bwrap-bare", "docker", "docker-exec");

    private Catalogue() {}

    static List<Entry> entries(String image) {
        List<Entry> entries = new ArrayList<>(List.of(
                new Entry(
                        PLAIN,
                        "plain ProcessBuilder",
                        1,
                        place -> new ProgramRow(List.of("sh", "-c"), place.worktree())),
                new Entry("host", "host, warm", 1, place -> in(place, HostExecutor.create())),
                new Entry(
                        "host-cold",
                        "host, cold",
                        1,
                        place -> in(place, HostExecutor.builder().warmSlots(0).build())),
                new Entry("landlock", "Landlock, warm", 1, place -> in(place, landlock(place.worktree(), 2))),
                new Entry("landlock-cold", "Landlock, cold", 1, place -> in(place, landlock(place.worktree(), 0))),
                new Entry("bwrap", "bubblewrap, warm", 1, place -> in(place, bubblewrap(place.worktree(), 2))),
                new Entry("bwrap-cold", "bubblewrap, cold", 1, place -> in(place, bubblewrap(place.worktree(), 0))),
                new Entry("bwrap-bare", "bubblewrap's bare command line", 1, BareBubblewrap::open)));
        entries.addAll(Docker.entries(image));
        return entries;
    }

    /** The executor of a row, as it is by default. */
    static CommandExecutor executor(String row, Path worktree) {
        return switch (row) {
            case "host" -> HostExecutor.create();
            case "landlock" -> landlock(worktree, 2);
            case "bwrap" -> bubblewrap(worktree, 2);
            default -> throw new IllegalArgumentException("no executor on this machine is called " + row);
        };
    }

    private static Row in(Place place, CommandExecutor executor) {
        return new ExecutorRow(executor, place.worktree().toString());
    }

    private static LandlockExecutor landlock(Path worktree, int slots) {
        return LandlockExecutor.builder().worktree(worktree).warmSlots(slots).build();
    }

    private static BwrapExecutor bubblewrap(Path worktree, int slots) {
        return BwrapExecutor.builder().worktree(worktree).warmSlots(slots).build();
    }
}
