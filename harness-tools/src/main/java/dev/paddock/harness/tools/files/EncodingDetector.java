package dev.paddock.harness.tools.files;

import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.mozilla.universalchardet.UniversalDetector;

/**
 * Finds the encoding of a file's text: by its byte order mark, because it is valid UTF-8, or by
 * language statistics. A detected encoding other than UTF-8 is exact: encoding the decoded text
 * yields the file's bytes.
 */
final class EncodingDetector {
    /** The most bytes of non-ASCII lines that the statistics examine. */
    private static final int MAX_SAMPLE = 1 << 16;

    private static final Charset WESTERN = Charset.forName("windows-1252");

    /** Larger character sets that programs use under the names of smaller ones. */
    private static final Map<String, List<String>> SUPERSETS = Map.of(
            "SHIFT_JIS", List.of("windows-31j"),
            "EUC-KR", List.of("x-windows-949"),
            "BIG5", List.of("x-windows-950", "Big5-HKSCS"),
            "EUC-TW", List.of("x-EUC-TW"),
            "TIS620", List.of("TIS-620", "x-windows-874"),
            "MACCYRILLIC", List.of("x-MacCyrillic"));

    private EncodingDetector() {}

    /**
     * Returns the encoding of some text.
     *
     * @param content a whole file
     * @return the encoding; UTF-8 also if more of the non-ASCII characters are valid UTF-8 than invalid. Empty if the
     *     file is binary, or its encoding is unknown
     */
    static Optional<TextEncoding> detect(byte[] content) {
        Optional<TextEncoding> stated = TextEncoding.ofMark(content);
        if (stated.isPresent()) {
            return stated.filter(
                    encoding -> encoding.isUtf8() || encoding.decode(content).isPresent());
        }
        Utf8Count count = Utf8Count.of(content);
        if (count.invalid() == 0 || count.characters() > count.invalid()) {
            return Optional.of(TextEncoding.UTF_8);
        }
        return count.nul() ? Optional.empty() : byStatistics(content);
    }

    private static Optional<TextEncoding> byStatistics(byte[] content) {
        byte[] sample = sample(content);
        Optional<String> name = name(sample);
        if (name.filter(EncodingDetector::isEastAsian).isEmpty() && mixesScripts(sample)) {
            return exact(WESTERN, content);
        }
        if (name.isEmpty()) {
            return Optional.empty();
        }
        Optional<TextEncoding> found = exact(name.get(), content);
        for (String larger : SUPERSETS.getOrDefault(name.get().toUpperCase(Locale.ROOT), List.of())) {
            found = found.or(() -> exact(larger, content));
        }
        return found;
    }

    private static Optional<String> name(byte[] sample) {
        UniversalDetector detector = new UniversalDetector();
        detector.handleData(sample, 0, sample.length);
        detector.dataEnd();
        return Optional.ofNullable(detector.getDetectedCharset());
    }

    /** Returns the lines that are not all ASCII: only they distinguish encodings. */
    private static byte[] sample(byte[] content) {
        byte[] sample = new byte[Math.min(content.length, MAX_SAMPLE)];
        int kept = 0;
        int start = 0;
        while (start < content.length && kept < sample.length) {
            int end = start;
            boolean ascii = true;
            while (end < content.length && content[end] != '\n') {
                ascii &= content[end] >= 0;
                end++;
            }
            int length = Math.min(Math.min(end + 1, content.length) - start, sample.length - kept);
            if (!ascii) {
                System.arraycopy(content, start, sample, kept, length);
                kept += length;
            }
            start = end + 1;
        }
        return Arrays.copyOf(sample, kept);
    }

    /** Returns whether an encoding is East Asian: later bytes of its characters may be ASCII letters. */
    private static boolean isEastAsian(String name) {
        return List.of("BIG5", "GB18030", "SHIFT_JIS", "EUC-JP", "EUC-KR", "EUC-TW")
                .contains(name.toUpperCase(Locale.ROOT));
    }

    /**
     * Returns whether ASCII letters adjoin non-ASCII bytes more often than non-ASCII bytes adjoin each other: always in
     * western text, for which the detector's statistics are weak, and never in Cyrillic, Greek or Hebrew text.
     */
    private static boolean mixesScripts(byte[] sample) {
        int mixed = 0;
        int pure = 0;
        for (int i = 1; i < sample.length; i++) {
            boolean before = sample[i - 1] < 0;
            boolean here = sample[i] < 0;
            if (before && here) {
                pure++;
            } else if (before ? isLetter(sample[i]) : here && isLetter(sample[i - 1])) {
                mixed++;
            }
        }
        return mixed > pure;
    }

    private static boolean isLetter(byte value) {
        return (value >= 'a' && value <= 'z') || (value >= 'A' && value <= 'Z');
    }

    private static Optional<TextEncoding> exact(String name, byte[] content) {
        return Charset.isSupported(name) ? exact(Charset.forName(name), content) : Optional.empty();
    }

    private static Optional<TextEncoding> exact(Charset charset, byte[] content) {
        TextEncoding encoding = new TextEncoding(charset, false);
        return encoding.decode(content).map(text -> encoding);
    }
}
