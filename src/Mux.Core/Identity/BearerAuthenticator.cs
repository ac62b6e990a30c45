using System.Text;

namespace Mux.Identity;

/// <summary>
/// Takes bearer tokens, such as JSON Web Tokens, and leaves it to a library what is in them: Mux checks that one is UTF-8 and nothing else. docs/security.md
/// shows Microsoft.IdentityModel behind it.
/// </summary>
/// <param name="validate">Finds out who a token is of. Called as <see cref="MuxAuthenticator.AuthenticateAsync"/> is.</param>
public sealed class BearerAuthenticator(Func<string, CancellationToken, ValueTask<AuthenticationResult>> validate) : MuxAuthenticator
{
    private static readonly UTF8Encoding s_strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    private readonly Func<string, CancellationToken, ValueTask<AuthenticationResult>> _validate = validate ?? throw new ArgumentNullException(nameof(validate));

    /// <inheritdoc/>
    public override string Scheme => "bearer";

    /// <inheritdoc/>
    public override ValueTask<AuthenticationResult> AuthenticateAsync(AuthenticationAttempt attempt, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(attempt);
        string token;
        try
        {
            token = s_strict.GetString(attempt.Token.Span);
        }
        catch (DecoderFallbackException)
        {
            return new(AuthenticationResult.Fail("The token is no UTF-8."));
        }

        return token.Length == 0 ? new(AuthenticationResult.Fail("The token is empty.")) : _validate(token, cancellationToken);
    }
}
