package dev.paddock.executor.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.RunOptions;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the flight recorder's event of each command. */
class FlightEventTest {
    @TempDir
    private Path directory;

    @Test
    @SuppressWarnings("CheckReturnValue")
    void eachCommandIsEventWithoutItsArguments() throws Exception {
        List<RecordedEvent> events;
        try (Recording recording = new Recording();
                HostExecutor executor = HostExecutor.create()) {
            recording.enable("dev.paddock.Command");
            recording.start();
            executor.run("A=b printf hello; printf secret >&2; exit 3", RunOptions.in(directory.toString()));
            executor.run("kill -KILL $$", RunOptions.in(directory.toString()));
            recording.stop();
            Path file = directory.resolve("recording.jfr");
            recording.dump(file);
            // The file has them by the threads that wrote them.
            events = RecordingFile.readAllEvents(file).stream()
                    .sorted(Comparator.comparing(RecordedEvent::getStartTime))
                    .toList();
        }
        assertThat(events).hasSize(2);
        RecordedEvent first = events.get(0);
        assertThat(first.getString("executor")).isEqualTo("host");
        assertThat(first.getString("program")).isEqualTo("printf");
        assertThat(first.getString("status")).isEqualTo("exited");
        assertThat(first.getInt("code")).isEqualTo(3);
        assertThat(first.getLong("output")).isEqualTo("hellosecret".length());
        assertThat(first.getDuration("start")).isPositive();
        assertThat(first.toString()).doesNotContain("secret");
        assertThat(events.get(1).getString("status")).isEqualTo("signaled KILL");
    }
}
