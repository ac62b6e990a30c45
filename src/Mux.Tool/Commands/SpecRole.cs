using System.CommandLine;
using Mux.Tool.Serving;

namespace Mux.Tool.Commands;

/// <summary>Options of <c>mux spec</c> for the role that it plays: by default a client that tests a server.</summary>
internal sealed class SpecRole
{
    private static readonly MuxAddress s_default = MuxAddress.Parse("mux://127.0.0.1:7070");

    private readonly Option<MuxAddress?> _listen = new("--listen")
    {
        Description = "Listen here and test a client that connects repeatedly: mux://host:port (port 0 picks a free one), muxs://host:port with a " +
            "--certificate, mux+unix:///path or mux+pipe://name [default without ADDRESS: mux://127.0.0.1:7070]",
        HelpName = "ADDRESS",
        Arity = ArgumentArity.ZeroOrOne,
        CustomParser = result => result.Tokens.Count == 0 ? s_default : CheckedOption.Address(result, "--listen"),
    };

    private readonly Option<MuxAddress?> _client = new("--client")
    {
        Description = "Run the client for a 'mux spec --listen' at this address",
        HelpName = "ADDRESS",
        CustomParser = result => CheckedOption.Address(result, "--client"),
    };

    private readonly Option<Duration> _wait = CheckedOption.Time(
        "--wait", TimeSpan.FromMinutes(1), TimeSpan.FromSeconds(1), TimeSpan.FromHours(1),
        "Time to wait: with --listen for a client, with --client for a server");

    private readonly Option<Duration> _stall = CheckedOption.Time(
        "--stall", TimeSpan.FromSeconds(45), TimeSpan.FromSeconds(1), TimeSpan.FromMinutes(10),
        "With --listen: time in which a client must notice that the server sends nothing");

    /// <summary>Allows plaintext for either role: an option that the command has once. It is added with those of <see cref="IdentityOptions"/>.</summary>
    public Option<bool> AllowPlaintext { get; } = new(IdentityOptions.PlaintextName)
    {
        Description = "With --listen, also listen at addresses that other machines can reach: nothing is encrypted, and any machine that reaches the port " +
            "may call. Otherwise, present the key or token to other machines without TLS too, in a network that you trust",
    };

    public void AddTo(ToolCommand command) => command.Add(OptionGroup.Role, _listen, _client, _wait, _stall);

    /// <returns>The address to listen at, or the server to be a client of; neither for a server to test.</returns>
    /// <exception cref="ToolException">Not exactly one role is given, or an option is for another one.</exception>
    public (MuxAddress? Listen, MuxAddress? Client) Read(ParseResult result, Argument<MuxAddress> address, Option method)
    {
        bool isListening = result.IsGiven(_listen), isCalling = result.IsGiven(_client), isTrying = result.GetValue(address) is not null;
        if (!isListening && !isCalling && !isTrying) throw Wrong("Expected the ADDRESS of a server to test, --listen to test a client, or --client to be one.");
        if ((isListening ? 1 : 0) + (isCalling ? 1 : 0) + (isTrying ? 1 : 0) > 1) throw Wrong("ADDRESS, --listen and --client exclude each other.");
        if (!isTrying && result.IsGiven(method)) throw Wrong("--method is for the ADDRESS of a server.");
        if (!isListening && result.IsGiven(_stall)) throw Wrong("--stall is for --listen.");
        if (isTrying && result.IsGiven(_wait)) throw Wrong("--wait is for --listen and --client.");
        if (!isListening) return (null, result.GetValue(_client));
        var listen = result.GetValue(_listen) ?? s_default;
        if (listen.Scheme is MuxAddress.WebSocketScheme or MuxAddress.SecureWebSocketScheme)
        {
            throw Wrong($"--listen: cannot listen at '{listen}': WebSockets are served by ASP.NET Core.");
        }

        WorkloadServer.CheckPlaintext(listen, result.GetValue(AllowPlaintext));
        return (listen, null);
    }

    public TimeSpan WaitOf(ParseResult result) => result.GetValue(_wait).Value;

    public TimeSpan StallOf(ParseResult result) => result.GetValue(_stall).Value;

    /// <summary>Uses the certificate as that of a server, for a side that listens.</summary>
    /// <exception cref="ToolException">The certificate is missing.</exception>
    public static LinkOptions LinksOfServer(MuxAddress address, LinkOptions links)
    {
        if (address.Scheme == MuxAddress.TlsScheme && links.ClientCertificatePath is null) throw Wrong($"--listen: '{address}' needs a --certificate.");
        return links with
        {
            CertificatePath = links.ClientCertificatePath,
            CertificateKeyPath = links.ClientCertificateKeyPath,
            ClientCertificatePath = null,
            ClientCertificateKeyPath = null
        };
    }

    private static ToolException Wrong(string message) => new(ExitCode.Usage, message);
}
