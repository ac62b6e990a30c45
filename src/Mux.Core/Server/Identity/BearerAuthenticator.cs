using System.Text;

namespace Mux.Identity;

/// <summary>
/// Accepts bearer tokens, such as JSON Web Tokens. Mux checks only that a token is UTF-8; your code passes it to a library. docs/security.md has an example
/// with Microsoft.IdentityModel.
/// </summary>
/// <param name="validate">Validates a token and returns its identity. Called in the same way as <see cref="MuxAuthenticator.AuthenticateAsync"/>.</param>
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
            return new(AuthenticationResult.Fail("The token is not UTF-8."));
        }

        return token.Length == 0 ? new(AuthenticationResult.Fail("The token is empty.")) : _validate(token, cancellationToken);
    }
}
