package dev.paddock.executor.docker.source;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.command.PullImageCmd;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.model.PullResponseItem;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.Availability;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.remote.shell.CloseQuietly;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Ensures that the engine has an image, pulling it if allowed. */
public final class ImageStore {
    @FunctionalInterface
    public interface Listener {
        /**
         * Reports the progress so far.
         *
         * @param layersDone how many layers are complete
         * @param layers how many are known so far
         * @param bytesDone how many bytes have arrived, of the layers of known size
         * @param bytes the sum of the sizes known so far
         */
        void fetched(String image, int layersDone, int layers, long bytesDone, long bytes);
    }

    /** A pull that reports no progress for this long is stuck. */
    private static final Duration PULL_TIMEOUT = Duration.ofMinutes(10);

    private static final int BAD_REQUEST = 400;
    private static final String ROOT = "0:0";

    /** Parts of messages with which registries, or engines for them, refuse a login or its absence. */
    private static final List<String> REFUSALS =
            List.of("denied", "unauthorized", "authentication", "no basic auth credentials");

    private final Engine engine;
    private final Listener progress;

    public ImageStore(Engine engine, Listener progress) {
        this.engine = engine;
        this.progress = progress;
    }

    /**
     * Returns once the engine has the image.
     *
     * @param mayPull whether a missing image is pulled
     * @param signal aborts the pull
     * @throws dev.paddock.executor.AbortedException if the signal has aborted
     * @throws SandboxUnavailableException if the image is missing and may not, or cannot, be pulled
     */
    public void require(String image, boolean mayPull, AbortSignal signal) {
        if (find(image).isPresent()) {
            return;
        }
        if (!mayPull) {
            throw unavailable(
                    "the image '" + image + "' is missing from the engine, and the pull policy is 'never'",
                    "Fetch it (" + pullByHand(image) + "), build it, or allow pulling.",
                    false,
                    null);
        }
        pull(image, signal);
    }

    /** Returns the user that a present image sets for its programs; root if it sets none. */
    String userOf(String image) {
        String named = find(image)
                .map(seen -> seen.path("Config").path("User").asText())
                .orElse("");
        return named.isEmpty() ? ROOT : named;
    }

    /** Returns the id of an image, which is the digest of its content; empty if it is not present. */
    Optional<String> idOf(String image) {
        return find(image).map(seen -> seen.path("Id").asText());
    }

    private Optional<JsonNode> find(String image) {
        String name = URLEncoder.encode(image, StandardCharsets.UTF_8).replace("+", "%20");
        try {
            return engine.ask("/images/" + name + "/json");
        } catch (DockerException refusal) {
            if (refusal.getHttpStatus() != BAD_REQUEST) {
                throw refusal;
            }
            throw unavailable(
                    "'" + image + "' is not an image name: " + Engine.message(refusal), "Correct it.", false, refusal);
        }
    }

    private void pull(String image, AbortSignal signal) {
        Progress callback = new Progress(image, progress);
        // Without a tag the engine would pull every tag of the repository.
        String reference =
                image.contains("@") || image.lastIndexOf(':') > image.lastIndexOf('/') ? image : image + ":latest";
        RegistryLogin login = login(reference);
        AbortSignal.Registration abort = signal.onAbort(() -> CloseQuietly.close(callback));
        try (callback) {
            callback.report();
            PullImageCmd pull = engine.client().pullImageCmd(reference);
            login.credentials().ifPresent(pull::withAuthConfig);
            pull.exec(callback);
            callback.awaitEnd();
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw unavailable("interrupted while the image '" + image + "' was fetched", "Try again.", true, interrupt);
        } catch (TimeoutException silence) {
            throw unavailable(
                    "the engine has reported nothing for " + PULL_TIMEOUT.toMinutes()
                            + " min while it fetched the image '" + image + "'",
                    "Try again, or fetch it by hand: " + pullByHand(image),
                    true,
                    silence);
        } catch (IOException | RuntimeException fault) {
            signal.throwIfAborted();
            throw engine.unreachable(fault).orElseGet(() -> failed(image, fault, login));
        } finally {
            abort.close();
        }
        signal.throwIfAborted();
        callback.failure().ifPresent(text -> {
            throw failed(image, text, login, null);
        });
    }

    private RegistryLogin login(String image) {
        try {
            return RegistryLogin.of(engine.config(), image);
        } catch (IOException fault) {
            throw unavailable(
                    "the stored login for the image's registry cannot be read: " + fault.getMessage(),
                    "Repair the docker command's configuration, or fetch the image by hand: " + pullByHand(image),
                    false,
                    fault);
        }
    }

    private SandboxUnavailableException failed(String image, Exception fault, RegistryLogin login) {
        if (fault instanceof SandboxUnavailableException known) {
            return known;
        }
        String text =
                fault instanceof DockerException answer ? Engine.message(answer) : String.valueOf(fault.getMessage());
        return failed(image, text, login, fault);
    }

    private SandboxUnavailableException failed(
            String image, String text, RegistryLogin login, @Nullable Throwable cause) {
        String folded = text.toLowerCase(Locale.ROOT);
        if (REFUSALS.stream().anyMatch(folded::contains)) {
            return unavailable(
                    "the image '" + image + "' may not be fetched, or does not exist: " + text,
                    login.remedy(),
                    false,
                    cause);
        }
        if (folded.contains("not found")
                || folded.contains("manifest unknown")
                || folded.contains("invalid reference")) {
            return unavailable("there is no image '" + image + "': " + text, "Check its name and tag.", false, cause);
        }
        return unavailable(
                "the image '" + image + "' could not be fetched: " + text,
                "Check the network and the registry, or fetch it by hand: " + pullByHand(image),
                true,
                cause);
    }

    private String pullByHand(String image) {
        return engine.program() + " pull " + image;
    }

    private static SandboxUnavailableException unavailable(
            String reason, String remedy, boolean isTransient, @Nullable Throwable cause) {
        SandboxUnavailableException fault =
                new SandboxUnavailableException(Engine.BACKEND, new Availability.Unusable(reason, remedy, isTransient));
        if (cause != null) {
            fault.initCause(cause);
        }
        return fault;
    }

    /** Adds up the progress that the engine reports for each layer. */
    static final class Progress extends ResultCallback.Adapter<PullResponseItem> {
        private record Layer(long done, long total, boolean complete) {}

        private final String image;
        private final Listener listener;
        private final Map<String, Layer> layers = new LinkedHashMap<>();
        private volatile @Nullable String failure;
        private volatile @Nullable Throwable fault;
        private volatile long lastWord = System.nanoTime();

        Progress(String image, Listener listener) {
            this.image = image;
            this.listener = listener;
        }

        java.util.Optional<String> failure() {
            return java.util.Optional.ofNullable(failure);
        }

        /** Waits for the end of the pull, as long as the engine keeps reporting progress. */
        void awaitEnd() throws InterruptedException, TimeoutException, IOException {
            long left = PULL_TIMEOUT.toNanos();
            while (!awaitCompletion(left, TimeUnit.NANOSECONDS)) {
                left = PULL_TIMEOUT.toNanos() - (System.nanoTime() - lastWord);
                if (left <= 0) {
                    throw new TimeoutException("the engine reported no more progress");
                }
            }
            Throwable known = fault;
            if (known instanceof RuntimeException refusal) {
                throw refusal;
            }
            if (known != null) {
                throw new IOException(known);
            }
        }

        /** Replaces the inherited method, which logs an error. */
        @Override
        public void onError(Throwable value) {
            fault = value;
            CloseQuietly.close(this);
        }

        @Override
        public void onNext(PullResponseItem item) {
            lastWord = System.nanoTime();
            if (item.getErrorDetail() != null) {
                failure = String.valueOf(item.getErrorDetail().getMessage());
                return;
            }
            String id = item.getId();
            String status = item.getStatus();
            if (id == null || status == null || status.startsWith("Pulling from")) {
                return;
            }
            Layer before = layers.getOrDefault(id, new Layer(0, 0, false));
            boolean complete = status.equals("Pull complete") || status.equals("Already exists");
            long total = before.total();
            long done = before.done();
            var detail = item.getProgressDetail();
            if (status.equals("Downloading")
                    && detail != null
                    && detail.getTotal() != null
                    && detail.getCurrent() != null) {
                total = detail.getTotal();
                done = detail.getCurrent();
            }
            boolean downloaded = complete || status.equals("Download complete");
            layers.put(id, new Layer(downloaded ? total : done, total, complete));
            report();
        }

        void report() {
            int complete = 0;
            long done = 0;
            long total = 0;
            for (Layer layer : layers.values()) {
                complete += layer.complete() ? 1 : 0;
                done += layer.done();
                total += layer.total();
            }
            listener.fetched(image, complete, layers.size(), done, total);
        }
    }
}
