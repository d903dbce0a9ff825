package dev.paddock.executor.seatbelt;

import dev.paddock.executor.seatbelt.Expression.Group;
import dev.paddock.executor.seatbelt.Expression.Raw;
import dev.paddock.executor.seatbelt.Expression.Symbol;
import dev.paddock.executor.seatbelt.Expression.Text;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Evaluates which operations a profile allows. It stands in for macOS's kernel, with which it has
 * never been compared; it knows only the constructs that the profiles use, and throws on any other.
 *
 * <p>The last rule that matches applies. Sources disagree on which rules the kernel consults: all
 * that name the operation or a family of it; or first those that name it, and those of a family
 * only if none of the first matches. A profile has to mean the same under both readings.
 */
final class ProfileEvaluator {
    /**
     * Every operation that a profile may name, families included. The kernel rejects a profile with
     * a misspelled one.
     */
    private static final Set<String> OPERATIONS = Set.of(
            "default",
            "file-ioctl",
            "file-link",
            "file-map-executable",
            "file-read*",
            "file-read-metadata",
            "file-write*",
            "file-write-data",
            "file-write-unlink",
            "ipc-posix-sem",
            "ipc-posix-shm-read-data",
            "mach-lookup",
            "network-bind",
            "network-inbound",
            "network-outbound",
            "process-exec*",
            "process-fork",
            "process-info*",
            "signal",
            "sysctl-read",
            "system-socket");

    private enum Reading {
        LAST_OF_ALL,
        NAMED_BEFORE_FAMILY
    }

    private record Rule(boolean allows, String operation, List<Predicate<Request>> filters) {
        boolean matches(Request request) {
            return filters.isEmpty() || filters.stream().anyMatch(filter -> filter.test(request));
        }
    }

    private final List<Rule> rules = new ArrayList<>();
    private final Map<Reading, Map<String, List<List<Rule>>>> lists = new EnumMap<>(Reading.class);

    ProfileEvaluator(String profile) {
        List<Expression> expressions = Expression.read(profile);
        require(expressions.get(0).equals(new Group(List.of(new Symbol("version"), new Symbol("1")))), "no version 1");
        expressions.stream().skip(1).forEach(this::add);
        require(rules.get(0).equals(new Rule(false, "default", List.of())), "what is not allowed is not denied");
    }

    /** Returns whether the profile allows every operation of an action. */
    boolean allows(List<Request> requests) {
        return requests.stream().allMatch(this::allows);
    }

    boolean allows(Request request) {
        boolean last = decide(request, Reading.LAST_OF_ALL);
        require(
                last == decide(request, Reading.NAMED_BEFORE_FAMILY),
                "the profile means one thing or the other for " + request);
        return last;
    }

    private boolean decide(Request request, Reading reading) {
        return lists
                .computeIfAbsent(reading, none -> new HashMap<>())
                .computeIfAbsent(request.operation(), operation -> lists(operation, reading))
                .stream()
                .map(list -> lastMatch(list, request))
                .flatMap(Optional::stream)
                .findFirst()
                .orElseThrow()
                .allows();
    }

    /** Returns the lists of rules that are consulted for an operation, one after the other. */
    private List<List<Rule>> lists(String operation, Reading reading) {
        List<Rule> all =
                rules.stream().filter(rule -> names(rule.operation, operation)).toList();
        return reading == Reading.LAST_OF_ALL
                ? List.of(all)
                : all.stream().collect(Collectors.groupingBy(Rule::operation)).entrySet().stream()
                        .sorted(Comparator.comparingInt(list -> -rank(list.getKey())))
                        .map(Map.Entry::getValue)
                        .toList();
    }

    private static Optional<Rule> lastMatch(List<Rule> list, Request request) {
        return list.reversed().stream().filter(rule -> rule.matches(request)).findFirst();
    }

    private static boolean names(String rules, String operation) {
        return rules.equals("default")
                || rules.equals(operation)
                || (rules.endsWith("*") && operation.startsWith(rules.substring(0, rules.length() - 1)));
    }

    /**
     * Ranks families by the length of their names: the longer the name, the fewer operations belong
     * to it.
     */
    private static int rank(String operation) {
        return operation.equals("default") ? -1 : operation.endsWith("*") ? operation.length() : 1000;
    }

    private void add(Expression expression) {
        List<Expression> words = members(expression);
        String action = name(words.get(0));
        require(action.equals("allow") || action.equals("deny"), "neither allowed nor denied: " + expression);
        List<String> operations = words.stream()
                .skip(1)
                .takeWhile(Symbol.class::isInstance)
                .map(ProfileEvaluator::name)
                .toList();
        require(!operations.isEmpty() && OPERATIONS.containsAll(operations), "unknown operations: " + operations);
        List<Predicate<Request>> filters = words.stream()
                .skip(1L + operations.size())
                .map(ProfileEvaluator::filter)
                .toList();
        operations.forEach(operation -> rules.add(new Rule(action.equals("allow"), operation, filters)));
    }

    private static Predicate<Request> filter(Expression expression) {
        List<Expression> words = members(expression);
        String kind = name(words.get(0));
        require(
                words.size() == 2 || kind.equals("require-all") || (kind.equals("remote") && words.size() == 3),
                "not a filter: " + expression);
        Expression value = words.get(1);
        return switch (kind) {
            case "literal" -> is(Request.Kind.PATH, text(value)::equals);
            case "subpath" -> is(Request.Kind.PATH, below(text(value)));
            case "regex" -> is(Request.Kind.PATH, matching(value));
            case "target" -> is(Request.Kind.TARGET, name(value)::equals);
            case "sysctl-name" -> is(Request.Kind.SYSCTL, text(value)::equals);
            case "sysctl-name-prefix" -> is(Request.Kind.SYSCTL, startingWith(text(value)));
            case "global-name" -> is(Request.Kind.SERVICE, text(value)::equals);
            case "ipc-posix-name" -> is(Request.Kind.SHARED_NAME, text(value)::equals);
            case "ipc-posix-name-regex" -> is(Request.Kind.SHARED_NAME, matching(value));
            case "remote" ->
                is(
                        Request.Kind.REMOTE_IP,
                        subject -> name(value).equals("ip")
                                && (words.size() == 2 || text(words.get(2)).equals(subject)));
            case "local" -> is(Request.Kind.LOCAL_IP, subject -> name(value).equals("ip"));
            case "socket-domain", "socket-protocol" ->
                is(Request.Kind.SOCKET, subject -> subject.contains(name(value)));
            case "require-all" -> {
                List<Predicate<Request>> all =
                        words.stream().skip(1).map(ProfileEvaluator::filter).toList();
                yield request -> all.stream().allMatch(filter -> filter.test(request));
            }
            default -> throw new IllegalArgumentException("unknown filter: " + expression);
        };
    }

    private static Predicate<Request> is(Request.Kind kind, Predicate<String> subject) {
        return request -> request.kind() == kind && subject.test(request.subject());
    }

    private static Predicate<String> below(String root) {
        return path -> path.equals(root) || path.startsWith(root.endsWith("/") ? root : root + "/");
    }

    private static Predicate<String> startingWith(String prefix) {
        return name -> name.startsWith(prefix);
    }

    /** Matches a pattern at any position; a dot matches any character, line ends included. */
    private static Predicate<String> matching(Expression value) {
        require(value instanceof Raw, "not a pattern: " + value);
        Pattern pattern = Pattern.compile(((Raw) value).value(), Pattern.DOTALL);
        return subject -> pattern.matcher(subject).find();
    }

    private static List<Expression> members(Expression expression) {
        require(
                expression instanceof Group group && !group.members().isEmpty(),
                "neither rule nor filter: " + expression);
        return ((Group) expression).members();
    }

    private static String name(Expression expression) {
        require(expression instanceof Symbol, "not a name: " + expression);
        return ((Symbol) expression).name();
    }

    private static String text(Expression expression) {
        require(expression instanceof Text, "not a string: " + expression);
        return ((Text) expression).value();
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
