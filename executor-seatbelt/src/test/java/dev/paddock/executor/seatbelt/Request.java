package dev.paddock.executor.seatbelt;

/**
 * An operation that the kernel checks against a profile.
 *
 * @param operation one operation, no family
 * @param kind the kind of subject, by the filters that can match it
 * @param subject a path, a name, or the process concerned
 */
record Request(String operation, Kind kind, String subject) {
    enum Kind {
        PATH,
        TARGET,
        SYSCTL,
        SERVICE,
        SHARED_NAME,
        REMOTE_IP,
        LOCAL_IP,
        SOCKET,
        NONE
    }

    static Request path(String operation, String path) {
        return new Request(operation, Kind.PATH, path);
    }

    static Request of(String operation) {
        return new Request(operation, Kind.NONE, "");
    }
}
