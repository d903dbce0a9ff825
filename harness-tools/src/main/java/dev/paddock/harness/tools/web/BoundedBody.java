package dev.paddock.harness.tools.web;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;

/** Reads a response body up to a limit, and then releases the connection. */
final class BoundedBody implements HttpResponse.BodySubscriber<BoundedBody.Body> {
    private final int most;
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();
    private final CompletableFuture<Body> result = new CompletableFuture<>();
    private final AtomicReference<Optional<Flow.Subscription>> subscription = new AtomicReference<>(Optional.empty());

    BoundedBody(int most) {
        this.most = most;
    }

    static final class Body {
        private final byte[] bytes;
        private final boolean isCut;

        Body(byte[] bytes, boolean isCut) {
            this.bytes = bytes;
            this.isCut = isCut;
        }

        /** Returns the body or its beginning; the caller must not change it. */
        byte[] bytes() {
            return bytes;
        }

        /** Returns whether the body was longer than the limit. */
        boolean isCut() {
            return isCut;
        }
    }

    @Override
    public CompletionStage<Body> getBody() {
        return result;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription.set(Optional.of(given));
        given.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            byte[] block = new byte[Math.min(buffer.remaining(), most - content.size())];
            buffer.get(block);
            content.writeBytes(block);
            if (buffer.hasRemaining()) {
                subscription.get().ifPresent(Flow.Subscription::cancel);
                result.complete(new Body(content.toByteArray(), true));
                return;
            }
        }
    }

    @Override
    public void onError(Throwable fault) {
        result.completeExceptionally(fault);
    }

    @Override
    public void onComplete() {
        result.complete(new Body(content.toByteArray(), false));
    }
}
