using Mux.Transports;

namespace Mux.TestSupport.Transports;

/// <summary>The peer of a <see cref="HandOverProbe"/>, on a thread of the test: it may share its loop with the probe, whose thread is stuck.</summary>
public sealed class HandOverSender : IAsyncDisposable
{
    private readonly LinkProbe _dialer = new("dialer");
    private readonly Signal _started = new("the probe is started");
    private ITransportListener? _listener;
    private HandOverProbe? _probe;

    /// <summary>Connects and begins to send a pattern.</summary>
    public static async Task<HandOverSender> ConnectAsync(ITransport transport, MuxAddress address, HandOverProbe probe, int seed, long total)
    {
        var self = new HandOverSender { _probe = probe };
        var pattern = new PatternSender(self._dialer, seed, total, 30_000);
        self._dialer.WhenConnected = self._dialer.WhenWritable = pattern.Go;
        self._listener = transport.Listen(address, link =>
        {
            probe.Start(link);
            self._started.Set();
        });
        self._dialer.Start(transport.CreateLink(self._listener.Address));
        await self._started.WaitAsync();
        return self;
    }

    public void Close() => _dialer.Close();

    public async ValueTask DisposeAsync()
    {
        _dialer.Close();
        _listener!.Dispose();
        _probe!.Link.Close();
        await _dialer.Closed.WaitAsync();
        await _probe.Closed.WaitAsync();
        _dialer.AssertSound();
    }
}
