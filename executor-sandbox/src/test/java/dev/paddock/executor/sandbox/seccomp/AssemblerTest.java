package dev.paddock.executor.sandbox.seccomp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.sandbox.seccomp.Assembler.Condition;
import dev.paddock.executor.sandbox.seccomp.Assembler.Label;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class AssemblerTest {

    private final Assembler program = new Assembler();

    @Test
    void encodesInstructionsAsKernelReadsThem() {
        Label deny = program.label("deny");
        program.load(16)
                .and(15)
                .jumpIf(Condition.EQUAL, 7, deny)
                .jumpUnless(Condition.ANY_BIT_OF, 0x80000000, deny)
                .jumpIf(Condition.GREATER_OR_EQUAL, 3, deny)
                .returning(0x7fff0000)
                .place(deny)
                .returning(0x50001);
        assertThat(program.assemble())
                .isEqualTo(HexFormat.of()
                        .parseHex(""
                                + "2000000010000000"
                                + "540000000f000000"
                                + "1500030007000000"
                                + "4500000200000080"
                                + "3500010003000000"
                                + "060000000000ff7f"
                                + "0600000001000500"));
    }

    @Test
    void jumpReaches255InstructionsAndNoFarther() {
        Label far = program.label("far");
        program.load(0).jumpIf(Condition.EQUAL, 1, far);
        for (int i = 0; i < 255; i++) {
            program.and(-1);
        }
        program.place(far).returning(0);
        assertThat(program.assemble()[8 + 2]).isEqualTo((byte) 255);

        Assembler longer = new Assembler();
        Label farther = longer.label("farther");
        longer.load(0).jumpIf(Condition.EQUAL, 1, farther);
        for (int i = 0; i < 256; i++) {
            longer.and(-1);
        }
        longer.place(farther).returning(0);
        assertThatThrownBy(longer::assemble)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the jump from instruction 1 to farther does not fit: 256");
    }

    @Test
    void jumpGoesForward() {
        Label back = program.label("back");
        program.place(back).load(0).jumpIf(Condition.EQUAL, 1, back).returning(0);
        assertThatThrownBy(program::assemble).hasMessage("the jump from instruction 1 to back does not fit: -2");
    }

    @Test
    void labelIsPlacedOnceAndNoMore() {
        Label label = program.label("here");
        program.place(label).returning(0);
        assertThatThrownBy(() -> program.place(label)).hasMessage("the label here is placed twice");

        Assembler other = new Assembler();
        other.jumpIf(Condition.EQUAL, 1, other.label("nowhere")).returning(0);
        assertThatThrownBy(other::assemble).hasMessage("the label nowhere was never placed");
    }

    @Test
    void programEndsWithReturn() {
        assertThatThrownBy(program::assemble).hasMessage("a program has 1 to 4096 instructions, not 0");
        program.load(0);
        assertThatThrownBy(program::assemble).hasMessage("the program runs over its end");
    }

    @Test
    void jumpStaysInProgram() {
        Label end = program.label("end");
        program.jumpIf(Condition.EQUAL, 1, end).returning(0).place(end);
        assertThatThrownBy(program::assemble).hasMessage("the jump from instruction 0 to end leaves the program");
    }

    @Test
    void programIsNoLongerThanKernelTakes() {
        for (int i = 0; i <= Assembler.MAX_INSTRUCTIONS; i++) {
            program.returning(0);
        }
        assertThatThrownBy(program::assemble).hasMessage("a program has 1 to 4096 instructions, not 4097");
    }
}
