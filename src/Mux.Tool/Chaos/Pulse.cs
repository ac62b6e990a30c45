using System.Threading.Channels;

namespace Mux.Tool.Chaos;

/// <summary>Wakes one waiter: a pulse that comes before the wait is kept, further ones are not.</summary>
internal sealed class Pulse
{
    private readonly Channel<bool> _kept = Channel.CreateBounded<bool>(new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropWrite });

    public void Set() => _kept.Writer.TryWrite(true);

    public ValueTask<bool> WaitAsync(CancellationToken cancellationToken) => _kept.Reader.ReadAsync(cancellationToken);
}
