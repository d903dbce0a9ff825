package dev.paddock.harness.acp;

import com.agentclientprotocol.sdk.spec.AcpSchema;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes one text of the blocks of an editor's prompt. */
final class PromptText {
    private static final String FILE = "file://";

    private PromptText() {}

    /**
     * Returns the text.
     *
     * @throws AcpRefusedException if there is none, or a block is of a kind that was not offered
     */
    static String of(List<AcpSchema.ContentBlock> blocks) {
        StringBuilder text = new StringBuilder();
        StringBuilder attached = new StringBuilder();
        for (AcpSchema.ContentBlock block : blocks) {
            if (block instanceof AcpSchema.TextContent part) {
                text.append(given(part.text(), "text"));
            } else if (block instanceof AcpSchema.ResourceLink link) {
                text.append(place(given(link.uri(), "uri")));
            } else if (block instanceof AcpSchema.Resource one
                    && one.resource() instanceof AcpSchema.TextResourceContents contents) {
                String place = place(given(contents.uri(), "uri"));
                text.append(place);
                attached.append("\n\n")
                        .append(place)
                        .append(", as the editor shows it:\n")
                        .append(given(contents.text(), "text"));
            } else {
                throw new AcpRefusedException(
                        AcpRefusedException.Reason.INVALID,
                        "a prompt has text, links and the text of files; images, sound and binary files are not"
                                + " supported: leave them out");
            }
        }
        if (text.toString().isBlank()) {
            throw new AcpRefusedException(AcpRefusedException.Reason.INVALID, "the prompt is empty");
        }
        return text.append(attached).toString();
    }

    private static String given(@Nullable String value, String name) {
        return Optional.ofNullable(value)
                .orElseThrow(() -> new AcpRefusedException(
                        AcpRefusedException.Reason.INVALID, "a block of the prompt has no '" + name + "'"));
    }

    /** Returns the path of a file's address, and what follows it, such as a line; another address as it is. */
    private static String place(String uri) {
        if (!uri.startsWith(FILE)) {
            return uri;
        }
        int mark = uri.indexOf('#');
        int end = mark < 0 ? uri.length() : mark;
        try {
            return Path.of(URI.create(uri.substring(0, end))) + uri.substring(end);
        } catch (IllegalArgumentException notEncoded) {
            return uri.substring(FILE.length());
        }
    }
}
