package dev.paddock.executor.remote.command;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.TerminalSize;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.remote.ChannelFactory;
import dev.paddock.executor.remote.ShellChannel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the settings of a terminal inside a remote system, by {@code stty}: engines have no call for it. */
final class TerminalSettings {
    private static final System.Logger LOG = LateLogger.of(TerminalSettings.class);

    /** {@code ^D}, the end-of-file character of a new terminal. */
    private static final byte END_OF_FILE = 4;

    private static final int CONTROL_BITS = 0x1f;
    private static final Pattern EOF = Pattern.compile("\\beof = (\\S+);");

    /** Polls 40 times, for at least 2 seconds. Without stty the size cannot be read. */
    private static final String AWAIT_SIZE = "command -v stty >/dev/null || exit; i=0;"
            + " until [ \"$(stty size <\"/proc/$1/fd/1\")\" = \"$2\" ] || [ $i = 40 ]; do"
            + " i=$((i + 1)); sleep 0.05 2>/dev/null || sleep 1; done";

    private TerminalSettings() {}

    /**
     * Waits until a command's terminal has the requested size, where the engine resizes it later: a command that began
     * earlier would receive {@code SIGWINCH}.
     */
    static void awaitSize(SystemConnection connection, RemoteCommand command) {
        if (connection.resizesLater() && command.terminal().isPresent()) {
            TerminalSize size = command.terminal().get();
            String slot = Long.toString(command.greeting().pid());
            String unused = output(connection, AWAIT_SIZE, slot, size.rows() + " " + size.columns());
        }
    }

    /**
     * Returns the terminal's end-of-file character; 0 if it has none, as when a program reads single keys. An image
     * without {@code stty} can hardly change the settings of a new terminal.
     *
     * @param slot the id of a process that has the terminal as its standard output
     */
    static byte endOfFile(ChannelFactory channels, long slot) {
        String settings = output(channels, "stty -a <\"/proc/$1/fd/1\"", Long.toString(slot));
        if (settings.contains("-icanon")) {
            return 0;
        }
        Matcher character = EOF.matcher(settings);
        if (!character.find()) {
            return END_OF_FILE;
        }
        String text = character.group(1);
        if (text.equals("<undef>")) {
            return 0;
        }
        byte last = (byte) text.charAt(text.length() - 1);
        return text.startsWith("^") && text.length() == 2 ? (byte) (last & CONTROL_BITS) : last;
    }

    private static String output(ChannelFactory channels, String script, String... arguments) {
        List<String> argv = new ArrayList<>(List.of("sh", "-c", script, "sh"));
        argv.addAll(List.of(arguments));
        try (ShellChannel stty = channels.open(argv)) {
            return stty.readText();
        } catch (IOException | ExecutorException fault) {
            LOG.log(System.Logger.Level.DEBUG, "the settings of a terminal are unknown", fault);
            return "";
        }
    }
}
