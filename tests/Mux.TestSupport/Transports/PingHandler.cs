using Mux.Transports;

namespace Mux.TestSupport.Transports;

/// <summary>Exchanges small messages with an <see cref="EchoHandler"/>, one after the other. Allocates nothing between the first and the last.</summary>
public sealed class PingHandler(Link link) : ILinkHandler
{
    private const int MessageLength = 50;

    private readonly byte[] _message = new byte[MessageLength];
    private readonly Signal _connected = new("the pinging link is connected");
    private Signal _done = new("nothing was asked for");
    private readonly Lock _sending = new(); // the reply may come before the send of the first message has returned
    private int _left;

    /// <summary>Once at a time.</summary>
    public async Task RunAsync(int roundTrips)
    {
        await _connected.WaitAsync();
        _left = roundTrips;
        _done = new Signal($"{roundTrips} round trips");
        Send();
        await _done.WaitAsync();
    }

    public void OnConnected() => _connected.Set();

    public int OnReceived(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length < MessageLength) return 0;
        if (--_left > 0) Send();
        else _done.Set();
        return MessageLength;
    }

    public void OnBatchEnd()
    {
    }

    public void OnWritable()
    {
    }

    public void OnClosed(LinkCloseCause cause, Exception? error)
    {
    }

    private void Send()
    {
        lock (_sending) link.Send(_message);
    }
}
