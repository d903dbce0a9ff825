package dev.paddock.benchmarks.row;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.bwrap.BwrapExecutor;
import dev.paddock.executor.host.HostExecutor;
import dev.paddock.executor.landlock.LandlockExecutor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Lists all rows, in the order of the table. */
public final class Catalogue {
    public static final String PLAIN = "plain";

    /** The executors with their default settings. */
    public static final List<String> WARM = List.of("host", "landlock", "bwrap", "docker");

    /** Those, and the ways to run a command without them. */
    public static final List<String> SIDE_BY_SIDE =
            List.of(PLAIN, "host", "landlock", "bwrap", "bwrap-bare", "docker", "docker-exec");

    private Catalogue() {}

    public static List<Entry> entries(String image) {
        List<Entry> entries = new ArrayList<>(List.of(
                new Entry(
                        PLAIN, "plain ProcessBuilder", place -> new ProgramRow(List.of("sh", "-c"), place.worktree())),
                new Entry("host", "host, warm", place -> open("host", place.worktree(), image)),
                new Entry(
                        "host-cold",
                        "host, cold",
                        place -> in(
                                place.worktree(),
                                HostExecutor.builder().warmSlots(0).build())),
                new Entry("landlock", "Landlock, warm", place -> open("landlock", place.worktree(), image)),
                new Entry(
                        "landlock-cold",
                        "Landlock, cold",
                        place -> in(
                                place.worktree(),
                                LandlockExecutor.builder()
                                        .worktree(place.worktree())
                                        .warmSlots(0)
                                        .build())),
                new Entry("bwrap", "bubblewrap, warm", place -> open("bwrap", place.worktree(), image)),
                new Entry(
                        "bwrap-cold",
                        "bubblewrap, cold",
                        place -> in(
                                place.worktree(),
                                BwrapExecutor.builder()
                                        .worktree(place.worktree())
                                        .warmSlots(0)
                                        .build())),
                new Entry("bwrap-bare", "bubblewrap's bare command line", BareBubblewrap::open),
                new Entry("docker", "docker, warm", place -> open("docker", place.worktree(), image))));
        entries.addAll(DockerRows.entries(image));
        return entries;
    }

    /**
     * Opens the executor of a row with its default settings, and determines where its commands see
     * the worktree.
     *
     * @param row one of {@link #WARM}
     * @return the executor, the caller's to close
     */
    public static ExecutorRow open(String row, Path worktree, String image) {
        return switch (row) {
            case "host" -> in(worktree, HostExecutor.create());
            case "landlock" ->
                in(worktree, LandlockExecutor.builder().worktree(worktree).build());
            case "bwrap" ->
                in(worktree, BwrapExecutor.builder().worktree(worktree).build());
            case "docker" -> DockerRows.row(image, worktree);
            default -> throw new IllegalArgumentException("no executor is called " + row);
        };
    }

    private static ExecutorRow in(Path worktree, CommandExecutor executor) {
        return new ExecutorRow(executor, worktree.toString());
    }
}
