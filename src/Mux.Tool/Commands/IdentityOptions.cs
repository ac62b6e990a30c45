using System.CommandLine;
using Mux.Identity;
using Mux.Tool.Serving;

namespace Mux.Tool.Commands;

/// <summary>Options that authenticate this side to servers that require it.</summary>
/// <param name="target">Name of the server's address in the command.</param>
/// <param name="plaintext">The option <see cref="PlaintextName"/> of a command that also uses it for another purpose; null to create one.</param>
internal sealed class IdentityOptions(string target, Option<bool>? plaintext = null)
{
    public const string PlaintextName = "--allow-plaintext";

    private const string KeyName = "--shared-key", TokenName = "--bearer", ChallengeName = "--no-challenge";

    private readonly Option<string?> _certificate =
        new("--certificate") { Description = $"The certificate to present at a {MuxAddress.TlsScheme} address: PEM, or PKCS #12 (.pfx)", HelpName = "FILE" };

    private readonly Option<string?> _certificateKey =
        new("--key", "--certificate-key") { Description = "The private key of the certificate, if it is in another file: PEM", HelpName = "FILE" };

    private readonly Option<(string Id, SecretSource Secret)?> _sharedKey = new(KeyName)
    {
        Description = "The key to prove, in base 64: its id, and where to read it from " +
            $"({SecretSource.Expected}){(plaintext is null ? "" : "; with --listen, the key that the client has to prove")}",
        HelpName = "ID=SOURCE",
        CustomParser = result =>
        {
            var text = result.Tokens[0].Value;
            int at = text.IndexOf('=', StringComparison.Ordinal);
            if (at > 0 && SecretSource.Parse(text[(at + 1)..]) is { } secret) return (text[..at], secret);
            result.AddError($"{KeyName}: expected the id of the key and where to read it from, ID=file:PATH or ID=env:NAME; never the key itself.");
            return null;
        },
    };

    private readonly Option<SecretSource?> _token = new(TokenName)
    {
        Description = $"The source of the bearer token ({SecretSource.Expected}); read again for each connection and renewal",
        HelpName = "SOURCE",
        CustomParser = result =>
        {
            if (SecretSource.Parse(result.Tokens[0].Value) is { } secret) return secret;
            result.AddError($"{TokenName}: expected where to read the token from, {SecretSource.Expected}; never the token itself.");
            return null;
        },
    };

    private readonly Option<bool> _allowPlaintext = plaintext
        ?? new(PlaintextName) { Description = "Present the key or token to other machines without TLS too, in a network that you trust" };

    private readonly Option<bool> _noChallenge = new(ChallengeName) { Description = "Use a server even if it does not ask for the key or token" };

    public void AddTo(ToolCommand command) =>
        command.Add(OptionGroup.Identity, _certificate, _certificateKey, _sharedKey, _token, _allowPlaintext, _noChallenge);

    /// <summary>Rejects options for clients on a side that is a server: it requires at most a shared key, and has no token to show.</summary>
    /// <param name="result">The command line.</param>
    /// <param name="role">Option that makes this side a server.</param>
    /// <exception cref="ToolException">An option for clients is given.</exception>
    public void RefuseOfClients(ParseResult result, string role)
    {
        if (result.IsGiven(_token)) throw Wrong($"{TokenName} is for clients, not for {role}.");
        if (result.IsGiven(_noChallenge)) throw Wrong($"{ChallengeName} is for clients, not for {role}.");
    }

    /// <param name="result">The command line.</param>
    /// <param name="links">Other options of the connections.</param>
    /// <param name="address">The server; null for one started by the command, which requires no authentication.</param>
    /// <param name="isServer">True if this side is the server, which uses <see cref="PlaintextName"/> for another purpose.</param>
    /// <exception cref="ToolException">Options contradict each other or the address, or the secret does not exist.</exception>
    public LinkOptions Read(ParseResult result, LinkOptions links, MuxAddress? address, bool isServer = false)
    {
        var (certificate, certificateKey) = (result.GetValue(_certificate), result.GetValue(_certificateKey));
        var (sharedKey, token) = (result.GetValue(_sharedKey), result.GetValue(_token));
        var (allowPlaintext, noChallenge) = (result.GetValue(_allowPlaintext), result.GetValue(_noChallenge));
        if (certificateKey is not null && certificate is null) throw Wrong("--key needs a --certificate.");
        if (certificate is not null && address?.Scheme != MuxAddress.TlsScheme)
        {
            throw Wrong($"--certificate is for {(target == "TARGET" ? "a TARGET at " : "")}a {MuxAddress.TlsScheme} address.");
        }

        if (sharedKey is not null && token is not null) throw Wrong($"{KeyName} and {TokenName} exclude each other: a client has one kind of credentials.");
        if (address is null && (sharedKey is not null || token is not null))
        {
            throw Wrong($"{(token is null ? KeyName : TokenName)} is for a {target}: the server that the command starts requires no authentication.");
        }

        bool isOpen = address is { Scheme: MuxAddress.TcpScheme or MuxAddress.WebSocketScheme } && !TargetAddress.IsOfThisMachine(address);
        if ((sharedKey is not null || token is not null) && isOpen && !allowPlaintext)
        {
            throw Wrong($"{(token is null ? KeyName : TokenName)} is not shown to {address} without TLS: use a {MuxAddress.TlsScheme} or " +
                $"{MuxAddress.SecureWebSocketScheme} address, or give {PlaintextName} in a network that you trust.");
        }

        if (sharedKey is null && token is null && !isServer && (allowPlaintext || noChallenge))
        {
            throw Wrong($"{(allowPlaintext ? PlaintextName : ChallengeName)} needs a {KeyName} or a {TokenName}.");
        }

        var shared = sharedKey is { } named ? MakeKey(named.Id, named.Secret) : null;
        return links with
        {
            ClientCertificatePath = certificate,
            ClientCertificateKeyPath = certificateKey,
            SharedKey = shared,
            Credentials = shared is not null ? new SharedKeyCredentials(shared) : token is null ? null : MakeToken(token),
            AllowPlaintext = allowPlaintext,
            RequireChallenge = !noChallenge,
        };
    }

    private static SharedKey MakeKey(string id, SecretSource secret)
    {
        var text = secret.Read(KeyName);
        try
        {
            return SharedKey.FromBase64(id, text);
        }
        catch (ArgumentException error)
        {
            // The message does not contain the key.
            throw Wrong($"{KeyName}: {error.Message.Replace($" (Parameter '{error.ParamName}')", "", StringComparison.Ordinal)}");
        }
    }

    private static BearerCredentials MakeToken(SecretSource secret)
    {
        secret.Read(TokenName); // a missing secret is reported now, not when a connection needs it
        return new BearerCredentials(_ => new(secret.Read(TokenName))); // the file is read again, because it is rewritten when the token is renewed
    }

    private static ToolException Wrong(string message) => new(ExitCode.Usage, message);
}
