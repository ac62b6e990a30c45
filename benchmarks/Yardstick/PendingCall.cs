using System.Threading.Tasks.Sources;

namespace Yardstick;

/// <summary>A place for one open call, and what its caller awaits. Used again and again: the id says which use it is.</summary>
internal sealed class PendingCall(ClientConnection connection, int index) : IValueTaskSource<Employee>
{
    private const int IndexBits = 20;

    private ManualResetValueTaskSourceCore<Employee> _core;
    private uint _generation;

    /// <summary>The next in the connection's list of free ones.</summary>
    public PendingCall? Next { get; set; }

    public uint Id { get; private set; }

    public short Version => _core.Version;

    public static int IndexOf(uint id) => (int)(id & (1u << IndexBits) - 1);

    /// <returns>The id of the call.</returns>
    public uint Open()
    {
        _core.Reset();
        return Id = (uint)index | ++_generation << IndexBits;
    }

    public void Complete(Employee reply) => _core.SetResult(reply);

    public Employee GetResult(short token)
    {
        var reply = _core.GetResult(token);
        connection.Return(this);
        return reply;
    }

    public ValueTaskSourceStatus GetStatus(short token) => _core.GetStatus(token);

    public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);
}
