package dev.paddock.executor.tck;

import static dev.paddock.executor.tck.Broken.executor;

import dev.paddock.executor.CommandShell;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.ShellQuoting;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Executors that break C1 to C4. */
final class BrokenCommands {
    private BrokenCommands() {}

    static List<Broken> all() {
        return List.of(
                executor("waits for the command", "C1_returnsWhileCommandRuns", "spawn did not return", Waits::new),
                executor("runs what it refuses", "C1_whatCannotStartRunsNothing", "ran", RunsFirst::new),
                executor("writes Latin-1", "C2_everyCharacterButNulIsExact", "", Latin1::new),
                executor("passes the command as an argument", "C2_longCommandsAreExact[6]", "too long", Argument::new),
                executor("takes a dash for an option", "C2_leadingDashOrPlusIsNoOption[1]", "127", Argument::new),
                executor("cuts at NUL", "C2_nulIsRefused", "Expecting code to raise a throwable", CutsAtNul::new),
                executor("knows no limit", "C2_longerCommandIsRefused", "Expecting code to raise", Unlimited::new),
                executor("reads the command line by line", "C2_severalLinesAndHeredocs", "", OneLine::new),
                executor("promises bash", "C2_bashWhereCommandAsksForIt", "bash", PromisesBash::new),
                executor("inherits", "C3_nothingOfHostsIsThere", "variables of the host's", Inherits::new),
                executor("inherits all", "C3_canaryOfHostsIsNotThere", "CONTRACT_CANARY", Inherits::new),
                executor("quotes badly", "C3_valuesAreExact[7]", "", QuotesBadly::new),
                executor("counts its commands", "C3_sameWarmAndCold", "of command 2", Counts::new),
                executor("marks all alike", "C3_oneMarkerUniqueToEachCommand", "10 commands", OneMarker::new),
                executor("shows values", "C3_noValueOnCommandLine", "secret-", ShowsValues::new),
                executor("falls back to the root", "C4_missingDirectoryIsRefused", "raise a throwable", Anywhere::new),
                executor("starts anywhere", "C4_startsInDirectory", "", Elsewhere::new));
    }

    private static final class PromisesBash extends ReferenceExecutor {
        @Override
        public Set<CommandShell> shells() {
            return Set.of(CommandShell.values());
        }
    }

    private static final class Waits extends ReferenceExecutor {
        @Override
        public ProcessLike spawn(String command, SpawnOptions options) {
            ProcessLike process = super.spawn(command, options);
            process.onExit()
                    .toCompletableFuture()
                    .completeOnTimeout(new ExitStatus.Exited(0), Broken.LONGER.toSeconds(), TimeUnit.SECONDS)
                    .join();
            return process;
        }
    }

    private static final class RunsFirst extends ReferenceExecutor {
        @Override
        void requireDirectory(String cwd) throws IOException {
            try {
                super.requireDirectory(cwd);
            } catch (SpawnException refused) {
                Path up = Path.of(cwd).resolveSibling("ran");
                Files.writeString(up, "");
                throw refused;
            }
        }
    }

    private static final class Latin1 extends ReferenceExecutor {
        @Override
        byte[] script(String command, SpawnOptions options) {
            return new String(super.script(command, options), StandardCharsets.UTF_8)
                    .getBytes(StandardCharsets.ISO_8859_1);
        }
    }

    private static final class Argument extends ReferenceExecutor {
        @Override
        List<String> line(Path script, String command, SpawnOptions options) {
            return List.of("sh", "-c", command);
        }
    }

    private static final class CutsAtNul extends ReferenceExecutor {
        @Override
        public ProcessLike spawn(String command, SpawnOptions options) {
            return super.spawn(command.split("\0", -1)[0], options);
        }
    }

    private static final class Unlimited extends ReferenceExecutor {
        @Override
        void requireSound(String command, SpawnOptions options) {
            options.signal().throwIfAborted();
        }
    }

    private static final class OneLine extends ReferenceExecutor {
        @Override
        public ProcessLike spawn(String command, SpawnOptions options) {
            return super.spawn(command.replace('\n', ';'), options);
        }
    }

    private static final class Inherits extends ReferenceExecutor {
        @Override
        Map<String, String> base() {
            Map<String, String> all = new TreeMap<>(System.getenv());
            all.put("JUST_IN_CASE_THERE_IS_NOTHING", "x");
            return all;
        }
    }

    private static final class QuotesBadly extends ReferenceExecutor {
        @Override
        byte[] script(String command, SpawnOptions options) {
            StringBuilder script = new StringBuilder();
            options.env().forEach((name, value) -> script.append("export " + name + "=\"" + value + "\"\n"));
            script.append("cd " + ShellQuoting.posix(options.cwd()) + "\n" + command);
            return script.toString().getBytes(StandardCharsets.UTF_8);
        }
    }

    private static final class Counts extends ReferenceExecutor {
        private final AtomicInteger commands = new AtomicInteger();

        @Override
        Map<String, String> base() {
            Map<String, String> base = new TreeMap<>(super.base());
            base.put("COUNT", Integer.toString(commands.incrementAndGet()));
            return base;
        }
    }

    private static final class OneMarker extends ReferenceExecutor {
        @Override
        String newMarker() {
            return "marker";
        }
    }

    private static final class ShowsValues extends ReferenceExecutor {
        @Override
        List<String> line(Path script, String command, SpawnOptions options) {
            List<String> line = new ArrayList<>(List.of("sh", "--", script.toString()));
            line.addAll(options.env().values());
            return line;
        }
    }

    private static final class Anywhere extends ReferenceExecutor {
        @Override
        void requireDirectory(String cwd) {}
    }

    private static final class Elsewhere extends ReferenceExecutor {
        @Override
        byte[] script(String command, SpawnOptions options) {
            return ("cd /\n" + command).getBytes(StandardCharsets.UTF_8);
        }
    }
}
