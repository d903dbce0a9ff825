package dev.paddock.harness.audit.store;

import dev.paddock.harness.audit.AuditRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Selects records. Immutable; every method returns a narrower query.
 *
 * <p>Times are the records' own, by the clocks of the machines that wrote them. A record whose line was replaced by
 * something other than JSON matches no condition but {@link #after}: verify the store before you rely on a query.
 *
 * @since 0.1
 */
public final class AuditQuery {
    /** A field of a JSON line; null for any other line. */
    private static final String FIELD = "CASE WHEN json_valid(line) THEN json_extract(line, '$.%s') END";

    private final List<String> conditions;
    private final List<Object> values;
    private final boolean newestFirst;
    private final long limit;

    private AuditQuery(List<String> conditions, List<Object> values, boolean newestFirst, long limit) {
        this.conditions = conditions;
        this.values = values;
        this.newestFirst = newestFirst;
        this.limit = limit;
    }

    /** {@return a query of all records, the oldest first} */
    public static AuditQuery all() {
        return new AuditQuery(List.of(), List.of(), false, Long.MAX_VALUE);
    }

    /**
     * Selects the newest records, the newest first.
     *
     * @param limit how many
     * @return the query
     */
    public static AuditQuery newest(long limit) {
        return new AuditQuery(List.of(), List.of(), true, Math.max(0, limit));
    }

    /**
     * Selects the records after a number.
     *
     * @param seq the number of the last excluded record
     * @return the query
     */
    public AuditQuery after(long seq) {
        return with("seq > ?", seq);
    }

    /**
     * Selects the records of an event.
     *
     * @param event the event
     * @return the query
     */
    public AuditQuery event(String event) {
        return with(FIELD.formatted("event") + " = ?", event);
    }

    /**
     * Selects the records of a command or call.
     *
     * @param id the id
     * @return the query
     */
    public AuditQuery id(String id) {
        return with(FIELD.formatted("id") + " = ?", id);
    }

    /**
     * Selects the records of a session.
     *
     * @param session the session's id
     * @return the query
     */
    public AuditQuery session(String session) {
        return with(FIELD.formatted("session") + " = ?", session);
    }

    /**
     * Selects the records at or after a time.
     *
     * @param time the time
     * @return the query
     */
    public AuditQuery since(Instant time) {
        return with(FIELD.formatted("time") + " >= ?", AuditRecord.format(time));
    }

    /**
     * Selects the records before a time.
     *
     * @param time the time
     * @return the query
     */
    public AuditQuery until(Instant time) {
        return with(FIELD.formatted("time") + " < ?", AuditRecord.format(time));
    }

    /**
     * Limits the number of records.
     *
     * @param number the number
     * @return the query
     */
    public AuditQuery limit(long number) {
        return new AuditQuery(conditions, values, newestFirst, Math.min(limit, Math.max(0, number)));
    }

    private AuditQuery with(String condition, Object value) {
        List<String> moreConditions = new ArrayList<>(conditions);
        List<Object> moreValues = new ArrayList<>(values);
        moreConditions.add(condition);
        moreValues.add(value);
        return new AuditQuery(moreConditions, moreValues, newestFirst, limit);
    }

    String sql() {
        return "SELECT seq, line, previous, mac FROM record"
                + (conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions))
                + " ORDER BY seq" + (newestFirst ? " DESC" : "") + " LIMIT " + limit;
    }

    List<Object> values() {
        return values;
    }
}
