package dev.paddock.executor.tck.guarantees;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.Enforcement;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.executor.tck.context.ContractContext;
import dev.paddock.executor.tck.context.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A worktree whose executor protects paths. It contains a git repository, made without git, and
 * settings that host programs read. It is removed with everything that a command left.
 */
final class ProtectedWorktree implements AutoCloseable {
    private static final String NOTHING = "nothing";

    private static final Map<String, String> FILES = Map.of(
            ".git/HEAD",
            "ref: refs/heads/main\n",
            ".git/config",
            "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\thooksPath = tools/hooks\n",
            ".git/hooks/pre-commit",
            "original\n",
            ".git/objects/info/placeholder",
            "",
            ".git/refs/heads/placeholder",
            "",
            ".envrc",
            "original\n",
            "src/ordinary",
            "original\n");

    private final ContractContext context;
    private final Path root;
    private final PathMapping mapping;
    private final CommandExecutor executor;

    private ProtectedWorktree(ContractContext context, Path root, PathMapping mapping, CommandExecutor executor) {
        this.context = context;
        this.root = root;
        this.mapping = mapping;
        this.executor = executor;
    }

    /** Creates a worktree and its executor; skips the test if the provider claims no protection. */
    static ProtectedWorktree in(ContractContext context) throws IOException, InterruptedException {
        assumeTrue(
                RequestedPolicy.probed(context).contains(Guarantee.PROTECTED_PATHS), "PROTECTED_PATHS is not claimed");
        context.assumeTools("mkdir", "mkfifo", "chmod", "ln", "mv", "rm", "id");
        Path root = Files.createDirectories(context.worktree("worktree"));
        for (Map.Entry<String, String> file : FILES.entrySet()) {
            Path path = root.resolve(file.getKey());
            Files.createDirectories(path.resolveSibling(""));
            Files.writeString(path, file.getValue());
        }
        giveToCommands(root, context);
        PathMapping shared = context.subject().shared();
        PathMapping mapping = shared.isSame() ? PathMapping.same(root) : new PathMapping(root, shared.commandPath());
        CommandExecutor executor = RequestedPolicy.provider(context)
                .create(
                        RequestedPolicy.base(mapping, context)
                                .protectedPaths(ProtectedPaths.standard().withDemand(Enforcement.REQUIRED))
                                .build(),
                        context.subject().settings());
        return new ProtectedWorktree(context, root, mapping, executor);
    }

    /** Gives root's worktree to the user of commands, who otherwise could not change anything in it. */
    private static void giveToCommands(Path root, ContractContext context) throws IOException, InterruptedException {
        int user = Integer.parseInt(context.run("id -u").succeeded().strip());
        if (user == 0 || !Files.getAttribute(root, "unix:uid").equals(0)) {
            return;
        }
        try (Stream<Path> paths = Files.walk(root)) {
            for (Path path : (Iterable<Path>) paths::iterator) {
                Files.setAttribute(path, "unix:uid", user, LinkOption.NOFOLLOW_LINKS);
            }
        }
    }

    /** Starts a command in the worktree. */
    Running start(String command) {
        return context.start(executor, command, SpawnOptions.builder(mapping.commandPath()));
    }

    /** Starts a command that waits for a line on its input before it begins. */
    Running startWaiting(String command) {
        return context.start(
                executor,
                "read go; " + command,
                SpawnOptions.builder(mapping.commandPath()).stdin(SpawnOptions.Stdin.PIPE));
    }

    /** Returns whether the executor keeps a path from file tools although no name of the policy covers it. */
    boolean isKept(String name) throws IOException {
        return executor.isKept(root.toRealPath().resolve(name));
    }

    /** Describes the entry at a path: a file by its content, any other by its kind. */
    String at(String name) {
        Path path = root.resolve(name);
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return NOTHING;
        }
        if (Files.isSymbolicLink(path)) {
            return "a link";
        }
        try {
            return Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS) ? Files.readString(path) : "no regular file";
        } catch (IOException fault) {
            return "an unreadable file: " + fault;
        }
    }

    /** Describes the entry at a path before the first command. */
    static String originally(String name) {
        return FILES.getOrDefault(name, NOTHING);
    }

    @Override
    public void close() throws IOException {
        try {
            executor.dispose();
        } finally {
            Process ended = new ProcessBuilder("sh", "-c", "chmod -R u+rwx \"$0\"; rm -rf \"$0\"", root.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .onExit()
                    .join();
            assert !ended.isAlive();
        }
    }
}
