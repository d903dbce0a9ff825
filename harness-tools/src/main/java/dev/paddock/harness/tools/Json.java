package dev.paddock.harness.tools;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A JSON value. Immutable, and equal to a value with the same content; an object keeps the order of
 * its members, which equality ignores.
 *
 * <pre>{@code
 * Json details = Json.object().with("exitCode", 0).with("files", List.of("a", "b"));
 * details.integer("exitCode").getAsLong(); // 0
 * details.toString();                      // {"exitCode":0,"files":["a","b"]}
 * }</pre>
 *
 * <p>A number without fraction and exponent is an {@linkplain Kind#INTEGER integer} of any size,
 * and every other number is a {@code double}, rounded to the nearest: {@code 1} and {@code 1.0} are
 * not equal. Arrays and objects nest {@value #MAX_DEPTH} deep at most.
 *
 * @since 0.1
 */
public final class Json {
    /** How deep arrays and objects may nest. */
    public static final int MAX_DEPTH = 1_000;

    private static final Json NULL = new Json(Kind.NULL, Kind.NULL, 0);
    private static final Json OBJECT = new Json(Kind.OBJECT, Map.of(), 1);
    private static final BigInteger MIN_LONG = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger MAX_LONG = BigInteger.valueOf(Long.MAX_VALUE);

    private final Kind kind;
    /** A map or list of {@code Json}, a string, {@code Long}, {@code BigInteger}, {@code Double} or {@code Boolean}. */
    private final Object value;

    private final int depth;

    /** The kinds of values. */
    public enum Kind {
        /** Members, each with a name. */
        OBJECT,
        /** Values in an order. */
        ARRAY,
        /** A string. */
        TEXT,
        /** A number without fraction and exponent. */
        INTEGER,
        /** A number with a fraction or an exponent. */
        DECIMAL,
        /** True or false. */
        FLAG,
        /** Null. */
        NULL
    }

    private Json(Kind kind, Object value, int depth) {
        this.kind = kind;
        this.value = value;
        this.depth = requireShallow(depth);
    }

    /** {@return an object without members, to which {@link #with} adds} */
    public static Json object() {
        return OBJECT;
    }

    /**
     * Returns a value as JSON.
     *
     * @param value null, a {@code Json}, a string, a boolean, an integer of any size, a float or a
     *     double, or a map with strings as keys or a collection of such values, which are copied
     * @return the value
     * @throws IllegalArgumentException if it is something else, is infinite or not a number, or nests
     *     deeper than {@link #MAX_DEPTH}
     */
    public static Json of(@Nullable Object value) {
        return of(value, 0);
    }

    private static Json of(@Nullable Object value, int above) {
        return switch (value) {
            case null -> NULL;
            case Json json -> json;
            case String text -> new Json(Kind.TEXT, text, 0);
            case Boolean flag -> new Json(Kind.FLAG, flag, 0);
            case Byte number -> integer(number);
            case Short number -> integer(number);
            case Integer number -> integer(number);
            case Long number -> integer(number);
            case BigInteger number -> integer(number);
            case Float number -> decimal(Double.parseDouble(number.toString()));
            case Double number -> decimal(number);
            case Map<?, ?> map -> object(map, requireShallow(above + 1));
            case Collection<?> collection -> array(collection, requireShallow(above + 1));
            default ->
                throw new IllegalArgumentException("a " + value.getClass().getName() + " is no JSON: " + value);
        };
    }

    /** Refuses before the recursion, which would overflow the stack for a collection that contains itself. */
    static int requireShallow(int depth) {
        if (depth > MAX_DEPTH) {
            throw new IllegalArgumentException("the JSON nests deeper than " + MAX_DEPTH + " levels");
        }
        return depth;
    }

    private static Json object(Map<?, ?> map, int above) {
        Map<String, Json> members = new LinkedHashMap<>();
        map.forEach((name, member) -> {
            if (!(name instanceof String text)) {
                throw new IllegalArgumentException("the name of a JSON object's member is no string: " + name);
            }
            members.put(text, of(member, above));
        });
        return ofMembers(members);
    }

    private static Json array(Collection<?> collection, int above) {
        List<Json> elements = new ArrayList<>(collection.size());
        collection.forEach(element -> elements.add(of(element, above)));
        return ofElements(elements);
    }

    private static Json integer(Number number) {
        return new Json(Kind.INTEGER, number.longValue(), 0);
    }

    private static Json integer(BigInteger number) {
        boolean fits = number.compareTo(MIN_LONG) >= 0 && number.compareTo(MAX_LONG) <= 0;
        return fits ? integer((Number) number) : new Json(Kind.INTEGER, number, 0);
    }

    private static Json decimal(double number) {
        if (!Double.isFinite(number)) {
            throw new IllegalArgumentException("JSON has no number " + number);
        }
        return new Json(Kind.DECIMAL, number, 0);
    }

    /** Wraps a map, which the caller must not change afterwards. */
    static Json ofMembers(Map<String, Json> members) {
        return new Json(Kind.OBJECT, Collections.unmodifiableMap(members), 1 + depth(members.values()));
    }

    /** Wraps a list, which the caller must not change afterwards. */
    static Json ofElements(List<Json> elements) {
        return new Json(Kind.ARRAY, Collections.unmodifiableList(elements), 1 + depth(elements));
    }

    private static int depth(Collection<Json> values) {
        int deepest = 0;
        for (Json one : values) {
            deepest = Math.max(deepest, one.depth);
        }
        return deepest;
    }

    /**
     * Reads a text.
     *
     * @param text one JSON value, and white space
     * @return the value
     * @throws IllegalArgumentException if it is not JSON as RFC 8259 defines it; an object has two
     *     members of one name; it nests deeper than {@link #MAX_DEPTH}; it has more than 16,777,216
     *     characters; an integer has more than 1,000 digits; or another number is too large for a
     *     {@code double}
     */
    public static Json parse(String text) {
        return JsonSyntax.parse(text);
    }

    /**
     * Returns this object with a member added, or replaced at its position. Copies the object: for many members give a
     * map to {@link #of}.
     *
     * @param name the member's name
     * @param member what {@link #of} takes
     * @return the object
     * @throws IllegalArgumentException as {@link #of} does
     * @throws IllegalStateException if this is no object
     */
    public Json with(String name, @Nullable Object member) {
        Map<String, Json> changed = new LinkedHashMap<>(members());
        changed.put(name, of(member));
        return ofMembers(changed);
    }

    /** {@return the kind of this value} */
    public Kind kind() {
        return kind;
    }

    /**
     * Returns a member.
     *
     * @param name its name
     * @return the member, which may be JSON's null; empty if there is none, or this is no object
     */
    public Optional<Json> get(String name) {
        return kind == Kind.OBJECT ? Optional.ofNullable(members().get(name)) : Optional.empty();
    }

    /**
     * Returns a member's string.
     *
     * @param name the member's name
     * @return the string; empty if there is no such member, or it is no string
     */
    public Optional<String> text(String name) {
        return get(name).filter(member -> member.kind == Kind.TEXT).map(Json::text);
    }

    /**
     * Returns a member's integer.
     *
     * @param name the member's name
     * @return the integer; empty if there is no such member, or it is not what {@link #integer()}
     *     returns
     */
    public OptionalLong integer(String name) {
        Optional<Json> member = get(name).filter(Json::isLong);
        return member.isPresent() ? OptionalLong.of(member.get().integer()) : OptionalLong.empty();
    }

    /**
     * Returns a member's number.
     *
     * @param name the member's name
     * @return the number, rounded as by {@link #number()}; empty if there is no such member, or it is
     *     no number
     */
    public OptionalDouble number(String name) {
        Optional<Json> member = get(name).filter(json -> json.value instanceof Number);
        return member.isPresent() ? OptionalDouble.of(member.get().number()) : OptionalDouble.empty();
    }

    /**
     * Returns whether a member is true.
     *
     * @param name the member's name
     * @return false also if there is no such member, or it has another value
     */
    public boolean flag(String name) {
        return get(name).filter(member -> member.value.equals(true)).isPresent();
    }

    /**
     * Returns an object's members.
     *
     * @return the members by their names, in order; it cannot be changed
     * @throws IllegalStateException if this is no object
     */
    @SuppressWarnings("unchecked") // an object's value is such a map
    public Map<String, Json> members() {
        require(kind == Kind.OBJECT, "object");
        return (Map<String, Json>) value;
    }

    /**
     * Returns an array's elements.
     *
     * @return the elements, in order; it cannot be changed
     * @throws IllegalStateException if this is no array
     */
    @SuppressWarnings("unchecked") // an array's value is such a list
    public List<Json> elements() {
        require(kind == Kind.ARRAY, "array");
        return (List<Json>) value;
    }

    /**
     * Returns this string.
     *
     * @return its characters
     * @throws IllegalStateException if this is no string; {@link #toString} returns any value's JSON
     */
    public String text() {
        require(kind == Kind.TEXT, "string");
        return (String) value;
    }

    /**
     * Returns this integer, which may be written with a fraction of zero.
     *
     * @return the integer
     * @throws IllegalStateException if this is no integer, or does not fit in a {@code long}
     */
    public long integer() {
        require(isLong(), "integer of 64 bits");
        return ((Number) value).longValue();
    }

    private boolean isLong() {
        return value instanceof Double number
                ? number == Math.rint(number) && Math.abs(number) < 0x1p63
                : value instanceof Long;
    }

    /**
     * Returns this number.
     *
     * @return the nearest {@code double}, which is infinite for an integer too large for one
     * @throws IllegalStateException if this is no number
     */
    public double number() {
        require(value instanceof Number, "number");
        return ((Number) value).doubleValue();
    }

    /**
     * Returns this truth value.
     *
     * @return whether this is true
     * @throws IllegalStateException if this is neither true nor false
     */
    public boolean flag() {
        require(kind == Kind.FLAG, "truth value");
        return (Boolean) value;
    }

    private void require(boolean is, String wanted) {
        if (!is) {
            throw new IllegalStateException("the JSON is no " + wanted + ": " + JsonSyntax.shortened(this));
        }
    }

    Object value() {
        return value;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Json json && kind == json.kind && value.equals(json.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    /** {@return this value as JSON, without white space between its parts} */
    @Override
    public String toString() {
        return JsonSyntax.write(this);
    }
}
