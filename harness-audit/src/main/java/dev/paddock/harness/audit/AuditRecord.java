package dev.paddock.harness.audit;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * One event of an audit trail, written as one line of JSON. Immutable; created by {@link #builder}.
 *
 * <p>Every record has {@code time} (UTC, microseconds), {@code event} and {@code id}; {@code session} and
 * {@code caller} where they are known; and the fields of its event, which {@code docs/audit.md} lists. A record
 * contains exactly what its creator put in: {@link AuditedExecutor} applies a {@link Redaction} to every text; other
 * creators must do so themselves.
 *
 * @since 0.1
 */
public final class AuditRecord {

    /** The event of a command that has closed, was lost, or could not be started. */
    public static final String COMMAND = "command";

    /** The event of a command that is about to start, for programs that require a record before the launch. */
    public static final String COMMAND_STARTED = "command.started";

    /** The event of a command's connection to a host, allowed or denied. */
    public static final String CONNECTION = "connection";

    /** The event that summarizes connections beyond the limit of records per minute. */
    public static final String CONNECTIONS_OMITTED = "connections.omitted";

    /** The event of a tool call that is about to be executed. */
    public static final String TOOL_STARTED = "tool.started";

    /** The event of a tool call that has ended. */
    public static final String TOOL_ENDED = "tool.ended";

    /** The event of pruned records, written by the store itself. */
    public static final String RECORDS_PRUNED = "records.pruned";

    /** The event of a replaced key, written by the store itself. */
    public static final String KEY_ROTATED = "key.rotated";

    /** The event of a spooled record that could not be read, written by the store itself. */
    public static final String RECORD_UNREADABLE = "record.unreadable";

    /** The reserved names. */
    static final Set<String> OWN = Set.of("time", "event", "id", "session", "caller");

    private final Instant time;
    private final String event;
    private final String id;
    private final Optional<String> session;
    private final Map<String, String> caller;
    private final Map<String, Object> fields;

    private AuditRecord(Builder builder) {
        time = builder.time.truncatedTo(ChronoUnit.MICROS);
        event = builder.event;
        id = builder.id;
        session = builder.session;
        caller = Collections.unmodifiableMap(new LinkedHashMap<>(builder.caller));
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(builder.fields));
    }

    /**
     * {@return a new id, the text of a random UUID} It is unique but not secret: the platform's secure random generator
     * takes longer to load than many commands run.
     */
    public static String newId() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        long version4 = (random.nextLong() & ~0xf000L) | 0x4000L;
        long variant = (random.nextLong() >>> 2) | Long.MIN_VALUE;
        return new UUID(version4, variant).toString();
    }

    /**
     * Returns a builder.
     *
     * @param event one of this class's constants, or an event name of the program
     * @param id the id of the command or call, the same in its start and in its end
     * @param time when it happened, by the clock of the machine
     * @return the builder
     */
    public static Builder builder(String event, String id, Instant time) {
        return new Builder(event, id, time);
    }

    /**
     * Reads a record from its line.
     *
     * @param line one line of JSON, as {@link #toJson} writes it
     * @return the record
     * @throws AuditException with {@link AuditException.Kind#TAMPERED} if it is not a record
     */
    public static AuditRecord parse(String line) {
        return RecordReader.read(line);
    }

    /** {@return when the event happened, in microseconds, by the machine's clock, which may have been set back} */
    public Instant time() {
        return time;
    }

    /** {@return the event} */
    public String event() {
        return event;
    }

    /** {@return the id of the command or call, the same in its start and in its end} */
    public String id() {
        return id;
    }

    /** {@return the id of the session that the event belongs to; empty if it is not known} */
    public Optional<String> session() {
        return session;
    }

    /** {@return the caller's context: names and values, in their order; may be empty} */
    public Map<String, String> caller() {
        return caller;
    }

    /**
     * {@return the fields of the event: names, and values of the types {@code String}, {@code Long}, {@code Boolean}
     * and {@code List<String>}, in their order}
     */
    public Map<String, Object> fields() {
        return fields;
    }

    /**
     * Returns a field's text.
     *
     * @param name the field's name
     * @return the text; empty if there is none of this name
     */
    public Optional<String> text(String name) {
        return fields.get(name) instanceof String text ? Optional.of(text) : Optional.empty();
    }

    /**
     * Returns a field's number.
     *
     * @param name the field's name
     * @return the number; empty if there is none of this name
     */
    public OptionalLong number(String name) {
        return fields.get(name) instanceof Long number ? OptionalLong.of(number) : OptionalLong.empty();
    }

    /** {@return the record as one line of JSON, without its end} */
    public String toJson() {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("time", format(time));
        line.put("event", event);
        line.put("id", id);
        session.ifPresent(value -> line.put("session", value));
        if (!caller.isEmpty()) {
            line.put("caller", caller);
        }
        line.putAll(fields);
        return JsonLine.of(line);
    }

    /**
     * Formats a time for a record.
     *
     * @param time the time
     * @return a text of constant width, so that texts sort by time
     */
    public static String format(Instant time) {
        LocalDateTime at = LocalDateTime.ofEpochSecond(time.getEpochSecond(), time.getNano(), ZoneOffset.UTC);
        StringBuilder text = new StringBuilder(27);
        digits(text, at.getYear(), 4).append('-');
        digits(text, at.getMonthValue(), 2).append('-');
        digits(text, at.getDayOfMonth(), 2).append('T');
        digits(text, at.getHour(), 2).append(':');
        digits(text, at.getMinute(), 2).append(':');
        digits(text, at.getSecond(), 2).append('.');
        return digits(text, at.getNano() / 1_000, 6).append('Z').toString();
    }

    /** Appends a number with leading zeros. Handwritten: a formatter is slow to load. */
    private static StringBuilder digits(StringBuilder text, int number, int width) {
        String digits = Integer.toString(number);
        return text.append("0".repeat(Math.max(0, width - digits.length()))).append(digits);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof AuditRecord record && toJson().equals(record.toJson());
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }

    @Override
    public String toString() {
        return toJson();
    }

    /** Collects a record. Not safe for use by several threads. */
    public static final class Builder {
        private final String event;
        private final String id;
        private final Instant time;
        private Optional<String> session = Optional.empty();
        private final Map<String, String> caller = new LinkedHashMap<>();
        private final Map<String, Object> fields = new LinkedHashMap<>();

        private Builder(String event, String id, Instant time) {
            this.event = event;
            this.id = id;
            this.time = time;
        }

        /**
         * Sets the session that the event belongs to.
         *
         * @param value its id
         * @return this builder
         */
        public Builder session(String value) {
            session = Optional.of(value);
            return this;
        }

        /**
         * Adds a part of the caller's context.
         *
         * @param name its name
         * @param value its value
         * @return this builder
         */
        public Builder caller(String name, String value) {
            caller.put(name, value);
            return this;
        }

        /**
         * Adds a text.
         *
         * @param name the field's name
         * @param value the text
         * @return this builder
         */
        public Builder field(String name, String value) {
            return put(name, value);
        }

        /**
         * Adds a number.
         *
         * @param name the field's name
         * @param value the number
         * @return this builder
         */
        public Builder field(String name, long value) {
            return put(name, value);
        }

        /**
         * Adds a truth value.
         *
         * @param name the field's name
         * @param value the value
         * @return this builder
         */
        public Builder field(String name, boolean value) {
            return put(name, value);
        }

        /**
         * Adds a list of texts.
         *
         * @param name the field's name
         * @param values the texts
         * @return this builder
         */
        public Builder field(String name, List<String> values) {
            return put(name, List.copyOf(values));
        }

        Builder put(String name, Object value) {
            if (OWN.contains(name)) {
                throw new IllegalArgumentException("the field name '" + name + "' is reserved");
            }
            fields.put(name, value);
            return this;
        }

        /** {@return the record} */
        public AuditRecord build() {
            return new AuditRecord(this);
        }
    }
}
