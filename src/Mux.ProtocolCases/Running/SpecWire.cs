using Mux.Protocol;
using Mux.Transports;

namespace Mux.ProtocolCases.Running;

/// <summary>
/// This end of a link to the peer: sends arbitrary bytes, and reads the preface and frames. The link calls it on its threads; one thread at a time sends and
/// reads.
/// </summary>
internal sealed class SpecWire : ILinkHandler
{
    /// <summary>Maximum number of unread frames: a peer that sends more does not answer a single input.</summary>
    private const int MaxFrames = 4_096;

    private readonly Link _link;
    private readonly Lock _gate = new(); // guards all fields below
    private readonly Queue<SpecFrame> _frames = [];
    private TaskCompletionSource _changed = NewSignal();
    private bool _isConnected;
    private bool _isClosed;
    private bool _isSendEnded;
    private bool _isPrefaceRead;
    private int _unconsumed;

    public SpecWire(Link link)
    {
        _link = link;
        link.Start(this);
    }

    /// <summary>Number of bytes received.</summary>
    public long ReceivedBytes { get; private set; }

    /// <summary>Reason why the received bytes are not this protocol, or null.</summary>
    public string? Foreign { get; private set; }

    /// <summary>Reason why the link was never established, or null.</summary>
    public Exception? ConnectError { get; private set; }

    /// <summary>Channel binding for credentials; empty if the link is not encrypted. Valid once the link is up.</summary>
    public ReadOnlyMemory<byte> ChannelBinding => _link.ChannelBinding;

    /// <summary>Completes when the link is up or has failed.</summary>
    /// <returns>True if it is up.</returns>
    public async Task<bool> ConnectAsync(CancellationToken deadline)
    {
        await UntilAsync(() => _isConnected || _isClosed, deadline).ConfigureAwait(false);
        lock (_gate) return _isConnected;
    }

    /// <summary>Sends bytes in one piece. Bytes sent after the peer's end are lost, as on any link.</summary>
    public async Task SendAsync(ReadOnlyMemory<byte> bytes, CancellationToken deadline)
    {
        while (true)
        {
            Task changed;
            lock (_gate)
            {
                if (_isClosed || _isSendEnded) return;
                changed = _changed.Task;
                bytes = bytes[_link.Send(bytes.Span)..];
                if (bytes.IsEmpty) return;
            }

            await changed.WaitAsync(deadline).ConfigureAwait(false);
        }
    }

    /// <summary>Reads the next frame; null if the peer's stream has ended or is not this protocol.</summary>
    public async Task<SpecFrame?> ReadAsync(CancellationToken deadline)
    {
        await UntilAsync(() => _frames.Count > 0 || _isClosed || Foreign is not null, deadline).ConfigureAwait(false);
        lock (_gate) return _frames.TryDequeue(out var frame) ? frame : null;
    }

    /// <summary>Waits for the first bytes that can be judged: a frame, or bytes that are not a preface.</summary>
    /// <returns>False if the link ended before, or the peer's patience for the handshake did.</returns>
    public async Task<bool> AwaitInputAsync(CancellationToken deadline)
    {
        await UntilAsync(() => _frames.Count > 0 || _isClosed || Foreign is not null, deadline).ConfigureAwait(false);
        lock (_gate) return !_isClosed && !_frames.Any(HasGivenUp);
    }

    /// <summary>Waits for the end of the link.</summary>
    public Task EndAsync(CancellationToken deadline) => UntilAsync(() => _isClosed, deadline);

    public void ShutdownSend()
    {
        lock (_gate)
        {
            if (_isClosed || _isSendEnded || !_isConnected) return;
            _isSendEnded = true;
            _link.ShutdownSend();
        }
    }

    public void Close() => _link.Close();

    void ILinkHandler.OnConnected() => Change(() => _isConnected = true);

    int ILinkHandler.OnReceived(ReadOnlySpan<byte> bytes)
    {
        TaskCompletionSource changed;
        int consumed;
        lock (_gate)
        {
            ReceivedBytes += bytes.Length - _unconsumed;
            consumed = Consume(bytes);
            _unconsumed = bytes.Length - consumed;
            changed = Renew();
        }

        changed.SetResult();
        return consumed;
    }

    void ILinkHandler.OnBatchEnd()
    {
    }

    void ILinkHandler.OnWritable() => Change(() => { });

    void ILinkHandler.OnClosed(LinkCloseCause cause, Exception? error) => Change(() =>
    {
        _isClosed = true;
        if (!_isConnected) ConnectError = error ?? new IOException($"The connection ended before it was established: {cause}.");
    });

    private static string NameOf(ForeignProtocol protocol) => protocol switch
    {
        ForeignProtocol.Tls => ", but TLS",
        ForeignProtocol.Http => ", but HTTP",
        _ => string.Empty,
    };

    private static bool HasGivenUp(SpecFrame frame) => frame.Kind == FrameKind.GoAway && !frame.Has(FrameFlags.Answer)
        && GoAwayFrame.TryRead(frame.Payload, out var goAway, out _) && goAway.Code == ConnectionCode.SlowPeer;

    private int Consume(ReadOnlySpan<byte> bytes)
    {
        int at = 0;
        if (!_isPrefaceRead && Foreign is null)
        {
            int count = Math.Min(bytes.Length, Preface.Size);
            if (!bytes[..count].SequenceEqual(Preface.Bytes[..count])) Foreign = $"bytes that are not a preface{NameOf(ForeignBytes.Of(bytes))}";
            else if (count < Preface.Size) return 0;
            _isPrefaceRead = true;
            at = Preface.Size;
        }

        while (Foreign is null)
        {
            var rest = bytes[at..];
            var found = FrameReader.Read(rest, ProtocolConstants.MaxFramePayload, out var header, out var violation);
            if (found == FrameReadResult.Incomplete) return at;
            if (found == FrameReadResult.Violation) Foreign = $"a frame that breaks a rule: {violation!.Text}";
            else if (_frames.Count == MaxFrames) Foreign = $"more than {MaxFrames} frames";
            else _frames.Enqueue(new SpecFrame(header, rest.Slice(FrameHeader.Size, header.Length).ToArray()));
            at += FrameHeader.Size + header.Length;
        }

        return bytes.Length;
    }

    private async Task UntilAsync(Func<bool> holds, CancellationToken deadline)
    {
        while (true)
        {
            Task changed;
            lock (_gate)
            {
                if (holds()) return;
                changed = _changed.Task;
            }

            await changed.WaitAsync(deadline).ConfigureAwait(false);
        }
    }

    private void Change(Action change)
    {
        TaskCompletionSource changed;
        lock (_gate)
        {
            change();
            changed = Renew();
        }

        changed.SetResult();
    }

    private TaskCompletionSource Renew()
    {
        var changed = _changed;
        _changed = NewSignal();
        return changed;
    }

    private static TaskCompletionSource NewSignal() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}
