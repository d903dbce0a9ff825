package dev.paddock.harness.guest;

import dev.paddock.harness.audit.AuditRecord;
import dev.paddock.harness.bindings.AgentContainer;
import dev.paddock.harness.bindings.ExecPolicy;
import dev.paddock.harness.guest.session.GuestSession;
import dev.paddock.harness.tools.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Provides a project, and a session of guests in QuickJS within bubblewrap. */
@Timeout(value = 180, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class GuestBench {
    /** Without a guest that is started in advance, and that the last run of each test would leave unused. */
    static final GuestOptions OPTIONS = GuestOptions.standard()
            .backend("bwrap", Map.of("warmSlots", "0"))
            .timeout(Duration.ofSeconds(60))
            .warm(0);

    @TempDir
    Path directory;

    final Queue<AuditRecord> records = new ConcurrentLinkedQueue<>();
    volatile boolean auditFails;
    Path root = Path.of("/");
    private Optional<AgentContainer> opened = Optional.empty();
    private Optional<GuestSession> session = Optional.empty();

    @BeforeEach
    void open() throws Exception {
        root = Files.createDirectory(directory.toRealPath().resolve("project"));
        AgentContainer container = AgentContainer.builder(root)
                .exec(ExecPolicy.only(List.of("cat")))
                .audit(record -> {
                    if (auditFails && record.text("scope").equals(Optional.of("exec"))) {
                        throw new StackOverflowError("too deep");
                    }
                    records.add(record);
                })
                .build();
        opened = Optional.of(container);
        session = Optional.of(GuestSession.open(container, OPTIONS));
    }

    @AfterEach
    void close() {
        session.ifPresent(GuestSession::close);
        opened.ifPresent(AgentContainer::close);
    }

    GuestSession guests() {
        return session.orElseThrow();
    }

    void file(String path, String text) throws Exception {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    static Json json(String text) {
        return Json.parse(text);
    }

    GuestException failure(GuestCode code) {
        try {
            guests().run(code);
        } catch (GuestException expected) {
            return expected;
        }
        throw new AssertionError("the code succeeded");
    }
}
