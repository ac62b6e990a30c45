using System.Buffers.Binary;
using System.Net.Sockets;

namespace BlockingFront.Stacks;

/// <summary>One connection with a thread that reads it. <see cref="Send"/> may be called by any thread.</summary>
/// <param name="socket">The pipe's from now on.</param>
/// <param name="onNumber">Is given id and number of each message, on the reading thread.</param>
internal sealed class NumberPipe(Socket socket, Action<NumberPipe, int, int> onNumber) : IDisposable
{
    private const int MessageSize = 8;

    private readonly Lock _gate = new();

    public void Start() => new Thread(Read) { IsBackground = true }.UnsafeStart();

    public void Send(int id, int number)
    {
        Span<byte> message = stackalloc byte[MessageSize];
        BinaryPrimitives.WriteInt32LittleEndian(message, id);
        BinaryPrimitives.WriteInt32LittleEndian(message[sizeof(int)..], number);
        try
        {
            lock (_gate) socket.Send(message);
        }
        catch (SocketException)
        {
            // The peer has ended.
        }
    }

    public void Dispose() => socket.Dispose();

    private void Read()
    {
        var buffer = new byte[64 * 1024];
        int count = 0;
        try
        {
            while (true)
            {
                int received = socket.Receive(buffer.AsSpan(count));
                if (received == 0) return;
                count += received;
                int at = 0;
                for (; count - at >= MessageSize; at += MessageSize) onNumber(this, BinaryPrimitives.ReadInt32LittleEndian(buffer.AsSpan(at)), BinaryPrimitives.ReadInt32LittleEndian(buffer.AsSpan(at + sizeof(int))));
                buffer.AsSpan(at, count - at).CopyTo(buffer);
                count -= at;
            }
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            // The connection has ended.
        }
    }
}
