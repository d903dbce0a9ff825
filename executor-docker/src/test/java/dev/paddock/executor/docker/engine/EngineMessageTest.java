package dev.paddock.executor.docker.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EngineMessageTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            Status 404: {"message":"no such \\"image\\""}                      | no such "image"
            Status 500: {"cause":"no file","message":"no init","response":500} | no init
            {"error":"other"}                                                  | {"error":"other"}
            Status 400: not {JSON                                              | Status 400: not {JSON
            plain                                                              | plain
            """)
    void enginesWordsAreTakenFromItsAnswer(String answer, String words) {
        assertThat(Engine.message(answer)).isEqualTo(words);
    }
}
