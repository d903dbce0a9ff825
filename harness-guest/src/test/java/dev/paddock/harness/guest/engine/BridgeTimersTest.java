package dev.paddock.harness.guest.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.dokar.quickjs.QuickJs;
import com.dokar.quickjs.binding.FunctionBinding;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import kotlin.coroutines.EmptyCoroutineContext;
import kotlinx.coroutines.BuildersKt;
import kotlinx.coroutines.Dispatchers;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The timers of the bridge, on a clock that goes on by some milliseconds each time that it is read. */
class BridgeTimersTest {
    private static final long STEP = 3;

    private final AtomicLong clock = new AtomicLong();
    private final List<Long> waits = new ArrayList<>();
    private final List<String> sent = new ArrayList<>();

    @Test
    void timerWhoseTimePassesWhileWaitIsReckonedIsNotWaitedForForEver() throws Exception {
        try (QuickJs engine = QuickJs.Companion.create(Dispatchers.getUnconfined())) {
            define(engine, "now", arguments -> clock.addAndGet(STEP));
            define(engine, "next", arguments -> next(((Number) arguments[0]).longValue()));
            define(engine, "send", arguments -> sent.add(String.valueOf(arguments[0])));
            evaluate(engine, """
                    globalThis.__host = {now, next, send, define: () => {}, resolve: () => {}};
                    Object.defineProperty(globalThis, '__paddock', {value: %s}); 0""".formatted(bridge()));
            evaluate(engine, """
                    __paddock.start(async () => ({run: async () => {
                      for (let i = 0; i < 50; i++) await new Promise((done) => setTimeout(done, i % 10));
                      return 42;
                    }})); 0""");
            while (!Boolean.TRUE.equals(evaluate(engine, "__paddock.turn()"))) {
                assertThat(waits).as("waits for a timer, in ms").allMatch(wait -> wait >= 0);
            }
        }
        assertThat(sent).containsExactly("{\"result\":42}");
        assertThat(waits).as("some waits").isNotEmpty();
    }

    private @Nullable Object next(long wait) {
        if (clock.get() == 0) {
            clock.set(1);
            return "{\"modules\":{},\"imports\":{},\"main\":\"main\",\"exportName\":\"run\",\"vars\":{}}";
        }
        waits.add(wait);
        clock.addAndGet(Math.max(0, wait));
        return null;
    }

    private static void define(QuickJs engine, String name, FunctionBinding<@Nullable Object> function) {
        engine.defineBinding(name, function);
    }

    private static @Nullable Object evaluate(QuickJs engine, String code) throws InterruptedException {
        return BuildersKt.runBlocking(
                EmptyCoroutineContext.INSTANCE,
                (scope, continuation) -> engine.evaluateInternal(code, "test", false, continuation));
    }

    private static String bridge() throws IOException {
        try (InputStream script = GuestMain.class.getResourceAsStream("bridge.js")) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
