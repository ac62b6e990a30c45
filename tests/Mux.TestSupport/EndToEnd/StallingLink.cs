using Mux.TestSupport.Transports;
using Mux.Transports;

namespace Mux.TestSupport.EndToEnd;

/// <summary>A link of a <see cref="StallingTransport"/>.</summary>
internal sealed class StallingLink(Link inner, ManualResetEventSlim gate) : RelayLink(inner)
{
    public override int OnReceived(ReadOnlySpan<byte> bytes)
    {
        gate.Wait();
        return base.OnReceived(bytes);
    }
}
