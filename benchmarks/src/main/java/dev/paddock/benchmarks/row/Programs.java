package dev.paddock.benchmarks.row;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Makes the rows of whole programs: Paddock's command line, from this checkout and from a release,
 * and the installed programs of others.
 */
public final class Programs {
    public static final String CODEX = "codex";
    /** The program that npm's codex command starts. */
    public static final String CODEX_NATIVE = "codex-native";

    public static final String SRT = "srt";

    private static final String CODEX_LABEL = "codex sandbox";
    private static final String SRT_LABEL = "srt (sandbox-runtime)";
    private static final String CODEX_NATIVE_LABEL = "codex sandbox, its native program";
    private static final long MIN_NATIVE_BYTES = 1 << 20;
    private static final int MAX_NATIVE_DEPTH = 8;
    private static final List<String> CODEX_LINE = List.of(CODEX, "sandbox", "--");
    private static final List<String> SRT_LINE = List.of(SRT);
    private static final String PATH =
            Optional.ofNullable(System.getenv("PATH")).orElse("");
    private static final String RELEASE = "-release";
    private static final List<String> EXECUTORS = List.of("host", "landlock", "bwrap");

    private Programs() {}

    /**
     * Returns the programs that run a command in a sandbox. A suite runs each of them once before it
     * measures; that also makes a launcher build the program that it starts.
     *
     * @param image the containers' image
     * @param release the launcher of a release; empty to measure the checkout's alone
     */
    public static List<Entry> entries(String image, Optional<Path> release) {
        List<Entry> programs = new ArrayList<>(paddock(checkout(), "", "", image));
        release.ifPresent(launcher -> programs.addAll(paddock(launcher.toString(), RELEASE, "release: ", image)));
        programs.add(program(CODEX, CODEX_LABEL, CODEX_LINE));
        programs.add(new Entry(
                CODEX_NATIVE, CODEX_NATIVE_LABEL, place -> new ProgramRow(nativeCodexLine(), place.worktree())));
        programs.add(program(SRT, SRT_LABEL, SRT_LINE));
        programs.add(new Entry(
                DockerRows.RUN,
                "docker run --rm, its client",
                place -> installed(DockerRows.run(image, place, List.of()), place)));
        programs.add(new Entry(
                DockerRows.RUN_HARDENED,
                "docker run --rm, as hardened as Paddock's",
                place -> installed(DockerRows.runHardened(image, place), place)));
        return programs;
    }

    /**
     * Returns the programs that serve tools; each run is a start and an answered
     * {@code initialize}.
     *
     * @param release the launcher of a release; empty to measure the checkout's alone
     */
    public static List<Entry> servers(Optional<Path> release) {
        List<Entry> programs = new ArrayList<>();
        for (String executor : EXECUTORS) {
            programs.add(server(checkout(), executor, "", ""));
            release.ifPresent(launcher -> programs.add(server(launcher.toString(), executor, RELEASE, "release: ")));
        }
        return programs;
    }

    private static List<String> nativeCodexLine() throws IOException {
        Path command = onPath(CODEX).toRealPath();
        if (Files.size(command) >= MIN_NATIVE_BYTES) {
            return List.of(command.toString(), "sandbox", "--");
        }
        Path packaged = command.resolve("../..").normalize(); // its script is in bin
        try (Stream<Path> files = Files.find(
                packaged,
                MAX_NATIVE_DEPTH,
                (path, attributes) -> path.endsWith("bin/" + CODEX) && attributes.size() >= MIN_NATIVE_BYTES)) {
            Path program = files.findFirst()
                    .orElseThrow(() -> new IOException("codex's native program is not below " + packaged));
            return List.of(program.toString(), "sandbox", "--");
        }
    }

    private static String checkout() {
        return System.getProperty("paddock.launcher", "paddock");
    }

    private static List<Entry> paddock(String launcher, String suffix, String prefix, String image) {
        List<Entry> programs = new ArrayList<>();
        for (String executor : EXECUTORS) {
            programs.add(program(
                    executor + suffix,
                    prefix + "paddock exec --executor " + executor,
                    List.of(launcher, "exec", "--executor", executor, "--")));
        }
        programs.add(program(
                "docker" + suffix, prefix + "paddock exec --image", List.of(launcher, "exec", "--image", image, "--")));
        return programs;
    }

    private static Entry server(String launcher, String executor, String suffix, String prefix) {
        return new Entry(
                executor + suffix,
                prefix + "paddock mcp --executor " + executor,
                place -> new ServerRow(List.of(launcher, "mcp", "--executor", executor), place.worktree()));
    }

    private static Entry program(String name, String label, List<String> line) {
        return new Entry(name, label, place -> installed(line, place));
    }

    private static Row installed(List<String> line, BenchmarkWorktree place) throws IOException {
        Path unused = onPath(line.getFirst());
        return new ProgramRow(line, place.worktree());
    }

    /**
     * Finds a program.
     *
     * @param program its name, or its absolute path
     * @return its path
     * @throws IOException if it is not on the {@code PATH}
     */
    public static Path onPath(String program) throws IOException {
        return List.of(PATH.split(":")).stream()
                .map(directory -> Path.of(directory).resolve(program))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IOException(program + " is not installed"));
    }
}
