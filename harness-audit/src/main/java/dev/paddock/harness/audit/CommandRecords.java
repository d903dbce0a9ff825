package dev.paddock.harness.audit;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.path.ReportingCommand;
import dev.paddock.executor.policy.SandboxPolicy;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Creates the records of commands, without credentials. */
final class CommandRecords {
    private static final int MAX_COMMAND_LENGTH = 16_384;

    /** Longest prefix searched for the program name. */
    private static final int MAX_START_LENGTH = 1024;

    /** A first word that is a program's name, after assignments and without its directory. */
    private static final Pattern PROGRAM = Pattern.compile(
            "\\s*+(?:[A-Za-z_]\\w*+=[\\w./:,-]*+\\s++)*+(?:/?+[\\w.+-]++/)*+([\\w.+-]{1,32}+)(?=\\s|$|[;&|])");

    private final CommandExecutor executor;
    private final Redaction redaction;
    private final AuditedExecutor.CommandText commandText;
    private final Optional<String> session;
    private final Supplier<Map<String, String>> caller;
    private final Optional<SandboxPolicy> policy;
    private final Clock clock;
    private final String user = System.getProperty("user.name", "");
    private final long jvm = ProcessHandle.current().pid();

    CommandRecords(AuditedExecutor.Builder options, CommandExecutor executor) {
        this.executor = executor;
        redaction = options.redaction;
        commandText = options.commandText;
        session = options.session;
        caller = options.caller;
        policy = options.policy;
        clock = options.clock;
    }

    /** The byte counts that the caller has read, and whether they are complete. */
    record Output(long out, long err, boolean complete) {}

    /** Begins the record of a command. Never throws: a fault of the caller's context is recorded instead. */
    Launch launch(String command, SpawnOptions options) {
        Map<String, String> who;
        try {
            who = Map.copyOf(caller.get());
        } catch (RuntimeException fault) {
            who = Map.of("fault", "the caller's context is not available: " + fault);
        }
        return new Launch(command, options, who);
    }

    private static String sha256(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every JDK has SHA-256", missing);
        }
    }

    /** Makes the record of one command. */
    final class Launch {
        private final String id = AuditRecord.newId();
        private final String command;
        private final SpawnOptions options;
        private final List<String> secrets;
        private final Map<String, String> who;
        private final Instant started = clock.instant();
        private final long began = System.nanoTime();
        private volatile long tookMillis;
        /** The fields that identify the command; empty until needed. */
        private Map<String, String> description = Map.of();

        private List<String> policyLines = List.of();

        private Launch(String command, SpawnOptions options, Map<String, String> who) {
            this.command = ReportingCommand.plain(command);
            this.options = options;
            this.secrets = options.env().entrySet().stream()
                    .filter(variable -> redaction.isCredential(variable.getKey()))
                    .map(Map.Entry::getValue)
                    .toList();
            this.who = who;
        }

        String id() {
            return id;
        }

        /** Measures the command's duration, before the wait for its output to be read. */
        void stop() {
            tookMillis = (System.nanoTime() - began) / 1_000_000;
        }

        /** Returns the record of a command that is about to start. */
        AuditRecord starting() {
            return begin(AuditRecord.COMMAND_STARTED).build();
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
            return end(new Output(0, 0, true))
                    .field("status", "not started")
                    .field("fault", redacted(fault.toString()))
                    .build();
        }

        private AuditRecord.Builder end(Output output) {
            return begin(AuditRecord.COMMAND)
                    .field("started", AuditRecord.format(started))
                    .field("duration_ms", tookMillis)
                    .field("stdout_bytes", output.out())
                    .field("stderr_bytes", output.err())
                    .field("output_complete", output.complete());
        }

        private AuditRecord.Builder begin(String event) {
            AuditRecord.Builder record = builder(event)
                    .field("executor", executor.name())
                    .field(
                            "guarantees",
                            executor.guarantees().stream()
                                    .map(Enum::name)
                                    .sorted()
                                    .toList())
                    .field("cwd", redacted(options.cwd()));
            describe(record);
            record.field("command_bytes", command.getBytes(StandardCharsets.UTF_8).length)
                    .field(
                            "env",
                            new TreeSet<>(options.env().keySet())
                                    .stream().map(this::redacted).toList())
                    .field("stdin", options.stdin() == SpawnOptions.Stdin.PIPE);
            if (policy.isPresent()) {
                record.field("policy", policyLines());
            }
            return record.field("user", user).field("jvm_pid", jvm);
        }

        private void describe(AuditRecord.Builder record) {
            description().forEach(record::field);
        }

        /** Does slow work that does not need the command's end while the command runs. */
        void prepare() {
            try {
                var unused = description();
                var unusedToo = policyLines();
            } catch (RuntimeException fault) {
                // Creating the record hits the fault again and counts it.
            }
        }

        private synchronized Map<String, String> description() {
            if (description.isEmpty()) {
                description = describe();
            }
            return description;
        }

        private synchronized List<String> policyLines() {
            if (policyLines.isEmpty() && policy.isPresent()) {
                policyLines = PolicySummary.of(policy.get(), this::redacted);
            }
            return policyLines;
        }

        private Map<String, String> describe() {
            if (commandText == AuditedExecutor.CommandText.REDACTED) {
                String redacted =
                        redacted(command.substring(0, Math.min(command.length(), CommandExecutor.MAX_COMMAND_BYTES)));
                if (redacted.length() <= MAX_COMMAND_LENGTH) {
                    return Map.of("command", redacted);
                }
                Map<String, String> fields = new LinkedHashMap<>();
                fields.put("command", redacted.substring(0, MAX_COMMAND_LENGTH));
                fields.put("command_sha256", sha256(redacted));
                return fields;
            }
            Matcher program = PROGRAM.matcher(command.substring(0, Math.min(command.length(), MAX_START_LENGTH)));
            return Map.of("program", program.lookingAt() ? redacted(program.group(1)) : "sh");
        }

        private AuditRecord.Builder builder(String event) {
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
