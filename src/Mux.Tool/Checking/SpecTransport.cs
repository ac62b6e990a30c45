using Mux.Tool.Serving;
using Mux.Transports;
using Mux.Transports.Streams;
using Mux.Transports.Tls;
using Mux.Transports.WebSockets;

namespace Mux.Tool.Checking;

/// <summary>What dials an address of any scheme.</summary>
internal static class SpecTransport
{
    /// <exception cref="ToolException">The certificates cannot be used, or are of no use.</exception>
    public static ITransport Make(MuxAddress address, string? authorityFile)
    {
        bool isTls = address.Scheme == MuxAddress.TlsScheme;
        if (authorityFile is not null && !isTls) throw new ToolException(ExitCode.Usage, $"--ca is for addresses that begin with {MuxAddress.TlsScheme}://, and not for {address}.");
        if (isTls) return MakeTls(authorityFile);
        return address.Scheme switch
        {
            MuxAddress.WebSocketScheme or MuxAddress.SecureWebSocketScheme => new WebSocketTransport(),
            MuxAddress.TcpScheme or MuxAddress.UnixScheme => Engine.MakeTransport(congestionControl: null),
            _ => new NamedPipeTransport(),
        };
    }

    private static TlsTransport MakeTls(string? authorityFile)
    {
        try
        {
            return new TlsTransport(null, new TlsClientOptions { TrustedRootsPath = authorityFile });
        }
        catch (ArgumentException error)
        {
            throw new ToolException(ExitCode.Usage, $"--ca '{authorityFile}': {error.Message}", error);
        }
    }
}
