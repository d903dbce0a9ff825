package dev.paddock.executor.remote.shell;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.ShellVariables;
import dev.paddock.executor.process.warm.CommandRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a slot is told: one line of shell code, so that a single read takes it and an evaluation of quoted text is exact for
 * every byte. It travels on the slot's input, where no process list shows it.
 */
public final class SlotOrder {
    /** Linux takes no argument of 128 KiB (MAX_ARG_STRLEN); longer commands go in pieces of this many characters. */
    private static final int PIECE = 30_000;

    private static final int ONE_ARGUMENT_BYTES = 120_000;

    /** Names that begin like this are the slot's own. */
    private static final String OWN = "__p_";

    private SlotOrder() {}

    /**
     * Encodes a command.
     *
     * @param command for the shell
     * @param options its directory, variables and streams
     * @param base the variables before its own
     * @param id its name
     * @param keepAlive the process id of the place's main process, whose parent is its first; 0 if there is none of ours
     * @param orphans which children of the place's first process are the command's
     * @param control the control shell's process id
     * @return the line
     * @throws SpawnException if it, or a variable, is none that a program can be started with, or a variable none that every
     *     shell passes on as it is
     */
    public static byte[] encode(
            String command,
            SpawnOptions options,
            Map<String, String> base,
            CommandId id,
            long keepAlive,
            OrphanPolicy orphans,
            long control) {
        int bytes = command.getBytes(StandardCharsets.UTF_8).length;
        CommandRequest.requireCommand(command);
        StringBuilder line = new StringBuilder(command.length() + 512);
        assign(line, "id", id.text());
        assign(line, "mark", id.mark().octal());
        assign(line, "control", Long.toString(control));
        assign(line, "lease", Long.toString(keepAlive));
        assign(line, "strays", orphans.word());
        assign(line, "dir", options.cwd());
        assign(line, "stdin", options.stdin().name().toLowerCase(Locale.ROOT));
        assign(line, "stderr", options.stderr().name().toLowerCase(Locale.ROOT));
        line.append("__p_export() { export ");
        Map<String, String> environment = new TreeMap<>(base);
        environment.putAll(options.env());
        environment.forEach(SlotOrder::requireVariable);
        environment.put(CommandExecutor.MARKER, id.text());
        environment.forEach((name, value) -> {
            line.append(name).append('=');
            quote(line, value);
            line.append(' ');
        });
        line.append("; }; set --");
        for (String piece : bytes <= ONE_ARGUMENT_BYTES ? List.of(command) : pieces(command)) {
            line.append(' ');
            quote(line, piece);
        }
        return line.append('\n').toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void requireVariable(String name, String value) {
        CommandRequest.requireVariable(name, value);
        if (name.startsWith(OWN)) {
            throw new SpawnException("names that begin with " + OWN + " are the executor's own: " + name);
        }
        if (ShellVariables.isComputed(name)) {
            throw new SpawnException("the variable " + name
                    + " would not reach a command in a container as it is: some shells keep it to themselves");
        }
    }

    private static List<String> pieces(String command) {
        List<String> pieces = new ArrayList<>();
        int from = 0;
        while (from < command.length()) {
            int to = Math.min(command.length(), from + PIECE);
            if (to < command.length() && Character.isHighSurrogate(command.charAt(to - 1))) {
                to--;
            }
            pieces.add(command.substring(from, to));
            from = to;
        }
        return pieces;
    }

    private static void assign(StringBuilder line, String name, String value) {
        line.append(OWN).append(name).append('=');
        quote(line, value);
        line.append("; ");
    }

    /** Quotes for the shell, without a newline: the slot has one in a variable. */
    private static void quote(StringBuilder line, String value) {
        line.append('\'');
        for (int index = 0; index < value.length(); index++) {
            char character = value.charAt(index);
            switch (character) {
                case '\'' -> line.append("'\\''");
                case '\n' -> line.append("'\"$__p_n\"'");
                default -> line.append(character);
            }
        }
        line.append('\'');
    }
}
