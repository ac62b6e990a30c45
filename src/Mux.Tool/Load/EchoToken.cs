using Mux.Tool.Workloads;

namespace Mux.Tool.Load;

/// <inheritdoc/>
internal sealed class EchoToken : CallToken
{
    private readonly ReplaceableProxy<IEcho> _echo;
    private readonly byte[] _payload; // reused: a request is encoded before the call returns

    /// <param name="echo">The service.</param>
    /// <param name="size">Size of the payload in bytes.</param>
    /// <param name="filling">First byte of the content, so that payloads too short for a number still differ.</param>
    /// <param name="pace">Pace of the token.</param>
    public EchoToken(ReplaceableProxy<IEcho> echo, int size, int filling, CallPace pace)
        : base(pace)
    {
        _echo = echo;
        _payload = new byte[size];
        for (int i = 0; i < size; i++) _payload[i] = (byte)(filling + i);
    }

    public override async Task MakeCallsAsync()
    {
        while (await Pace.NextAsync().ConfigureAwait(false))
        {
            try
            {
                EchoNumber.Write(_payload, Pace.Number);
                var reply = await _echo.Current.EchoAsync(_payload, Pace.CancellationToken).ConfigureAwait(false);
                Pace.End(reply.AsSpan().SequenceEqual(_payload));
            }
            catch (Exception error) when (error is MuxException or OperationCanceledException)
            {
                await Pace.FailAsync(error).ConfigureAwait(false);
            }
        }
    }
}
