package dev.paddock.harness.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.harness.tools.ToolResult;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EncodingTest extends FileToolTest {
    private static final String MARK = "\ufeff";

    private Path put(String path, String text, String charset) throws IOException {
        return Files.write(bench.worktree.resolve(path), text.getBytes(Charset.forName(charset)));
    }

    private String get(String path, String charset) throws IOException {
        return new String(Files.readAllBytes(bench.worktree.resolve(path)), Charset.forName(charset));
    }

    private ToolResult edit(String path, String old, String fresh) {
        return bench.call("edit", "path", path, "old_string", old, "new_string", fresh);
    }

    @ParameterizedTest
    @CsvSource({
        "windows-1252, Größe und Maße: Übergang für Äpfel, Maße, Füße",
        "windows-1252, // été à la plage – 5 €, été, hiver à Nîmes",
        "windows-1251, 'Привет, мир. Это комментарий в файле', мир, друг",
        "KOI8-R, 'Привет, мир. Это комментарий в файле', мир, друг",
        "ISO-8859-7, Καλημέρα κόσμε, κόσμε, φίλε",
        "windows-31j, 日本語のコメントです。ソフト～①, ソフト, 表示",
        "EUC-JP, 日本語のコメントです。ソフト, ソフト, 表示",
        "GB18030, 这是一个中文注释，用于测试, 用于测试, 😀",
        "Big5, 這是一個中文註釋，用於測試, 測試, 功能",
        "EUC-KR, 한국어 주석입니다, 주석, 문서",
    })
    void fileKeepsItsEncodingAndItsLineEnds(String charset, String line, String old, String fresh) throws IOException {
        String text = "first();\r\n" + line + "\r\nlast();\r\n";
        put("a", text, charset);

        ToolResult read = bench.call("read", "path", "a");
        assertThat(read.isError()).as(read.text()).isFalse();
        assertThat(read.text()).contains("     2\t" + line, "The file is in ", "end with CR LF");

        ToolResult edited = edit("a", old, fresh);
        assertThat(edited.text()).startsWith("Edited a at line 2, in ");
        assertThat(get("a", charset)).isEqualTo(text.replace(old, fresh));
        assertThat(edited.details().text("diff").orElseThrow()).contains("+" + line.replace(old, fresh));

        put("a", text, charset);
        ToolResult written = bench.call("write", "path", "a", "content", line + "\n" + fresh + "\n");
        assertThat(written.text()).startsWith("Replaced a: wrote ").contains(", as ", "with CR LF line ends");
        assertThat(get("a", charset)).isEqualTo(line + "\r\n" + fresh + "\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16LE", "UTF-16BE", "UTF-8"})
    void byteOrderMarkStays(String charset) throws IOException {
        put("a", MARK + "größe\n€😀\n", charset);
        assertThat(bench.call("read", "path", "a").text()).startsWith("     1\tgröße\n     2\t€😀");
        assertThat(edit("a", "größe\n€", "\n日本").isError()).isFalse();
        assertThat(get("a", charset)).isEqualTo(MARK + "\n日本😀\n");
        assertThat(bench.call("write", "path", "a", "content", "ä\n").text()).contains("with a byte order mark");
        assertThat(get("a", charset)).isEqualTo(MARK + "ä\n");
    }

    @Test
    void characterThatEncodingLacksIsErrorAndNothingIsWritten() throws IOException {
        put("a", "été à la plage\n", "windows-1252");
        String refusal = "contains 'ą' (U+0105), which windows-1252, the file's encoding, does not have. Nothing was";
        assertRefused(edit("a", "plage", "ąż"), "new_string " + refusal);
        assertRefused(bench.call("write", "path", "a", "content", "ąż"), "content " + refusal);
        assertThat(get("a", "windows-1252")).isEqualTo("été à la plage\n");
    }

    @Test
    void namedEncodingIsTakenInPlaceOfDetectedOne() throws IOException {
        put("a", "Zażółć gęślą jaźń\n", "windows-1250");
        assertThat(bench.call("read", "path", "a", "encoding", "windows-1250").text())
                .startsWith("     1\tZażółć gęślą jaźń\n");
        assertThat(bench.call("edit", "path", "a", "old_string", "jaźń", "new_string", "ł", "encoding", "windows-1250")
                        .isError())
                .isFalse();
        assertThat(get("a", "windows-1250")).isEqualTo("Zażółć gęślą ł\n");
        bench.call("write", "path", "new", "content", "ł", "encoding", "UTF-16");
        assertThat(get("new", "UTF-16LE")).isEqualTo(MARK + "ł");
        bench.call("write", "path", "new", "content", "é", "encoding", "ISO-8859-1");
        assertThat(get("new", "ISO-8859-1")).isEqualTo("é");
        for (String name : List.of("no such", "klingon", "ISO-2022-JP", "JIS", "x-windows-50220")) {
            assertRefused(bench.call("read", "path", "a", "encoding", name), "'" + name + "' is not supported");
        }
        assertRefused(bench.call("read", "path", "a", "encoding", "UTF-16LE"), "not valid UTF-16LE");
    }

    @Test
    void fewBrokenBytesDoNotMakeUtf8AnotherEncoding() throws IOException {
        byte[] text = "größer, höher, weiter: \u0000 \n".replace('\u0000', 'X').getBytes(StandardCharsets.UTF_8);
        text[text.length - 3] = (byte) 0xff;
        Files.write(bench.worktree.resolve("a"), text);
        assertThat(bench.call("read", "path", "a").text()).contains("größer", "Not valid UTF-8 on 1 line");
        assertThat(edit("a", "höher", "tiefer ü").text()).isEqualTo("Edited a at line 1");
        byte[] changed = Files.readAllBytes(bench.worktree.resolve("a"));
        assertThat(Arrays.copyOf(changed, changed.length - 3))
                .isEqualTo("größer, tiefer ü, weiter: ".getBytes(StandardCharsets.UTF_8));
        assertThat(changed[changed.length - 3]).isEqualTo((byte) 0xff);
    }

    @Test
    void writeRefusesCharactersWhereEncodingIsNotKnown() throws IOException {
        byte[] unknown = {(byte) 0x81, (byte) 0x8d, '\r', '\n', 'o', 'k', '\r', '\n'};
        Path file = Files.write(bench.worktree.resolve("a"), unknown);

        assertRefused(bench.call("write", "path", "a", "content", "né\n"), "its encoding is not known");
        assertThat(file).hasBinaryContent(unknown);

        assertThat(bench.call("write", "path", "a", "content", "ok\n").text())
                .endsWith(", as ASCII with CR LF line ends: the encoding of the old content is not known");
        assertThat(file).hasBinaryContent(new byte[] {'o', 'k', '\r', '\n'});

        Files.write(file, unknown);
        assertThat(bench.call("write", "path", "a", "content", "né\n", "encoding", "UTF-8")
                        .isError())
                .isFalse();
        assertThat(get("a", "UTF-8")).isEqualTo("né\r\n");
    }

    /** Only the beginning of a large file is read, and may end within a character. */
    @ParameterizedTest
    @CsvSource({"UTF-8, é", "GB18030, 这是一个中文注释，用于测试", "windows-31j, 日本語のコメントです", "UTF-16LE, 😀"})
    void writeKeepsEncodingOfLargeFile(String charset, String character) throws IOException {
        for (int offset = 0; offset < 2; offset++) {
            String start = (charset.startsWith("UTF-16") ? MARK : "") + "x".repeat(offset);
            int bytes = character.getBytes(Charset.forName(charset)).length;
            put("a", start + character.repeat((11 << 20) / bytes) + "\n", charset);
            ToolResult written = bench.call("write", "path", "a", "content", character + "\n");
            assertThat(written.isError()).as(written.text()).isFalse();
            assertThat(get("a", charset)).endsWith(character + "\n");
        }
    }

    /** Two letters for tones have one code together: between two replacements it would be made, or split. */
    @ParameterizedTest
    @CsvSource({"-˩-˥-, -, ''", ".˩˥.˩˥., ˥, x"})
    void changeThatWouldJoinOrSplitCharactersIsRefused(String text, String old, String fresh) throws IOException {
        String charset = "x-SJIS_0213";
        byte[] before = text.getBytes(Charset.forName(charset));
        Files.write(bench.worktree.resolve("a"), before);
        Object[] arguments = {"path", "a", "old_string", old, "new_string", fresh, "replace_all", true};
        assertRefused(bench.call("edit", with(arguments, "encoding", charset)), "would alter other bytes");
        assertThat(bench.worktree.resolve("a")).hasBinaryContent(before);
    }

    /** Whatever a file holds: what an edit does not name stays, byte for byte, or nothing is written. */
    @Test
    void noEditChangesAnyOtherByte() throws IOException {
        Random random = new Random(7);
        List<String> charsets = List.of(
                "UTF-8",
                "windows-1252",
                "windows-1251",
                "windows-31j",
                "EUC-JP",
                "GB18030",
                "Big5",
                "EUC-KR",
                "UTF-16LE",
                "UTF-16BE",
                "ISO-8859-7",
                "IBM866",
                "windows-1250",
                "KOI8-R",
                "Big5-HKSCS",
                "x-SJIS_0213");
        int written = 0;
        for (int round = 0; round < 600; round++) {
            String charset = charsets.get(random.nextInt(charsets.size()));
            byte[][] kept = new byte[2 + random.nextInt(3)][];
            for (int i = 0; i < kept.length; i++) {
                kept[i] = some(random, charset, i == 0);
            }
            String fresh =
                    random.nextBoolean() ? random.nextBoolean() ? "x" : "" : random.nextBoolean() ? "é日" : "мир\n";
            Path file = bench.worktree.resolve("a");
            byte[] before = joined("<here>".getBytes(Charset.forName(charset)), kept);
            Files.write(file, before);
            Object[] arguments = {
                "path", "a", "old_string", "<here>", "new_string", fresh, "replace_all", kept.length > 2
            };
            ToolResult result = random.nextInt(4) == 0
                    ? bench.call("edit", with(arguments, "encoding", charset))
                    : bench.call("edit", arguments);
            byte[] after = Files.readAllBytes(file);
            if (result.isError()) {
                assertThat(after).as(result.text()).isEqualTo(before);
                continue;
            }
            written++;
            int total = Arrays.stream(kept).mapToInt(part -> part.length).sum();
            int each = (after.length - total) / (kept.length - 1);
            assertThat(after.length).isEqualTo(total + each * (kept.length - 1));
            byte[] put = Arrays.copyOfRange(after, kept[0].length, kept[0].length + each);
            assertThat(after).as(charset + ": " + result.text()).isEqualTo(joined(put, kept));
        }
        assertThat(written).isGreaterThan(120);
    }

    private static Object[] with(Object[] arguments, Object... more) {
        return Stream.of(arguments, more).flatMap(Stream::of).toArray();
    }

    /** Returns text of a character set, random bytes, or both. */
    private static byte[] some(Random random, String charset, boolean first) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        if (first && charset.startsWith("UTF") && random.nextBoolean()) {
            bytes.writeBytes(MARK.getBytes(Charset.forName(charset)));
        }
        String letters = "abc \n\r\\éüßпривет日本語ソ表か\u309a˩˥˩˥Καλη한국어中文註€";
        for (int i = random.nextInt(60); i > 0; i--) {
            bytes.writeBytes(String.valueOf(letters.charAt(random.nextInt(letters.length())))
                    .getBytes(Charset.forName(charset)));
        }
        if (random.nextInt(3) == 0) {
            byte[] noise = new byte[random.nextInt(random.nextBoolean() ? 8 : 200)];
            random.nextBytes(noise);
            bytes.writeBytes(noise);
        }
        return bytes.toByteArray();
    }

    /** Returns parts with something between each of them. */
    private static byte[] joined(byte[] between, byte[]... parts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < parts.length; i++) {
            bytes.writeBytes(i == 0 ? new byte[0] : between);
            bytes.writeBytes(parts[i]);
        }
        return bytes.toByteArray();
    }

    @Test
    @DisabledOnOs({OS.MAC, OS.WINDOWS})
    void namesThatAreNotUtf8AreShownEscapedAndTakenSo() throws Exception {
        String make = "mkdir $'d\\xff' && printf 'one\\n' > $'d\\xff/caf\\xe9' && printf 'literal\\n' > 'lit\\xe9'";
        assertThat(new ProcessBuilder("bash", "-c", make)
                        .directory(bench.worktree.toFile())
                        .start()
                        .waitFor())
                .isZero();
        String name = "d\\xff/caf\\xe9";
        assertThat(bench.call("ls", "path", ".").text()).isEqualTo("d\\xff/\nlit\\xe9");
        assertThat(bench.call("ls", "path", "d\\xff").text()).isEqualTo("caf\\xe9");
        assertThat(bench.call("find", "glob", "caf*").text()).isEqualTo(name);
        assertThat(bench.call("grep", "pattern", "one").text()).isEqualTo(name + ":1: one");
        assertThat(bench.call("read", "path", name))
                .returns("     1\tone", ToolResult::text)
                .returns(name, result -> result.details().text("path").orElseThrow());
        assertThat(edit(name, "one", "two").text()).isEqualTo("Edited " + name + " at line 1");
        assertThat(bench.call("write", "path", name, "content", "x").text()).startsWith("Replaced " + name);
        assertThat(bench.call("write", "path", "d\\xff/new", "content", "x").text())
                .startsWith("Created d\\xff/new");
        assertThat(bench.call("ls", "path", "d\\xff").text()).isEqualTo("caf\\xe9\nnew");
        assertThat(bench.call("read", "path", "lit\\xe9").text()).isEqualTo("     1\tliteral");
        assertThat(bench.call("ls", "path", name).text()).startsWith(name + " is not a directory");
    }

    @Test
    void longPathsWithEscapesAreRefusedInBoundedTime() {
        String longest = "a/".repeat(2_046) + "\\xe9";
        assertThat(longest).hasSize(4_096);
        assertThat(bench.call("read", "path", longest).isError()).isTrue();
        for (String path : List.of("\\xe9/".repeat(100_000), "/".repeat(200_000) + "\\xe9")) {
            assertRefused(bench.call("read", "path", path), "4096");
        }
    }
}
