using System.Net.Sockets;

namespace Yardstick;

/// <summary>Makes calls, any number at a time, and completes them on the loop's thread.</summary>
internal sealed class ClientConnection(Socket socket, int inFlight) : Connection(socket, inFlight * (HeaderLength + EmployeeCodec.MaxLength))
{
    [ThreadStatic]
    private static ClientConnection? t_completing;

    [ThreadStatic]
    private static byte[]? t_scratch;

    // Guarded by Gate.
    private readonly PendingCall[] _calls = new PendingCall[inFlight];
    private PendingCall? _free;
    private int _created;

    /// <summary>Replies to calls that are not open.</summary>
    public long UnknownReplies { get; private set; }

    public ValueTask<Employee> SearchAsync(SearchEmployee query)
    {
        var scratch = t_scratch ??= new byte[EmployeeCodec.MaxLength];
        int length = EmployeeCodec.Encode(query, scratch);
        PendingCall call;
        lock (Gate)
        {
            call = RentLocked();
            Append(call.Open(), scratch.AsSpan(0, length));
        }

        // A call made while this connection's replies are handed out goes with all the others that they cause.
        if (t_completing != this) Flush();
        return new ValueTask<Employee>(call, call.Version);
    }

    public void Return(PendingCall call)
    {
        lock (Gate)
        {
            call.Next = _free;
            _free = call;
        }
    }

    protected override void OnFrame(uint id, ReadOnlySpan<byte> body)
    {
        if (PendingCall.IndexOf(id) is var index && index < _calls.Length && _calls[index] is { } call && call.Id == id)
        {
            var employee = EmployeeCodec.DecodeEmployee(body);
            t_completing = this;
            call.Complete(employee);
            t_completing = null;
        }
        else
        {
            UnknownReplies++;
        }
    }

    private PendingCall RentLocked()
    {
        if (_free is not { } call) return _calls[_created] = new PendingCall(this, _created++);
        _free = call.Next;
        return call;
    }
}
