package dev.paddock.cli.agent;

import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.Option;
import dev.paddock.cli.command.UsageException;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.path.FileOpener;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.Scanner;
import java.util.regex.Pattern;

/**
 * Supplies the prompts: one from the options, a file or standard input, or line by line at a
 * terminal.
 */
final class Prompts implements PromptSource {
    private static final Option PROMPT = Option.of("-p", "PROMPT", "the task");
    private static final Option FILE = Option.of("--prompt-file", "FILE", "reads the task from a file");

    static final int MAX_BYTES = 1 << 20;

    /** Matches what the caller has opened, as a shell does for {@code <(…)}: no command can replace it. */
    private static final Pattern DESCRIPTOR = Pattern.compile("/dev/stdin|/(?:dev|proc/self)/fd/[0-9]+");

    static final List<Option> ALL = List.of(PROMPT, FILE);

    private final InputStream input;
    private final Console console;
    private final boolean asks;
    private Optional<String> given;
    private Optional<Scanner> terminal = Optional.empty();

    private Prompts(InputStream input, Console console, boolean asks, Optional<String> given) {
        this.input = input;
        this.console = console;
        this.asks = asks;
        this.given = given;
    }

    /**
     * Reads the prompt, unless it is to be read at a terminal.
     *
     * @throws UsageException if the prompt is empty or cannot be read
     */
    static Prompts read(Arguments arguments, InvocationContext caller, Console console) {
        Optional<String> text = arguments.value(PROMPT);
        Optional<Path> file = arguments.value(FILE).map(caller.directory()::resolve);
        if (text.isPresent() && file.isPresent()) {
            throw new UsageException("give -p PROMPT or --prompt-file FILE, not both");
        }
        if (areTyped(arguments) && caller.leadsToTerminal(0)) {
            return new Prompts(caller.streams().in(), console, true, Optional.empty());
        }
        String prompt = text.orElseGet(() -> file.map(Prompts::ofFile)
                .orElseGet(() -> ofInput(caller.streams().in())));
        if (prompt.isBlank()) {
            throw new UsageException("the prompt is empty: give a task with -p PROMPT, in a file or on standard input");
        }
        return new Prompts(caller.streams().in(), console, false, Optional.of(prompt));
    }

    /** Returns whether the command line leaves the prompts to be typed, if there is a terminal. */
    static boolean areTyped(Arguments arguments) {
        return !arguments.has(PROMPT) && !arguments.has(FILE);
    }

    /** Reads a file, which a command may have replaced with a pipe, a device or a link if it is in a worktree. */
    private static String ofFile(Path file) {
        try (InputStream open = open(file)) {
            return decode(bounded(open, file.toString()), file.toString());
        } catch (IOException fault) {
            throw new UsageException("the prompt cannot be read from " + file + ": " + FileFaults.reason(fault)
                    + "; give a regular file, or the task on standard input");
        }
    }

    private static InputStream open(Path file) throws IOException {
        if (DESCRIPTOR.matcher(file.toString()).matches()) {
            return Files.newInputStream(file);
        }
        return Channels.newInputStream(FileOpener.installed().open(file, StandardOpenOption.READ));
    }

    private static byte[] bounded(InputStream input, String from) throws IOException {
        byte[] bytes = input.readNBytes(MAX_BYTES + 1);
        if (bytes.length > MAX_BYTES) {
            throw new UsageException("the prompt in " + from + " has more than " + (MAX_BYTES >> 20)
                    + " MiB; name a file in the worktree, which the model can read in parts");
        }
        return bytes;
    }

    private static String ofInput(InputStream input) {
        try {
            return decode(bounded(input, "standard input"), "standard input");
        } catch (IOException fault) {
            throw new UsageException("the prompt cannot be read from standard input: " + Console.text(fault));
        }
    }

    private static String decode(byte[] bytes, String from) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException notText) {
            throw new UsageException("the prompt in " + from + " is not UTF-8 text");
        }
    }

    @Override
    public boolean asks() {
        return asks;
    }

    /** Asks on standard error, since standard output may be JSON. */
    @Override
    public Optional<String> next() {
        if (!asks) {
            Optional<String> once = given;
            given = Optional.empty();
            return once;
        }
        Scanner lines = terminal.orElseGet(() -> new Scanner(input, StandardCharsets.UTF_8));
        terminal = Optional.of(lines);
        while (true) {
            console.err().print("> ");
            console.err().flush();
            if (!lines.hasNextLine()) {
                console.err().println();
                return Optional.empty();
            }
            String line = lines.nextLine();
            if (!line.isBlank()) {
                return Optional.of(line);
            }
        }
    }
}
