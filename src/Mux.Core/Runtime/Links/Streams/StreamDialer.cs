using Mux.Transports.Streams;

namespace Mux.Runtime;

/// <summary>Connects for one dialed link, once.</summary>
#pragma warning disable CA1001 // The source has no timer and no wait handle: there is nothing to dispose.
internal sealed class StreamDialer(Func<MuxAddress, CancellationToken, ValueTask<StreamConnection>> connect, MuxAddress address)
#pragma warning restore CA1001
{
    private readonly CancellationTokenSource _cancellation = new();

    /// <summary>Ends <see cref="ConnectAsync"/> soon, at any stage. Never runs its continuation on the calling thread.</summary>
    public void Cancel() => _ = _cancellation.CancelAsync();

    /// <exception cref="IOException">The connect failed; the message names the address and the reason.</exception>
    /// <exception cref="OperationCanceledException"><see cref="Cancel"/> was called.</exception>
    public async Task<StreamConnection> ConnectAsync()
    {
        try
        {
            return await connect(address, _cancellation.Token).ConfigureAwait(false)
                ?? throw new InvalidOperationException("the transport returned no connection");
        }
        catch (Exception e) when (e is not OperationCanceledException || !_cancellation.IsCancellationRequested)
        {
            var what = $"Cannot connect to {address}: ";
            var reason = e.Message.StartsWith(what, StringComparison.Ordinal) ? e.Message[what.Length..] : e.Message; // a socket dialer already adds the prefix
            throw new IOException($"{what}{reason.TrimEnd('.')}.", e);
        }
    }
}
