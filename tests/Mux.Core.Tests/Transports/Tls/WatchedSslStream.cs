using System.Net.Security;

namespace Mux.Core.Tests.Transports.Tls;

/// <summary>TLS that tells whether it was asked for its own shutdown, which must not run while something reads.</summary>
internal sealed class WatchedSslStream(Stream inner) : SslStream(inner)
{
    public int Shutdowns { get; private set; }

    public override Task ShutdownAsync()
    {
        Shutdowns++;
        return base.ShutdownAsync();
    }
}
