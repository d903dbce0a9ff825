package dev.paddock.harness.tools.web;

import com.sun.net.httpserver.HttpServer;
import dev.paddock.harness.tools.ToolException;
import java.net.UnknownHostException;
import java.util.List;

/** Prints what becomes of requests to an address of the test's namespace, without and with the rule that it needs. */
final class OwnHostProgram {
    private static final String ADDRESS = "8.8.4.4";

    private OwnHostProgram() {}

    public static void main(String[] arguments) throws Exception {
        HttpServer server = HostFetchTest.server(ADDRESS);
        try {
            int port = server.getAddress().getPort();
            for (String option : List.of("", "/private")) {
                System.out.println(answer(HostFetchTest.HOST + ":" + port + option, port));
            }
        } finally {
            server.stop(0);
        }
    }

    private static String answer(String rule, int port) throws UnknownHostException {
        try {
            return String.valueOf(HostFetchTest.status(rule, ADDRESS, port));
        } catch (ToolException refused) {
            return String.valueOf(refused.getMessage());
        }
    }
}
