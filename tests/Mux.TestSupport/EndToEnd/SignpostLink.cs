using Mux.Transports;

namespace Mux.TestSupport.EndToEnd;

/// <summary>A link that decides where it goes when it is started.</summary>
internal sealed class SignpostLink(Func<Link> create) : Link
{
    private volatile Link? _link;

    public override string RemoteAddress => _link?.RemoteAddress ?? string.Empty;

    public override bool HasUndeliveredInput => _link?.HasUndeliveredInput ?? false;

    public override void Start(ILinkHandler handler)
    {
        _link = create();
        _link.Start(handler);
    }

    public override int Send(ReadOnlySpan<byte> bytes) => _link?.Send(bytes) ?? bytes.Length;

    public override void ShutdownSend() => _link?.ShutdownSend();

    public override void Close() => _link?.Close(); // the pool closes none that it starts later
}
