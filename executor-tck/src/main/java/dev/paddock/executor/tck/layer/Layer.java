package dev.paddock.executor.tck.layer;

/**
 * Which tests of the suites each run of Paddock's build makes for an executor. The short run proves a clause where it
 * is implemented: those about commands, streams and processes in bubblewrap, for every executor of this
 * machine, and over local channels, for every remote one. Of these clauses the other executors run {@linkplain Selections#SMOKE
 * a few tests}, and every test of what they implement themselves. The full run makes every test once for
 * each backend.
 */
@SuppressWarnings("ImmutableEnumChecker") // the lists of names are copies
public enum Layer {
    /** {@code executor-process}, {@code executor-sandbox}, and what bubblewrap confines. */
    BUBBLEWRAP(Selections.SHARED.and(Selections.OWN), Tests.ALL, Selections.SMOKE.and(Selections.OWN)),
    /** {@code executor-remote}: the shells in containers, in pods and behind ssh. */
    CHANNELS(Selections.SHARED.and(Selections.OWN), Tests.ALL),
    HOST(Selections.SMOKE.and(Selections.OWN), Tests.ALL),
    LANDLOCK(Selections.SMOKE.and(Selections.OWN), Tests.ALL, Selections.SMOKE.and(Selections.OWN)),
    /** It claims nothing. */
    SSH(Selections.SMOKE.and(Selections.PLACES).and("C3_aCanary", "G_the"), Tests.ALL),
    /** Which files are settled is the guard's, as in bubblewrap; that a container's are, is shown by one test. */
    CONTAINER(
            Selections.SMOKE
                    .and(Selections.PLACES)
                    .and(
                            "C3_aCanary",
                            "C11_endsEvery",
                            "G_asFar",
                            "G_CPU",
                            "G_ENV",
                            "G_MEMORY",
                            "G_NETWORK",
                            "G_NO_NEW",
                            "G_PROCESS",
                            "G_PROTECTED_PATHS_onePath",
                            "G_PROTECTED_PATHS_stayAs",
                            "G_READ",
                            "G_SYSCALL",
                            "G_the",
                            "G_UNIX",
                            "G_what",
                            "G_WRITE"),
            Tests.ALL),
    /** As in a container, without what takes several pods. */
    POD(
            Selections.SMOKE
                    .and(Selections.PLACES)
                    .and(
                            "G_asFar",
                            "G_CPU",
                            "G_MEMORY",
                            "G_NO_NEW",
                            "G_PROTECTED_PATHS_onePath",
                            "G_READ",
                            "G_the",
                            "G_UNIX",
                            "G_WRITE"),
            Tests.ALL),
    /** The engine confines, with the settings that Paddock gives it; the guard settles, as in bubblewrap. */
    CONTAINER_ESCAPES(
            Tests.of(
                    "aProcessOfTheHost",
                    "abstractUnixSockets",
                    "datagramPairs",
                    "everyWayToStart",
                    "files",
                    "filtersAreOn",
                    "grantedFiles",
                    "helpers",
                    "kernelSettings",
                    "mounts",
                    "networkOff",
                    "noDescriptor",
                    "noOther",
                    "noPrivileges",
                    "noTerminal",
                    "noUserNamespace",
                    "noWriteSucceeds",
                    "privateState",
                    "temporaryFiles",
                    "unixSockets",
                    "userMapping"),
            Tests.ALL),
    /** The node confines. */
    POD_ESCAPES(
            Tests.of(
                    "aProcessOfTheHost",
                    "abstractUnixSockets",
                    "everyWayToStart",
                    "filesCannotBeCreated",
                    "grantedFiles",
                    "noDescriptor",
                    "noPrivileges",
                    "temporaryFiles"),
            Tests.ALL),
    /** How an executor's end of a command is ordered with the settlement of its worktree. */
    WORKTREE(Selections.ORDER, Tests.ALL, Selections.ORDER.and("honestWork", "nothingPlantedByRandom")),
    /** The same executor in an image with other programs, in full runs. */
    FURTHER_IMAGE(Tests.NONE, Selections.SHARED),
    /** A container or pod that somebody else has made, in full runs: who ends it, and who reaps its orphans. */
    FURTHER_PLACE(
            Tests.NONE, Selections.SMOKE.and(Selections.PLACES).and("C8_", "C9_killEnds", "C9_termReaches", "G_the")),
    /** A pod with a copy of the worktree, in full runs: what comes back, and when. */
    COPY(Tests.NONE, Selections.SMOKE.and(Selections.PLACES).and("C4_", "C18_", "C19_", "G_PROTECTED_PATHS_", "G_the")),
    /** Commands that find no shell waiting, in full runs. */
    COLD(Tests.NONE, Selections.SMOKE.and("C1_", "C2_", "C3_", "C4_", "C5_", "C6_", "C7_", "C20_")),
    /** An executor around another one, whose streams and processes it passes on. */
    WRAPPER(Selections.SMOKE, Selections.SMOKE);

    private final Tests shortRun;
    private final Tests fullRun;
    private final Tests ordinaryUser;

    Layer(Tests shortRun, Tests fullRun) {
        this(shortRun, fullRun, fullRun);
    }

    Layer(Tests shortRun, Tests fullRun, Tests ordinaryUser) {
        this.shortRun = shortRun;
        this.fullRun = fullRun;
        this.ordinaryUser = ordinaryUser;
    }

    /**
     * Returns the tests of a run.
     *
     * @param run short or full
     */
    public Tests in(Run run) {
        return switch (run) {
            case SHORT -> shortRun;
            case FULL -> fullRun;
            case ORDINARY_USER -> ordinaryUser;
        };
    }
}
