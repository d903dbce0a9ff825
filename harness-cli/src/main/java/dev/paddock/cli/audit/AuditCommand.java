package dev.paddock.cli.audit;

import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.Manual;
import dev.paddock.cli.command.Option;
import dev.paddock.cli.command.Subcommand;
import dev.paddock.cli.command.UsageException;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.Interrupts;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.cli.terminal.StandardOutput;
import dev.paddock.harness.audit.AuditException;
import dev.paddock.harness.audit.store.AuditStore;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Implements {@code paddock audit}: shows, verifies, exports and prunes the records of commands. */
public final class AuditCommand implements Subcommand {
    private static final int BROKEN = 1;

    private static final Option STORE =
            Option.of("--store", "DIR", "the directory of the store; by default paddock/audit in your", "state");
    static final Option JSON = Option.flag("--json", "writes JSON, a record a line");

    /** The actions, with the options that each accepts in addition to {@link #STORE}. */
    private static final Map<String, List<Option>> ACTIONS = actions();

    private final Console console;

    public AuditCommand(Console console) {
        this.console = console;
    }

    private static Map<String, List<Option>> actions() {
        Map<String, List<Option>> actions = new LinkedHashMap<>();
        actions.put("list", with(AuditFilter.ALL, JSON));
        actions.put("show", List.of(JSON));
        actions.put("verify", List.of(AuditActions.HEAD, JSON));
        actions.put("export", with(AuditFilter.ALL, AuditActions.FORMAT));
        actions.put("tail", List.of(AuditFilter.LIMIT, JSON));
        actions.put("prune", List.of(AuditActions.OLDER_THAN, AuditActions.KEEP));
        actions.put("rotate-key", List.of());
        return actions;
    }

    private static List<Option> with(List<Option> options, Option more) {
        return Stream.concat(options.stream(), Stream.of(more)).toList();
    }

    @Override
    public String name() {
        return "audit";
    }

    @Override
    public String summary() {
        return "lists, verifies and exports the records of commands";
    }

    @Override
    public List<Option> options() {
        return Stream.concat(ACTIONS.values().stream().flatMap(List::stream).distinct(), Stream.of(STORE))
                .toList();
    }

    @Override
    public List<String> operands() {
        return List.copyOf(ACTIONS.keySet());
    }

    @Override
    public Manual manual() {
        return new Manual(
                List.of(
                        "paddock audit list [options]",
                        "paddock audit show NUMBER|ID [--json]",
                        "paddock audit verify [--head NUMBER:HASH] [--json]",
                        "paddock audit export [options]",
                        "paddock audit tail [options]",
                        "paddock audit prune [options]",
                        "paddock audit rotate-key"),
                """
                Every command of exec, mcp and agent leaves a record, and each of its connections
                to a host of --allow or to another, unless --no-audit or the configuration says
                otherwise. The records form a chain that shows each change that was made without
                the key of their store.

                list shows the newest records, the newest first; show all of one. verify checks
                the chain, and that it continues a head that was kept elsewhere. export writes
                the newest records, the oldest of them first. tail shows records as they come.
                prune removes the oldest, and leaves a signed mark in their place. rotate-key
                signs the chain with a new key.
                """,
                """
                PADDOCK_AUDIT_KEY holds the key, 64 hexadecimal digits, in place of the file
                beside the store; PADDOCK_AUDIT_NEW_KEY the one that rotate-key replaces it by.

                Exit codes: 0; 1 if the chain is broken, or the store does not exist or cannot
                be used; 2 for a mistake in the options.

                  paddock audit list --since 7d
                  paddock audit verify
                """);
    }

    @Override
    public int run(Arguments arguments, InvocationContext caller) {
        String action = action(arguments);
        Interrupts.catching(console);
        try {
            AuditLocation location = location(arguments, caller);
            if (!location.exists()) {
                throw new AuditException(
                        AuditException.Kind.MISSING,
                        "there are no audit records in '" + location.directory()
                                + "'; commands of exec, mcp and agent leave them, or name another directory with"
                                + " --store");
            }
            try (AuditStore store = location.open(true);
                    Writer out = new OutputStreamWriter(console.output(), StandardCharsets.UTF_8)) {
                return run(action, arguments, location, store, out);
            }
        } catch (AuditException fault) {
            console.complain(Console.text(fault));
            console.detail(fault);
            return BROKEN;
        } catch (IOException unwritten) {
            return StandardOutput.exitCode(unwritten);
        }
    }

    private String action(Arguments arguments) {
        List<String> words = arguments.operands();
        String action = words.isEmpty() ? "" : words.getFirst();
        List<Option> accepted = Optional.ofNullable(ACTIONS.get(action))
                .orElseThrow(() -> new UsageException("give one of " + String.join(", ", ACTIONS.keySet())
                        + (action.isEmpty() ? "" : ", not '" + action + "'")));
        int most = action.equals("show") ? 2 : 1;
        if (words.size() > most) {
            throw new UsageException("unexpected argument '" + words.get(most) + "'");
        }
        for (Option option : options()) {
            if (arguments.has(option) && !option.name().equals(STORE.name()) && !accepted.contains(option)) {
                throw new UsageException(option.name() + " is no option of 'audit " + action + "'");
            }
        }
        return action;
    }

    private static AuditLocation location(Arguments arguments, InvocationContext caller) {
        Optional<String> given = arguments.value(STORE);
        try {
            return given.isPresent()
                    ? AuditLocation.at(caller.directory().resolve(given.get()).normalize(), caller)
                    : AuditLocation.of(caller);
        } catch (InvalidPathException noPath) {
            throw new UsageException(STORE.name() + ": not a path: '" + noPath.getInput() + "'");
        }
    }

    private int run(String action, Arguments arguments, AuditLocation location, AuditStore store, Writer out)
            throws IOException {
        AuditActions actions = new AuditActions(arguments, store, out);
        takeSpool(store);
        switch (action) {
            case "list" -> actions.list(console);
            case "show" -> actions.show();
            case "verify" -> {
                return actions.verify() ? 0 : BROKEN;
            }
            case "export" -> actions.export();
            case "tail" -> actions.tail();
            case "prune" -> actions.prune();
            default -> actions.rotateKey(location);
        }
        return 0;
    }

    /** Moves the spooled records; a chain that cannot be extended can still be read. */
    private void takeSpool(AuditStore store) {
        try {
            SpoolMove.run(store);
        } catch (AuditException fault) {
            console.complain("records wait in the spool and are not shown: " + Console.text(fault));
        }
    }
}
