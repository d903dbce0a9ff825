package dev.paddock.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.StubProviders.AlsoBroken;
import dev.paddock.executor.StubProviders.Broken;
import dev.paddock.executor.StubProviders.Down;
import dev.paddock.executor.StubProviders.Fallback;
import dev.paddock.executor.StubProviders.First;
import dev.paddock.executor.StubProviders.Guarantees;
import dev.paddock.executor.StubProviders.NeverChosen;
import dev.paddock.executor.StubProviders.OnlyWithImage;
import dev.paddock.executor.StubProviders.Picky;
import dev.paddock.executor.StubProviders.Refuses;
import dev.paddock.executor.StubProviders.Second;
import dev.paddock.executor.StubProviders.Silent;
import dev.paddock.executor.StubProviders.Slow;
import dev.paddock.executor.StubProviders.Speechless;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which backend is chosen where the user names none or several. */
class ExecutorChoiceTest {
    private static final SandboxPolicy POLICY = SandboxPolicy.unconfined(PathMapping.same(Path.of("/work")));
    private static final ExecutorOptions OPTIONS = ExecutorOptions.of(POLICY);

    @TempDir
    private Path directory;

    private InstalledProviders providers;

    @BeforeEach
    void begin() {
        providers = new InstalledProviders(directory);
    }

    @AfterEach
    void putBack() {
        providers.close();
    }

    private static String firstOf(String names, Map<String, String> settings) {
        return ExecutorProviders.open(names, OPTIONS.settings(settings)).name();
    }

    private static String among(ExecutorProvider... candidates) {
        return ExecutorProviders.auto(List.of(candidates), OPTIONS).name();
    }

    @Test
    void autoTakesUsableBackendWithLowestPriorityNumber() throws Exception {
        providers.install(Second.class, First.class, Broken.class);
        assertThat(ExecutorProviders.auto(POLICY, Map.of()).name()).isEqualTo("made by first");
    }

    @Test
    void executorsThatCannotTellTheirGuaranteesAreDisposedOf() throws Exception {
        providers.install(Speechless.class);
        Speechless.disposed = 0;
        assertThatThrownBy(() -> ExecutorProviders.auto(POLICY, Set.of(Guarantee.TREE_KILL)))
                .isInstanceOf(SandboxLostException.class)
                .hasMessageContaining("its engine is gone");
        assertThat(Speechless.disposed).as("by auto").isEqualTo(1);
        ExecutorOptions observed = ExecutorOptions.of(POLICY).onRelayedConnection(connection -> {});
        assertThatThrownBy(() -> ExecutorProviders.named("speechless").create(observed))
                .isInstanceOf(SandboxLostException.class);
        assertThat(Speechless.disposed).as("by create").isEqualTo(2);
    }

    @Test
    void autoTakesFirstBackendThatHasRequiredGuarantees() throws Exception {
        providers.install(First.class, Second.class, Guarantees.class, Broken.class);
        Guarantees.closed = 0;
        assertThat(ExecutorProviders.auto(POLICY).name()).isEqualTo("made by first");
        assertThat(ExecutorProviders.auto(POLICY, Set.of()).name()).isEqualTo("made by first");
        assertThat(ExecutorProviders.auto(POLICY, Set.of(Guarantee.TREE_KILL)).name())
                .isEqualTo("made by guarantees");
        assertThatThrownBy(() -> ExecutorProviders.auto(POLICY, Set.of(Guarantee.TREE_KILL, Guarantee.NETWORK_OFF)))
                .isInstanceOf(SandboxUnavailableException.class)
                .hasMessageContaining("first: it does not guarantee ")
                .hasMessageContaining("guarantees: it does not guarantee NETWORK_OFF here with this policy")
                .hasMessageContaining("broken: it is broken (Mend it.)");
        assertThat(Guarantees.closed).as("executors that were not good enough").isEqualTo(1);
    }

    /** A backend without a priority, such as the host, is never chosen, even if it is usable. */
    @Test
    void autoNeverTakesBackendWithoutPriority() throws Exception {
        providers.install(NeverChosen.class, Broken.class);
        assertThatThrownBy(() -> ExecutorProviders.auto(POLICY, Map.of()))
                .isInstanceOfSatisfying(SandboxUnavailableException.class, thrown -> {
                    assertThat(thrown.backend()).as("the only one to choose").isEqualTo("broken");
                    assertThat(thrown).hasMessage("broken is not available: it is broken. Mend it.");
                    assertThat(thrown.remedy()).isNotBlank();
                });
    }

    @Test
    void autoNamesEveryBackendThatIsUnusable() throws Exception {
        providers.install(Broken.class, AlsoBroken.class);
        assertThatThrownBy(() -> ExecutorProviders.auto(POLICY, Map.of()))
                .isInstanceOfSatisfying(SandboxUnavailableException.class, thrown -> {
                    assertThat(thrown.backend()).isEqualTo("auto");
                    assertThat(thrown)
                            .hasMessageContaining("broken: it is broken (Mend it.)")
                            .hasMessageContaining("also broken: it is broken (Mend it.)");
                });
    }

    @Test
    void autoWithNothingInstalledSaysSo() throws Exception {
        providers.install(NeverChosen.class);
        assertThatThrownBy(() -> ExecutorProviders.auto(POLICY, Map.of()))
                .isInstanceOf(SandboxUnavailableException.class)
                .hasMessageContaining("no sandbox backend is installed");
    }

    @Test
    void autoNamesSettingsThatNoBackendHas() throws Exception {
        providers.install(NeverChosen.class);
        assertThatThrownBy(() -> ExecutorProviders.auto(POLICY, Map.of("pod", "p", "namespace", "n")))
                .isInstanceOf(SandboxUnavailableException.class)
                .hasMessage("auto is not available: 'auto' chooses no sandbox that has these settings: namespace, pod."
                        + " Name the executor that they belong to, or leave them out.");
    }

    @Test
    void autoDoesNotTryWeakerOneWhenPolicyIsRefused() throws Exception {
        providers.install(Refuses.class, Second.class);
        assertThatThrownBy(() -> ExecutorProviders.auto(POLICY, Map.of()))
                .isInstanceOf(UnsupportedPolicyException.class);
    }

    @Test
    void ofSeveralNamesFirstUsableOneIsTaken() throws Exception {
        providers.install(First.class, Second.class, Broken.class, AlsoBroken.class, NeverChosen.class);
        assertThat(firstOf("broken,second,first", Map.of())).isEqualTo("made by second");
        assertThat(firstOf("zoo, first", Map.of())).isEqualTo("made by zoo");
        assertThat(ExecutorProviders.choose("broken,second", Map.of()).name()).isEqualTo("second");
        assertThatThrownBy(() -> firstOf("also broken,broken", Map.of()))
                .isInstanceOf(SandboxUnavailableException.class)
                .hasMessageContaining("also broken: it is broken (Mend it.); broken: it is broken (Mend it.)");
        assertThatThrownBy(() -> firstOf("broken,third", Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'third'");
    }

    @Test
    void ofSeveralBackendsEachReceivesItsOwnSettings() throws Exception {
        providers.install(Picky.class, OnlyWithImage.class, Broken.class);
        Map<String, String> settings = Map.of("image", "x", "colour", "red");
        assertThat(firstOf("broken,picky,image", settings)).isEqualTo("made by picky");
        assertThat(Picky.received).isEqualTo(Map.of("colour", "red"));
        assertThatThrownBy(() -> firstOf("picky,picky", settings))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("none of the backends picky,picky has the setting 'image'");
    }

    @Test
    void ofGivenCandidatesUsableOneOfBestPriorityIsTakenAndOnesWithoutComeLast() throws Exception {
        providers.install(First.class);
        assertThat(among(new Second(), new NeverChosen(), new Broken())).isEqualTo("made by second");
        assertThat(among(new NeverChosen(), new Broken())).isEqualTo("made by zoo");
        assertThat(among(new NeverChosen())).isEqualTo("made by zoo");
        assertThatThrownBy(ExecutorChoiceTest::among).hasMessageContaining("no sandbox backend is installed");
    }

    /** A machine that is busy gets the sandbox that it gets when it is idle. */
    @Test
    void slowBackendIsGivenMoreTimeAndTaken() {
        assertThat(among(new Slow(), new Second())).isEqualTo("made by slow");
    }

    /** Nothing weaker could take its place, so that a silent engine is reported at once. */
    @Test
    void onlyBackendIsProbedOnce() throws Exception {
        providers.install(Slow.class);
        assertThatThrownBy(() -> ExecutorProviders.auto(POLICY, Map.of()))
                .isInstanceOf(SandboxUnavailableException.class)
                .hasMessage("slow is not available: it did not answer. Wait.");
        providers.install(Slow.class, Second.class);
        assertThat(ExecutorProviders.auto(POLICY, Map.of()).name())
                .as("one of two is given more time")
                .isEqualTo("made by slow");
    }

    @Test
    void inPlaceOfBackendThatDoesNotAnswerNoWeakerOneIsTaken() {
        assertThatThrownBy(() -> among(new Silent(), new Second()))
                .isInstanceOfSatisfying(SandboxUnavailableException.class, thrown -> {
                    assertThat(thrown.isTransient()).isTrue();
                    assertThat(thrown)
                            .hasMessageContaining("did not show whether silent can be used")
                            .hasMessageContaining(
                                    "the second of 30 s, did not show whether silent can be used: its engine is silent; no weaker sandbox")
                            .hasMessageContaining("name the executor")
                            .hasMessageContaining("Restart it.");
                });
        assertThat(among(new Second(), new NeverChosen())).isEqualTo("made by second");
    }

    /** A stopped engine is a definite answer, and starts no longer probe. */
    @Test
    void inPlaceOfEngineThatIsDownNextBackendIsTaken() {
        assertThat(among(new Down(), new Second())).isEqualTo("made by second");
        assertThatThrownBy(() -> among(new Down(), new Broken()))
                .isInstanceOf(SandboxUnavailableException.class)
                .hasMessageContaining("down: its engine is down (Start it.)");
    }

    @Test
    void weakerBackendThanStrongestIsAnnouncedOnce() {
        List<String> logged = new CopyOnWriteArrayList<>();
        Logger log = Logger.getLogger(ExecutorProviders.class.getName());
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord entry) {
                logged.add(entry.getLevel() + " " + entry.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        log.addHandler(handler);
        try {
            assertThat(among(new Fallback(), new Broken())).isEqualTo("made by fallback");
            assertThat(among(new Fallback(), new Broken())).isEqualTo("made by fallback");
            assertThat(among(new Fallback(), new NeverChosen())).isEqualTo("made by fallback");
        } finally {
            log.removeHandler(handler);
        }
        assertThat(logged)
                .containsExactly("WARNING Commands run in fallback, since a preferred sandbox cannot be used here:"
                        + " broken: it is broken (Mend it.). To choose fallback without this message, name it as the"
                        + " executor.");
    }

    /** A later executor of the same backend, which its user names, is in nothing's place. */
    @Test
    void onlyExecutorInPlaceOfPreferredOneSaysWhy() throws Exception {
        providers.install(Broken.class, First.class, Second.class);
        CommandExecutor fallback = ExecutorProviders.open("broken,first", OPTIONS);
        assertThat(new ForwardingExecutor(fallback) {}.fallback())
                .hasValue("Commands run in first, since a preferred sandbox cannot be used here: broken: it is broken"
                        + " (Mend it.).");
        assertThat(ExecutorProviders.open("first", OPTIONS).fallback()).isEmpty();
        assertThat(ExecutorProviders.open("second,first", OPTIONS).fallback()).isEmpty();
    }

    @Test
    void choiceAmongRefusalsIsNotTransient() {
        assertThatThrownBy(() -> among(new Broken(), new AlsoBroken()))
                .isInstanceOfSatisfying(
                        SandboxUnavailableException.class,
                        thrown -> assertThat(thrown.isTransient()).isFalse());
    }

    @Test
    void settingsMayMakeBackendEligible() throws Exception {
        providers.install(OnlyWithImage.class);
        assertThatThrownBy(() -> ExecutorProviders.auto(POLICY, Map.of()))
                .isInstanceOf(SandboxUnavailableException.class);
        assertThat(ExecutorProviders.auto(POLICY, Map.of("image", "x")).name()).isEqualTo("made by image");
    }
}
