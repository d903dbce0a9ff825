package dev.paddock.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.policy.SandboxPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class ReportTest {

    /** Returns a report on one backend of each kind, within a width. */
    private static String report(int width) {
        Map<String, Availability> findings = new LinkedHashMap<>();
        findings.put("bwrap", new Availability.Usable("bubblewrap 0.8.0", EnumSet.allOf(Guarantee.class)));
        findings.put(
                "docker",
                new Availability.Unusable(
                        "no engine answers at unix:///var/run/docker.sock, and neither does any other that was tried",
                        "Start the engine, or name it in DOCKER_HOST."));
        findings.put("host", new Availability.Usable("Linux 6.1", Set.of(Guarantee.EXACT_STATUS)));
        findings.put("landlock", new Availability.Usable("Landlock 7", Set.of(Guarantee.WRITE_CONFINED)));
        findings.put("seatbelt", new Availability.Usable("sandbox-exec", Set.of(Guarantee.WRITE_CONFINED)));
        return new Report(width).backends(findings).text();
    }

    @Test
    void readsWellInEightyColumns() {
        String report = report(80);
        assertThat(report.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        assertThat(report).startsWith("""
                bwrap     usable      bubblewrap 0.8.0
                docker    not usable  no engine answers at unix:///var/run/docker.sock, and
                                      neither does any other that was tried
                                      Start the engine, or name it in DOCKER_HOST.
                host      usable      Linux 6.1; no sandbox, used only when named
                landlock  usable      Landlock 7
                seatbelt  usable      sandbox-exec

                What each would guarantee here:      bwrap  host  landlock  seatbelt
                  writes confined to the worktree    yes    -     yes       yes
                """);
    }

    @Test
    void narrowTerminalHasTableForEachGroupOfBackendsThatFits() {
        String report = report(60);
        assertThat(report.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(60));
        assertThat(report).startsWith("""
                bwrap     usable      bubblewrap 0.8.0
                docker    not usable  no engine answers at
                                      unix:///var/run/docker.sock, and
                                      neither does any other that was tried
                                      Start the engine, or name it in
                                      DOCKER_HOST.
                host      usable      Linux 6.1; no sandbox, used only when
                                      named
                landlock  usable      Landlock 7
                seatbelt  usable      sandbox-exec

                What each would guarantee here:      bwrap  host  landlock
                  writes confined to the worktree    yes    -     yes
                """).contains("""

                What each would guarantee here:      seatbelt
                  writes confined to the worktree    yes
                """);
    }

    @Test
    void wideTerminalHasLineForEachReasonAndRemedy() {
        assertThat(report(200)).startsWith("""
                bwrap     usable      bubblewrap 0.8.0
                docker    not usable  no engine answers at unix:///var/run/docker.sock, and neither does any other \
                that was tried
                                      Start the engine, or name it in DOCKER_HOST.
                """);
    }

    @Test
    void everyBackendHasColumnHoweverNarrowTerminal() {
        assertThat(report(20).lines().filter(line -> line.startsWith("What each")))
                .hasSize(4);
    }

    @Test
    void everyGuaranteeHasItsWords() {
        for (Guarantee guarantee : Guarantee.values()) {
            assertThat(Report.promise(guarantee)).isNotBlank().hasSizeLessThanOrEqualTo(34);
        }
    }

    @Test
    void backendThatThrowsOrHangsIsRowAndNoMore() {
        CountDownLatch never = new CountDownLatch(1);
        Map<String, Availability> findings = ProbeResults.probe(
                List.of(
                        provider("throws", () -> {
                            throw new IllegalStateException("broken");
                        }),
                        provider("hangs", () -> {
                            try {
                                never.await();
                            } catch (InterruptedException unexpected) {
                                throw new IllegalStateException(unexpected);
                            }
                            throw new AssertionError("released");
                        }),
                        provider("works", () -> new Availability.Usable("1", Set.of()))),
                Duration.ofSeconds(1),
                Duration.ZERO,
                names -> assertThat(names).containsExactly("hangs"));
        assertThat(findings.get("works")).isEqualTo(new Availability.Usable("1", Set.of()));
        assertThat(findings.get("throws"))
                .isInstanceOfSatisfying(
                        Availability.Unusable.class,
                        unusable -> assertThat(unusable.reason()).contains("broken"));
        assertThat(findings.get("hangs"))
                .isInstanceOfSatisfying(
                        Availability.Unusable.class,
                        unusable -> assertThat(unusable.reason()).isEqualTo("no answer within 1 s"));
    }

    @Test
    void backendThatIsSlowIsProbedOnceMoreAndNotCalledUnusable() {
        Iterator<Availability> answers = List.<Availability>of(
                        new Availability.Unusable("slow", "Wait.", Availability.Outlook.UNDECIDED),
                        new Availability.Usable("1", Set.of()))
                .iterator();
        List<String> probedAgain = new ArrayList<>();
        Map<String, Availability> findings = ProbeResults.probe(
                List.of(
                        provider("slow", answers::next),
                        provider("absent", () -> new Availability.Unusable("absent", "Install it."))),
                Duration.ofMinutes(1),
                Duration.ofMinutes(1),
                probedAgain::addAll);
        assertThat(findings.get("slow")).isEqualTo(new Availability.Usable("1", Set.of()));
        assertThat(probedAgain).containsExactly("slow");
    }

    @Test
    void asJson() {
        assertThat(DoctorCommand.json(
                                Map.of("x", new Availability.Unusable("gone", "Install it.", true)), Optional.empty())
                        .at("/backends/0")
                        .toString())
                .isEqualTo(
                        "{\"name\":\"x\",\"usable\":false,\"reason\":\"gone\",\"remedy\":\"Install it.\",\"transient\":true,\"undecided\":false}");
    }

    private static ExecutorProvider provider(String name, Supplier<Availability> probe) {
        return new ExecutorProvider() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Availability probe() {
                return probe.get();
            }

            @Override
            public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings) {
                throw new UnsupportedOperationException();
            }
        };
    }
}
