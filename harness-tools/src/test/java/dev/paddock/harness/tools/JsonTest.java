package dev.paddock.harness.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.paddock.harness.tools.text.JsonNodes;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    private static final String ALL_KINDS =
            "{\"b\":[1,-9223372036854775808,2.5,1.0E300,true,null],\"a\":{\"\\\"\\n\\u0001é𝄞\":\"\"},\"c\":{},\"d\":[]}";

    @ParameterizedTest
    @ValueSource(strings = {ALL_KINDS, "3", "\"text\"", "null", "[]", "{}", "18446744073709551615", "-0.0"})
    void textIsReadAndWrittenUnchanged(String text) throws Exception {
        Json read = Json.parse(" " + text + "\n");
        assertThat(read).hasToString(text).isEqualTo(Json.parse(text)).hasSameHashCodeAs(Json.parse(text));
        assertThat(new ObjectMapper().readTree(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {ALL_KINDS, "3", "3000000000", "18446744073709551615", "\"text\"", "null", "[[]]"})
    void treesOfJacksonsAreConvertedBothWays(String text) throws Exception {
        assertThat(JsonNodes.node(Json.parse(text))).isEqualTo(new ObjectMapper().readTree(text));
        assertThat(JsonNodes.json(new ObjectMapper().readTree(text))).isEqualTo(Json.parse(text));
    }

    @Test
    void valuesAreBuiltOfPlainOnes() {
        Json built = Json.object()
                .with("text", "a")
                .with("integers", List.of((byte) 1, (short) 2, 3, 4L, BigInteger.TWO.pow(64)))
                .with("decimals", List.of(0.1f, 0.25))
                .with("none", null)
                .with("map", Map.of("flag", true));
        assertThat(built)
                .hasToString("{\"text\":\"a\",\"integers\":[1,2,3,4,18446744073709551616],\"decimals\":[0.1,0.25],"
                        + "\"none\":null,\"map\":{\"flag\":true}}");
        assertThat(Json.parse(built.toString())).isEqualTo(built);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Json.of(new Object()))
                .withMessageContaining("no JSON");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Json.of(Double.NaN))
                .withMessageContaining("NaN");
        assertThatIllegalArgumentException().isThrownBy(() -> Json.of(Map.of(1, 2)));
    }

    @Test
    void membersAreFoundByTheirKind() {
        Json json = Json.parse("{\"text\":\"a\",\"integer\":3,\"whole\":4.0,\"half\":0.5,\"flag\":true,\"none\":null}");
        assertThat(json.text("text")).contains("a");
        assertThat(json.integer("integer")).hasValue(3);
        assertThat(json.integer("whole")).hasValue(4);
        assertThat(json.number("half")).hasValue(0.5);
        assertThat(json.number("integer")).hasValue(3);
        assertThat(json.flag("flag")).isTrue();
        assertThat(json.get("none")).contains(Json.of(null));
        assertThat(json.text("none")).isEmpty();
        assertThat(json.integer("none")).isEmpty();
        assertThat(json.flag("none")).isFalse();
        assertThat(json.get("absent")).isEmpty();
        assertThat(json.number("absent")).isEmpty();
        assertThat(Json.of("a").get("text")).isEmpty();
    }

    @Test
    void accessorsRejectOtherKinds() {
        Json json = Json.parse("{\"a\":\"1\",\"half\":0.5,\"large\":9223372036854775808}");
        assertThat(json.integer("a")).isEmpty();
        assertThat(json.number("a")).isEmpty();
        assertThat(json.flag("a")).isFalse();
        assertThat(json.text("half")).isEmpty();
        assertThat(json.integer("half")).isEmpty();
        assertThat(json.integer("large")).isEmpty();
        assertThat(json.number("large")).hasValue(0x1p63);
        Json text = Json.of("1");
        assertThatIllegalStateException().isThrownBy(text::integer).withMessageContaining("\"1\"");
        assertThatIllegalStateException().isThrownBy(text::number);
        assertThatIllegalStateException().isThrownBy(text::flag);
        assertThatIllegalStateException().isThrownBy(() -> Json.of(0.5).integer());
        assertThatIllegalStateException()
                .isThrownBy(() -> Json.of(BigInteger.TWO.pow(63)).integer());
        assertThatIllegalStateException().isThrownBy(() -> Json.of(1).text());
        assertThatIllegalStateException().isThrownBy(json::elements);
        assertThatIllegalStateException().isThrownBy(() -> Json.of(1).members());
        assertThatIllegalStateException().isThrownBy(() -> Json.of(1).with("a", 2));
    }

    @Test
    void orderOfMembersIsKeptAndDoesNotCount() {
        Json one = Json.parse("{\"b\":1,\"a\":2}");
        Json other = Json.parse("{\"a\":2,\"b\":1}");
        assertThat(one).isEqualTo(other).hasSameHashCodeAs(other);
        assertThat(one.members().keySet()).containsExactly("b", "a");
        assertThat(one.with("b", 3)).hasToString("{\"b\":3,\"a\":2}");
        assertThat(Json.of(List.of(1, 2))).isNotEqualTo(Json.of(List.of(2, 1)));
        assertThat(Json.of(1)).isNotEqualTo(Json.of(1.0)).isNotEqualTo(Json.of("1"));
    }

    @Test
    void valueIsImmutable() {
        Map<String, Object> map = new LinkedHashMap<>(Map.of("a", 1));
        List<Object> list = new ArrayList<>(List.of(map));
        Json json = Json.of(list);
        map.put("b", 2);
        list.clear();
        assertThat(json).hasToString("[{\"a\":1}]");
        Json first = json.elements().getFirst();
        assertThat(first.with("c", 3)).isNotSameAs(first);
        assertThat(json).hasToString("[{\"a\":1}]");
        assertThatThrownBy(json.elements()::clear).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(first.members()::clear).isInstanceOf(UnsupportedOperationException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | the text has no JSON value",
                "'{\"a\":1' | 'the text is not JSON, at line 1, column'",
                "'{\n\"a\" 1}' | 'the text is not JSON, at line 2, column'",
                "'[1,]' | the text is not JSON",
                "'NaN' | the text is not JSON",
                "'// no\n1' | the text is not JSON",
                "'1 2' | there is more than one JSON value in the text",
                "'{\"a\":1,\"a\":1}' | an object of the JSON has two members 'a'",
                "'1e400' | 'a number of the JSON is too large: 1e400'",
            })
    void parseErrorsHaveOwnMessages(String text, String message) {
        assertThatIllegalArgumentException().isThrownBy(() -> Json.parse(text)).withMessageStartingWith(message);
    }

    @Test
    void sizeIsBounded() {
        String deep = "[".repeat(Json.MAX_DEPTH) + "]".repeat(Json.MAX_DEPTH);
        Json deepest = Json.parse(deep);
        assertThat(deepest).hasToString(deep).isEqualTo(Json.parse(deep));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Json.parse("[" + deep + "]"))
                .withMessage("the JSON nests deeper than 1000 levels");
        assertThatIllegalArgumentException().isThrownBy(() -> Json.of(List.of(deepest)));
        assertThatIllegalArgumentException().isThrownBy(() -> Json.object().with("a", deepest));
        Map<String, Object> endless = new HashMap<>();
        endless.put("again", endless);
        assertThatIllegalArgumentException().isThrownBy(() -> Json.of(endless));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Json.parse("9".repeat(1_001)))
                .withMessage("a number of the JSON has more than 1000 digits");
        assertThat(Json.parse("9".repeat(1_000)).number()).isInfinite();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Json.parse(" ".repeat((1 << 24) + 1)))
                .withMessage("the JSON has 16777217 characters; there may be 16777216");
    }
}
