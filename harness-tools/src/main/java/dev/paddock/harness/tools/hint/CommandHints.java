package dev.paddock.harness.tools.hint;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Recognizes in a failed command's output which resource the sandbox denied, and names the option
 * that grants it. All such hints come from here, for sessions, the MCP server and the command line.
 *
 * <p>The output is a command's own, so that a hint is advice: it grants nothing.
 */
public final class CommandHints {
    private static final int NOT_STARTED = 126;
    private static final int NOT_FOUND = 127;

    /** The number of characters examined at the end of an output. */
    public static final int EXAMINED = 16_384;

    private static final Pattern PROGRAM = Pattern.compile("(?m)(?:^|: |['\u2018])([A-Za-z0-9_.+-]{1,64})['\u2019]?: "
            + "(?:(?:command )?not found|No such file or directory|inaccessible or not found)\\r?$");

    /** A shell's message, alone in its line: a script that was quoted by mistake also ends with a name. */
    private static final Pattern ABSENT = Pattern.compile("(?m)^(?:\\S*/)?(?:ba|da|z|k|a)?sh: (?:line )?(?:\\d+: )?"
            + "([A-Za-z0-9_.+-]{1,64}): (?:command )?not found\\r?$");

    /**
     * Matches the messages of curl, wget, git, apt, npm, Node, Go, R, Erlang, Java, Bundler and the
     * C library; and of pip, Maven, its wrapper and Gradle, which do not print the reason.
     */
    private static final Pattern NO_NETWORK = Pattern.compile("(?i)(?:could not|couldn't) resolve (?:host|proxy|')"
            + "|unable to resolve host address|failure in name resolution|temporary failure resolving"
            + "|name or service not known|network is unreachable|dial tcp: lookup|bad address '"
            + "|no address associated with hostname|\\b(?:ENOTFOUND|EAI_AGAIN)\\b|UnknownHostException"
            + "|UnresolvedAddressException|failed to lookup address|no such host\\b|\\bnxdomain\\b"
            + "|could not reach host|unable to access index for repository https?:|No matching distribution found for"
            + "|no plugin found for prefix|(?:curl|wget): failed to fetch|could not resolve plugin artifact");

    /**
     * The beginning of a failure's message. It must begin a line: a command that exits with 0 may also print texts that
     * contain such messages.
     */
    private static final Pattern MESSAGE = Pattern.compile("(?i)^(?:curl: \\(\\d+\\)|wget: |fatal: |[EW]: |npm |go: "
            + "|\\[?(?:ERROR|ERR!|WARNING|WARN)\\b|(?:/bin/)?(?:ba|da|z|k)?sh: (?:line )?\\d+: )");

    private static final Pattern REFUSED_SETTING =
            Pattern.compile("(?m)^error: could not (?:write|lock) config file \\S.*$");

    private static final Pattern DENIED_SOCKET = Pattern.compile("(?i)operation not permitted|\\bEPERM\\b");

    private final SandboxFacts facts;
    private final String openNetwork;
    private final String addHost;

    /**
     * Creates the hints of a sandbox for a user of the command line.
     *
     * @param facts the facts about the sandbox
     */
    public CommandHints(SandboxFacts facts) {
        this(facts, "--network open lets this one use it", "with --allow HOST");
    }

    private CommandHints(SandboxFacts facts, String openNetwork, String addHost) {
        this.facts = facts;
        this.openNetwork = openNetwork;
        this.addHost = addHost;
    }

    /**
     * Returns the hints of a sandbox for a model, whose program may have no command line.
     *
     * @param facts the facts about the sandbox
     * @return the hints
     */
    public static CommandHints forModel(SandboxFacts facts) {
        return new CommandHints(facts, "the user can open it (network: open)", "(network: { allow: [HOST] })");
    }

    /**
     * Returns the hints for a command that failed as a whole or in part, as in a pipe.
     *
     * @param exitCode its exit code
     * @param output its output, or the end of it
     * @return a sentence or two for each; empty if nothing is recognized
     */
    public List<String> after(int exitCode, String output) {
        if (!facts.confines()) {
            return List.of();
        }
        String end = output.substring(Math.max(0, output.length() - EXAMINED));
        Optional<String> unsigned = GitHints.unsigned(facts.policy(), end);
        if (exitCode == 0) {
            return Stream.concat(swallowed(end), unsigned.stream()).toList();
        }
        List<String> hints = new ArrayList<>();
        if (exitCode == NOT_FOUND) {
            missing(end).flatMap(this::program).ifPresent(hints::add);
        }
        if (exitCode == NOT_FOUND || exitCode == NOT_STARTED) {
            new InterpreterHints(facts)
                    .after(end)
                    .filter(hint -> hints.isEmpty())
                    .ifPresent(hints::add);
        }
        VersionManagers.hint(end).ifPresent(hints::add);
        network(end).ifPresent(hints::add);
        socket(end).ifPresent(hints::add);
        Optional<String> git =
                facts.seesHostPaths() ? GitHints.after(facts.policy().worktree().hostPath(), end) : Optional.empty();
        if (hints.isEmpty() && git.isEmpty()) {
            new WorktreeHints(facts).after(end).ifPresent(hints::add);
        }
        new CacheHints(facts.policy()).after(end).ifPresent(hints::add);
        git.ifPresent(hints::add);
        if (hints.isEmpty()) {
            BlockedHints.after(facts, end)
                    .or(() -> facts.seesHostPaths() ? SystemConfigurationHints.after(facts, end) : Optional.empty())
                    .or(() -> new RefusedPathHints(facts).after(end))
                    .ifPresent(hints::add);
        }
        if (hints.isEmpty() && exitCode == NOT_FOUND) {
            absent(end).ifPresent(hints::add);
        }
        unsigned.ifPresent(hints::add);
        return List.copyOf(hints);
    }

    /**
     * Returns the hint for a command that tries to use a network that is off.
     *
     * @return a sentence; empty if the network is not off
     */
    public Optional<String> networkOff() {
        return facts.confines() && isNetworkOff()
                ? Optional.of("the network is off for commands; " + openNetwork)
                : Optional.empty();
    }

    /**
     * Returns the hint for a running command that tries to use a network that is off.
     *
     * @param output a part of its output
     * @return a sentence; empty if nothing is recognized
     */
    public Optional<String> meanwhile(String output) {
        return networkOff().filter(hint -> NO_NETWORK.matcher(messages(output)).find());
    }

    private static String messages(String output) {
        return output.lines().filter(line -> MESSAGE.matcher(line).find()).collect(Collectors.joining("\n"));
    }

    /** Returns the hint for a tool that failed although the command did not. */
    private Stream<String> swallowed(String end) {
        String messages = messages(end);
        return missing(messages)
                .flatMap(this::program)
                .or(() -> network(messages))
                .or(() -> new CacheHints(facts.policy()).after(messages))
                .or(() -> refusedSetting(end))
                .or(() -> HookHints.after(facts, end))
                .map(hint -> "the command exited with 0, although a part of it failed: " + hint)
                .stream();
    }

    /**
     * Returns the hint for a git setting that could not be written: git, and installers such as
     * husky's, continue without it and exit with 0.
     */
    private Optional<String> refusedSetting(String end) {
        Matcher refused = REFUSED_SETTING.matcher(end);
        return refused.find() ? new RefusedPathHints(facts).after(refused.group()) : Optional.empty();
    }

    private Optional<String> network(String output) {
        if (!NO_NETWORK.matcher(output).find()) {
            return Optional.empty();
        }
        if (facts.policy().network() instanceof NetworkPolicy.Allow allow) {
            return Optional.of("the network of commands is " + String.join(", ", allow.hosts())
                    + "; the user can add a host " + addHost);
        }
        return networkOff();
    }

    /**
     * Returns where the host has a program that a command did not find, and which option grants it.
     *
     * @param name the program's name
     * @return the hint; empty if the host has no such program on its {@code PATH}
     */
    public Optional<String> program(String name) {
        if (!facts.confines()) {
            return Optional.empty();
        }
        Optional<Path> found = find(name);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        if (!facts.seesHostPaths()) {
            return Optional.of("the host has " + name + ", but the container's image does not: use one that has it.");
        }
        Path directory = hidden(found.get());
        if (facts.shows(directory)) {
            return Optional.of("the host has " + name + " in " + directory + ", which this sandbox shows: either the"
                    + " command's PATH does not name that directory, or the sandbox does not show the program's"
                    + " interpreter.");
        }
        return Optional.of("the host has " + name + " in " + directory + ", which this sandbox does not show."
                + " The user can grant the programs of PATH with --toolchains path (paddock doctor --toolchains path"
                + " names the entries that are left out), or this directory with --mount " + directory + ":" + directory
                + ".");
    }

    /** Returns the directory of a program; if the sandbox shows a link to it, that of the link's target. */
    private Path hidden(Path program) {
        Path directory = program.resolveSibling("").normalize();
        try {
            return facts.shows(directory) ? program.toRealPath().resolveSibling("") : directory;
        } catch (IOException gone) {
            return directory;
        }
    }

    /** Returns the hint for a program that the host lacks, too. */
    private Optional<String> absent(String output) {
        String places = facts.seesHostPaths()
                ? " is not on this machine's PATH either: install it on the machine, or among the project's own"
                        + " packages."
                : " is neither in the container's image nor on this machine: use an image that has it, or install it"
                        + " among the project's own packages.";
        return last(ABSENT, output).filter(name -> find(name).isEmpty()).map(name -> name + places);
    }

    private static Optional<String> missing(String output) {
        return last(PROGRAM, output);
    }

    private static Optional<String> last(Pattern name, String output) {
        Matcher names = name.matcher(output);
        Optional<String> last = Optional.empty();
        while (names.find()) {
            last = Optional.of(names.group(1));
        }
        return last;
    }

    private Optional<Path> find(String name) {
        for (String entry : facts.searchPath().split(":", -1)) {
            try {
                Path file = Path.of(entry, name);
                if (entry.startsWith("/") && Files.isRegularFile(file) && Files.isExecutable(file)) {
                    return Optional.of(file);
                }
            } catch (InvalidPathException noPath) {
                // names no program
            }
        }
        return Optional.empty();
    }

    /** Returns the hint for a mounted socket: a mount alone does not let a command connect everywhere. */
    private Optional<String> socket(String output) {
        if (!facts.seesHostPaths() || !DENIED_SOCKET.matcher(output).find()) {
            return Optional.empty();
        }
        return facts.policy().mounts().stream()
                .map(Mount::source)
                .filter(CommandHints::isSpecial)
                .findFirst()
                .map(file -> file + " is a unix socket, and this sandbox denies all of them: bubblewrap with the"
                        + " network open, Landlock always. Use bubblewrap, with --allow HOST in place of"
                        + " --network open.");
    }

    private static boolean isSpecial(Path file) {
        return Files.exists(file) && !Files.isDirectory(file) && !Files.isRegularFile(file);
    }

    private boolean isNetworkOff() {
        return facts.policy().network() instanceof NetworkPolicy.Off
                && facts.guarantees().contains(Guarantee.NETWORK_OFF);
    }
}
