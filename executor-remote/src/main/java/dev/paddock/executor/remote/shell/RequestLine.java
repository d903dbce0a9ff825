package dev.paddock.executor.remote.shell;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.CommandShell;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.process.warm.CommandRequest;
import dev.paddock.executor.variable.ShellVariables;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Encodes a command request as one line of shell code, so that a single read of the slot receives it and the evaluation
 * of quoted text preserves every byte. The line is sent on the slot's input, so no process list shows it.
 */
public final class RequestLine {
    /**
     * Linux accepts no argument of 128 KiB or more (MAX_ARG_STRLEN); longer commands are sent in pieces of this many
     * characters.
     */
    private static final int PIECE = 30_000;

    private static final int ONE_ARGUMENT_BYTES = 120_000;

    /** The prefix of names that the slot itself uses. */
    private static final String OWN = "__p_";

    /** Not in the slot's script, each byte of which costs the slot a system call. */
    private static final String FIND_BASH = "IFS=:; for __p_i in $PATH; do if [ -x \"$__p_i/bash\" ]; then"
            + " __p_sh=$__p_i/bash; break; fi; done; unset IFS; ";

    private static final String REQUIRE_BASH = "case $__p_sh in */bash) ;; *) __p_command() {"
            + " echo 'refused start there is no bash on its PATH'; } ;; esac; ";

    private RequestLine() {}

    /**
     * Encodes a request.
     *
     * @param request the command, its directory, variables and streams
     * @param shell which shell the slot finds on its {@code PATH}
     * @param id the command's id
     * @param keepAlive the id of Paddock's own main process in the remote system, whose parent is the remote system's
     *     first process; 0 if there is none
     * @param orphans which children of the remote system's first process belong to the command
     * @param control the control shell's process id
     * @param framed whether the command's input arrives in {@link InputFrames}
     */
    public static byte[] encode(
            CommandRequest request,
            CommandShell shell,
            CommandId id,
            long keepAlive,
            OrphanPolicy orphans,
            long control,
            boolean framed) {
        String command = request.command();
        StringBuilder line = new StringBuilder(command.length() + 512);
        assign(line, "id", id.text());
        assign(line, "mark", id.mark().octal());
        assign(line, "control", Long.toString(control));
        assign(line, "keepalive", Long.toString(keepAlive));
        assign(line, "orphans", orphans.word());
        assign(line, "dir", request.cwd());
        assign(line, "stdin", framed ? "framed" : request.stdin().name().toLowerCase(Locale.ROOT));
        assign(line, "stderr", request.stderr().name().toLowerCase(Locale.ROOT));
        if (shell != CommandShell.OWN) {
            line.append(FIND_BASH).append(shell == CommandShell.BASH ? REQUIRE_BASH : "");
        }
        line.append("__p_export() { export ");
        Map<String, String> environment = new TreeMap<>(request.env());
        environment.put(CommandExecutor.MARKER, id.text());
        environment.forEach((name, value) -> {
            line.append(name).append('=');
            quote(line, value);
            line.append(' ');
        });
        line.append("; }; set --");
        int bytes = command.getBytes(StandardCharsets.UTF_8).length;
        for (String piece : bytes <= ONE_ARGUMENT_BYTES ? List.of(command) : pieces(command)) {
            line.append(' ');
            quote(line, piece);
        }
        return line.append('\n').toString().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Checks that a slot can pass a variable on to a command.
     *
     * @param name the variable's name
     * @throws SpawnException if some shell would not pass it on unchanged
     */
    public static void requireVariable(String name) {
        if (name.startsWith(OWN)) {
            throw new SpawnException("names that begin with " + OWN + " are the executor's own: " + name);
        }
        if (ShellVariables.isComputed(name)) {
            throw new SpawnException("the variable " + name
                    + " cannot be passed to a command in a container unchanged: some shells reserve it");
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

    /** Quotes for the shell, without a literal newline: the slot has one in a variable. */
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
