package dev.paddock.cli.audit;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.Numbers;
import dev.paddock.cli.command.Option;
import dev.paddock.cli.command.UsageException;
import dev.paddock.cli.terminal.Console;
import dev.paddock.harness.audit.AuditException;
import dev.paddock.harness.audit.store.AuditEntry;
import dev.paddock.harness.audit.store.AuditHead;
import dev.paddock.harness.audit.store.AuditQuery;
import dev.paddock.harness.audit.store.AuditStore;
import dev.paddock.harness.audit.store.AuditTail;
import dev.paddock.harness.audit.store.Verification;
import java.io.IOException;
import java.io.Writer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Implements the actions of {@code paddock audit} on an open store. */
final class AuditActions {
    static final Option HEAD = Option.of(
            "--head", "NUMBER:HASH", "a head that an earlier verify has shown, kept outside of", "this machine");
    static final Option FORMAT = Option.of(
                    "--format", "json|csv", "json by default, a record a line; csv has fewer fields")
            .withChoices("json", "csv");
    static final Option OLDER_THAN = Option.of("--older-than", "DAYS", "removes records of more days; 90 by default");
    static final Option KEEP = Option.of("--newest", "N", "removes all but the newest; 100000 by default");

    private static final int LISTED = 50;
    private static final int EXPORTED = 1_000;
    private static final int SHOWN_BEFORE_TAIL = 10;
    private static final Duration LOOK = Duration.ofMillis(200);
    private static final Pattern KEPT = Pattern.compile("(\\d{1,18}):([0-9a-f]{64})");

    private final Arguments arguments;
    private final AuditStore store;
    private final Writer out;

    AuditActions(Arguments arguments, AuditStore store, Writer out) {
        this.arguments = arguments;
        this.store = store;
        this.out = out;
    }

    void list(Console console) throws IOException {
        List<AuditEntry> entries = store.query(AuditFilter.newest(arguments, LISTED, Instant.now()));
        if (entries.isEmpty()) {
            console.complain(AuditFilter.nothing(arguments));
        }
        for (AuditEntry entry : entries) {
            print(entry);
        }
    }

    private void print(AuditEntry entry) throws IOException {
        out.write(arguments.has(AuditCommand.JSON) ? entry.toJson() : EntryText.line(entry));
        out.write('\n');
    }

    void show() throws IOException {
        if (arguments.operands().size() < 2) {
            throw new UsageException("give the number or the id of a record, as 'paddock audit list' shows them");
        }
        String wanted = arguments.operands().get(1);
        List<AuditEntry> found = wanted.matches("\\d{1,18}")
                ? store.query(AuditQuery.all().after(Long.parseLong(wanted) - 1).limit(1)).stream()
                        .filter(entry -> entry.seq() == Long.parseLong(wanted))
                        .toList()
                : store.query(AuditQuery.all().id(wanted));
        if (found.isEmpty()) {
            throw new AuditException(
                    AuditException.Kind.MISSING,
                    "there is no record '" + wanted + "'; 'paddock audit list' shows the records");
        }
        for (AuditEntry entry : found) {
            out.write(arguments.has(AuditCommand.JSON) ? entry.toJson() + "\n" : EntryText.full(entry));
        }
    }

    /** Returns whether the chain is whole. */
    boolean verify() throws IOException {
        Optional<AuditHead> kept = arguments.value(HEAD).map(AuditActions::head);
        Verification verified = kept.isPresent() ? store.verify(kept.get()) : store.verify();
        out.write(arguments.has(AuditCommand.JSON) ? json(verified) : text(verified));
        return verified.isWhole();
    }

    private static AuditHead head(String text) {
        Matcher matcher = KEPT.matcher(text);
        if (!matcher.matches()) {
            throw new UsageException(HEAD.name() + " is a number, a colon and 64 hexadecimal digits, as verify shows"
                    + " it, not '" + text + "'");
        }
        return new AuditHead(Long.parseLong(matcher.group(1)), matcher.group(2));
    }

    private static String text(Verification verified) {
        String range = verified.records()
                + (verified.records() == 1 ? " record" : " records")
                + (verified.anchor().seq() == 0
                        ? ""
                        : " after " + verified.anchor().seq() + " that were pruned");
        if (verified.firstBreak().isPresent()) {
            Verification.Break broken = verified.firstBreak().get();
            return "broken at record " + broken.seq() + " (" + broken.reason() + "): " + broken.message() + "\n" + range
                    + (verified.records() == 1 ? " before it is intact\n" : " before it are intact\n");
        }
        return "whole: " + range + "\nhead " + position(verified.head()) + "\n";
    }

    private static String position(AuditHead head) {
        return head.seq() + ":" + head.hash();
    }

    private static String json(Verification verified) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("whole", verified.isWhole())
                .put("records", verified.records())
                .put("pruned", verified.anchor().seq())
                .put("head", position(verified.head()))
                .put("clock_steps", verified.clockSteps());
        verified.firstBreak()
                .ifPresent(broken -> json.putObject("break")
                        .put("seq", broken.seq())
                        .put("reason", broken.reason().name())
                        .put("message", broken.message()));
        return json + "\n";
    }

    void export() throws IOException {
        boolean isTable = arguments.value(FORMAT).filter("csv"::equals).isPresent();
        if (arguments.has(FORMAT) && !isTable && !arguments.value(FORMAT).equals(Optional.of("json"))) {
            throw new UsageException(FORMAT.name() + " is json or csv, not '"
                    + arguments.value(FORMAT).orElse("") + "'");
        }
        List<AuditEntry> entries = store.query(AuditFilter.newest(arguments, EXPORTED, Instant.now()));
        out.write(isTable ? EntryText.csvHeader() : "");
        for (AuditEntry entry : entries.reversed()) {
            out.write(isTable ? EntryText.csv(entry) : entry.toJson() + "\n");
        }
    }

    /** Shows the last records and new ones, until the reader closes the output or the limit is reached. */
    void tail() throws IOException {
        List<AuditEntry> last =
                store.query(AuditQuery.newest(SHOWN_BEFORE_TAIL)).reversed();
        long most = AuditFilter.limit(arguments).map(Integer::longValue).orElse(Long.MAX_VALUE);
        long shown = 0;
        for (AuditEntry entry : last) {
            if (shown < most) {
                print(entry);
                shown++;
            }
        }
        out.flush();
        AuditTail tail = store.tail(last.isEmpty() ? 0 : last.getLast().seq());
        while (shown < most) {
            Optional<AuditEntry> next = next(tail);
            if (next.isPresent()) {
                print(next.get());
                shown++;
            }
            out.flush();
        }
    }

    private Optional<AuditEntry> next(AuditTail tail) {
        try {
            store.importSpool();
        } catch (AuditException locked) {
            // They appear at a later poll; verify reports a permanent fault.
        }
        try {
            return tail.next(LOOK);
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException("the main thread was interrupted", unexpected);
        }
    }

    void prune() throws IOException {
        boolean hasBoth = !arguments.has(OLDER_THAN) && !arguments.has(KEEP);
        long removed = 0;
        if (hasBoth || arguments.has(OLDER_THAN)) {
            removed += store.pruneOlderThan(arguments
                            .value(OLDER_THAN)
                            .map(text -> Duration.ofDays(Numbers.positive(OLDER_THAN, text)))
                            .orElse(SpoolMove.OLDEST))
                    .removed();
        }
        if (hasBoth || arguments.has(KEEP)) {
            removed += store.pruneToNewest(arguments
                            .value(KEEP)
                            .map(text -> (long) Numbers.positive(KEEP, text))
                            .orElse(SpoolMove.MAX_RECORDS))
                    .removed();
        }
        out.write("removed " + removed + (removed == 1 ? " record\n" : " records\n"));
    }

    void rotateKey(AuditLocation location) throws IOException {
        if (location.key().isPresent() && location.newKey().isEmpty()) {
            throw new UsageException(
                    "PADDOCK_AUDIT_KEY holds the store's key: give the new one in PADDOCK_AUDIT_NEW_KEY");
        }
        long signed = location.newKey().isPresent()
                ? store.rotateKey(location.newKey().get())
                : store.rotateKey();
        out.write("signed " + signed + (signed == 1 ? " record" : " records") + " with a new key\n");
    }
}
