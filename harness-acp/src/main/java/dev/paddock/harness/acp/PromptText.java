package dev.paddock.harness.acp;

import com.agentclientprotocol.sdk.spec.AcpSchema;
import java.util.List;
import java.util.Optional;

/** Makes one text of the blocks of an editor's prompt. */
final class PromptText {
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
                text.append(part.text());
            } else if (block instanceof AcpSchema.ResourceLink link) {
                text.append(place(link.uri()));
            } else if (block instanceof AcpSchema.Resource one
                    && one.resource() instanceof AcpSchema.TextResourceContents contents) {
                text.append(place(contents.uri()));
                attached.append("\n\n")
                        .append(place(contents.uri()))
                        .append(", as the editor shows it:\n")
                        .append(contents.text());
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

    private static String place(String uri) {
        return Optional.ofNullable(uri)
                .map(given -> given.startsWith("file://") ? given.substring("file://".length()) : given)
                .orElse("");
    }
}
