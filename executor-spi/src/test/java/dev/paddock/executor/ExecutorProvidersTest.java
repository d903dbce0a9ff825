package dev.paddock.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.StubProviders.AlsoFirst;
import dev.paddock.executor.StubProviders.First;
import dev.paddock.executor.StubProviders.NeverChosen;
import dev.paddock.executor.StubProviders.Preloaded;
import dev.paddock.executor.StubProviders.Publishes;
import dev.paddock.executor.StubProviders.Refuses;
import dev.paddock.executor.StubProviders.RunsOnHost;
import dev.paddock.executor.StubProviders.Second;
import dev.paddock.executor.StubProviders.ThrowsWhenMade;
import dev.paddock.executor.StubProviders.ThrowsWhenPreloaded;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests how backends are found, named and opened. */
class ExecutorProvidersTest {
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

    @Test
    void installedAreSortedByName() throws Exception {
        providers.install(Second.class, First.class, NeverChosen.class);
        assertThat(ExecutorProviders.installed())
                .extracting(ExecutorProvider::name)
                .containsExactly("first", "second", "zoo");
    }

    @Test
    void oneThatFailsToLoadIsPassedOver() throws Exception {
        providers.install("no.such.Provider", ThrowsWhenMade.class, First.class);
        assertThat(ExecutorProviders.installed())
                .extracting(ExecutorProvider::name)
                .containsExactly("first");
    }

    @Test
    void preloadingReachesEveryBackendThatCanBeLoaded() throws Exception {
        providers.install("no.such.Provider", ThrowsWhenPreloaded.class, Preloaded.class);
        ExecutorProviders.preload();
        assertThat(Preloaded.loaded).isTrue();
    }

    @Test
    void namedFindsIt() throws Exception {
        providers.install(First.class, Second.class);
        assertThat(ExecutorProviders.named("second")).isInstanceOf(Second.class);
    }

    @Test
    void unknownNameListsWhatThereIs() throws Exception {
        providers.install(First.class, Second.class);
        assertThatThrownBy(() -> ExecutorProviders.named("third"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'third'")
                .hasMessageContaining("first, second");
    }

    @Test
    void nothingInstalledIsReported() throws Exception {
        providers.install();
        assertThatThrownBy(() -> ExecutorProviders.named("first")).hasMessageContaining("installed here: none");
    }

    @Test
    void twoOfOneNameAreError() throws Exception {
        providers.install(First.class, AlsoFirst.class);
        assertThatThrownBy(() -> ExecutorProviders.named("first"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(First.class.getName())
                .hasMessageContaining(AlsoFirst.class.getName());
    }

    @Test
    void openTakesNameOrAuto() throws Exception {
        providers.install(First.class, NeverChosen.class);
        assertThat(ExecutorProviders.open("zoo", OPTIONS).name()).isEqualTo("made by zoo");
        assertThat(ExecutorProviders.open(ExecutorProviders.AUTO, OPTIONS).name())
                .isEqualTo("made by first");
        assertThatThrownBy(() -> ExecutorProviders.open("third", OPTIONS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no backend named 'third'; installed here: first, zoo");
    }

    @Test
    void observerIsRefusedByBackendThatDoesNotReportConnections() throws Exception {
        providers.install(NeverChosen.class);
        ExecutorOptions allowing = ExecutorOptions.of(
                POLICY.toBuilder().network(NetworkPolicy.allow("example.org")).build());
        assertThat(ExecutorProviders.open("zoo", allowing).name())
                .as("control: without an observer")
                .isEqualTo("made by zoo");
        assertThatThrownBy(() -> ExecutorProviders.open("zoo", allowing.onConnection(seen -> {})))
                .isInstanceOf(UnsupportedPolicyException.class)
                .hasMessageContaining("the zoo backend reports no connections")
                .hasMessageContaining("leave them out");
        assertThatThrownBy(() -> ExecutorProviders.open("zoo", allowing.approveHosts((host, port) -> true)))
                .isInstanceOf(UnsupportedPolicyException.class);
    }

    @Test
    void observerIsRefusedByBackendThatPublishesPortsAndDoesNotReportTheirConnections() throws Exception {
        providers.install(Publishes.class, NeverChosen.class);
        ExecutorOptions observed = OPTIONS.onRelayedConnection(seen -> {});
        assertThat(ExecutorProviders.open("harbour", OPTIONS).name())
                .as("control: without an observer")
                .isEqualTo("made by harbour");
        assertThat(ExecutorProviders.open("zoo", observed).name())
                .as("control: a backend that publishes no ports")
                .isEqualTo("made by zoo");
        assertThatThrownBy(() -> ExecutorProviders.open("harbour", observed))
                .isInstanceOf(UnsupportedPolicyException.class)
                .hasMessageContaining("the harbour backend reports no connections");
    }

    @Test
    void inOpenNetworkOnlyObserverOfWhatIsRelayedIsTaken() {
        assertThatThrownBy(() -> OPTIONS.onConnection(seen -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("onRelayedConnection");
        assertThat(OPTIONS.onRelayedConnection(seen -> {}).connections()).isPresent();
    }

    @Test
    void eachObserverReceivesConnection() {
        List<String> seen = new ArrayList<>();
        ExecutorOptions.of(POLICY.toBuilder()
                        .network(NetworkPolicy.allow("example.org"))
                        .build())
                .onConnection(one -> seen.add("first " + one.host()))
                .onConnection(one -> seen.add("second " + one.host()))
                .connections()
                .orElseThrow()
                .accept(HostConnection.builder("example.org").build());
        assertThat(seen).containsExactly("first example.org", "second example.org");
    }

    @Test
    void probeWithPolicyRunsCommandUnderIt() {
        SandboxPolicy existing = SandboxPolicy.unconfined(PathMapping.same(directory));
        assertThat(new RunsOnHost().probe(existing, Map.of())).isEqualTo(new Availability.Usable("runs", Set.of()));
        assertThat(new Refuses().probe(POLICY, Map.of()))
                .isInstanceOfSatisfying(
                        Availability.Unusable.class,
                        unusable -> assertThat(unusable.reason()).isEqualTo("anything"));
    }
}
