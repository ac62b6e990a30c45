using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace Evidence.Memory;

/// <summary>A peer that makes a server hold memory, as the document of the protocol allows it: it sends no more than it has credit for.</summary>
internal sealed class HoldingPeer : IDisposable
{
    private const byte Hello = 0x01;
    private const byte Credit = 0x04;
    private const byte Define = 0x05;
    private const byte Request = 0x08;
    private const int More = 1;
    private const int HeaderSize = 8;
    private const int Fragment = 32 * 1024;
    private const long FirstCredit = 1 << 20; // as a server announces it by default

    private readonly Socket _socket;
    private readonly SemaphoreSlim _granted = new(0);
    private long _credit = FirstCredit;

    /// <param name="port">Of the server.</param>
    /// <param name="method">Which it calls, by its number 0.</param>
    /// <param name="reads">Whether it reads what comes.</param>
    public HoldingPeer(int port, string method, bool reads)
    {
        _socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        if (!reads) _socket.ReceiveBufferSize = 4_096;
        _socket.Connect(IPAddress.Loopback, port);
        _socket.Send([.. "MUX1\r\n\u001a\n"u8, .. Frame(Hello, 0, [1, 1, 0, 0]), .. Frame(Define, 0, [0, 0, 0, .. Encoding.ASCII.GetBytes(method)])]);
        if (reads) new Thread(Read) { IsBackground = true }.Start();
    }

    /// <summary>Whether the server has ended the connection.</summary>
    public bool IsOver { get; private set; }

    /// <summary>Calls the method with a body of one frame.</summary>
    public void Call(int slot, byte[] body) => Send(Frame(Request, (uint)slot | 1u << 20, [0, 0, 0, 0, .. body]));

    /// <summary>Begins a request of so many bytes.</summary>
    public void Begin(int slot, int total)
    {
        var payload = new byte[8];
        BinaryPrimitives.WriteInt32LittleEndian(payload.AsSpan(4), total);
        Send(Frame(Request, (uint)slot | 1u << 20, payload, More));
    }

    /// <summary>Sends more of it, but not its end.</summary>
    public void Continue(int slot, int bytes)
    {
        for (int left = bytes; left > 0 && !IsOver; left -= Fragment)
        {
            int length = Math.Min(left, Fragment);
            while (Interlocked.Read(ref _credit) <= 0 && !IsOver) _granted.Wait(100);
            Interlocked.Add(ref _credit, -length);
            Send(Frame(Request, (uint)slot | 1u << 20, new byte[length], More));
        }
    }

    public void Dispose()
    {
        _socket.Dispose();
        _granted.Dispose();
    }

    private void Send(byte[] bytes)
    {
        try
        {
            _socket.Send(bytes);
        }
        catch (SocketException)
        {
            IsOver = true;
        }
    }

    private void Read()
    {
        var buffer = new byte[128 * 1024];
        int count = 0;
        try
        {
            while (_socket.Receive(buffer.AsSpan(count)) is > 0 and var received)
            {
                count += received;
                int at = Take(buffer.AsSpan(0, count));
                buffer.AsSpan(at, count - at).CopyTo(buffer);
                count -= at;
            }
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            // It is over, as it is after the loop.
        }

        IsOver = true;
    }

    private int Take(ReadOnlySpan<byte> bytes)
    {
        int at = 0;
        if (bytes.StartsWith("MUX1"u8)) at = HeaderSize; // the preface is as long as a header
        while (bytes.Length - at >= HeaderSize)
        {
            int length = bytes[at] | bytes[at + 1] << 8 | bytes[at + 2] << 16;
            if (bytes.Length - at < HeaderSize + length) break;
            if ((bytes[at + 3] & 0x1F) == Credit)
            {
                Interlocked.Add(ref _credit, BinaryPrimitives.ReadInt32LittleEndian(bytes[(at + HeaderSize)..]));
                _granted.Release();
            }

            at += HeaderSize + length;
        }

        return at;
    }

    private static byte[] Frame(byte kind, uint id, byte[] payload, int flags = 0)
    {
        var frame = new byte[HeaderSize + payload.Length];
        BinaryPrimitives.WriteUInt64LittleEndian(frame, (uint)payload.Length | (ulong)kind << 24 | (ulong)flags << 29 | (ulong)id << 32);
        payload.CopyTo(frame, HeaderSize);
        return frame;
    }
}
