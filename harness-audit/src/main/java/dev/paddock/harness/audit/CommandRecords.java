package dev.paddock.harness.audit;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.SpawnOptions;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes the records of commands, without credentials. */
final class CommandRecords {
    private static final int LONGEST_COMMAND = 16_384;

    /** How far the program's name is looked for. */
    private static final int LONGEST_START = 1024;

    /** A first word that is a program's name, after assignments and without its directory. */
    private static final Pattern PROGRAM = Pattern.compile(
            "\\s*+(?:[A-Za-z_]\\w*+=[\\w./:,-]*+\\s++)*+(?:/?+[\\w.+-]++/)*+([\\w.+-]{1,32}+)(?=\\s|$|[;&|])");

    private final CommandExecutor executor;
    private final Redaction redaction;
    private final AuditedExecutor.CommandText commandText;
    private final Optional<String> session;
    private final Supplier<Map<String, String>> caller;
    private final List<String> policy;
    private final Clock clock;
    private final String user = System.getProperty("user.name", "");
    private final long jvm = ProcessHandle.current().pid();

    CommandRecords(AuditedExecutor.Builder options) {
        executor = options.executor;
        redaction = options.redaction;
        commandText = options.commandText;
        session = options.session;
        caller = options.caller;
        policy = options.policy.map(PolicySummary::of).orElse(List.of());
        clock = options.clock;
    }

    /** The bytes that the caller has read, and whether these are all of them. */
    record Output(long out, long err, boolean complete) {}

    /** Returns the maker of the second record of a command with these options. */
    Ending ending(SpawnOptions options) {
        List<String> secrets = options.env().entrySet().stream()
                .filter(variable -> redaction.isCredential(variable.getKey()))
                .map(Map.Entry::getValue)
                .toList();
        return new Ending(UUID.randomUUID().toString(), secrets, caller.get());
    }

    AuditRecord started(Ending ending, String command, SpawnOptions options) {
        AuditRecord.Builder record = ending.builder(AuditRecord.COMMAND_STARTED)
                .field("executor", executor.name())
                .field(
                        "guarantees",
                        executor.guarantees().stream().map(Enum::name).sorted().toList())
                .field("cwd", ending.redacted(options.cwd()));
        if (commandText == AuditedExecutor.CommandText.REDACTED) {
            String redacted = ending.redacted(
                    command.substring(0, Math.min(command.length(), CommandExecutor.MAX_COMMAND_BYTES)));
            record.field("command", redacted.substring(0, Math.min(redacted.length(), LONGEST_COMMAND)))
                    .field("command_sha256", sha256(redacted));
        } else {
            Matcher program = PROGRAM.matcher(command.substring(0, Math.min(command.length(), LONGEST_START)));
            record.field("program", program.lookingAt() ? ending.redacted(program.group(1)) : "sh");
        }
        record.field("command_bytes", command.getBytes(StandardCharsets.UTF_8).length)
                .field(
                        "env",
                        new TreeSet<>(options.env().keySet())
                                .stream().map(ending::redacted).toList())
                .field("stdin", options.stdin() == SpawnOptions.Stdin.PIPE);
        if (!policy.isEmpty()) {
            record.field("policy", policy.stream().map(ending::redacted).toList());
        }
        return record.field("user", user).field("jvm_pid", jvm).build();
    }

    private static String sha256(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every JDK has SHA-256", missing);
        }
    }

    /** Makes the records of one command. */
    final class Ending {
        private final String id;
        private final List<String> secrets;
        private final Map<String, String> who;
        private final long began = System.nanoTime();
        private volatile long tookMillis;

        private Ending(String id, List<String> secrets, Map<String, String> who) {
            this.id = id;
            this.secrets = secrets;
            this.who = Map.copyOf(who);
        }

        String id() {
            return id;
        }

        /** Notes the command's end, before anything waits for its record. */
        void stop() {
            tookMillis = (System.nanoTime() - began) / 1_000_000;
        }

        AuditRecord closed(Output output, ExitStatus status, CleanupReport report) {
            AuditRecord.Builder record = end(output)
                    .field("status", nameOf(status))
                    .field("code", status.code())
                    .field(
                            "notices",
                            report.notices().stream().map(this::redacted).toList());
            report.leftoversEnded().ifPresent(number -> record.field("leftovers_ended", number));
            return record.build();
        }

        AuditRecord lost(Output output, Throwable fault) {
            return end(output)
                    .field("status", "lost")
                    .field("fault", redacted(fault.toString()))
                    .build();
        }

        AuditRecord notStarted(Throwable fault) {
            stop();
            return end(new Output(0, 0, true))
                    .field("status", "not started")
                    .field("fault", redacted(fault.toString()))
                    .build();
        }

        private AuditRecord.Builder end(Output output) {
            return builder(AuditRecord.COMMAND_CLOSED)
                    .field("duration_ms", tookMillis)
                    .field("stdout_bytes", output.out())
                    .field("stderr_bytes", output.err())
                    .field("output_complete", output.complete());
        }

        AuditRecord.Builder builder(String event) {
            AuditRecord.Builder record = AuditRecord.builder(event, id, clock.instant());
            session.map(this::redacted).ifPresent(record::session);
            new TreeMap<>(who)
                    .forEach((name, value) -> record.caller(
                            redacted(name), redaction.isCredential(name) ? Redaction.MARK : redacted(value)));
            return record;
        }

        private String redacted(String text) {
            return redaction.apply(text, secrets);
        }

        private static String nameOf(ExitStatus status) {
            if (status instanceof ExitStatus.Signaled signaled) {
                return "signaled " + signaled.signal().name();
            }
            return status instanceof ExitStatus.OutOfMemory ? "out of memory" : "exited";
        }
    }
}
