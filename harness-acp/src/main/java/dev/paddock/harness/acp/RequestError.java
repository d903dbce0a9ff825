package dev.paddock.harness.acp;

import com.agentclientprotocol.sdk.error.AcpProtocolException;

/** An error of the protocol, with the message alone: the library's own begins with the code. */
final class RequestError extends AcpProtocolException {
    private static final long serialVersionUID = 1;

    private final String text;

    RequestError(int code, String text) {
        super(code, text);
        this.text = text;
    }

    @Override
    public String getMessage() {
        return text;
    }
}
