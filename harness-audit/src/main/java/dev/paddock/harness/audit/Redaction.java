package dev.paddock.harness.audit;

import dev.paddock.executor.policy.CredentialNames;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Replaces credentials in a text by {@value #MARK}. It recognizes
 *
 * <ul>
 *   <li>tokens by their form: those of GitHub, GitLab, Slack, AWS, Anthropic, OpenAI, Stripe,
 *       SendGrid, Twilio, Telegram, Discord, Google, npm and Hugging Face, JSON web tokens, bearer
 *       tokens, private keys in PEM;
 *   <li>values whose name looks like a credential's to {@link CredentialNames}: {@code NAME=value},
 *       {@code --name value}, {@code -Da.name=value}, {@code Name: value}, {@code "name": "value"};
 *   <li>the password of {@code -u user:password} and of a URL;
 *   <li>values that the caller knows to be secret.
 * </ul>
 *
 * <p>It cannot recognize a credential that has no name and no known form, such as the positional
 * argument of a program. Of a value with blanks inside a longer quoted text it replaces only the
 * first word. Takes linear time. Immutable.
 *
 * @since 0.1
 */
public final class Redaction {

    /** Replaces a credential. */
    public static final String MARK = "[REDACTED]";

    /** Shorter values occur in texts by chance. */
    private static final int MIN_SECRET_LENGTH = 4;

    private static final Pattern TOKENS = Pattern.compile(String.join(
            "|",
            "gh[pousr]_[A-Za-z0-9]{20,}+",
            "github_pat_\\w{20,}+",
            "glpat-[\\w-]{20,}+",
            "npm_[A-Za-z0-9]{30,}+",
            "hf_[A-Za-z0-9]{30,}+",
            "AIza[\\w-]{35}",
            "xox[a-z]-[A-Za-z0-9-]{10,}+",
            "(?:AKIA|ASIA)[A-Z0-9]{16}",
            "(?<![A-Za-z0-9])sk-[\\w-]{20,}+",
            "[spr]k_(?:live|test)_[A-Za-z0-9]{10,}+",
            "SG\\.[\\w-]{16,}+\\.[\\w-]{16,}+",
            "(?<![A-Za-z0-9])SK[0-9a-f]{32}(?![A-Za-z0-9])",
            "(?<![0-9])[0-9]{8,10}:[\\w-]{35}",
            "(?<![\\w-])[MNO][\\w-]{23,25}\\.[\\w-]{6}\\.[\\w-]{27,}+",
            "(?<![\\w-])eyJ[\\w-]{8,}+\\.[\\w-]{8,}+(?:\\.[\\w-]*+)?+",
            "(?i:(?<![\\w-])bearer)[ \\t]++[A-Za-z0-9._~+/=-]{20,}+",
            "-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?s:.*?)(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|\\z)"));

    /** The minimum length of a token, a run of {@linkplain #isOfToken token characters}. */
    private static final int MIN_TOKEN_LENGTH = 15;

    private static final Pattern URL_PASSWORD = Pattern.compile("://[^\\s/@:]*+:[^\\s/@]++@");

    /** A name and what separates it from its value: {@code =} or a colon; a blank after an option. */
    private static final Pattern NAME = Pattern.compile(
            "(?<![\\w.-])(?:--?+(?<option>[A-Za-z_][\\w.-]*+)(?<after>\\\\?+[\"']?+[ \\t]*+[=:][ \\t]*+|[ \\t]++)"
                    + "|(?<name>[A-Za-z_][\\w.-]*+)(?<separator>\\\\?+[\"']?+[ \\t]*+[=:][ \\t]*+))");

    /** The option of curl and others for a user and their password. */
    private static final Pattern USER =
            Pattern.compile("(?<!\\S)(?:-u|--(?:proxy-)?user)(?:[ \\t]++|=|(?<=-u))[\"']?+" + "[^\\s:\"']++:");

    /** A word boundary in a name such as {@code accessToken}. */
    private static final Pattern HUMP = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])");

    /** Names of credentials that are not names of variables. */
    private static final Set<String> MORE_NAMES =
            Set.of("AUTHORIZATION", "PROXY_AUTHORIZATION", "COOKIE", "SET_COOKIE", "PASSWD", "PASS", "AUTH");

    private static final Redaction STANDARD = new Redaction(CredentialNames.standard());

    private final CredentialNames names;
    private final Supplier<? extends Collection<String>> known;

    /**
     * Creates a redaction.
     *
     * @param names which names are those of credentials
     */
    public Redaction(CredentialNames names) {
        this(names, List::of);
    }

    private Redaction(CredentialNames names, Supplier<? extends Collection<String>> known) {
        this.names = names;
        this.known = known;
    }

    /**
     * {@return the redaction with the {@linkplain CredentialNames#standard() standard names}, the same value on each
     * call}
     */
    public static Redaction standard() {
        return STANDARD;
    }

    /**
     * Returns this redaction, which also replaces every occurrence of certain values.
     *
     * @param secrets returns secret values; those of fewer than 4 characters are ignored; called for each text, by any
     *     thread
     * @return the redaction
     */
    public Redaction hiding(Supplier<? extends Collection<String>> secrets) {
        return new Redaction(names, secrets);
    }

    /**
     * Replaces the credentials in a text.
     *
     * @param text the text
     * @return the text with {@value #MARK} for each credential
     */
    public String apply(String text) {
        return apply(text, List.of());
    }

    /**
     * Replaces the credentials in a text, and every occurrence of certain values.
     *
     * @param text the text
     * @param secrets values that are secret; those of fewer than 4 characters are ignored
     * @return the text with {@value #MARK} for each credential
     */
    public String apply(String text, Collection<String> secrets) {
        String result = text;
        Collection<String> hidden = known.get();
        if (!secrets.isEmpty() || !hidden.isEmpty()) {
            result = withoutSecrets(result, Stream.concat(secrets.stream(), hidden.stream()));
        }
        // Most texts have no credentials, and matching the patterns is slow in a cold JVM.
        if (mayHaveToken(result)) {
            result = TOKENS.matcher(result).replaceAll(Matcher.quoteReplacement(MARK));
        }
        if (result.contains("://")) {
            result = URL_PASSWORD.matcher(result).replaceAll("://" + Matcher.quoteReplacement(MARK) + "@");
        }
        if (result.contains("-u")) {
            result = withoutValues(result, USER, match -> true);
        }
        if (result.indexOf('=') < 0 && result.indexOf(':') < 0 && result.indexOf('-') < 0) {
            return result;
        }
        Map<String, Boolean> decided = new HashMap<>();
        return withoutValues(
                result, NAME, match -> decided.computeIfAbsent(either(match, "option", "name"), this::isCredential));
    }

    /**
     * Returns whether a text may contain a token, a bearer token or a private key: the first is a run of at least
     * {@value #MIN_TOKEN_LENGTH} token characters, the others begin with a word.
     */
    private static boolean mayHaveToken(String text) {
        int run = 0;
        for (int at = 0; at < text.length(); at++) {
            char character = text.charAt(at);
            run = isOfToken(character) ? run + 1 : 0;
            if (run >= MIN_TOKEN_LENGTH
                    || (character == '-' && text.startsWith("-----BEGIN", at))
                    || ((character == 'b' || character == 'B') && text.regionMatches(true, at, "bearer", 0, 6))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOfToken(char character) {
        return (character >= 'a' && character <= 'z')
                || (character >= 'A' && character <= 'Z')
                || (character >= '0' && character <= ':')
                || character == '-'
                || character == '.'
                || character == '_';
    }

    private static String withoutSecrets(String text, Stream<String> secrets) {
        List<String> longestFirst = secrets.filter(secret -> secret.length() >= MIN_SECRET_LENGTH)
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
        String result = text;
        for (String secret : longestFirst) {
            result = result.replace(secret, MARK);
        }
        return result;
    }

    /**
     * Returns whether a name looks like a credential's.
     *
     * @param name the name of a variable, of an option, of a header or of a property
     * @return true if its value is replaced
     */
    public boolean isCredential(String name) {
        String variable = HUMP.matcher(name)
                .replaceAll("_")
                .replace('.', '_')
                .replace('-', '_')
                .toUpperCase(Locale.ROOT);
        return MORE_NAMES.contains(variable) || names.matches(variable) || names.matches("_" + variable);
    }

    /** Replaces the value after each match of a pattern that fulfils a condition. */
    private static String withoutValues(String text, Pattern before, Predicate<Matcher> isCredential) {
        Matcher matcher = before.matcher(text);
        ShellWords words = new ShellWords(text);
        StringBuilder result = new StringBuilder(text.length());
        int copied = 0;
        int from = 0;
        while (from <= text.length() && matcher.find(from)) {
            from = matcher.end();
            if (isCredential.test(matcher)) {
                int end = words.endOfValue(matcher.end(), isHeader(before, matcher));
                if (end > from) {
                    result.append(text, copied, from).append(MARK);
                    copied = end;
                    from = end;
                }
            }
        }
        return result.append(text, copied, text.length()).toString();
    }

    /** Returns whether a colon and a blank separate the name from its value, which may contain blanks. */
    private static boolean isHeader(Pattern before, Matcher match) {
        return before == NAME && either(match, "after", "separator").matches(".*:[ \\t]+");
    }

    private static String either(Matcher match, String group, String other) {
        String found = match.group(group);
        return found != null ? found : String.valueOf(match.group(other));
    }
}
