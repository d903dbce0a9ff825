package dev.paddock.executor.policy;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides from a variable's name alone whether its value is likely to be a credential. Ignores
 * case.
 *
 * @since 0.1
 */
public final class CredentialNames {

    private static final CredentialNames STANDARD = new CredentialNames(
            Stream.of(
                            // Language models
                            """
                            OPENAI_ ANTHROPIC_ GOOGLE_API_KEY GEMINI_ HF_ HUGGING_FACE COHERE_ REPLICATE_
                            MISTRAL_ GROQ_ TOGETHER_ FIREWORKS_ DEEPSEEK_ PERPLEXITY_ XAI_ OPENROUTER_
                            VOYAGE_
                            """,
                            // Clouds
                            """
                            AWS_ GCP_ GCLOUD_ GOOGLE_APPLICATION_CREDENTIALS GOOGLE_CLOUD_ AZURE_
                            DIGITALOCEAN_ DO_API LINODE_ VULTR_ HETZNER_ CLOUDFLARE_ FASTLY_ NETLIFY_
                            VERCEL_ HEROKU_ RENDER_ RAILWAY_ FLY_API SUPABASE_ FIREBASE_ ALICLOUD_
                            ALIBABA_CLOUD_ TENCENTCLOUD_ OCI_ IBMCLOUD_
                            """,
                            // Version control, builds and registries
                            """
                            GITHUB_TOKEN GITHUB_PAT GH_TOKEN GHP_ GITLAB_TOKEN BITBUCKET_TOKEN CODECOV_TOKEN
                            NPM_TOKEN PYPI_ TWINE_ JFROG_ ARTIFACTORY_ NUGET_
                            """,
                            // Messaging
                            """
                            SLACK_ TELEGRAM_BOT_TOKEN DISCORD_BOT_TOKEN TWILIO_ SENDGRID_ MAILGUN_
                            """,
                            // Payment
                            """
                            STRIPE_
                            """,
                            // Data stores
                            """
                            DATABASE_URL REDIS_URL MONGO_URI MONGODB_URI POSTGRES_PASSWORD MYSQL_PASSWORD
                            """,
                            // Authentication
                            """
                            SSH_AUTH_SOCK SSH_PRIVATE_KEY SECRET_KEY SESSION_SECRET DJANGO_SECRET
                            RAILS_MASTER_KEY JWT_SECRET
                            """,
                            // Everything else
                            """
                            DOCKER_PASSWORD DOCKER_TOKEN VAULT_TOKEN SENTRY_ DATADOG_ DD_API_KEY DD_APP_KEY
                            NEW_RELIC_ SNYK_ SONAR_
                            """)
                    .flatMap(CredentialNames::words)
                    .toList(),
            words("""
            _KEY _SECRET _TOKEN _PASSWORD _PASSPHRASE _CREDENTIAL _CREDENTIALS _API_KEY _ACCESS_KEY
            _PRIVATE_KEY _PAT _DSN _APIKEY _APITOKEN _CONNECTION_STRING _KEY_BASE
            """).toList(),
            Set.of("SSH_AGENT_PID", "GPG_AGENT_INFO"));

    private final List<String> prefixes;
    private final List<String> suffixes;
    private final Set<String> exceptions;

    private CredentialNames(List<String> prefixes, List<String> suffixes, Set<String> exceptions) {
        prefixes = prefixes.stream().map(CredentialNames::folded).toList();
        suffixes = suffixes.stream().map(CredentialNames::folded).toList();
        exceptions = Set.copyOf(exceptions.stream().map(CredentialNames::folded).toList());
        this.prefixes = prefixes;
        this.suffixes = suffixes;
        this.exceptions = exceptions;
    }

    /**
     * Returns the rules with the prefixes and suffixes that services, clouds, registries and data
     * stores use.
     *
     * @return the same value on each call
     */
    public static CredentialNames standard() {
        return STANDARD;
    }

    /**
     * Returns rules of a program's own.
     *
     * @param prefixes a name that starts with one of these looks like a credential
     * @param suffixes a name that ends with one of these does too; empty disables this rule
     * @param exceptions whole names that are not credentials although a rule matches
     * @return the rules
     */
    public static CredentialNames of(List<String> prefixes, List<String> suffixes, Set<String> exceptions) {
        return new CredentialNames(prefixes, suffixes, exceptions);
    }

    /**
     * Returns whether a name looks like a credential's.
     *
     * @param name a variable's name
     * @return true if its value should not reach a command unless forced
     */
    public boolean matches(String name) {
        String folded = folded(name);
        return !exceptions.contains(folded)
                && (prefixes.stream().anyMatch(folded::startsWith)
                        || suffixes.stream().anyMatch(folded::endsWith));
    }

    private static Stream<String> words(String text) {
        return Stream.of(text.strip().split("\\s+"));
    }

    private static String folded(String name) {
        return name.toUpperCase(Locale.ROOT);
    }

    /** {@return the prefixes: a name that starts with one of these looks like a credential} */
    public List<String> prefixes() {
        return prefixes;
    }

    /** {@return the suffixes: a name that ends with one of these does too; empty disables this rule} */
    public List<String> suffixes() {
        return suffixes;
    }

    /** {@return the whole names that are not credentials although a rule matches} */
    public Set<String> exceptions() {
        return exceptions;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof CredentialNames that && parts().equals(that.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    @Override
    public String toString() {
        return "CredentialNames" + parts();
    }

    private List<Object> parts() {
        return List.of(prefixes, suffixes, exceptions);
    }
}
