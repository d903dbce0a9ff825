package dev.paddock.cli;

import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.cli.terminal.ProcessControl;
import dev.paddock.cli.terminal.Streams;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** A caller whose input is empty and whose output nobody reads. */
public final class TestCaller {
    private TestCaller() {}

    public static InvocationContext of(Map<String, String> environment, Path directory) {
        return writingTo(OutputStream.nullOutputStream(), environment, directory);
    }

    public static InvocationContext writingTo(OutputStream out, Map<String, String> environment, Path directory) {
        Streams streams = new Streams(
                InputStream.nullInputStream(), out, OutputStream.nullOutputStream(), StandardCharsets.UTF_8);
        return new InvocationContext(environment, directory, Optional.empty(), streams, ProcessControl.NONE);
    }
}
