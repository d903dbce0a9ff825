package dev.paddock.executor.seatbelt;

import java.util.List;

/** Maps the actions of programs to the operations that the kernel checks against a profile. */
final class Action {
    private Action() {}

    static List<Request> look(String path) {
        return List.of(Request.path("file-read-metadata", path));
    }

    static List<Request> read(String path) {
        return List.of(Request.path("file-read-metadata", path), Request.path("file-read-data", path));
    }

    static List<Request> run(String path) {
        return List.of(
                Request.path("file-read-data", path),
                Request.path("process-exec", path),
                Request.path("file-map-executable", path));
    }

    static List<Request> write(String path) {
        return List.of(Request.path("file-write-data", path));
    }

    static List<Request> make(String path) {
        return List.of(Request.path("file-write-create", path), Request.path("file-write-data", path));
    }

    static List<Request> remove(String path) {
        return List.of(Request.path("file-write-unlink", path));
    }

    static List<Request> changeMode(String path) {
        return List.of(Request.path("file-write-mode", path));
    }

    /** Profiles have no rename operation: the kernel checks a removal and a creation. */
    static List<Request> rename(String from, String to) {
        return List.of(Request.path("file-write-unlink", from), Request.path("file-write-create", to));
    }

    static List<Request> link(String from, String to) {
        return List.of(
                Request.path("file-link", from), Request.path("file-link", to), Request.path("file-write-create", to));
    }

    /** Connects to, or sends a datagram to, an address; the kernel knows the loopback as localhost. */
    static List<Request> connect(String place) {
        return List.of(new Request(
                "network-outbound", Request.Kind.REMOTE_IP, place.replaceFirst("^127\\.0\\.0\\.1:", "localhost:")));
    }

    static List<Request> listen() {
        return List.of(
                new Request("network-bind", Request.Kind.LOCAL_IP, "any"),
                new Request("network-inbound", Request.Kind.LOCAL_IP, "any"));
    }

    /** Connecting to a unix socket is a network operation, not a file operation. */
    static List<Request> connectTo(String socket) {
        return List.of(Request.path("network-outbound", socket));
    }

    static List<Request> sysctl(String name) {
        return List.of(new Request("sysctl-read", Request.Kind.SYSCTL, name));
    }

    static List<Request> service(String name) {
        return List.of(new Request("mach-lookup", Request.Kind.SERVICE, name));
    }

    static List<Request> signal(String target) {
        return List.of(new Request("signal", Request.Kind.TARGET, target));
    }
}
