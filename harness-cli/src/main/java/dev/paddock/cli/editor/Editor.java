package dev.paddock.cli.editor;

import dev.paddock.cli.terminal.Canvas;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.Printable;
import dev.paddock.cli.terminal.Style;
import dev.paddock.cli.terminal.TerminalWidth;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;
import org.jline.keymap.KeyMap;
import org.jline.reader.Binding;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.MaskingCallback;
import org.jline.reader.Reference;
import org.jline.reader.UserInterruptException;
import org.jline.reader.Widget;
import org.jline.terminal.Terminal;
import org.jspecify.annotations.Nullable;

/**
 * Reads prompts at a terminal, also during a run, and shows a session above the line being typed. Queues prompts typed
 * during a run.
 *
 * <p>Lines that arrive before the first prompt is read are shown then.
 */
public final class Editor implements Canvas {
    private static final String PROMPT = "> ";
    private static final String RESIZED = "paddock-resized";
    private static final long ESCAPE_MILLIS = 100;
    private static final long PATIENCE_MILLIS = 2_000;

    private final Console console;
    private final Style style;
    private final SlashCommands commands;
    private final FileMentions mentions;
    private final Optional<Path> history;
    private final EditorKeys keys;
    private final String type;
    private Optional<PrintStream> errors = Optional.empty();
    private final BlockingQueue<Optional<String>> prompts = new LinkedBlockingQueue<>();
    private final Questions questions = new Questions();
    private final Thread keyboard = new Thread(this::readAll, "paddock-keyboard");
    private final List<String> early = new ArrayList<>();
    private Optional<Open> open = Optional.empty();
    private boolean isStarted;
    /** The terminal's width; 0 until it is first needed. */
    private volatile int width;

    private volatile boolean isClosed;
    private volatile boolean isLeaving;

    /** The terminal while it is open. */
    private record Open(Terminal terminal, PromptReader reader) {}

    /**
     * Creates an editor that reads nothing yet.
     *
     * @param history the private file of earlier prompts, if they are kept
     * @param type the terminal's type, as in {@code TERM}
     */
    public Editor(
            Console console,
            Style style,
            SlashCommands commands,
            FileMentions mentions,
            Optional<Path> history,
            EditorKeys keys,
            String type) {
        this.console = console;
        this.style = style;
        this.commands = commands;
        this.mentions = mentions;
        this.history = history;
        this.keys = keys;
        this.type = type;
        keyboard.setDaemon(true);
    }

    /**
     * Returns the next prompt, with the files that it names; empty if there are no more. Starts reading at the first
     * call.
     */
    public Optional<String> next() {
        start();
        try {
            Optional<String> typed = prompts.take();
            return typed.map(this::expand);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private String expand(String typed) {
        FileMentions.Expanded expanded = mentions.expand(typed);
        expanded.notices().forEach(notice -> print(style.bad(Printable.text(notice))));
        return expanded.text();
    }

    private synchronized void start() {
        if (isStarted || isClosed) {
            return;
        }
        isStarted = true;
        Terminal terminal = SystemTerminal.open(type);
        try {
            open = Optional.of(new Open(terminal, reader(terminal)));
        } catch (IOException fault) {
            throw new UncheckedIOException("the line editor cannot be opened", fault);
        }
        width = measured(terminal);
        console.process().onSignal("WINCH", this::resized);
        console.process().atEnd(this::close);
        errors = Optional.of(
                console.redirectMessages(new PrintStream(new ErrorLines(this::print), true, StandardCharsets.UTF_8)));
        keyboard.start();
    }

    private PromptReader reader(Terminal terminal) throws IOException {
        PromptReader reader = new PromptReader(terminal);
        reader.setParser(new LineParser());
        reader.setCompleter(new PromptCompleter(commands, mentions));
        reader.setVariable(LineReader.AMBIGUOUS_BINDING, ESCAPE_MILLIS);
        reader.option(LineReader.Option.DISABLE_EVENT_EXPANSION, true);
        reader.option(LineReader.Option.ERASE_LINE_ON_FINISH, true);
        history.ifPresent(file -> reader.setVariable(LineReader.HISTORY_FILE, file));
        if (!style.isOn()) {
            PromptCompleter.PLAIN_STYLES.forEach(name -> reader.setVariable(name, ""));
        }
        KeyMap<Binding> map = Objects.requireNonNull(reader.getKeyMaps().get(LineReader.MAIN), "JLine's main key map");
        bind(reader, map, "paddock-abort", "\u001b", this::escape);
        bind(reader, map, "paddock-interrupt", KeyMap.ctrl('C'), () -> leave(reader));
        bind(reader, map, "paddock-newline", KeyMap.alt('\r'), () -> {
            reader.getBuffer().write("\n");
            return true;
        });
        reader.getWidgets().put(LineReader.CALLBACK_INIT, () -> printEarly(reader));
        reader.getWidgets().put(RESIZED, () -> reader.redraw(width));
        return reader;
    }

    private static void bind(LineReader reader, KeyMap<Binding> map, String name, String keys, Widget widget) {
        reader.getWidgets().put(name, widget);
        map.bind(new Reference(name), keys);
    }

    private boolean escape() {
        if (keys.isAtWork()) {
            drop();
            act(keys::abort);
        }
        return true;
    }

    /** Aborts the run, or erases the typed text, or asks once whether to leave. */
    private boolean leave(LineReader reader) {
        if (keys.isAtWork()) {
            drop();
            act(keys::interrupt);
        } else if (reader.getBuffer().length() > 0) {
            reader.getBuffer().clear();
        } else if (isLeaving) {
            act(keys::interrupt);
        } else {
            isLeaving = true;
            print(style.dim("Ctrl-C again ends the session"));
        }
        return true;
    }

    /** Drops the queued prompts: a user who aborts a run chooses the next step again. */
    private void drop() {
        int before = prompts.size();
        if (prompts.removeIf(Optional::isPresent)) {
            print(style.dim("queued prompts dropped: " + (before - prompts.size())));
        }
    }

    /** Not on the keyboard's thread: it has the terminal's lock, and the action may end the program. */
    private static void act(Runnable action) {
        Thread thread = new Thread(action, "paddock-key");
        thread.setDaemon(true);
        thread.start();
    }

    private void readAll() {
        Open terminal = opened().orElseThrow();
        String draft = "";
        while (!isClosed) {
            Optional<Questions.Question> question = questions.first();
            try {
                if (question.isPresent()) {
                    String answer =
                            read(terminal, question.get().prompt(), "", true).strip();
                    // Enter may have been meant for the prompt that the question interrupts.
                    if (!answer.isEmpty()) {
                        question.get().answer(answer);
                    }
                } else {
                    String typed = read(terminal, PROMPT, draft, false);
                    draft = "";
                    accept(LineParser.joined(typed).strip());
                }
            } catch (UserInterruptException woken) {
                draft = question.isPresent() ? draft : woken.getPartialLine();
            } catch (EndOfFileException end) {
                if (question.isPresent()) {
                    question.get().answer("");
                } else {
                    prompts.add(Optional.empty());
                    return;
                }
            }
        }
    }

    private String read(Open terminal, String prompt, String draft, boolean isPrivate) {
        PromptReader reader = terminal.reader();
        reader.setVariable(LineReader.DISABLE_HISTORY, isPrivate);
        return reader.readLine(prompt, null, (MaskingCallback) null, draft);
    }

    private void accept(String line) {
        isLeaving = false;
        if (line.isEmpty()) {
            return;
        }
        String shown = style.bold(PROMPT) + Printable.text(line).replace("\n", "\n  ");
        if (SlashCommands.isCommand(line)) {
            print(shown);
            act(() -> draw(commands.run(line), Optional.empty()));
        } else {
            boolean waits = keys.isAtWork() || !prompts.isEmpty();
            print(waits ? shown + style.dim("  (queued)") : shown);
            prompts.add(Optional.of(line));
        }
    }

    /** Ends the conversation after the queued prompts. */
    public void end() {
        prompts.add(Optional.empty());
    }

    /**
     * Asks a question in place of the prompt being typed, which is restored afterwards. Does not store the answer in
     * the history, and repeats the question after a blank one.
     *
     * @param lines what the question is about
     * @param prompt the question, in one line
     * @return the answer, stripped; empty if the input ended
     * @throws InterruptedException if the thread is interrupted; the question is withdrawn
     */
    public String ask(List<String> lines, String prompt) throws InterruptedException {
        lines.forEach(this::print);
        Questions.Question question = questions.add(prompt);
        keyboard.interrupt();
        try {
            return question.await();
        } finally {
            questions.remove(question);
            keyboard.interrupt();
        }
    }

    /** Prints a line above the one being typed. */
    public void print(String line) {
        draw(List.of(line), Optional.empty());
    }

    @Override
    public int width() {
        if (width == 0) {
            width = TerminalWidth.columns();
        }
        return width;
    }

    @Override
    public String stopKey() {
        return "Esc";
    }

    @Override
    public void draw(List<String> finished, List<String> live) {
        draw(finished, Optional.of(live));
    }

    private void draw(List<String> finished, Optional<List<String>> live) {
        Optional<Open> terminal = opened();
        if (terminal.isEmpty()) {
            keep(finished);
            return;
        }
        PromptReader reader = terminal.get().reader();
        if (questions.first().isEmpty()) {
            live.ifPresent(lines -> {
                String prompt = lines.stream().map(line -> line + "\n").collect(Collectors.joining()) + PROMPT;
                reader.setPrompt(prompt.replace("%", "%%")); // % begins a pattern in JLine's prompts
            });
        }
        if (!finished.isEmpty()) {
            reader.printAbove(String.join("\n", finished));
        } else if (reader.isReading()) {
            reader.showPrompt();
        }
    }

    /** Keeps lines until the terminal is open: before that, keys typed in response would be echoed. */
    private synchronized void keep(List<String> lines) {
        if (isClosed) {
            lines.forEach(console.out()::println);
            console.out().flush();
        } else {
            early.addAll(lines);
        }
    }

    /** Prints the lines from before the terminal was open, now that keys are read. */
    private boolean printEarly(PromptReader reader) {
        List<String> lines;
        synchronized (this) {
            lines = List.copyOf(early);
            early.clear();
        }
        if (!lines.isEmpty()) {
            reader.printAbove(String.join("\n", lines));
        }
        return true;
    }

    private void resized() {
        opened().ifPresent(terminal -> {
            width = measured(terminal.terminal());
            try {
                terminal.reader().callWidget(RESIZED);
            } catch (IllegalStateException notReading) {
                return; // the next line that is read begins with the new size
            }
        });
    }

    private static int measured(Terminal terminal) {
        return TerminalWidth.usable(terminal.getWidth());
    }

    private synchronized Optional<Open> opened() {
        return open;
    }

    /** Ends reading and restores the terminal. Idempotent. */
    @Override
    public void close() {
        isClosed = true;
        keyboard.interrupt();
        @Nullable Open terminal;
        try {
            if (!Thread.currentThread().equals(keyboard)) {
                keyboard.join(PATIENCE_MILLIS);
            }
            synchronized (this) {
                terminal = open.orElse(null);
                open = Optional.empty();
                errors.ifPresent(console::redirectMessages);
                errors = Optional.empty();
                early.forEach(console.out()::println);
                early.clear();
            }
            if (terminal != null) {
                terminal.terminal().close();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (IOException gone) {
            return; // the terminal was closed by its window
        }
    }
}
