using Mux.Transports;

namespace Seeds.Transports;

/// <summary>Reads nothing while a gate is closed.</summary>
internal sealed class StallableLink(Link inner, ManualResetEventSlim gate) : DecoratedLink(inner)
{
    public override int OnReceived(ReadOnlySpan<byte> bytes)
    {
        gate.Wait();
        return base.OnReceived(bytes);
    }
}
