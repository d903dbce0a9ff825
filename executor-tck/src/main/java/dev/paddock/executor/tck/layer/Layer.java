package dev.paddock.executor.tck.layer;

/**
 * Selects the tests that each run of Paddock's build executes per executor. The short run tests a clause where it
 * is implemented: those about commands, streams and processes in bubblewrap, for every executor of this
 * machine, and over local channels, for every remote one. Of these clauses the other executors run {@linkplain
 * Selections#SMOKE a few tests}, and every test of what they implement themselves. The full run makes every test in
 * bubblewrap and over local channels; the other executors run more there, and leave to these what they share
 * with them.
 */
@SuppressWarnings("ImmutableEnumChecker") // the lists of names are copies
public enum Layer {
    /** {@code executor-process}, {@code executor-sandbox}, and what bubblewrap confines. */
    BUBBLEWRAP(Selections.SHARED.and(Selections.OWN), Tests.ALL, Selections.SMOKE.and(Selections.OWN)),
    /** {@code executor-remote}: the shells in containers, in pods and behind ssh. */
    CHANNELS(Selections.SHARED.and(Selections.OWN), Tests.ALL),
    HOST(Selections.SMOKE.and(Selections.OWN), Selections.REAPING.and(Selections.OWN)),
    /** The host's executor with another argument list, which one class of {@code executor-process} adds. */
    WRAPPED_PROGRAM(Selections.SMOKE.and(Selections.OWN), Selections.SMOKE.and(Selections.OWN)),
    LANDLOCK(
            Selections.SMOKE.and(Selections.OWN),
            Selections.REAPING.and(Selections.OWN),
            Selections.SMOKE.and(Selections.OWN)),
    /** It claims nothing. */
    SSH(
            Selections.SMOKE
                    .and(Selections.SANDBOX)
                    .and("C3_canary", "G_PROTECTED_PATHS_onePath", "G_PUBLISHED", "G_guarantees"),
            Selections.HOST_CONNECTION),
    /** The guard decides which files are settled, as in bubblewrap; one test shows that this backend uses it. */
    CONTAINER(
            Selections.SMOKE
                    .and(Selections.SANDBOX)
                    .and(
                            "C3_canary",
                            "C11_endsEvery",
                            "G_asFar",
                            "G_CPU",
                            "G_ENV",
                            "G_MEMORY",
                            "G_NO_NEW",
                            "G_PROCESS",
                            "G_PROTECTED_PATHS_onePath",
                            "G_PROTECTED_PATHS_stayAs",
                            "G_PUBLISHED",
                            "G_READ",
                            "G_SYSCALL",
                            "G_guarantees",
                            "G_UNIX",
                            "G_what",
                            "G_WRITE")
                    .and(Selections.NETWORKS),
            Selections.CONNECTION),
    /**
     * As in a container. Tests that need a pod of their own are left out where the shells or the guard keep the
     * promise, in the short run also those that need several pods.
     */
    POD(
            Selections.SMOKE
                    .and(Selections.SANDBOX)
                    .and(
                            "G_asFar",
                            "G_CPU",
                            "G_MEMORY",
                            "G_NO_NEW",
                            "G_PROTECTED_PATHS_onePath",
                            "G_PUBLISHED",
                            "G_READ",
                            "G_guarantees",
                            "G_UNIX",
                            "G_WRITE"),
            Selections.SMOKE
                    .and(Selections.SANDBOX)
                    .and("C6_apart", "C6_closed", "C6_every", "C6_nothing", "C6_output", "C6_reader")
                    .and("C8_", "C11_endsEvery", "C11_idempotent", "C18_", "C20_c", "C20_e", "C20_l", "C20_o")
                    .and("G_PROTECTED_PATHS_onePath", "G_PROTECTED_PATHS_settled")
                    .and(Selections.GUARANTEES)),
    /**
     * The kernel confines. An ordinary user's run leaves out planted files, which the guard settles as for root, and
     * the calls that the filter refuses to everybody.
     */
    ESCAPES(Tests.ALL, Tests.ALL, Selections.CONFINEMENT.and("environmentOf", "procFiles")),
    /**
     * The engine confines, with the settings that Paddock gives it; the guard settles, as in bubblewrap. Its
     * namespaces and its filter are the same for every user of the commands.
     */
    CONTAINER_ESCAPES(Selections.CONFINEMENT, Selections.EVERY_FENCE, Selections.USER_FENCES),
    /** The node confines; the guard settles what is fetched, which {@link #COPY} tests. */
    POD_ESCAPES(Selections.POD_FENCES, Selections.POD_FENCES),
    /** The order of a command's end and the settlement of its worktree. */
    WORKTREE(Selections.ORDER, Tests.ALL, Selections.ORDER),
    /** As in {@link #WORKTREE}; which files are settled is the guard's, as in bubblewrap. */
    FURTHER_WORKTREE(Selections.ORDER, Selections.ORDER),
    /** The host's executor that starts, finds and signals processes by another mechanism, in full runs. */
    FURTHER_LAUNCH(Tests.NONE, Selections.LAUNCH),
    /** The same executor in an image with other programs, in full runs: the tests that use programs there. */
    FURTHER_IMAGE(Tests.NONE, Selections.PROGRAMS),
    /** An existing container, in full runs: its end and the reaping of its orphans. */
    FURTHER_SYSTEM(Tests.NONE, Selections.CARRIED.and(Selections.SANDBOX).and("C8_", "C9_killEnds", "G_guarantees")),
    /** An existing container whose commands start without warm slots, in full runs. */
    COLD_SYSTEM(Tests.NONE, Selections.CARRIED),
    /** An existing pod, in full runs, as in {@link #FURTHER_SYSTEM}; its streams are those of {@link #POD}. */
    FURTHER_POD(
            Tests.NONE,
            Selections.ENDS.and(Selections.SANDBOX).and("C6_bothStreams", "C8_", "C9_termReaches", "G_guarantees")),
    /**
     * An engine of another product, in full runs: the settings that it takes in other forms, so all that is claimed
     * because of them. The sockets of allowed hosts and of published ports are Paddock's own.
     */
    FURTHER_ENGINE(
            Tests.NONE,
            Selections.CARRIED
                    .and(Selections.SANDBOX)
                    .and(
                            "C20_otherwiseAs",
                            "G_asFar",
                            "G_CPU",
                            "G_ENV",
                            "G_MEMORY",
                            "G_NETWORK_ALLOWED_HOSTS_reachesHostByItsName",
                            "G_NETWORK_ALLOWED_HOSTS_reachesOnePort",
                            "G_NETWORK_OFF",
                            "G_NO_NEW",
                            "G_PROCESS",
                            "G_PUBLISHED_PORTS_this",
                            "G_READ",
                            "G_SYSCALL",
                            "G_guarantees",
                            "G_UNIX",
                            "G_what",
                            "G_WRITE")),
    /**
     * The sandbox of a claim, in full runs: how it starts, ends and is lost; its copy is as in {@link #COPY}, and a JVM
     * that is killed leaves it as tests of its own show.
     */
    CLAIM(Tests.NONE, Selections.ENDS.and("C14_", "C15_", "C6_bothStreams", "G_guarantees")),
    /** Files that the suite reaches only where commands run, in full runs: each way to reach one. */
    ELSEWHERE(
            Tests.NONE,
            Tests.of(
                    "C1_whatCannotStart",
                    "C3_canary",
                    "C4_startsInDirectory",
                    "C6_bothStreamsAtOnce",
                    "C6_readerThatStops",
                    "C7_completes",
                    "C8_",
                    "C12_")),
    /**
     * A pod with a copy of the worktree, in full runs: which files are fetched, and when. What stays there, such as a
     * pipe, does not reach the guard; it dies with the JVM as in {@link #POD}.
     */
    COPY(
            Tests.NONE,
            Selections.ENDS
                    .and("C4_starts", "C14_", "C15_", "C18_")
                    .and("G_PROTECTED_PATHS_onePath", "G_PROTECTED_PATHS_settled", "G_guarantees")),
    /** Commands without warm slots, in full runs. */
    COLD(
            Tests.NONE,
            Selections.SMOKE.and(Selections.ENVIRONMENT).and("C1_", "C2_", "C4_", "C5_", "C6_", "C7_", "C20_")),
    /**
     * The suite's own executor, in full runs: it shows that an executor without Paddock's parts can keep the
     * contract.
     */
    REFERENCE(Tests.NONE, Selections.SMOKE.and(Selections.OWN)),
    /** An executor that wraps another one and passes on its streams and processes. */
    WRAPPER(Selections.PASSED_ON, Selections.PASSED_ON);

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
