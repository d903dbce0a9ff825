package dev.paddock.harness.langchain4j;

import dev.langchain4j.exception.AuthenticationException;
import dev.langchain4j.exception.ContentFilteredException;
import dev.langchain4j.exception.HttpException;
import dev.langchain4j.exception.InternalServerException;
import dev.langchain4j.exception.InvalidRequestException;
import dev.langchain4j.exception.ModelNotFoundException;
import dev.langchain4j.exception.RateLimitException;
import dev.langchain4j.exception.UnresolvedModelServerException;
import dev.langchain4j.exception.UnsupportedFeatureException;
import dev.paddock.harness.model.ModelException;
import dev.paddock.harness.model.ModelException.Kind;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/** Maps failures of the library, the connection and the provider to the model port's exceptions. */
record Failures(Peer peer) {
    private static final Pattern TOO_LONG =
            Pattern.compile("context.?(length|window|size)|maximum context|prompt is too"
                    + " long|input is too long|too many tokens|reduce the length|request_too_large");
    private static final Pattern UNPAID = Pattern.compile(
            "insufficient_quota|billing|credit balance|payment.required|exceeded.(your.)?current.quota");

    /** Maps an exception of the library or of the connection. */
    ModelException of(Throwable wrapped, Optional<Duration> retryAfter) {
        Throwable fault = unwrap(wrapped);
        if (fault instanceof ModelException known) {
            return known;
        }
        ModelException classified = classify(fault, retryAfter);
        if (peer.key().filter(key -> key.isRevealedBy(fault)).isEmpty()) {
            classified.initCause(fault);
        }
        return classified;
    }

    private static Throwable unwrap(Throwable fault) {
        Throwable cause = fault.getCause();
        boolean isWrapping = fault instanceof ExecutionException || fault instanceof CompletionException;
        return isWrapping && cause != null ? unwrap(cause) : fault;
    }

    private ModelException classify(Throwable fault, Optional<Duration> retryAfter) {
        for (Throwable one = fault; one != null; one = one.getCause()) {
            switch (one) {
                case HttpException answer -> {
                    return ofAnswer(
                            answer.statusCode(), ErrorBody.parse(String.valueOf(answer.getMessage())), retryAfter);
                }
                case HttpTimeoutException late -> {
                    return unreachable("no answer to the attempt to connect");
                }
                case UnresolvedAddressException unknown -> {
                    return unreachable("the host's name is not known");
                }
                case SSLException untrusted -> {
                    return unreachable("no secure connection: " + peer.quote(String.valueOf(untrusted.getMessage())));
                }
                case ConnectException refused -> {
                    return unreachable(reason(refused));
                }
                case IOException broken -> {
                    return broken(peer.quote(String.valueOf(broken.getMessage())));
                }
                default -> {}
            }
        }
        return ofLibrary(fault, retryAfter);
    }

    private static String reason(ConnectException refused) {
        for (Throwable one = refused; one != null; one = one.getCause()) {
            if (one instanceof UnresolvedAddressException) {
                return "the host's name is not known";
            }
        }
        return refused.getMessage() == null ? "the connection is refused" : refused.getMessage();
    }

    /**
     * Maps an exception of the library by its type: with a model that the caller made, the type may
     * be the only information.
     */
    private ModelException ofLibrary(Throwable fault, Optional<Duration> retryAfter) {
        int status = switch (fault) {
            case RateLimitException limited -> 429;
            case AuthenticationException unknown -> 401;
            case ModelNotFoundException missing -> 404;
            case InternalServerException failing -> 500;
            case ContentFilteredException filtered -> 400;
            case InvalidRequestException wrong -> 400;
            case UnsupportedFeatureException unable -> 400;
            case IllegalArgumentException wrong -> 400;
            case dev.langchain4j.exception.TimeoutException late -> 408;
            case UnresolvedModelServerException nowhere -> 0;
            default -> -1;
        };
        String message = String.valueOf(fault.getMessage());
        return switch (status) {
            case 0 -> unreachable("the host's name is not known");
            case -1 -> broken(peer.quote(fault.getClass().getSimpleName() + ": " + message));
            default -> ofAnswer(status, new ErrorBody("", message), retryAfter);
        };
    }

    /** Maps a provider's error: an HTTP status, or 0 for an error within a stream. */
    ModelException ofAnswer(int status, ErrorBody body, Optional<Duration> retryAfter) {
        String output = peer.quote(body.message());
        String why = " (" + (status == 0 ? "" : status + (output.isEmpty() ? "" : ": ")) + output + ")";
        Kind kind = kind(status, body);
        String what = switch (kind) {
            case AUTHENTICATION ->
                peer.at() + " does not accept "
                        + peer.key()
                                .map(key -> key + why + "; set " + key.variable() + " to one that is valid for it")
                                .orElse("a request without a key" + why + "; name the variable that holds the key");
            case OUT_OF_CREDIT ->
                peer.at() + " refuses the request for lack of credit" + why + "; add credit to the account";
            case RATE_LIMITED ->
                peer.at() + " limits the rate of requests or tokens" + why + "; try again "
                        + retryAfter
                                .map(wait -> "in " + wait.toSeconds() + " s")
                                .orElse("later");
            case OVERLOADED -> peer.at() + " is overloaded or failing" + why + "; try again later";
            case CONTEXT_TOO_LONG ->
                "the conversation is longer than " + peer.theModel() + " takes" + why
                        + "; begin a new session, or choose a model that takes more";
            case NOT_FOUND ->
                peer.at() + " does not know " + peer.theModel() + why + "; check the model's name and the base URL";
            case TIMED_OUT -> peer.at() + " did not answer in time" + why + "; try again";
            default -> peer.at() + " refuses the request" + why + "; its answer names the remedy";
        };
        return new ModelException(kind, what, retryAfter);
    }

    private static Kind kind(int status, ErrorBody body) {
        if (status == 429 || body.code().contains("rate_limit")) {
            // Only the code decides: the message may mention tokens, quotas and billing for a limit
            // per minute.
            return UNPAID.matcher(body.code()).find() ? Kind.OUT_OF_CREDIT : Kind.RATE_LIMITED;
        }
        String text = body.code() + " " + body.message().toLowerCase(Locale.ROOT);
        if (status == 413 || TOO_LONG.matcher(text).find()) {
            return Kind.CONTEXT_TOO_LONG;
        }
        if (status == 402 || UNPAID.matcher(text).find()) {
            return Kind.OUT_OF_CREDIT;
        }
        if (status == 401 || status == 403 || body.code().matches(".*(authentication|permission)_error.*")) {
            return Kind.AUTHENTICATION;
        }
        if (status == 404 || status / 100 == 3 || body.code().contains("not_found")) {
            return Kind.NOT_FOUND;
        }
        if (status == 408) {
            return Kind.TIMED_OUT;
        }
        boolean isTheirs = status == 0 || status >= 500;
        return isTheirs && !body.code().contains("invalid_request") ? Kind.OVERLOADED : Kind.REFUSED;
    }

    ModelException broken(String how) {
        return new ModelException(
                Kind.BROKEN_STREAM,
                "the answer of " + peer.at() + " ended early or is malformed (" + how
                        + "); try again, and if it persists, check the base URL and the proxies before it");
    }

    ModelException silent(Duration patience) {
        return new ModelException(
                Kind.TIMED_OUT,
                "no data arrived from " + peer.at() + " for " + patience.toMillis() / 1000.0
                        + " s; try again, or raise the patience");
    }

    private ModelException unreachable(String how) {
        return new ModelException(
                Kind.UNREACHABLE, peer.at() + " cannot be reached: " + how + "; check the base URL and the network");
    }
}
