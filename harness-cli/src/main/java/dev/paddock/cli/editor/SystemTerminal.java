package dev.paddock.cli.editor;

import dev.paddock.cli.terminal.Console;
import dev.paddock.executor.ExecutorException;
import java.io.IOException;
import org.jline.terminal.Attributes;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.exec.ExecTerminalProvider;
import org.jline.terminal.spi.SystemStream;

/**
 * Opens the terminal of this program through {@code stty}, which every system with terminals has: a native library
 * would have to be unpacked, which slows each start.
 */
final class SystemTerminal {
    private SystemTerminal() {}

    /**
     * Opens the terminal, which then passes each key on, without an echo. Ctrl-C is a key too; SIGINT from elsewhere
     * keeps its meaning. Closing the terminal restores its settings.
     *
     * @param type the terminal's type, as in {@code TERM}
     * @throws ExecutorException if its settings cannot be read or changed
     */
    static Terminal open(String type) {
        try {
            Terminal terminal = KeyTerminal.of(type, new ExecTerminalProvider().current(SystemStream.Output));
            Attributes unused = terminal.enterRawMode();
            Attributes settings = terminal.getAttributes();
            settings.setControlChar(Attributes.ControlChar.VINTR, 0);
            terminal.setAttributes(settings);
            return terminal;
        } catch (IOException | RuntimeException fault) {
            throw new ExecutorException("the settings of your terminal cannot be changed by stty ("
                    + Console.text(fault) + "): install it (Debian: coreutils), or give --plain");
        }
    }
}
