package dev.paddock.executor.tck.layer;

/** The tests that several rows of {@link Layer} name. */
final class Selections {
    /** The clauses with an implementation shared by the local executors, or by the remote ones. */
    static final Tests SHARED = Tests.of(
            "C1_", "C2_", "C3_", "C4_", "C5_", "C6_", "C7_", "C8_", "C9_", "C10_", "C11_", "C13_", "C16_", "C18_",
            "C19_", "C20_");

    /** Tests that depend on where commands run: death, availability, loss and shared state. */
    static final Tests PLACES = Tests.of("C12_", "C14_", "C15_", "C17_");

    /** What each executor implements itself; the first two need another JVM or another sandbox. */
    static final Tests OWN = PLACES.and("C3_canaryOfHostsIsNotThere", "C11_endsEveryLiveCommand", "G_");

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

    /** Settlement follows the exit of every process of a command, however the command ends. */
    static final Tests ORDER = Tests.of("disposalLeaves", "abortLeaves", "killLeaves", "exitLeaves");

    /** A few attempts at each fence of the kernel. */
    static final Tests CONFINEMENT = Tests.of(
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
            "userMapping");

    /** Every escape but the planted files, which the guard settles alike for every executor. */
    static final Tests EVERY_FENCE = CONFINEMENT.and(
            "allowedHosts",
            "callIs",
            "commandsDirectory",
            "descriptor",
            "environmentOf",
            "procFiles",
            "programsOf",
            "setUserId");

    /** How a place ends, and how processes are reaped that have lost their parent there. */
    static final Tests REAPING = SMOKE.and(PLACES).and("C8_", "C9_killEnds", "C9_termReaches", "G_guarantees");

    private Selections() {}
}
