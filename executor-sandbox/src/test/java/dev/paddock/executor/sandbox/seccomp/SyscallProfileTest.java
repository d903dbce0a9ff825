package dev.paddock.executor.sandbox.seccomp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.os.posix.Architecture;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the profile as a whole, and that it denies the same calls as the program. */
class SyscallProfileTest {
    private static final Set<FilterOption> CONTAINER = EnumSet.complementOf(EnumSet.of(FilterOption.UNCOMMON_CALLS));
    private static final int ALLOW = 0x7FFF0000;
    private static final int ERRNO = 0x00050000;

    @Test
    void profileOfContainersIsRecordedText() throws IOException {
        try (InputStream expected =
                Objects.requireNonNull(SyscallProfileTest.class.getResourceAsStream("container-profile.json"))) {
            assertThat(SyscallProfile.json(CONTAINER))
                    .isEqualTo(new String(expected.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    /**
     * Tests every call of the list and some others, with all combinations of the arguments
     * that a rule depends on.
     */
    @ParameterizedTest
    @EnumSource
    void profileDecidesAsProgramDoes(Architecture architecture) {
        BpfMachine program = new BpfMachine(SyscallFilter.compile(architecture, CONTAINER));
        List<Rule> rules = Rule.of(SyscallProfile.json(CONTAINER));
        long above = 1L << 32;
        long[] values = {
            0,
            1,
            2,
            3,
            4,
            5,
            8,
            10,
            11,
            16,
            17,
            38,
            40,
            1 << 11 | 2,
            0x80,
            0100,
            0x200,
            04000,
            04755,
            0x5411,
            0x5412,
            0x541B,
            0x541C,
            0x541D,
            0x20000,
            0x20008,
            0x40000,
            020000000,
            0x10000000,
            0x7E020000,
            0x80000000L,
            0xFFFFFFFFL,
            above,
            0x5412 | above,
            1 | above
        };
        for (Syscall call : Syscall.values()) {
            int number = call.number(architecture);
            if (number == Syscall.NONE) {
                continue;
            }
            List<Rule> ofCall = Rule.of(rules, call.symbol());
            for (long first : values) {
                for (long second : values) {
                    for (long third : new long[] {0, 1, 15, 0100, 04000, 020000000, above}) {
                        for (long fourth : new long[] {0, 04755}) {
                            int said = Rule.verdict(ofCall, first, second, third, fourth);
                            int denied = program.run(architecture.auditNumber(), number, first, second, third, fourth);
                            if (said != denied) { // a million assertions would take longer than all else
                                assertThat(said)
                                        .as("%s %#x %#x %#x %#x", call, first, second, third, fourth)
                                        .isEqualTo(denied);
                            }
                        }
                    }
                }
            }
        }
        assertThat(Rule.of(rules, "read")).isEmpty();
    }

    @Test
    void rulesThatProfileCannotExpressAreRefused() {
        assertThatThrownBy(() -> SyscallProfile.json(EnumSet.of(FilterOption.IP_SOCKETS)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("limits");
    }

    /**
     * A rule as an engine reads it: the call is denied if all comparisons hold, of 64 bits each.
     */
    private record Rule(Set<String> names, int error, List<long[]> comparisons) {
        private static final Pattern LINE =
                Pattern.compile("\\{\"names\": \\[(.*?)], \"action\": \"SCMP_ACT_ERRNO\", \"errnoRet\": (\\d+)(.*)}");
        private static final Pattern COMPARISON = Pattern.compile(
                "\\{\"index\": (\\d), \"op\": \"SCMP_CMP_MASKED_EQ\", \"value\": (\\d+), \"valueTwo\": (\\d+)}");

        static List<Rule> of(String profile) {
            assertThat(profile).contains("\"defaultAction\": \"SCMP_ACT_ALLOW\"");
            return profile.lines()
                    .map(LINE::matcher)
                    .filter(Matcher::find)
                    .map(line -> new Rule(
                            Set.of(line.group(1).replace("\"", "").split(", ", -1)),
                            Integer.parseInt(line.group(2)),
                            COMPARISON
                                    .matcher(line.group(3))
                                    .results()
                                    .map(found -> new long[] {
                                        Long.parseLong(found.group(1)),
                                        Long.parseLong(found.group(2)),
                                        Long.parseLong(found.group(3))
                                    })
                                    .toList()))
                    .toList();
        }

        static List<Rule> of(List<Rule> rules, String call) {
            return rules.stream()
                    .filter(rule -> rule.names.contains(call.toLowerCase(Locale.ROOT)))
                    .toList();
        }

        static int verdict(List<Rule> rules, long... arguments) {
            for (Rule rule : rules) {
                if (rule.holds(arguments)) {
                    return ERRNO | rule.error;
                }
            }
            return ALLOW;
        }

        private boolean holds(long... arguments) {
            for (long[] comparison : comparisons) {
                if ((arguments[(int) comparison[0]] & comparison[1]) != comparison[2]) {
                    return false;
                }
            }
            return true;
        }
    }
}
