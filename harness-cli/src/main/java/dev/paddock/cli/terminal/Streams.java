package dev.paddock.cli.terminal;

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.Charset;

/**
 * The standard streams of one call. The caller owns them; the program closes none.
 *
 * @param in the input; a read may block a daemon thread after the call has returned
 * @param out the output; a write that fails ends the work
 * @param err the messages, and the error output of commands
 * @param charset the encoding of the program's own text on {@code out} and {@code err}
 */
public record Streams(InputStream in, OutputStream out, OutputStream err, Charset charset) {}
