using System.Buffers.Binary;
using Mux.Tool.Workloads;

namespace Mux.Tool.Load;

/// <inheritdoc/>
internal sealed class EchoToken : CallToken
{
    private readonly IEcho _echo;
    private readonly byte[] _payload; // reused: a request is encoded before the call returns

    public EchoToken(IEcho echo, int size, LoadState state, int index, int tokens)
        : base(state, index, tokens)
    {
        _echo = echo;
        _payload = new byte[size];
        for (int i = 0; i < size; i++) _payload[i] = (byte)(index + i);
    }

    protected override async Task MakeCallsAsync()
    {
        while (TryNext(out long number))
        {
            try
            {
                WriteNumber(number);
                var reply = await _echo.EchoAsync(_payload).ConfigureAwait(false);
                End(reply.AsSpan().SequenceEqual(_payload));
            }
            catch (MuxException error)
            {
                await FailAsync(error).ConfigureAwait(false);
            }
        }
    }

    /// <summary>As much of the number as there is room for: below 8 bytes it is no longer unique.</summary>
    private void WriteNumber(long number)
    {
        Span<byte> bytes = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64LittleEndian(bytes, number);
        bytes[..Math.Min(bytes.Length, _payload.Length)].CopyTo(_payload);
    }
}
