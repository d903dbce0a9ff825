package dev.paddock.harness.tools.web;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jsoup.Jsoup;

/**
 * A response as text.
 *
 * @param text the content; empty if it is refused
 * @param refusal why it is not shown
 */
record Page(String text, Optional<String> refusal) {
    private static final Pattern CHARSET = Pattern.compile("charset\\s*=\\s*\"?([^\\s\";]+)", Pattern.CASE_INSENSITIVE);
    private static final Set<String> HTML = Set.of("text/html", "application/xhtml+xml");
    private static final Set<String> TEXT = Set.of(
            "application/json",
            "application/xml",
            "application/javascript",
            "application/ecmascript",
            "application/yaml",
            "application/x-yaml",
            "application/toml",
            "application/x-sh",
            "application/sql",
            "application/x-ndjson",
            "application/graphql");

    /** How many bytes of a body are inspected to detect its kind; the number that git uses. */
    private static final int INSPECTED_BYTES = 8_000;

    /**
     * Converts a response to a page.
     *
     * @param pulse runs repeatedly during the conversion; an exception that it throws ends the
     *     conversion
     */
    static Page of(PageRequest.Answer answer, Runnable pulse) {
        byte[] bytes = answer.body().bytes();
        String header = answer.header("content-type");
        String type = header.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        String encoding = answer.header("content-encoding");
        if (!encoding.isEmpty() && !encoding.equalsIgnoreCase("identity")) {
            return refused(answer.uri() + " answers in the encoding '" + encoding
                    + "', which was not requested, and is not shown");
        }
        if (!isText(type) || hasNul(bytes)) {
            return refused(
                    answer.uri() + " is not text but " + (type.isEmpty() || isText(type) ? "binary" : type) + ", "
                            + bytes.length + (answer.body().isCut() ? " bytes or more" : " bytes")
                            + ", and is not shown. web_fetch reads text alone");
        }
        Optional<Charset> charset = charset(header);
        String text = HTML.contains(type) || (type.isEmpty() && looksLikeHtml(bytes))
                ? html(new Pulsed(bytes, pulse), charset, answer.uri().toString())
                : new String(bytes, charset.orElse(StandardCharsets.UTF_8));
        return new Page(text, Optional.empty());
    }

    private static Page refused(String why) {
        return new Page("", Optional.of(why));
    }

    private static boolean isText(String type) {
        return type.isEmpty()
                || type.startsWith("text/")
                || type.endsWith("+json")
                || type.endsWith("+xml")
                || TEXT.contains(type);
    }

    private static boolean hasNul(byte[] bytes) {
        for (int i = 0; i < Math.min(bytes.length, INSPECTED_BYTES); i++) {
            if (bytes[i] == 0) {
                return true;
            }
        }
        return false;
    }

    private static boolean looksLikeHtml(byte[] bytes) {
        String start = new String(bytes, 0, Math.min(bytes.length, INSPECTED_BYTES), StandardCharsets.ISO_8859_1)
                .toLowerCase(Locale.ROOT);
        return start.contains("<!doctype html") || start.contains("<html");
    }

    /** Returns the charset of a header. Ignores an unknown one: most of such a page is still readable as UTF-8. */
    private static Optional<Charset> charset(String header) {
        Matcher matcher = CHARSET.matcher(header);
        try {
            return matcher.find() ? Optional.of(Charset.forName(matcher.group(1))) : Optional.empty();
        } catch (IllegalCharsetNameException | UnsupportedCharsetException unknown) {
            return Optional.empty();
        }
    }

    private static String html(InputStream page, Optional<Charset> charset, String uri) {
        try {
            // Without a charset from the header, the parser uses the one that the page declares.
            return HtmlText.of(Jsoup.parse(page, charset.map(Charset::name).orElse(null), uri));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /**
     * Runs the pulse on each read. The parser takes minutes for some pages that take a second to fetch and cannot be
     * interrupted otherwise, so that an abort takes effect at its next read.
     */
    private static final class Pulsed extends ByteArrayInputStream {
        private final Runnable pulse;

        Pulsed(byte[] content, Runnable pulse) {
            super(content);
            this.pulse = pulse;
        }

        @Override
        public synchronized int read(byte[] into, int offset, int length) {
            pulse.run();
            return super.read(into, offset, length);
        }
    }
}
