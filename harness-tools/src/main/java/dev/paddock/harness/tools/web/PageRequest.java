package dev.paddock.harness.tools.web;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.AbortedException;
import dev.paddock.harness.tools.threads.HarnessThreads;
import java.io.IOException;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Performs one fetch, the request and its redirects, within one time limit. */
final class PageRequest {
    static final int MAX_REDIRECTS = 5;
    private static final String GET = "GET";
    private static final int SEE_OTHER = 303;
    private static final Set<Integer> MOVED = Set.of(301, 302);
    private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

    private final WebAccess access;
    private final Destination.Gate gate;
    private final AbortSignal signal;
    private final long deadline;
    private Map<String, String> headers = Map.of();
    private String method = GET;
    private Optional<String> body = Optional.empty();

    PageRequest(WebAccess access, Destination.Gate gate, AbortSignal signal) {
        this.access = access;
        this.gate = gate;
        this.signal = signal;
        this.deadline = System.nanoTime() + access.timeout().toNanos();
    }

    /**
     * The last response.
     *
     * @param uri where it came from
     */
    record Answer(URI uri, int status, HttpHeaders headers, BoundedBody.Body body) {
        String header(String name) {
            return headers.firstValue(name).orElse("");
        }
    }

    /** Adds headers, which only the host of the first URL receives. */
    PageRequest with(Map<String, String> own) {
        headers = Map.copyOf(own);
        return this;
    }

    /** Sets the method of the request, and its body. */
    PageRequest by(String own, Optional<String> content) {
        method = own;
        body = content;
        return this;
    }

    Answer fetch(String url) {
        Destination destination = check(url);
        URI first = destination.uri();
        for (int redirects = 0; ; redirects++) {
            Answer answer = ask(destination, isSameOrigin(first, destination.uri()) ? headers : Map.of());
            String location = answer.header("location");
            if (!REDIRECTS.contains(answer.status()) || location.isEmpty()) {
                return answer;
            }
            if (redirects == MAX_REDIRECTS) {
                throw new WebProblem(
                        url + " leads to more than " + MAX_REDIRECTS + " redirects, the last one to " + location);
            }
            adaptMethod(answer.status());
            destination = follow(destination.uri(), location);
            if (body.isPresent() && !isSameOrigin(first, destination.uri())) {
                throw new WebProblem(url + " redirects a " + method + " with a body to another host, "
                        + destination.uri() + ", which is not followed");
            }
        }
    }

    /** Changes to GET where a redirect demands it, or browsers do so by convention. */
    private void adaptMethod(int status) {
        if ((status == SEE_OTHER && !method.equals("HEAD")) || (MOVED.contains(status) && method.equals("POST"))) {
            method = GET;
            body = Optional.empty();
        }
    }

    /**
     * Checks whether the page is still wanted. Called repeatedly while the page is processed.
     *
     * @throws AbortedException if the signal is aborted
     * @throws WebProblem if the time limit is exceeded
     */
    void requireWanted(URI uri) {
        signal.throwIfAborted();
        if (System.nanoTime() - deadline > 0) {
            throw new WebProblem(
                    uri + " has not been read through within " + seconds() + " s: there is too much markup in it");
        }
    }

    private String seconds() {
        return Double.toString(access.timeout().toMillis() / 1000.0);
    }

    private Destination follow(URI from, String location) {
        String target;
        try {
            target = from.resolve(location.strip()).toString();
        } catch (IllegalArgumentException malformed) {
            throw new WebProblem(from + " redirects to '" + location + "', which is no URL", malformed);
        }
        if (from.getScheme().equals("https") && target.regionMatches(true, 0, "http:", 0, "http:".length())) {
            throw new WebProblem(
                    from + " redirects from https to " + target + ", which is not followed. Request that URL itself");
        }
        try {
            return check(target);
        } catch (WebProblem refused) {
            throw new WebProblem(from + " redirects: " + refused.getMessage(), refused);
        }
    }

    /**
     * Checks the URL on a separate thread: the platform's name lookup has no time limit and cannot
     * be interrupted.
     */
    private Destination check(String url) {
        CompletableFuture<Destination> looking =
                CompletableFuture.supplyAsync(() -> gate.check(url), HarnessThreads.perTask("paddock-web-lookup"));
        return await(looking, "the host of " + url + " has not been looked up", url);
    }

    /**
     * Sends the request with a client of its own, which connects to one address and leaves no connection and no thread
     * behind.
     */
    private Answer ask(Destination destination, Map<String, String> own) {
        HttpRequest.Builder request = HttpRequest.newBuilder(destination.uri())
                .method(method, body.map(BodyPublishers::ofString).orElseGet(BodyPublishers::noBody))
                .header("Accept", "text/html, text/plain, application/json, application/xml, */*;q=0.1")
                .header("Accept-Encoding", "identity")
                .header("User-Agent", "paddock-web-fetch");
        own.forEach(request::setHeader);
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .proxy(new Route(destination))
                .build();
        try {
            CompletableFuture<HttpResponse<BoundedBody.Body>> coming =
                    client.sendAsync(request.build(), head -> new BoundedBody(access.maxBytes()));
            HttpResponse<BoundedBody.Body> response = await(
                    coming,
                    destination.uri() + " has not answered in full",
                    destination.uri().toString());
            return new Answer(destination.uri(), response.statusCode(), response.headers(), response.body());
        } finally {
            client.shutdownNow();
        }
    }

    private static boolean isSameOrigin(URI one, URI other) {
        return one.getScheme().equalsIgnoreCase(other.getScheme())
                && one.getHost().equalsIgnoreCase(other.getHost())
                && Destination.Gate.port(one) == Destination.Gate.port(other);
    }

    private <T> T await(CompletableFuture<T> coming, String failing, String url) {
        AbortSignal.Registration registration = signal.onAbort(() -> coming.completeExceptionally(
                new AbortedException(signal.reason().orElse("aborted"))));
        try {
            return coming.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw new WebProblem(failing + " within " + seconds() + " s", late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AbortedException("interrupted");
        } catch (ExecutionException failed) {
            throw problem(url, Optional.ofNullable(failed.getCause()).orElse(failed));
        } finally {
            registration.close();
            coming.cancel(true);
        }
    }

    private static RuntimeException problem(String url, Throwable cause) {
        if (cause instanceof AbortedException || cause instanceof WebProblem) {
            return (RuntimeException) cause;
        }
        String what = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        return new WebProblem(url + " cannot be fetched: " + what, cause);
    }

    /**
     * Routes the request past every proxy configured on the host, which would resolve names itself, and to the checked
     * address if there is one. The client accepts an address only as a proxy's; it then requests the URL in absolute
     * form, which every server must accept (RFC 9112, 3.2.2).
     */
    private static final class Route extends ProxySelector {
        private final List<Proxy> route;

        Route(Destination destination) {
            route = List.of(destination
                    .pinned()
                    .map(address -> new Proxy(Proxy.Type.HTTP, address))
                    .orElse(Proxy.NO_PROXY));
        }

        @Override
        public List<Proxy> select(URI uri) {
            return route;
        }

        @Override
        public void connectFailed(URI uri, SocketAddress address, IOException failure) {
            // There is no alternative route to try.
        }
    }
}
