package dev.paddock.harness.guest.session;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.policy.HostRule;
import dev.paddock.harness.bindings.AgentContainer;
import dev.paddock.harness.bindings.BindingEvent;
import dev.paddock.harness.bindings.BindingEvent.Outcome;
import dev.paddock.harness.bindings.BindingEvent.Scope;
import dev.paddock.harness.bindings.BindingException;
import dev.paddock.harness.bindings.FetchPolicy;
import dev.paddock.harness.bindings.FetchRule;
import dev.paddock.harness.tools.ToolException;
import dev.paddock.harness.tools.web.HostFetch;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Serves the guests' fetch. Answers a blocked one with status 403, as a proxy does. */
final class FetchCalls {
    static final String METHOD = "net.fetch";
    private static final int FORBIDDEN = 403;
    private static final Pattern VALUE = Pattern.compile("[\\x20-\\x7e\\t]{0,8192}");

    /** The headers that affect the answer but not how a request is sent. */
    private static final List<String> HEADERS = List.of(
            "accept",
            "accept-language",
            "authorization",
            "content-type",
            "if-match",
            "if-modified-since",
            "if-none-match",
            "range",
            "x-api-key");

    private final FetchPolicy policy;

    /** The sender of each method: only to hosts that allow it, including redirects. */
    private final Map<String, HostFetch> senders = new TreeMap<>();

    private final AgentContainer container;

    FetchCalls(FetchPolicy policy, AgentContainer container) {
        this.policy = policy;
        this.container = container;
        Stream.concat(FetchRule.READING.stream(), FetchRule.CHANGING.stream())
                .forEach(method -> senders.put(method, new HostFetch(hosts(method), policy.access())));
    }

    private List<HostRule> hosts(String method) {
        return policy.rules().stream()
                .filter(rule -> rule.methods().contains(method))
                .map(FetchRule::host)
                .toList();
    }

    JsonNode call(JsonNode arguments, AbortSignal signal) {
        JsonNode url = arguments.path("url");
        if (!url.isTextual()) {
            throw new BindingException(BindingException.Reason.INVALID, "fetch: the argument 'url' is no text");
        }
        String method = arguments.path("method").asText("GET").toUpperCase(Locale.ROOT);
        HostFetch sender = senders.get(method);
        if (sender == null) {
            throw invalid(
                    "the method " + method + " is not possible; there are " + String.join(", ", senders.keySet()));
        }
        String target = url.textValue();
        if (!sender.allows(target)) {
            String why = whyNot(method, target);
            observe(Outcome.DENIED, target, why);
            ObjectNode reply = reply(target, FORBIDDEN, why);
            reply.putObject("headers");
            return reply;
        }
        try {
            Optional<String> body = Optional.of(arguments.path("body"))
                    .filter(JsonNode::isTextual)
                    .map(JsonNode::textValue);
            HostFetch.Answer answer = sender.send(
                    new HostFetch.Request(target, method, headers(arguments.path("headers")), body), signal);
            observe(Outcome.SUCCESS, target, Integer.toString(answer.status()));
            ObjectNode reply = reply(answer.url(), answer.status(), answer.body());
            ObjectNode headers = reply.putObject("headers");
            answer.headers().forEach(headers::put);
            return reply;
        } catch (ToolException fault) {
            observe(Outcome.ERROR, target, String.valueOf(fault.getMessage()));
            throw fault;
        }
    }

    private String whyNot(String method, String target) {
        if (policy.rules().isEmpty()) {
            return "fetch is blocked: no hosts are allowed";
        }
        List<String> others = senders.entrySet().stream()
                .filter(sender -> sender.getValue().allows(target))
                .map(Map.Entry::getKey)
                .toList();
        return others.isEmpty()
                ? "the host of " + target + " is not among the allowed hosts"
                : "the rule for the host of " + target + " allows " + String.join(", ", others) + ", and not " + method;
    }

    private static Map<String, String> headers(JsonNode given) {
        Map<String, String> headers = new TreeMap<>();
        for (Map.Entry<String, JsonNode> header : given.properties()) {
            String name = header.getKey().toLowerCase(Locale.ROOT);
            if (!HEADERS.contains(name)) {
                throw invalid("the header '" + name + "' is not sent; possible are " + String.join(", ", HEADERS));
            }
            String value = header.getValue().asText();
            if (!VALUE.matcher(value).matches()) {
                throw invalid("the value of the header '" + name + "' has other characters than printable ASCII");
            }
            headers.put(name, value);
        }
        return headers;
    }

    private static BindingException invalid(String reason) {
        return new BindingException(BindingException.Reason.INVALID, "fetch: " + reason);
    }

    private void observe(Outcome outcome, String url, String detail) {
        container.record(BindingEvent.of(Scope.NET, "fetch", outcome).on(url).with(detail));
    }

    private static ObjectNode reply(String url, int status, String body) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("url", url)
                .put("status", status)
                .put("body", body);
    }
}
