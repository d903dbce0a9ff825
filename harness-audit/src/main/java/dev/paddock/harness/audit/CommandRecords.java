package dev.paddock.harness.audit;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.observe.CommandEnd;
import dev.paddock.executor.observe.OutputCount;
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

/** Creates the records of commands, without credentials. */
final class CommandRecords {
    private static final int MAX_COMMAND_LENGTH = 16_384;

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

    /** Begins the record of a command. Never throws: records a fault of the caller's context instead. */
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

    /** Creates the record of one command. */
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

        /** Stops the command's clock, before its output has been read. */
        void stop() {
            tookMillis = (System.nanoTime() - began) / 1_000_000;
        }

        /** Returns the record of a command that is about to start. */
        AuditRecord starting() {
            return begin(AuditRecord.COMMAND_STARTED).build();
        }

        AuditRecord ended(CommandEnd end, OutputCount output) {
            AuditRecord.Builder record = end(output).field("status", end.kind());
            if (end instanceof CommandEnd.Closed closed) {
                CleanupReport report = closed.report();
                record.field("code", closed.status().code())
                        .field(
                                "notices",
                                report.notices().stream().map(this::redacted).toList());
                report.leftoversEnded().ifPresent(number -> record.field("leftovers_ended", number));
            } else if (end instanceof CommandEnd.Lost lost) {
                record.field("fault", redacted(lost.fault().toString()));
            }
            return record.build();
        }

        AuditRecord notStarted(Throwable fault) {
            return end(new OutputCount(0, 0, true))
                    .field("status", "not started")
                    .field("fault", redacted(fault.toString()))
                    .build();
        }

        private AuditRecord.Builder end(OutputCount output) {
            return begin(AuditRecord.COMMAND)
                    .field("started", AuditRecord.format(started))
                    .field("duration_ms", tookMillis)
                    .field("stdout_bytes", output.stdout())
                    .field("stderr_bytes", output.stderr())
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

        /** Does the slow work of the record while the command runs. */
        void prepare() {
            try {
                var unused = description();
                var unusedToo = policyLines();
            } catch (RuntimeException fault) {
                // Creating the record will hit the fault again and count it.
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
            return Map.of("program", redacted(ReportingCommand.program(command)));
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
    }
}
