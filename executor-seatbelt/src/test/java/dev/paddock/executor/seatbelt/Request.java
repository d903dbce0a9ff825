package dev.paddock.executor.seatbelt;

/**
 * What the kernel asks a profile about.
 *
 * @param operation one operation, no family
 * @param kind what the subject is, by the filters that can tell it
 * @param subject a path, a name, or who is meant
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
