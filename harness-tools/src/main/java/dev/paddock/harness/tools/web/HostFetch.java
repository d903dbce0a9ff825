package dev.paddock.harness.tools.web;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.net.AddressKind;
import dev.paddock.harness.tools.ToolException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Fetches from the host for code that has no network: GET alone, from allowed hosts alone, each
 * redirect checked like the first request. Thread-safe.
 */
public final class HostFetch {
    private final WebAccess access;
    private final Destination.Gate gate;

    /**
     * Creates it.
     *
     * @param access which addresses may be reached, how long a fetch may take, and how much is read
     * @param allowed says which hosts may be reached, by their names in lower case
     */
    public HostFetch(WebAccess access, Predicate<String> allowed) {
        this.access = access;
        gate = new Destination.Gate(access, InetAddress::getAllByName, AddressKind::isPublic, allowed);
    }

    /**
     * An answer.
     *
     * @param url where it came from, after redirects
     * @param status the status
     * @param headers the first value of each header, by its name in lower case
     * @param body the body as UTF-8
     */
    public record Answer(String url, int status, Map<String, String> headers, String body) {
        /** Creates an answer. */
        public Answer {
            headers = Map.copyOf(headers);
        }
    }

    /**
     * Fetches a URL.
     *
     * @param url the URL
     * @param signal ends the fetch
     * @return the answer, whatever its status
     * @throws ToolException if it may not or cannot be fetched, or is larger than permitted
     * @throws dev.paddock.executor.AbortedException if the signal is aborted
     */
    public Answer get(String url, AbortSignal signal) {
        try {
            PageRequest.Answer answer = new PageRequest(access, gate, signal).fetch(url);
            if (answer.body().isCut()) {
                throw new ToolException(answer.uri() + " has more than " + access.maxBytes() + " bytes");
            }
            Map<String, String> headers = new LinkedHashMap<>();
            answer.headers()
                    .map()
                    .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.getFirst()));
            return new Answer(
                    answer.uri().toString(),
                    answer.status(),
                    headers,
                    new String(answer.body().bytes(), StandardCharsets.UTF_8));
        } catch (WebProblem problem) {
            throw new ToolException(String.valueOf(problem.getMessage()), problem);
        }
    }
}
