package dev.paddock.cli.editor;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Set;
import org.jline.terminal.impl.AbstractPosixTerminal;
import org.jline.terminal.spi.Pty;
import org.jline.utils.FastBufferedOutputStream;
import org.jline.utils.InfoCmp.Capability;
import org.jline.utils.NonBlocking;
import org.jline.utils.NonBlockingInputStream;
import org.jline.utils.NonBlockingReader;

/**
 * The terminal of this program. JLine's own takes over the JVM's signal handlers while a line is read, and resets them
 * afterwards; this one leaves signals alone.
 *
 * <p>It has no capability that shifts characters within a line, so that JLine writes the rest of the line instead. tmux
 * treats a line with shifted characters as full, and breaks it in two when the terminal becomes narrower.
 */
final class KeyTerminal extends AbstractPosixTerminal {
    private static final Set<Capability> SHIFTING = EnumSet.of(
            Capability.insert_character, Capability.parm_ich, Capability.delete_character, Capability.parm_dch);

    private final NonBlockingInputStream input;
    private final NonBlockingReader reader;
    private final OutputStream output;
    private final PrintWriter writer;

    private KeyTerminal(String type, Pty pty) throws IOException {
        super(
                "paddock",
                type,
                pty,
                StandardCharsets.UTF_8,
                StandardCharsets.UTF_8,
                StandardCharsets.UTF_8,
                SignalHandler.SIG_DFL);
        input = NonBlocking.nonBlocking(getName(), pty.getSlaveInput());
        reader = NonBlocking.nonBlocking(getName(), input, StandardCharsets.UTF_8);
        output = new FastBufferedOutputStream(pty.getSlaveOutput());
        writer = new PrintWriter(new OutputStreamWriter(output, StandardCharsets.UTF_8));
    }

    /**
     * Opens a terminal.
     *
     * @param type its type, as in {@code TERM}
     */
    static KeyTerminal of(String type, Pty pty) throws IOException {
        KeyTerminal terminal = new KeyTerminal(type, pty);
        terminal.parseInfoCmp();
        terminal.strings.keySet().removeAll(SHIFTING);
        return terminal;
    }

    @Override
    public NonBlockingReader reader() {
        return reader;
    }

    @Override
    public PrintWriter writer() {
        return writer;
    }

    @Override
    public InputStream input() {
        return input;
    }

    @Override
    public OutputStream output() {
        return output;
    }

    /** Restores the original settings. */
    @Override
    protected void doClose() throws IOException {
        writer.flush();
        super.doClose();
        reader.shutdown();
    }
}
