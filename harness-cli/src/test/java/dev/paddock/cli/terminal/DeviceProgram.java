package dev.paddock.cli.terminal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Changes its terminal as an execution does, and writes to a file the size, and the settings before, between
 * and after, a line each.
 */
public final class DeviceProgram {
    private DeviceProgram() {}

    /**
     * Runs it.
     *
     * @param arguments {@code stty} to use that and nothing else; the file
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        String before = settings();
        TerminalDevice device = arguments[0].equals("stty") ? new TerminalDevice.Stty(before) : TerminalDevice.open();
        device.raw();
        String between = settings();
        device.reset();
        Files.writeString(
                Path.of(arguments[1]),
                String.join(
                        "\n",
                        device.getClass().getSimpleName(),
                        device.size()
                                .map(size -> size.rows() + " " + size.columns())
                                .orElse("none"),
                        before,
                        between,
                        settings()));
    }

    private static String settings() throws IOException, InterruptedException {
        Process stty = new ProcessBuilder("stty", "-g")
                .redirectInput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String settings = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        if (stty.waitFor() != 0) {
            throw new IOException("no terminal");
        }
        return settings.strip();
    }
}
