using Mux.Transports;

namespace Mux.TestSupport.EndToEnd;

/// <summary>A link that decides where it goes when it is started.</summary>
internal sealed class SignpostLink(Func<Link> create) : Link
{
    private readonly Lock _gate = new();
    private volatile Link? _link;

    public override string RemoteAddress => _link?.RemoteAddress ?? string.Empty;

    public override ReadOnlyMemory<byte> ChannelBinding => _link?.ChannelBinding ?? default;

    public override bool HasUndeliveredInput => _link?.HasUndeliveredInput ?? false;

    public override void Start(ILinkHandler handler) => Decide().Start(handler);

    public override int Send(ReadOnlySpan<byte> bytes) => _link?.Send(bytes) ?? bytes.Length;

    public override void ShutdownSend() => _link?.ShutdownSend();

    // One that was never started, because its channel was disposed during a pause between dials, is made all the same: a link without a signpost is, and counts as dialed.
    public override void Close() => Decide().Close();

    private Link Decide()
    {
        lock (_gate) return _link ??= create();
    }
}
