package dev.paddock.executor.variable;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HarmlessVariablesTest {
    @Test
    void languageColorsAndProfilesAreHarmless() {
        assertThat(new String[] {"LANG", "LC_ALL", "TZ", "CI", "TERM", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "DEBUG"})
                .allMatch(HarmlessVariables::matches);
    }

    /** A program reads its proxy, its registry, its home or its options from these. */
    @Test
    void everyOtherNameIsNot() {
        assertThat(new String[] {
                    "http_proxy",
                    "HTTPS_PROXY",
                    "PATH",
                    "HOME",
                    "MAVEN_OPTS",
                    "NPM_CONFIG_REGISTRY",
                    "PIP_INDEX_URL",
                    "LD_COLOR",
                    "LANGUAGE",
                    "LC_",
                    "lang",
                    "GREETING",
                    "",
                    "SSL_CERT_FILE",
                    "GRADLE_OPTS",
                    "XCOLOR=1"
                })
                .noneMatch(HarmlessVariables::matches);
    }
}
