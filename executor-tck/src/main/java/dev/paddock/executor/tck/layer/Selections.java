package dev.paddock.executor.tck.layer;

/** The tests that several rows of {@link Layer} name. */
final class Selections {
    /** The clauses with an implementation shared by the local executors, or by the remote ones. */
    static final Tests SHARED = Tests.of(
            "C1_", "C2_", "C3_", "C4_", "C5_", "C6_", "C7_", "C8_", "C9_", "C10_", "C11_", "C13_", "C16_", "C18_",
            "C19_", "C20_");

    /** Whether a sandbox is available, ends with the JVM, and reports its loss. */
    static final Tests LOSS = Tests.of("C12_", "C14_", "C15_");

    /** The tests that depend on the sandbox itself: the above, and the state that its commands share. */
    static final Tests SANDBOX = LOSS.and("C17_");

    /** What each executor implements itself; the first two need another JVM or another sandbox. */
    static final Tests OWN = SANDBOX.and("C3_canaryOfHostsIsNotThere", "C11_endsEveryLiveCommand", "G_");

    /** A few tests per clause, which show that an executor is wired to the shared implementation. */
    static final Tests SMOKE = Tests.of(
            "C1_emptyCommandSucceeds",
            "C1_whatCannotStartRunsNothing",
            "C2_bash",
            "C2_everyCharacterButNulIsExact",
            "C2_longerCommandIsRefused",
            "C3_nothingOfHostsIsThere",
            "C3_optionsLieOverBase",
            "C4_startsInDirectory",
            "C4_missingDirectoryIsRefused",
            "C5_emptyUnlessAskedFor",
            "C5_pipeIsExactAndHasEnd",
            "C6_bothStreamsAtOnce",
            "C6_mergedInWrittenOrder",
            "C7_deathBySignal",
            "C7_lastCommandsStatus",
            "C8_bothStreamsReachTheirEnd",
            "C9_killEndsTree",
            "C10_abortEndsTree",
            "C11_spawnAfterwardsIsRefused",
            "C18_closesNormally",
            "C19_inputOutputAndStatus",
            "C19_timeoutEndsTree",
            "C20_refusedWhereItIsNotClaimed",
            "C20_sizeAskedFor",
            "C20_endOfInput",
            "C20_resizeIsSignalled");

    /** What an executor that wraps another one takes and gives: a test or two for each option, method and stream. */
    static final Tests PASSED_ON = Tests.of(
            "C1_emptyCommandSucceeds",
            "C1_whatCannotStartRunsNothing",
            "C2_bash",
            "C3_optionsLieOverBase",
            "C4_startsInDirectory",
            "C5_pipeIsExactAndHasEnd",
            "C6_bothStreamsAtOnce",
            "C6_mergedInWrittenOrder",
            "C7_lastCommandsStatus",
            "C9_killEndsTree",
            "C10_abortedBeforeSpawn",
            "C11_spawnAfterwardsIsRefused",
            "C18_closesNormally",
            "C19_inputOutputAndStatus",
            "C19_timeoutEndsTree",
            "C20_sizeAskedFor",
            "C20_resizeIsSignalled");

    /**
     * Settlement of every kind of planted file at once; that of each alone, and beside what the guard might fail to
     * examine, is the guard's, alike for every executor.
     */
    static final Tests SETTLEMENT =
            Tests.of("G_PROTECTED_PATHS_onePath", "G_PROTECTED_PATHS_settled", "G_PROTECTED_PATHS_stayAs");

    /** A command runs, and a kill ends it with its processes; an abort signals them in the same way. */
    static final Tests ENDS = Tests.of("C1_emptyCommandSucceeds", "C9_stoppedTreeCanBeKilled");

    /**
     * What a backend decides of a network of allowed hosts: whom else a command reaches, where its own loopback is, and
     * who is told. The rules for names, ports, addresses and bytes are those of one class, as are the sockets.
     */
    static final Tests NETWORKS = Tests.of("G_NETWORK_OFF")
            .and("G_NETWORK_ALLOWED_HOSTS_denies", "G_NETWORK_ALLOWED_HOSTS_leaves")
            .and("G_NETWORK_ALLOWED_HOSTS_reaches", "G_NETWORK_ALLOWED_HOSTS_reports");

    /** What a policy grants and denies, but for protected paths. */
    static final Tests GUARANTEES = Tests.of("G_asFar", "G_CPU", "G_ENV", "G_MEMORY", "G_NO_NEW")
            .and(NETWORKS)
            .and("G_PROCESS", "G_PUBLISHED", "G_READ", "G_SYSCALL", "G_guarantees", "G_UNIX", "G_WRITE");

    /** Everything of a terminal, but for how many may be open, which a connection's other commands show. */
    static final Tests TERMINALS = Tests.of("C20_a", "C20_c", "C20_e", "C20_i", "C20_k", "C20_l", "C20_n")
            .and("C20_o", "C20_r", "C20_s");

    /**
     * What a backend adds to the shells of {@code executor-remote}: a connection that carries bytes, sizes and ends,
     * and a container or pod.
     */
    static final Tests CONNECTION = SMOKE.and(SANDBOX)
            .and("C1_", "C3_canary", "C5_", "C6_", "C8_", "C9_signals")
            .and("C10_abortDuring", "C11_eachOf", "C11_ends", "C11_idempotent", "C11_underLoad")
            .and("C13_many", "C13_sixtyFour", "C16_", "C18_")
            .and(TERMINALS)
            .and(SETTLEMENT)
            .and(GUARANTEES)
            .and("G_what");

    /** What a command finds in its environment, without another JVM. */
    static final Tests ENVIRONMENT = Tests.of("C3_longValue", "C3_no", "C3_o", "C3_same", "C3_va");

    /**
     * What ssh adds to them: a connection to a host whose shell and programs are those of the local channels, and
     * which passes a command's words.
     */
    static final Tests HOST_CONNECTION = SMOKE.and(SANDBOX)
            .and("C1_", "C2_", "C3_canary", "C5_", "C6_", "C10_abortDuring", "C11_", "C13_", "C16_", "C18_", "C20_")
            .and("G_PROTECTED_PATHS_onePath", "G_PUBLISHED", "G_guarantees");

    /**
     * One test for each thing that a backend carries for a command: its words, directory, streams, status and signals,
     * and its terminal.
     */
    static final Tests CARRIED = Tests.of(
            "C1_emptyCommandSucceeds",
            "C1_whatCannotStartRunsNothing",
            "C3_nothingOfHostsIsThere",
            "C3_optionsLieOverBase",
            "C4_startsInDirectory",
            "C5_pipeIsExactAndHasEnd",
            "C6_bothStreamsAtOnce",
            "C7_deathBySignal",
            "C8_bothStreamsReachTheirEnd",
            "C9_daemonThatClosedItsDescriptors",
            "C9_stoppedTreeCanBeKilled",
            "C10_stoppedTreeIsEndedToo",
            "C11_spawnAfterwardsIsRefused",
            "C20_sizeAskedFor",
            "C20_endOfInput",
            "C20_resizeIsSignalled");

    /**
     * What the remote shells find, signal and end with the programs of their image, and what passes their shell's
     * words.
     */
    static final Tests PROGRAMS = CARRIED.and("C2_", "C4_", "C7_", "C8_", "C9_")
            .and("C3_longValue", "C3_noValue", "C3_oneMarker", "C3_sameWarm", "C3_variable")
            .and("C10_abortEnds", "C10_programHas", "C10_statusIs", "C16_");

    /** Settlement follows the exit of every process of a command, however the command ends. */
    static final Tests ORDER = Tests.of("disposalLeaves", "abortLeaves", "killLeaves", "exitLeaves");

    /** A few attempts at each kind of confinement by the kernel. */
    static final Tests CONFINEMENT = Tests.of(
            "processOfHost",
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
            "userMapping");

    /** Every escape except planted files, which the guard settles in the same way for every executor. */
    static final Tests EVERY_FENCE = CONFINEMENT.and(
            "allowedHosts",
            "callIs",
            "commandsDirectory",
            "descriptor",
            "environmentOf",
            "procFiles",
            "programsOf",
            "setUserId");

    /** What a container's confinement could owe to the user of its commands: files, processes and privileges. */
    static final Tests USER_FENCES = Tests.of(
            "processOfHost",
            "filesCannotBe",
            "filtersAreOn",
            "grantedFiles",
            "mounts",
            "noPrivileges",
            "noUserNamespace",
            "privateState",
            "setUserId",
            "temporaryFiles",
            "unixSockets",
            "userMapping");

    /** A few attempts at the confinement of a pod by its node. */
    static final Tests POD_FENCES = Tests.of(
            "processOfHost",
            "abstractUnixSockets",
            "everyWayToStart",
            "filesCannotBeCreated",
            "grantedFiles",
            "noDescriptor",
            "noPrivileges",
            "temporaryFiles");

    /** How a sandbox ends, and how processes are reaped that have lost their parent there. */
    static final Tests REAPING = SMOKE.and(SANDBOX).and("C8_", "C9_killEnds", "C9_termReaches", "G_guarantees");

    /** What an executor of this machine does when it starts, feeds, finds and signals processes. */
    static final Tests LAUNCH = REAPING.and("C1_", "C5_", "C7_", "C9_", "C10_abort", "C16_");

    private Selections() {}
}
