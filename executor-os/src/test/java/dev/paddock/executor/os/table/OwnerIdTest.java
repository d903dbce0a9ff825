package dev.paddock.executor.os.table;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** C12: tests that only an owner that is proven dead counts as dead. */
class OwnerIdTest {
    private final OwnerId here = OwnerId.current();

    @Test
    void C12_livingIsNotDead() {
        assertThat(here.provenDead()).isFalse();
    }

    @Test
    void C12_anotherMachineIsNeverProvenDead() {
        assertThat(new OwnerId("a".repeat(32), "b".repeat(32), here.namespace(), 1, 1).provenDead())
                .isFalse();
    }

    @Test
    void C12_anotherNamespaceIsNeverProvenDead() {
        assertThat(new OwnerId(here.machine(), here.boot(), here.namespace() + 1, here.pid(), here.started() + 1)
                        .provenDead())
                .isFalse();
    }

    @Test
    void C12_unknownPartIsNoProof() {
        assertThat(new OwnerId("0", here.boot(), here.namespace(), here.pid(), here.started() + 1).provenDead())
                .isFalse();
        assertThat(new OwnerId(here.machine(), "0", here.namespace(), here.pid(), here.started() + 1).provenDead())
                .isFalse();
        assertThat(new OwnerId(here.machine(), here.boot(), 0, here.pid(), here.started() + 1).provenDead())
                .isFalse();
        assertThat(new OwnerId(here.machine(), here.boot(), here.namespace(), here.pid(), 0).provenDead())
                .isFalse();
    }

    @Test
    void C12_earlierRunOfMachineIsDead() {
        org.junit.jupiter.api.Assumptions.assumeFalse(
                here.machine().equals("0") || here.boot().equals("0"));
        assertThat(new OwnerId(here.machine(), "c".repeat(32), 7, 7, 7).provenDead())
                .isTrue();
    }

    @Test
    void C12_numberThatIsSomebodyElsesNowIsDead() {
        org.junit.jupiter.api.Assumptions.assumeFalse(
                here.machine().equals("0") || here.boot().equals("0"));
        assertThat(new OwnerId(here.machine(), here.boot(), here.namespace(), here.pid(), here.started() + 1)
                        .provenDead())
                .isTrue();
    }

    @Test
    void textReadsBack() {
        assertThat(OwnerId.parse(here.toString())).contains(here);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "1.2.3.4", "1.2.3.4.5.6", "1.2.3.4.g", "1.2.3.4.-5", "1.2.3.4.11111111111111111"})
    void invalidTextIsNoOwnerId(String text) {
        assertThat(OwnerId.parse(text)).isEmpty();
    }
}
