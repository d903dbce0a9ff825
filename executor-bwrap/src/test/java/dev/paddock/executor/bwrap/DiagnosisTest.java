package dev.paddock.executor.bwrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.Availability;
import dev.paddock.executor.os.posix.NativeObstacle;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DiagnosisTest {

    @ParameterizedTest
    @CsvSource({
        "kernel/unprivileged_userns_clone, 0, sysctl -w kernel.unprivileged_userns_clone=1",
        "user/max_user_namespaces, 0, sysctl -w user.max_user_namespaces=",
        "kernel/apparmor_restrict_unprivileged_userns, 1, AppArmor",
        "kernel/unprivileged_userns_clone, 1, docker run --security-opt",
    })
    void eachCauseHasItsRemedy(String setting, String value, String remedy) {
        Map<String, String> settings = Map.of(setting, value);
        Availability.Unusable unusable = Diagnosis.refused(
                "bwrap: No permissions to create new namespace\n", name -> Optional.ofNullable(settings.get(name)));
        assertThat(unusable.reason()).contains("bwrap: No permissions to create new namespace");
        assertThat(unusable.reason() + unusable.remedy()).contains(remedy);
        assertThat(unusable.outlook()).isEqualTo(Availability.Outlook.PERMANENT);
    }

    @Test
    void failureThatConcernsNoNamespaceIsNotBlamedOnOne() {
        Availability.Unusable unusable =
                Diagnosis.refused("bwrap: Can't mkdir /var/tmp/x: Read-only file system\n", name -> Optional.of("0"));
        assertThat(unusable.reason()).endsWith("Can't mkdir /var/tmp/x: Read-only file system");
        assertThat(unusable.remedy()).doesNotContain("namespaces", "sysctl");
    }

    /** Control: each refusal of {@link #eachCauseHasItsRemedy} is a definite one. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "it was killed, with the status 137",
                "bwrap: Can't fork for pid 1: Resource temporarily unavailable",
                "bwrap: Out of memory: Cannot allocate memory"
            })
    void whatBusyMachineLacksDecidesNothing(String message) {
        assertThat(Diagnosis.refused(message, name -> Optional.of("0")).outlook())
                .isEqualTo(Availability.Outlook.UNDECIDED);
    }

    @Test
    void programThatCannotBeHandedDescriptorsHasItsCause() {
        assertThat(Diagnosis.noNativeLaunch(Optional.of(new NativeObstacle("native access is denied", "Allow it.")))
                        .toString())
                .contains("native access is denied", "Allow it.")
                .doesNotContain("glibc");
    }
}
