using System.CommandLine;
using System.Net;
using Mux.Identity;
using Mux.Tool.Serving;

namespace Mux.Tool.Commands;

/// <summary>The options that say who this side is, to servers that ask.</summary>
/// <param name="target">What the command calls the address of the server.</param>
internal sealed class IdentityOptions(string target)
{
    private const string KeyName = "--shared-key", TokenName = "--bearer";

    private readonly Option<string?> _certificate = new("--certificate") { Description = $"The certificate to show at a {MuxAddress.TlsScheme} address: PEM, or PKCS #12 (.pfx)", HelpName = "FILE" };

    private readonly Option<string?> _certificateKey = new("--key", "--certificate-key") { Description = "Its key, if that is not in the same file: PEM", HelpName = "FILE" };

    private readonly Option<(string Id, SecretSource Secret)?> _sharedKey = new(KeyName)
    {
        Description = $"The key to prove, in base 64: its id, and where it stands ({SecretSource.Expected})",
        HelpName = "ID=SOURCE",
        CustomParser = result =>
        {
            var text = result.Tokens[0].Value;
            int at = text.IndexOf('=', StringComparison.Ordinal);
            if (at > 0 && SecretSource.Parse(text[(at + 1)..]) is { } secret) return (text[..at], secret);
            result.AddError($"{KeyName}: expected the id of the key and where it stands, ID=file:PATH or ID=env:NAME; never the key itself.");
            return null;
        },
    };

    private readonly Option<SecretSource?> _token = new(TokenName)
    {
        Description = $"Where the token to show stands ({SecretSource.Expected}); read for each connection and renewal",
        HelpName = "SOURCE",
        CustomParser = result =>
        {
            if (SecretSource.Parse(result.Tokens[0].Value) is { } secret) return secret;
            result.AddError($"{TokenName}: expected where the token stands, {SecretSource.Expected}; never the token itself.");
            return null;
        },
    };

    public void AddTo(Command command)
    {
        foreach (var option in (Option[])[_certificate, _certificateKey, _sharedKey, _token]) command.Options.Add(option);
    }

    /// <param name="result">The command line.</param>
    /// <param name="links">What is known of the connections otherwise.</param>
    /// <param name="address">The server; null for one that is started, which asks nobody.</param>
    /// <exception cref="ToolException">Options contradict each other or the address, or there is no such secret.</exception>
    public LinkOptions Read(ParseResult result, LinkOptions links, MuxAddress? address)
    {
        var (certificate, certificateKey) = (result.GetValue(_certificate), result.GetValue(_certificateKey));
        var (sharedKey, token) = (result.GetValue(_sharedKey), result.GetValue(_token));
        if (certificateKey is not null && certificate is null) throw Wrong("--key needs a --certificate.");
        if (certificate is not null && address?.Scheme != MuxAddress.TlsScheme) throw Wrong($"--certificate is for {(target == "TARGET" ? "a TARGET at " : "")}a {MuxAddress.TlsScheme} address.");
        if (sharedKey is not null && token is not null) throw Wrong($"{KeyName} and {TokenName} exclude each other: a client has one kind of credentials.");
        if (address is null && (sharedKey is not null || token is not null)) throw Wrong($"{(token is null ? KeyName : TokenName)} is for a {target}: the server that is started asks nobody.");
        if (token is not null && address is { Scheme: MuxAddress.TcpScheme or MuxAddress.WebSocketScheme } open && !IsOfThisMachine(open)) throw Wrong($"{TokenName} would be read by whoever listens on the way to {open}: other machines need TLS, {MuxAddress.TlsScheme} or {MuxAddress.SecureWebSocketScheme}.");
        return links with
        {
            ClientCertificatePath = certificate,
            ClientCertificateKeyPath = certificateKey,
            Credentials = sharedKey is { } key ? MakeKey(key.Id, key.Secret) : token is null ? null : MakeToken(token),
        };
    }

    private static bool IsOfThisMachine(MuxAddress address) => address.Host.Equals("localhost", StringComparison.OrdinalIgnoreCase) || (IPAddress.TryParse(address.Host, out var ip) && IPAddress.IsLoopback(ip));

    private static SharedKeyCredentials MakeKey(string id, SecretSource secret)
    {
        var text = secret.Read(KeyName);
        try
        {
            return new SharedKeyCredentials(SharedKey.FromBase64(id, text));
        }
        catch (ArgumentException error)
        {
            throw Wrong($"{KeyName}: {error.Message.Replace($" (Parameter '{error.ParamName}')", "", StringComparison.Ordinal)}"); // which has nothing of the key
        }
    }

    private static BearerCredentials MakeToken(SecretSource secret)
    {
        secret.Read(TokenName); // one that is not there is told at once, and not by a connection
        return new BearerCredentials(_ => new(secret.Read(TokenName))); // whoever renews it writes the file anew
    }

    private static ToolException Wrong(string message) => new(ExitCode.Usage, message);
}
